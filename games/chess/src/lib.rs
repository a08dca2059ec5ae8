//! Chess and its variants, all data.

pub mod definition;

pub use definition::definition;

use senet_core::{Game, Options};

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
