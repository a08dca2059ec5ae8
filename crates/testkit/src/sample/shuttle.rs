//! A game in which no position may come up twice.

use senet_core::builder::{EAST, Grid, WEST};
use senet_core::written::{Effect, Movement, Pattern, Phase, Rule, Seat, Set, Truth};
use senet_core::{Builder, Definition};

/// Two stones on three tiles in a row, which move one step or stay where they are, but never so that a
/// position comes up again.
pub fn definition() -> Definition {
    let steps = Movement::any().by(Pattern::steps(&[EAST, WEST])).onto(Set::Empty);
    let go = Rule::moves("go", steps).ensuring(!Truth::Repeats(2)).then(Effect::Turn(Seat::Next));
    let pass = Rule::acts("pass", "pass").then(Effect::Turn(Seat::Next));
    Builder::new("shuttle")
        .players(["red", "blue"])
        .board(Grid::new(3, 1).along([EAST, WEST]))
        .kind("stone")
        .pieces_on("red", "stone", ["a1"])
        .pieces_on("blue", "stone", ["c1"])
        .phase(Phase::leaf("play").rule(go).rule(pass))
        .action("pass")
        .build()
}
