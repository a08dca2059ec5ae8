//! Breakthrough.

use senet_core::builder::{NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST};
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Movement, Pattern, Phase, Player, Rule, Seat, Set,
};

/// Counted by a program that knows breakthrough alone.
pub const COUNTS: &[u64] = &[22, 484, 11_132, 256_036, 6_182_818];

/// Two rows of men a side step forward, straight to an empty tile or aslant to one that is empty or
/// held by a foe. To reach the other side wins, and so does to take everything.
pub fn definition() -> Definition {
    let player = |name: &str, [ahead, one, two]: [&str; 3]| {
        Player::new(name).facing("ahead", ahead).facing("aslant", one).facing("askew", two)
    };
    let row = |row: u8| (b'a'..=b'h').map(move |file| format!("{}{row}", char::from(file)));
    let ends = |rule: Rule| rule.then(Effect::Turn(Seat::Next));
    let straight = Movement::any().by(Pattern::step("ahead")).onto(Set::Empty).harmless();
    let aslant = Movement::any().by(Pattern::steps(&["aslant", "askew"]));
    let arrived = (Set::own() & Set::region("far")).any();
    Builder::new("breakthrough")
        .player(player("white", [NORTH, NORTH_EAST, NORTH_WEST]))
        .player(player("black", [SOUTH, SOUTH_EAST, SOUTH_WEST]))
        .board(Grid::new(8, 8).eight())
        .region_of("white", "far", row(8))
        .region_of("black", "far", row(1))
        .kind("man")
        .pieces_on("white", "man", row(1).chain(row(2)))
        .pieces_on("black", "man", row(7).chain(row(8)))
        .phase(
            Phase::leaf("play")
                .rule(ends(Rule::moves("step straight", straight)))
                .rule(ends(Rule::moves("step aslant", aslant))),
        )
        .ending(Ending::win("broken through", Seat::Mover).of_each().when(arrived))
        .ending(Ending::win("all are taken", Seat::Mover).of_each().when(Set::foe().none()))
        .build()
}
