//! Positions that have a name: the start, and in chess960 a start by its number or at random.

use std::hash::{BuildHasher, RandomState};

use senet_core::State;
use senet_registry::chess::chess960;

use crate::failure::Failure;
use crate::shelf::Edition;

/// How many starts chess960 has.
const STARTS: u16 = 960;

/// The state of a position that has a name; none where a text is a position in some notation.
pub(crate) fn named(edition: &Edition, text: &str) -> Option<Result<State, Failure>> {
    let text = text.trim();
    if matches!(text, "startpos" | "start") {
        return Some(Ok(edition.game.start()));
    }
    // A definition file may have a registered name and be another game.
    if edition.game.name() != "chess960" || edition.summary.is_empty() {
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
    Some(edition.notation.parse_position(&edition.game, &fen).map_err(Failure::from))
}
