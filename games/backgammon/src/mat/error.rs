//! What is wrong with a game, and where.

use std::fmt;

use senet_core::notation::excerpt;

/// Why a game was not read: where it went wrong and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The game of the file, from 1.
    pub game: usize,
    /// What was due or under way, such as `12, white: 31`.
    pub at_move: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read on.
    Unreadable(String),
    /// A line is longer than [`crate::mat::LONGEST_LINE`].
    LineTooLong,
    /// A byte that is part of no text.
    Nul,
    /// Bytes that are no text in UTF-8.
    NotUtf8,
    /// Something that cannot stand there.
    Unexpected {
        /// What was found.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// More rolls than [`crate::mat::MOST_DEEDS`] or more text than [`crate::mat::MOST_TEXT`].
    TooLong(&'static str),
    /// A variant that is not at hand.
    UnknownVariant(String),
    /// Points or a number of a game that do not follow from the games before.
    Score {
        /// What was found.
        found: String,
        /// What follows from the games before.
        allowed: String,
    },
    /// A play or a cube action that the rules refuse.
    Illegal {
        /// What was found.
        found: String,
        /// Why it is refused.
        reason: String,
    },
}

impl Problem {
    pub(crate) fn unexpected(found: &str, allowed: &'static str) -> Problem {
        Problem::Unexpected { found: excerpt(found), allowed }
    }

    /// A word or two for programs that tell problems apart.
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Unreadable(_) => "unreadable",
            Problem::LineTooLong => "line too long",
            Problem::Nul => "NUL byte",
            Problem::NotUtf8 => "no UTF-8",
            Problem::Unexpected { .. } => "unexpected text",
            Problem::TooLong(_) => "game too long",
            Problem::UnknownVariant(_) => "unknown variant",
            Problem::Score { .. } => "bad score",
            Problem::Illegal { .. } => "bad move",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Problem::LineTooLong => {
                write!(f, "a line is longer than {} bytes", crate::mat::LONGEST_LINE)
            }
            Problem::Nul => f.write_str("expected text, found a NUL byte"),
            Problem::NotUtf8 => f.write_str("expected UTF-8 text, found other bytes"),
            Problem::Unexpected { found, allowed } => {
                write!(f, "expected {allowed}, found `{found}`")
            }
            Problem::TooLong(what) => write!(f, "the game has too many {what}"),
            Problem::UnknownVariant(found) => {
                write!(f, "unknown variant `{found}`")
            }
            Problem::Score { found, allowed } => write!(f, "expected {allowed}, found {found}"),
            Problem::Illegal { found, reason } => write!(f, "`{found}` is illegal: {reason}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: game {}", self.file, self.line, self.game)?;
        if let Some(at_move) = &self.at_move {
            write!(f, ", move {at_move}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Error {}
