//! Hex.

use senet_core::{Builder, Definition, Effect, Ending, Hex, Kind, Phase, Putting, Rule, Seat, Set};

/// 121, 121 × 120 and so on: on 11×11 nobody wins before the 21st stone.
pub const COUNTS: &[u64] = &[121, 14_520, 1_727_880];

/// Two players fill a board of this many columns and rows; red joins west and east, blue south and
/// north.
pub fn definition(side: u16) -> Definition {
    let column = |column: u16| char::from(b'a' + column as u8);
    let tiles = |name: &dyn Fn(u16) -> String| (0..side).map(name).collect::<Vec<_>>();
    let joined = Set::own().reached_from(Set::region("near"), &[]) & Set::region("far");
    Builder::new(format!("hex-{side}"))
        .players(["red", "blue"])
        .board(Hex::parallelogram(side, side))
        .region_of("red", "near", tiles(&|row| format!("a{}", row + 1)))
        .region_of("red", "far", tiles(&|row| format!("{}{}", column(side - 1), row + 1)))
        .region_of("blue", "near", tiles(&|file| format!("{}1", column(file))))
        .region_of("blue", "far", tiles(&|file| format!("{}{side}", column(file))))
        .kind(Kind::new("stone").unlimited())
        .phase(
            Phase::leaf("play").rule(
                Rule::puts("place a stone", Putting::any().onto(Set::Empty))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("sides are joined", Seat::Mover).of_each().when(joined.any()))
        .build()
}
