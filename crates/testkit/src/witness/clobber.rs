//! Clobber.

use senet_core::builder::FOUR;
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Kind, Movement, Pattern, Phase, Rule, Seat, Set,
    Truth,
};

/// Counted by a program that knows clobber alone.
pub const COUNTS: &[u64] = &[49, 2_116, 80_063, 2_630_382];

/// A stone takes a stone of the other player beside it, on a full board of 5 columns and 6 rows. Who
/// can take nothing has lost.
pub fn definition() -> Definition {
    let all = (0..6u8).flat_map(|row| (0..5u8).map(move |column| (column, row)));
    let tiles = |parity: u8| {
        let of = all.clone().filter(move |(column, row)| (column + row) % 2 == parity);
        of.map(|(column, row)| format!("{}{}", char::from(b'a' + column), row + 1))
    };
    Builder::new("clobber")
        .players(["white", "black"])
        .board(Grid::new(5, 6))
        .kind(Kind::new("stone").travels(Pattern::steps(&FOUR)))
        .pieces_on("white", "stone", tiles(0))
        .pieces_on("black", "stone", tiles(1))
        .phase(
            Phase::leaf("play").rule(
                Rule::moves("take a neighbour", Movement::any().onto(Set::foe()))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("nothing to take", Seat::Previous).when(Truth::Stuck))
        .build()
}
