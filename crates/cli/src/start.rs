//! Positions that have a name: the start, and in chess960 a start by its number or at random.

use std::hash::{BuildHasher, RandomState};

use senet::notation::chess::chess960;
use senet::{Game, Position};

use crate::failure::Failure;

/// How many starts chess960 has.
const STARTS: u16 = 960;

/// The position that has a name; none where a text is a position in some notation.
pub(crate) fn named(game: &Game, text: &str) -> Option<Result<Position, Failure>> {
    let text = text.trim();
    if matches!(text, "startpos" | "start") {
        return Some(Ok(game.start()));
    }
    // A definition file may have a registered name and be another game.
    if game.name() != "chess960" || !game.is_shipped() {
        return None;
    }
    let number = match text {
        "random" => (RandomState::new().hash_one("start") % u64::from(STARTS)) as u16,
        text => text.parse().ok()?,
    };
    let Some(rank) = chess960::rank(number) else {
        let message = format!("chess960 has the starts 0 to {}, not {number}", STARTS - 1);
        return Some(Err(Failure::params(message)));
    };
    let letters = rank.map(|kind| if kind == "knight" { "n" } else { &kind[..1] });
    let black = letters.concat();
    let white = black.to_ascii_uppercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    Some(game.position(&fen).map_err(Failure::from))
}
