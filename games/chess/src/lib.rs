//! Chess and its variants, all data.

pub mod atomic;
pub mod capablanca;
pub mod chess960;
pub mod definition;
pub mod king_of_the_hill;
pub mod three_check;

pub use definition::definition;

use senet_core::{Game, Options};

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
