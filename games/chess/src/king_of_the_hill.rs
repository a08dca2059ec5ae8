//! King of the Hill: a king that reaches one of the four central tiles wins.

use senet_core::{Builder, Definition, Ending, Seat, Set};

use crate::definition::definition as chess;

/// Chess with a hill; a bare king can still climb it, so no material is too little.
pub fn definition() -> Definition {
    let reached = (Set::region("hill") & Set::own() & Set::Royal).any();
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
