//! Events as chess programs exchange them: the tile left, the tile entered, and a letter for what
//! a pawn becomes.

use senet_core::{Event, State, TileId};

use crate::lexicon::Lexicon;
use crate::notation::Castling;

/// Writes a move by its tiles alone.
pub(crate) fn format(lexicon: &Lexicon<'_>, event: Event) -> String {
    let Event::Move { from, to, choice } = event else { return String::new() };
    let game = lexicon.game;
    let mut text = format!("{}{}", game.tile_name(from), game.tile_name(to));
    text.extend(choice.map(|kind| lexicon.letter(kind)));
    text
}

/// Writes a move of a state: castling, where that is the custom, by the king's own tiles.
pub(crate) fn format_in(lexicon: &Lexicon<'_>, state: &State, event: Event) -> String {
    let Event::Move { from, to, .. } = event else { return String::new() };
    let king = castling_target(lexicon, state, from, to);
    match king.filter(|_| lexicon.custom.castling == Castling::TwoSteps) {
        Some(to) => format(lexicon, Event::step(from, to)),
        None => format(lexicon, event),
    }
}

/// Where the king goes, if a move between two tiles is castling.
pub(crate) fn castling_target(
    lexicon: &Lexicon<'_>,
    state: &State,
    from: TileId,
    to: TileId,
) -> Option<TileId> {
    let view = lexicon.game.view(state);
    let player = view.player();
    let mine = |tile, kind| view.is_owned(tile, player) && view.is_kind(tile, kind);
    if !mine(from, lexicon.king) || !mine(to, lexicon.rook) {
        return None;
    }
    let wing = lexicon.wing(lexicon.square(from).file, lexicon.square(to).file)?;
    lexicon.castled(player, wing)
}

/// Reads a move, legal or not. None if the text is not written so.
pub(crate) fn parse(lexicon: &Lexicon<'_>, state: &State, text: &str) -> Option<Event> {
    let (from, rest) = read_square(lexicon, text.as_bytes())?;
    let (to, rest) = read_square(lexicon, rest)?;
    let choice = match rest {
        [] => None,
        [letter] => Some(lexicon.kind(*letter)?),
        _ => return None,
    };
    let to = if choice.is_none() { rook_meant(lexicon, state, from, to).unwrap_or(to) } else { to };
    Some(Event::Move { from, to, choice })
}

/// The rook that is meant when a king is said to go where castling takes him. A king's step to a
/// tile beside him is a step.
fn rook_meant(lexicon: &Lexicon<'_>, state: &State, from: TileId, to: TileId) -> Option<TileId> {
    let view = lexicon.game.view(state);
    let player = view.player();
    let (start, end) = (lexicon.square(from), lexicon.square(to));
    let far = start.rank == end.rank && start.file.abs_diff(end.file) > 1;
    if !far || !view.is_owned(from, player) || !view.is_kind(from, lexicon.king) {
        return None;
    }
    let wing = lexicon.wing(start.file, end.file)?;
    if lexicon.castled(player, wing) != Some(to) {
        return None;
    }
    lexicon.castling_rook(state, player, wing)
}

/// Reads a square at the beginning of a text.
pub(crate) fn read_square<'t>(lexicon: &Lexicon<'_>, text: &'t [u8]) -> Option<(TileId, &'t [u8])> {
    let [file @ b'a'..=b'z', rank @ b'1'..=b'9', rest @ ..] = text else { return None };
    Some((lexicon.tile(file - b'a', rank - b'1')?, rest))
}
