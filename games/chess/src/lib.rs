//! Chess and its variants, all data.

pub mod definition;
pub mod epd;
mod fen;
mod lexicon;
pub mod notation;
pub mod pgn;
mod san;
mod uci;

pub use definition::definition;
pub use notation::{ATOMIC, CHESS960, Captures, Castling, Chess, NOTATION};

use senet_core::{Game, Options};

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
