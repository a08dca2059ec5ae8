//! What is wrong with a game, and where.

use std::fmt;

use senet_core::notation::{EventError, PositionError, excerpt};

/// Why a game was not read: where it went wrong and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The game of the file, from 1.
    pub game: usize,
    /// The move that was due or under way, such as `12... Nf6`.
    pub at_move: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read on.
    Unreadable(String),
    /// A line is longer than [`crate::pgn::LONGEST_LINE`].
    LineTooLong,
    /// A byte that is part of no text.
    Nul,
    /// Something that cannot stand there.
    Unexpected {
        /// What was found.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Something that is not closed: a tag, a comment or a variation.
    NotClosed(&'static str),
    /// Variations lie deeper in each other than [`crate::pgn::DEEPEST`].
    TooDeep,
    /// More moves than [`crate::pgn::MOST_MOVES`] or more text than [`crate::pgn::MOST_TEXT`].
    TooLong(&'static str),
    /// A variant that is not among the rules at hand.
    UnknownVariant {
        /// The variant found.
        found: String,
        /// The variants at hand.
        known: String,
    },
    /// A FEN tag that is no position.
    Position(PositionError),
    /// A move that cannot be read or is not legal.
    Move(EventError),
}

impl Problem {
    pub(crate) fn unexpected(found: &[u8], allowed: &'static str) -> Problem {
        Problem::Unexpected { found: excerpt(&String::from_utf8_lossy(found)), allowed }
    }

    /// A word or two for programs that tell problems apart.
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Unreadable(_) => "unreadable",
            Problem::LineTooLong => "line too long",
            Problem::Nul => "NUL byte",
            Problem::Unexpected { .. } => "unexpected text",
            Problem::NotClosed(_) => "not closed",
            Problem::TooDeep => "nested too deep",
            Problem::TooLong(_) => "game too long",
            Problem::UnknownVariant { .. } => "unknown variant",
            Problem::Position(_) => "bad position",
            Problem::Move(_) => "bad move",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Problem::LineTooLong => {
                write!(f, "a line is longer than {} bytes", crate::pgn::LONGEST_LINE)
            }
            Problem::Nul => f.write_str("expected text, found a NUL byte"),
            Problem::Unexpected { found, allowed } => {
                write!(f, "expected {allowed}, found `{found}`")
            }
            Problem::NotClosed(what) => write!(f, "a {what} is not closed"),
            Problem::TooDeep => {
                write!(f, "variations are nested more than {} deep", crate::pgn::DEEPEST)
            }
            Problem::TooLong(what) => write!(f, "the game has too many {what}"),
            Problem::UnknownVariant { found, known } => {
                write!(f, "unknown variant `{found}`; the variants are {known}")
            }
            Problem::Position(error) => error.fmt(f),
            Problem::Move(error) => {
                write!(f, "`{}` is not {}", error.found, error.allowed)?;
                let near = error.near.as_ref();
                near.map_or(Ok(()), |near| write!(f, ", did you mean `{near}`?"))
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: game {}", self.file, self.line, self.column, self.game)?;
        if let Some(at_move) = &self.at_move {
            write!(f, ", move {at_move}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Error {}
