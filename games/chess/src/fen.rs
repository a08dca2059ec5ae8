//! Positions in Forsyth-Edwards Notation.
//!
//! Castling rights are read as KQkq, as X-FEN and as Shredder-FEN, and written as X-FEN: a file
//! stands in the place of a wing only where the outermost rook is not the one that may castle.
//! An en-passant square is read whether or not it can be used, and written only where a capture
//! is legal. Four fields are enough to be read; six are written, and a seventh where the variant
//! counts checks.

mod reader;
mod validity;

pub(crate) use reader::{Reader, parse};

use senet_core::{PlayerId, State, TileId};

use crate::lexicon::{Lexicon, Wing};
use crate::notation::letter_at;

/// Writes a position.
pub(crate) fn format(lexicon: &Lexicon<'_>, state: &State) -> String {
    let view = lexicon.game.view(state);
    let variable = |variable| view.variable(variable, view.player());
    let (clock, number) = (variable(lexicon.clock), variable(lexicon.number));
    let mut text = format!("{} {clock} {number}", format_four(lexicon, state));
    if let Some(checks) = lexicon.checks {
        for player in lexicon.players {
            text.push_str(if player == lexicon.players[0] { " +" } else { "+" });
            text.push_str(&view.variable(checks, player).to_string());
        }
    }
    text
}

/// Writes the four fields that are the position itself.
pub(crate) fn format_four(lexicon: &Lexicon<'_>, state: &State) -> String {
    let mut text = String::with_capacity(90);
    for rank in (0..lexicon.height).rev() {
        let mut empty = 0;
        for file in 0..lexicon.width {
            let tile = lexicon.tile(file, rank);
            match tile.and_then(|tile| letter_at(lexicon, state, tile)) {
                None => empty += 1,
                Some(letter) => {
                    push_count(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        push_count(&mut text, &mut empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text.push(side_letter(lexicon, lexicon.game.view(state).player()));
    text.push(' ');
    push_rights(lexicon, state, &mut text);
    text.push(' ');
    match en_passant(lexicon, state) {
        Some(tile) => text.push_str(lexicon.game.tile_name(tile)),
        None => text.push('-'),
    }
    text
}

fn push_count(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// The letter of a player as the side to move.
pub(crate) fn side_letter(lexicon: &Lexicon<'_>, player: PlayerId) -> char {
    lexicon.game.player_name(player).chars().next().unwrap_or('?')
}

fn push_rights(lexicon: &Lexicon<'_>, state: &State, text: &mut String) {
    let before = text.len();
    for player in lexicon.players {
        for wing in Wing::BOTH {
            let Some(letter) = right(lexicon, state, player, wing) else { continue };
            let white = player == lexicon.players[0];
            text.push(if white { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.len() == before {
        text.push('-');
    }
}

/// The letter of a right to castle, if there is one.
fn right(lexicon: &Lexicon<'_>, state: &State, player: PlayerId, wing: Wing) -> Option<char> {
    let rook = lexicon.castling_rook(state, player, wing)?;
    if !lexicon.game.view(state).is_flagged(rook, lexicon.mint) {
        return None;
    }
    let square = lexicon.square(rook);
    let rooks = lexicon.pieces(state, player, lexicon.rook).iter().map(|tile| lexicon.square(tile));
    let mut rank = rooks.filter(|other| other.rank == square.rank);
    let further = match wing {
        Wing::East => rank.any(|other| other.file > square.file),
        Wing::West => rank.any(|other| other.file < square.file),
    };
    Some(match (further, wing) {
        (true, _) => (b'a' + square.file).into(),
        (false, Wing::East) => 'k',
        (false, Wing::West) => 'q',
    })
}

/// The tile that a pawn passed over and on which it can be captured.
fn en_passant(lexicon: &Lexicon<'_>, state: &State) -> Option<TileId> {
    let view = lexicon.game.view(state);
    let pawn = view.flagged(lexicon.passing).iter().next()?;
    let owner = view.owner_at(pawn)?;
    lexicon.tile(lexicon.square(pawn).file, lexicon.rank(owner, 2))
}
