//! Connect four.

use senet_core::builder::{LINES, NORTH};
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Kind, Phase, Putting, Rule, Seat, Set, Truth,
};

/// Published counts; no game ends before the eighth disc, and a column holds six.
pub const COUNTS: &[u64] = &[7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572];

/// Discs fall to the lowest free tile of a column of a 7×6 board; four in a row win.
pub fn definition() -> Definition {
    let floor = ["a1", "b1", "c1", "d1", "e1", "f1", "g1"];
    let carried = Set::tiles(floor) | (!Set::Empty).then(&[NORTH]);
    Builder::new("connect-four")
        .players(["red", "yellow"])
        .board(Grid::new(7, 6).along(LINES))
        .kind(Kind::new("disc").unlimited())
        .phase(
            Phase::leaf("play").rule(
                Rule::puts("drop a disc", Putting::any().onto(Set::Empty & carried))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("four in a row", Seat::Mover).of_each().when(Truth::line(
            4,
            &LINES,
            Set::own(),
        )))
        .ending(Ending::draw("board full").when(Set::Empty.none()))
        .build()
}
