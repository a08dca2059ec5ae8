//! Capablanca's chess: ten files, with an archbishop and a chancellor for each side.

use senet_core::builder::{DIAGONALS, FOUR};
use senet_core::{Definition, Kind, Pattern};

use crate::definition::{Shape, leaps, shaped};

/// Chess on 10×8.
pub fn definition() -> Definition {
    shaped("capablanca", &CAPABLANCA)
}

const CAPABLANCA: Shape = Shape {
    rank: &[
        "rook",
        "knight",
        "archbishop",
        "bishop",
        "queen",
        "king",
        "bishop",
        "chancellor",
        "knight",
        "rook",
    ],
    promotions: &["queen", "chancellor", "archbishop", "rook", "bishop", "knight"],
    more: compounds,
};

/// A bishop and a rook that also leap like a knight.
fn compounds() -> Vec<Kind> {
    let archbishop = Kind::new("archbishop").travels(Pattern::slides(&DIAGONALS));
    let chancellor = Kind::new("chancellor").travels(Pattern::slides(&FOUR));
    vec![
        leaps().fold(archbishop, Kind::travels).attribute("worth", 800),
        leaps().fold(chancellor, Kind::travels).attribute("worth", 850),
    ]
}
