//! How a game is written: positions, events, and a board drawn with letters.

use std::fmt;

use crate::apply::Accepted;
use crate::event::Event;
use crate::game::Game;
use crate::id::PlayerId;
use crate::setup::SetupErrors;
use crate::state::State;
use crate::text;
use crate::turn::Turn;

pub use crate::name::nearest;

/// How people write a game. Every method has a plain form that works for any game; a game with
/// customs of its own replaces what differs.
pub trait Notation: Sync {
    /// Whether events are written as [`text::format_event`] writes them, whatever the state is.
    fn is_plain(&self) -> bool {
        false
    }

    /// Writes a position; what is written reads back to the same position.
    fn format_position(&self, game: &Game, state: &State) -> String {
        text::format_position(game, state)
    }

    /// Reads a position, or says every reason why it is none.
    fn parse_position(&self, game: &Game, text: &str) -> Result<State, PositionError> {
        text::parse_position(game, text)
    }

    /// Writes an event of a state so that no other event of that state is written the same.
    fn format_event(&self, game: &Game, _state: &State, event: Event) -> String {
        text::format_event(game, event)
    }

    /// Reads an event: as [`Notation::format_event`] or [`Notation::notate`] writes it.
    fn parse_event(&self, game: &Game, state: &State, text: &str) -> Result<Event, EventError> {
        text::parse_event(game, state, text)
    }

    /// Every event that a text may mean, legal or not: more than one where the text names no one
    /// piece, and none where it is not written as an event is.
    fn readings(&self, game: &Game, state: &State, text: &str) -> Vec<Event> {
        self.parse_event(game, state, text).into_iter().collect()
    }

    /// Writes a legal event as people do.
    fn notate(&self, game: &Game, state: &State, event: Event) -> String {
        self.format_event(game, state, event)
    }

    /// Writes a whole turn as people do.
    fn notate_turn(&self, game: &Game, state: &State, turn: &Turn) -> String {
        let mut words = Vec::new();
        let mut now = state.clone();
        for &event in &turn.events {
            words.push(self.notate(game, &now, event));
            match game.apply(&now, event) {
                Ok(step) => now = step.state,
                Err(_) => break,
            }
        }
        words.join(" ")
    }

    /// Reads a whole turn: as [`Notation::notate_turn`] writes it, or a single event.
    fn parse_turn(&self, game: &Game, state: &State, text: &str) -> Result<Meant, TurnError> {
        self.parse_event(game, state, text).map(Meant::Event).map_err(TurnError::Text)
    }

    /// The names of the forms in which positions can be written, the one of
    /// [`Notation::format_position`] first. Those of them that say all there is are read again.
    fn forms(&self) -> &'static [&'static str] {
        &["plain"]
    }

    /// Writes a position in one of the forms; none where there is no such form.
    fn format_as(&self, game: &Game, state: &State, form: &str) -> Option<String> {
        (Some(&form) == self.forms().first()).then(|| self.format_position(game, state))
    }

    /// The pieces alone as an object of JSON, as a player sees them; none where the game has no
    /// such form.
    fn format_board(&self, _game: &Game, _state: &State, _player: PlayerId) -> Option<String> {
        None
    }

    /// What a board does not show, in lines: the numbers that a game keeps and that are not as
    /// they were at the start.
    fn facts(&self, game: &Game, state: &State) -> Vec<String> {
        text::facts(game, state)
    }

    /// Draws a position with letters.
    fn draw(&self, game: &Game, state: &State) -> String {
        crate::drawing::draw(game, state, &crate::TileSet::EMPTY)
    }
}

/// What a text means that may be a whole turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// One event, legal or not.
    Event(Event),
    /// The events of a turn, each accepted where those before it lead, so that none need be judged
    /// again; none where nothing can be played.
    Turn(Vec<Accepted>),
}

impl Meant {
    /// The events, in order.
    pub fn events(&self) -> Vec<Event> {
        match self {
            Meant::Event(event) => vec![*event],
            Meant::Turn(turn) => turn.iter().map(|one| one.event()).collect(),
        }
    }
}

/// The plain notation of [`crate::text`].
pub struct Plain;

impl Notation for Plain {
    fn is_plain(&self) -> bool {
        true
    }
}

/// Why a text is no position: every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The reasons, in the order of the text.
    pub reasons: Vec<PositionReason>,
}

/// One reason why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionReason {
    /// A word or two for programs that tell reasons apart.
    pub kind: String,
    /// What was found and what is allowed.
    pub message: String,
    /// The byte of the text where it was found, if it has a place.
    pub at: Option<usize>,
}

impl PositionError {
    /// The reasons of a setup that is no state.
    pub fn of_setup(game: &Game, errors: &SetupErrors) -> PositionError {
        let reason = |error: &crate::setup::SetupError| PositionReason {
            kind: error.kind().to_owned(),
            message: error.text(game),
            at: None,
        };
        PositionError { reasons: errors.0.iter().map(reason).collect() }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid position: ")?;
        for (index, reason) in self.reasons.iter().enumerate() {
            write!(f, "{}{}", if index > 0 { "; " } else { "" }, reason.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionError {}

/// Why a text is no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventError {
    /// The byte of the text where it went wrong.
    pub at: usize,
    /// What was found there, shortened.
    pub found: String,
    /// What is allowed there.
    pub allowed: String,
    /// What was probably meant.
    pub near: Option<String>,
}

impl EventError {
    /// An error at a place.
    pub fn new(at: usize, found: &str, allowed: &str, near: Option<String>) -> EventError {
        EventError { at, found: excerpt(found), allowed: allowed.to_owned(), near }
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, expected(&self.allowed, &self.found))?;
        match &self.near {
            Some(near) => write!(f, ", did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for EventError {}

/// Why a text is no turn that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnError {
    /// It is not written as a turn is.
    Text(EventError),
    /// The rules refuse it.
    Refused(Refusal),
}

/// Why a whole turn is refused, and what can be played instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule it breaks.
    pub reason: String,
    /// Some turns that are legal.
    pub instead: Vec<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        for (index, turn) in self.instead.iter().enumerate() {
            let mark = match index {
                0 => "; legal here: ",
                _ if turn == "…" => " ",
                _ => ", ",
            };
            write!(f, "{mark}{turn}")?;
        }
        Ok(())
    }
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnError::Text(error) => error.fmt(f),
            TurnError::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for TurnError {}

/// What was expected at a place of a text, and what was found there, already shortened.
pub fn expected(allowed: &str, found: &str) -> String {
    match found {
        "" => format!("expected {allowed}, found nothing"),
        found => format!("expected {allowed}, found `{found}`"),
    }
}

/// The beginning of a text, safe to print and short enough for a message.
pub fn excerpt(text: &str) -> String {
    // Quotation marks and backslashes harm nobody, and would be escaped once more in JSON.
    let safe = |letter: char| match letter {
        '"' | '\'' | '\\' => letter.to_string(),
        letter => letter.escape_debug().to_string(),
    };
    let mut shown: String = text.chars().take(40).map(safe).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
