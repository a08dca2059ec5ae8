//! Lines of action.

use senet_core::builder::{EIGHT, OPPOSITES};
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Kind, Movement, Number, Pattern, Phase, Rule, Seat,
    Set, Tile, Truth,
};

/// Counted by a program that knows lines of action alone.
pub const COUNTS: &[u64] = &[36, 1_244, 44_952, 1_563_208];

/// A man goes exactly as many tiles along a line as men stand on that line, over friends but not
/// over foes. Who has joined all his men wins; if both are joined at once, who moved.
pub fn definition() -> Definition {
    let ways = EIGHT.iter().flat_map(|way| (1..8).map(|steps| Pattern::leap(&vec![*way; steps])));
    let groups = |of| Number::Groups { of, along: Vec::new() };
    let inner = 'b'..='g';
    let column = |file: char| (2..=7).map(move |row| format!("{file}{row}"));
    let far_ends = inner.flat_map(|file| [format!("{file}1"), format!("{file}8")]);
    Builder::new("lines-of-action")
        .players(["black", "white"])
        .board(Grid::new(8, 8).eight())
        .kind(ways.fold(Kind::new("man"), Kind::travels))
        .pieces_on("black", "man", far_ends)
        .pieces_on("white", "man", column('a').chain(column('h')))
        .phase(
            Phase::leaf("play").rule(
                Rule::moves("go", Movement::any().through(!Set::foe()))
                    .when(as_far_as_men_on_the_line())
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("all are joined", Seat::Previous).when(groups(Set::foe()).equals(1)))
        .ending(Ending::win("all are joined now", Seat::Mover).when(groups(Set::own()).equals(1)))
        .ending(Ending::win("no man can move", Seat::Previous).when(Truth::Stuck))
        .build()
}

/// Along some way, the target is as many steps away as men stand on the line of that way.
fn as_far_as_men_on_the_line() -> Truth {
    let along = |way: &str, back: &str| {
        let line = Set::at(Tile::From) | Set::ray(Tile::From, way) | Set::ray(Tile::From, back);
        let to = Set::at(Tile::To);
        let steps = Number::Distance { from: Tile::From, along: way.into(), to };
        steps.equals(Number::Count(line & Set::occupied()))
    };
    let both = OPPOSITES.iter().flat_map(|(one, two)| [along(one, two), along(two, one)]);
    Truth::any(both).called("it goes as many tiles as men stand on the line")
}
