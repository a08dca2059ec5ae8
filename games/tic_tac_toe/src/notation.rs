//! How tic-tac-toe is written: an event is the tile that is marked, a position is the rows from
//! the top, with a digit for that number of empty tiles, and the player to move: `x1o/1x1/3 o`.

use senet_core::notation::{EventError, PositionError, PositionReason, excerpt, expected, nearest};
use senet_core::setup::Stand;
use senet_core::{Event, Game, Notation, Setup, State, TileId, text};

/// The notation of tic-tac-toe.
pub static NOTATION: TicTacToe = TicTacToe;

/// The notation of tic-tac-toe.
pub struct TicTacToe;

const SIDE: usize = 3;

impl Notation for TicTacToe {
    fn format_position(&self, game: &Game, state: &State) -> String {
        let view = game.view(state);
        let tiles: Vec<TileId> = game.tiles().collect();
        let rows = tiles.chunks(SIDE).rev().map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for &tile in row {
                match view.owner_at(tile) {
                    None => empty += 1,
                    Some(owner) => {
                        write_count(&mut text, &mut empty);
                        text.push_str(game.player_name(owner));
                    }
                }
            }
            write_count(&mut text, &mut empty);
            text
        });
        let rows: Vec<String> = rows.collect();
        format!("{} {}", rows.join("/"), game.player_name(view.player()))
    }

    fn parse_position(&self, game: &Game, text: &str) -> Result<State, PositionError> {
        let mut reasons = Vec::new();
        let mut wrong = |at: usize, kind: &str, found: &str, allowed: &str| {
            let message = format!("at byte {at}: {}", expected(allowed, &excerpt(found)));
            reasons.push(PositionReason { kind: kind.into(), message, at: Some(at) });
        };
        if text.trim().is_empty() {
            wrong(0, "empty", text, "three rows and a player, as 3/1x1/3 o");
            return Err(PositionError { reasons });
        }
        let (board, player) = text.split_once(' ').unwrap_or((text, ""));
        let mut setup = Setup::empty(game.players().next().expect("the game has players"));
        let rows: Vec<&str> = board.split('/').take(SIDE + 1).collect();
        if rows.len() != SIDE {
            wrong(0, "wrong number of rows", board, "three rows between two slashes");
        }
        let mut start = 0;
        for (row, text) in rows.iter().take(SIDE).enumerate() {
            match parse_row(game, text) {
                Ok(marks) => {
                    let from_bottom = (SIDE - 1 - row) * SIDE;
                    let stand = |(column, owner)| Stand {
                        tile: game.tiles().nth(from_bottom + column).expect("nine tiles"),
                        owner,
                        kind: game.kinds().next().expect("one kind"),
                        flags: 0,
                        piece: None,
                    };
                    setup.pieces.extend(marks.into_iter().map(stand));
                }
                Err(at) => wrong(start + at, "malformed row", text, "x, o and digits, three wide"),
            }
            start += text.len() + 1;
        }
        match game.player(player) {
            Some(player) => setup.player = player,
            None => wrong(board.len(), "unknown player", player, "a space, then x or o"),
        }
        if !reasons.is_empty() {
            return Err(PositionError { reasons });
        }
        game.state(&setup).map_err(|errors| PositionError::of_setup(game, &errors))
    }

    fn format_event(&self, game: &Game, _: &State, event: Event) -> String {
        match event {
            Event::Put { to, .. } => game.tile_name(to).to_owned(),
            other => text::format_event(game, other),
        }
    }

    fn parse_event(&self, game: &Game, state: &State, text: &str) -> Result<Event, EventError> {
        let text = text.trim();
        if text.contains(['@', '/']) {
            return text::parse_event(game, state, text);
        }
        let kind = game.kinds().next().expect("one kind");
        match game.tile(text) {
            Some(to) => Ok(Event::Put { kind, to }),
            None => {
                let near = nearest(text, game.tiles().map(|tile| game.tile_name(tile)));
                Err(EventError::new(0, text, "a tile from a1 to c3", near))
            }
        }
    }
}

fn write_count(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// The marks of a row by column, or the byte at which it goes wrong.
fn parse_row(game: &Game, row: &str) -> Result<Vec<(usize, senet_core::PlayerId)>, usize> {
    let mut marks = Vec::new();
    let mut column = 0;
    for (at, letter) in row.char_indices() {
        match letter.to_digit(10) {
            Some(digit) if digit > 0 => column += digit as usize,
            _ => {
                let owner = game.player(letter.encode_utf8(&mut [0; 4])).ok_or(at)?;
                marks.push((column, owner));
                column += 1;
            }
        }
        if column > SIDE {
            return Err(at);
        }
    }
    if column == SIDE { Ok(marks) } else { Err(row.len()) }
}
