//! Notations of chess and its variants: FEN, SAN, UCI, EPD and PGN. The games themselves are files.

pub mod chess960;
pub mod epd;
mod fen;
mod lexicon;
pub mod notation;
pub mod pgn;
mod san;
mod uci;

pub use notation::{ATOMIC, CHESS960, Captures, Castling, Chess, NOTATION};

use senet_core::{Definition, Game, Options};
use senet_lang::Shelf;

/// The files of chess and its variants, by the names of the games.
pub static FILES: &[(&str, &str)] = &[
    ("chess", include_str!("../../chess.senet")),
    ("chess960", include_str!("../../chess960.senet")),
    ("king-of-the-hill", include_str!("../../king-of-the-hill.senet")),
    ("three-check", include_str!("../../three-check.senet")),
    ("capablanca", include_str!("../../capablanca.senet")),
    ("atomic", include_str!("../../atomic.senet")),
    ("crazyhouse", include_str!("../../crazyhouse.senet")),
    ("racing-kings", include_str!("../../racing-kings.senet")),
    ("horde", include_str!("../../horde.senet")),
];

/// Chess by the laws of FIDE.
pub fn definition() -> Definition {
    variant("chess")
}

/// The rules of one of the [`FILES`].
///
/// # Panics
///
/// Where there is no such game.
pub fn variant(name: &str) -> Definition {
    Shelf(FILES).game(name).definition
}

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
