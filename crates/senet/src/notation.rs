//! How games are written: the [`Notation`] of a game, and files of games.
//!
//! [`Game::position`] and [`Position::to_string`] read and write positions (FEN in chess, XGID in
//! backgammon), [`Position::apply`] reads moves, and [`Position::notate`] writes them. Here is the
//! rest: PGN files ([`pgn`]), EPD lines ([`epd`]), `.mat` files ([`mat`]), SGF files ([`sgf`]), and
//! the trait itself for a notation of your own.
//!
//! ```
//! use senet::notation::{self, pgn};
//!
//! let games = notation::pgn_games();
//! let rules = notation::pgn_rules(&games);
//! let text = "[Event \"Example\"]\n\n1. e4 e5 2. Nf3 *\n";
//! let mut reader = pgn::Reader::new(text.as_bytes(), "example", &rules);
//! let line = reader.next_line().unwrap()?;
//! assert_eq!((line.game.as_str(), line.events.len()), ("chess", 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Game::position`]: crate::Game::position
//! [`Position::apply`]: crate::Position::apply
//! [`Position::notate`]: crate::Position::notate
//! [`Position::to_string`]: crate::Position

pub mod sgf;

pub use senet_core::notation::{
    EventError, Meant, PositionError, PositionReason, Refusal, TurnError,
};
pub use senet_core::{Notation, Plain, text};
pub use senet_registry::backgammon::{self, mat};
pub use senet_registry::chess::{self, Chess, epd, pgn};

#[cfg(feature = "render")]
pub use crate::lettered::Lettered;
pub use crate::record::{write_mat, write_pgn};

use std::io::BufRead;

use crate::game::Game;

/// The name of the notation of games that are compiled from a definition alone.
pub(crate) const PLAIN: &str = "plain";

/// The name of the notation of game files that state no other.
pub(crate) const NONE: &str = "none";

/// The notation of a name, with the name: one that game files may state, with `none` among them, or
/// `plain`, in which games are written that are compiled from a definition alone.
pub fn named(name: &str) -> Option<(&'static str, &'static dyn Notation)> {
    match name {
        PLAIN => Some((PLAIN, &Plain)),
        NONE => Some((NONE, crate::files::PLAIN)),
        _ => senet_registry::NOTATIONS.iter().find(|(known, _)| *known == name).copied(),
    }
}

/// A game that a PGN file may contain, and how its moves are written there.
pub type PgnGame = (Game, &'static Chess);

/// The games that a PGN file may contain. The first is that of files which name no variant.
pub fn pgn_games() -> Vec<PgnGame> {
    let game = |name: &str| crate::load(name).expect("a game of PGN files is registered");
    senet_registry::PGN.iter().map(|&(name, notation)| (game(name), notation)).collect()
}

/// The games of [`pgn_games`] as a [`pgn::Reader`] wants them.
///
/// # Panics
/// If there is no game.
pub fn pgn_rules(games: &[PgnGame]) -> pgn::Rules<'_> {
    let ((game, notation), others) = games.split_first().expect("there is a game");
    let rules = pgn::Rules::new(game.rules(), notation);
    others.iter().fold(rules, |rules, (game, notation)| rules.with(game.rules(), notation))
}

/// How the moves of a game are written in PGN files; none for a game that those cannot contain.
pub fn pgn_notation(game: &Game) -> Option<&'static Chess> {
    let known = senet_registry::PGN.iter().find(|(name, _)| *name == game.name());
    known.filter(|_| game.is_shipped()).map(|(_, notation)| *notation)
}

/// Whether a `.mat` file may contain a game.
pub fn is_mat_game(game: &Game) -> bool {
    game.is_shipped() && senet_registry::MAT.contains(&game.name())
}

/// The games that a `.mat` file may contain. The first is that of files which name no variant.
pub fn mat_games() -> Vec<Game> {
    let game = |name: &&str| crate::load(name).expect("a game of .mat files is registered");
    senet_registry::MAT.iter().map(game).collect()
}

/// A reader of a `.mat` file that may contain these games, which [`mat_games`] gives.
pub fn mat_reader<R: BufRead>(
    games: &[Game],
    input: R,
    file: impl Into<String>,
) -> mat::Reader<'_, R> {
    let games: Vec<&senet_core::Game> = games.iter().map(|game| &**game.rules()).collect();
    mat::Reader::new(input, file, &games)
}
