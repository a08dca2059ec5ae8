//! Lines of action.

use senet_core::builder::EIGHT;
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Movement, Number, Phase, Rule, Seat, Set, Tile,
    Truth,
};

/// Counted by a program that knows lines of action alone.
pub const COUNTS: &[u64] = &[36, 1_244, 44_952, 1_563_208];

/// A man goes exactly as many tiles along a line as men stand on that line, over friends but not
/// over foes. Who has joined all his men wins; if both are joined at once, who moved.
pub fn definition() -> Definition {
    let on_the_line = Number::Count(Set::row(Tile::From, "way") & Set::occupied());
    let groups = |of| Number::Groups { of, along: Vec::new() };
    let inner = 'b'..='g';
    let column = |file: char| (2..=7).map(move |row| format!("{file}{row}"));
    let far_ends = inner.flat_map(|file| [format!("{file}1"), format!("{file}8")]);
    Builder::new("lines-of-action")
        .players(["black", "white"])
        .board(Grid::new(8, 8).eight())
        .kind("man")
        .pieces_on("black", "man", far_ends)
        .pieces_on("white", "man", column('a').chain(column('h')))
        .phase(
            Phase::leaf("play").rule(
                Rule::moves(
                    "go",
                    Movement::any().steps("way", EIGHT, on_the_line).through(!Set::foe()),
                )
                .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("all are joined", Seat::Previous).when(groups(Set::foe()).equals(1)))
        .ending(Ending::win("all are joined now", Seat::Mover).when(groups(Set::own()).equals(1)))
        .ending(Ending::win("no man can move", Seat::Previous).when(Truth::Stuck))
        .build()
}
