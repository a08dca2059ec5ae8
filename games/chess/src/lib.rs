//! Chess and its variants, all data.

pub mod atomic;
pub mod capablanca;
pub mod chess960;
pub mod definition;
pub mod epd;
mod fen;
pub mod king_of_the_hill;
mod lexicon;
pub mod notation;
pub mod pgn;
mod san;
pub mod three_check;
mod uci;

pub use definition::definition;
pub use notation::{ATOMIC, CHESS960, Captures, Castling, Chess, NOTATION};

use senet_core::{Game, Options};

/// What a position of chess looks to be worth, as data for opponents.
pub static WEIGHTS: &str = include_str!("weights.json");

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
