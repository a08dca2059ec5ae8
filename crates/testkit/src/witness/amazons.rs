//! The game of the amazons.

use senet_core::builder::EIGHT;
use senet_core::{
    Binding, Builder, Definition, Effect, Ending, Grid, Kind, Movement, Pattern, Phase, Putting,
    Rule, Seat, Set, Tile, Truth,
};

/// A turn is two events, a move and a shot. The number of first turns, 2176, and of two turns,
/// 4,307,152, are published.
pub const COUNTS: &[u64] = &[80, 2_176];

/// On 10×10, an amazon goes like a queen and then shoots an arrow, like a queen, that blocks its
/// tile for ever. Who cannot move has lost.
pub fn definition() -> Definition {
    let archer = || Set::own() & Set::flag("shooting");
    let from_archer = Set::run(Tile::Only(Box::new(archer())), "way", Set::Empty, None);
    let in_sight = Set::union(Binding::directions("way", &EIGHT), from_archer);
    Builder::new("amazons")
        .players(["white", "black"])
        .board(Grid::new(10, 10).eight())
        .flag("shooting")
        .kind(Kind::new("amazon").travels(Pattern::slides(&EIGHT)))
        .kind(Kind::new("arrow").unlimited())
        .pieces_on("white", "amazon", ["a4", "d1", "g1", "j4"])
        .pieces_on("black", "amazon", ["a7", "d10", "g10", "j7"])
        .phase(
            Phase::leaf("shoot").when(archer().any()).rule(
                Rule::puts("shoot an arrow", Putting::of(["arrow"]).onto(in_sight))
                    .then(Effect::clear_flags(archer(), ["shooting"]))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .phase(
            Phase::leaf("move").rule(
                Rule::moves("move an amazon", Movement::of(["amazon"]).onto(Set::Empty))
                    .then(Effect::set_flags(Set::at(Tile::To), ["shooting"])),
            ),
        )
        .ending(Ending::win("no amazon can move", Seat::Previous).when(Truth::Stuck))
        .build()
}
