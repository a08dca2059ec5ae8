//! Gomoku.

use senet_core::builder::LINES;
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Kind, Phase, Putting, Rule, Seat, Set, Truth,
};

/// 225, 225 × 224 and so on: nobody wins before the ninth stone.
pub const COUNTS: &[u64] = &[225, 50_400, 11_239_200];

/// Stones on a 15×15 board; five or more in a row win.
pub fn definition() -> Definition {
    Builder::new("gomoku")
        .players(["black", "white"])
        .board(Grid::new(15, 15).along(LINES))
        .kind(Kind::new("stone").unlimited())
        .phase(
            Phase::leaf("play").rule(
                Rule::puts("place a stone", Putting::any().onto(Set::Empty))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("five in a row", Seat::Mover).of_each().when(Truth::line(
            5,
            &LINES,
            Set::own(),
        )))
        .ending(Ending::draw("board full").when(Set::Empty.none()))
        .build()
}
