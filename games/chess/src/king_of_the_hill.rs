//! King of the Hill: a king that reaches one of the four central tiles wins.

use senet_core::{Area, Builder, Definition, Ending, Seat, TileTest, Trait, Value, Who};

use crate::definition::definition as chess;

/// Chess with a hill; a bare king can still climb it, so no material is too little.
pub fn definition() -> Definition {
    let king = TileTest::owned_by(Who::Mover).and(Trait::Royal);
    let reached = Value::tiles(Area::region("hill"), king).at_least(1);
    let hill = Ending::win("king of the hill", Seat::Mover).of_each().when(reached);
    Builder::from(chess())
        .name("king-of-the-hill")
        .region("hill", ["d4", "e4", "d5", "e5"])
        .edit(|definition| {
            definition.endings.retain(|ending| ending.name != "insufficient material");
            definition.endings.insert(0, hill);
        })
        .build()
}
