//! How chess is written: a position is FEN, an event is UCI, and people read SAN.

use senet_core::notation::{EventError, PositionError, nearest};
use senet_core::{Event, Game, Notation, PlayerId, State, TileId, text};

use crate::lexicon::Lexicon;
use crate::{fen, san, uci};

/// The notation of chess and of those variants that start as chess does.
pub static NOTATION: Chess = Chess { castling: Castling::TwoSteps, captures: Captures::One };

/// The notation of Chess960, where only the rook tells which castling is meant.
pub static CHESS960: Chess = Chess { castling: Castling::KingTakesRook, captures: Captures::One };

/// The notation of Atomic, where a move may open many lines at once.
pub static ATOMIC: Chess = Chess { castling: Castling::TwoSteps, captures: Captures::Many };

/// The notation of chess and its variants. The size of the board, the letters of its kinds and
/// what a position counts come from the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chess {
    /// How castling is written.
    pub castling: Castling,
    /// How many pieces a capture takes.
    pub captures: Captures,
}

/// How castling is written in UCI, and where king and rook may castle from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    /// By the tiles the king leaves and enters: `e1g1`. King and rook castle from where they stand
    /// at the start.
    TwoSteps,
    /// By the tiles of king and rook: `e1h1`. They castle from anywhere on their first rank.
    KingTakesRook,
}

/// How many pieces a capture takes off the board, which says how many can give check at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// One: at most two pieces give check, and not from both ends of a line.
    One,
    /// Several: any number of pieces may give check.
    Many,
}

impl Chess {
    pub(crate) fn lexicon<'g>(&self, game: &'g Game) -> Lexicon<'g> {
        Lexicon::new(game, *self)
    }
}

impl Notation for Chess {
    fn format_position(&self, game: &Game, state: &State) -> String {
        fen::format(&self.lexicon(game), state)
    }

    fn parse_position(&self, game: &Game, text: &str) -> Result<State, PositionError> {
        fen::parse(&self.lexicon(game), text)
    }

    fn format_event(&self, game: &Game, state: &State, event: Event) -> String {
        match event {
            Event::Move { .. } => uci::format_in(&self.lexicon(game), state, event),
            other => text::format_event(game, other),
        }
    }

    fn parse_event(&self, game: &Game, state: &State, text: &str) -> Result<Event, EventError> {
        let word = text.trim();
        if let Some(action) = game.action(word) {
            return Ok(Event::Act(action));
        }
        let lexicon = self.lexicon(game);
        if let Some(event) = uci::parse(&lexicon, state, word) {
            return Ok(event);
        }
        let error = match san::parse(&lexicon, state, word) {
            Ok(event) => return Ok(event),
            Err(error) => error,
        };
        match nearest(word, game.actions().map(|action| game.action_name(action))) {
            Some(near) => Err(EventError { near: Some(near), ..error }),
            None => Err(error),
        }
    }

    fn readings(&self, game: &Game, state: &State, text: &str) -> Vec<Event> {
        let word = text.trim();
        if let Some(action) = game.action(word) {
            return vec![Event::Act(action)];
        }
        let lexicon = self.lexicon(game);
        match uci::parse(&lexicon, state, word) {
            Some(event) => vec![event],
            None => san::candidates(&lexicon, state, word),
        }
    }

    fn notate(&self, game: &Game, state: &State, event: Event) -> String {
        match event {
            Event::Move { .. } => san::format(&self.lexicon(game), state, event),
            other => text::format_event(game, other),
        }
    }

    fn forms(&self) -> &'static [&'static str] {
        &["fen", "epd", "plain"]
    }

    fn format_as(&self, game: &Game, state: &State, form: &str) -> Option<String> {
        match form {
            "fen" => Some(fen::format(&self.lexicon(game), state)),
            "epd" => Some(fen::format_four(&self.lexicon(game), state)),
            "plain" => Some(text::format_position(game, state)),
            _ => None,
        }
    }

    fn facts(&self, game: &Game, state: &State) -> Vec<String> {
        facts(&self.lexicon(game), state)
    }

    fn draw(&self, game: &Game, state: &State) -> String {
        draw(&self.lexicon(game), state)
    }
}

/// The board with letters, upper case for White, ranks on the left and files below.
fn draw(lexicon: &Lexicon<'_>, state: &State) -> String {
    let mut text = String::new();
    for rank in (0..lexicon.height).rev() {
        text.push_str(&format!("{:>2} ", rank + 1));
        for file in 0..lexicon.width {
            text.push(' ');
            let tile = lexicon.tile(file, rank);
            text.push(tile.and_then(|tile| letter_at(lexicon, state, tile)).unwrap_or('·'));
        }
        text.push('\n');
    }
    text.push_str("   ");
    for file in 0..lexicon.width {
        text.push(' ');
        text.push((b'a' + file).into());
    }
    text.push('\n');
    text
}

/// The number of the move, checks where they count, and how near a draw is.
fn facts(lexicon: &Lexicon<'_>, state: &State) -> Vec<String> {
    let (game, view) = (lexicon.game, lexicon.game.view(state));
    let shared = |variable| view.variable(variable, lexicon.players[0]);
    let mut facts = vec![format!("move {}", shared(lexicon.number))];
    if let Some(checks) = lexicon.checks {
        let given = |&player: &PlayerId| {
            format!("{} {}", game.player_name(player), view.variable(checks, player))
        };
        facts.push(format!(
            "checks: {}",
            lexicon.players.iter().map(given).collect::<Vec<_>>().join(", ")
        ));
    }
    // From half of the way to the fifty moves on, people count.
    let quiet = shared(lexicon.clock) / 2;
    if quiet >= 25 {
        facts.push(format!("{quiet} moves without capture or pawn"));
    }
    let seen = game.variable("repetitions").map_or(1, shared);
    if seen > 1 {
        facts.push(format!("this position {seen} times"));
    }
    facts
}

/// The letter of the piece on a tile, in the case of its owner.
pub(crate) fn letter_at(lexicon: &Lexicon<'_>, state: &State, tile: TileId) -> Option<char> {
    let view = lexicon.game.view(state);
    Some(lexicon.piece_letter(view.owner_at(tile)?, view.kind_at(tile)?))
}
