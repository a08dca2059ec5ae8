//! A game as a file has it: tags, moves with all that is said about them, and the result.

use senet_core::State;

use crate::pgn::Tree;

/// A game as a file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What is said about the game.
    pub tags: Tags,
    /// The name of the game that is played, as `chess` or `chess960`.
    pub game: String,
    /// The state before the first move.
    pub start: State,
    /// The moves.
    pub tree: Tree,
    /// How it ended.
    pub result: Termination,
}

/// The tags of a game, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a tag: the first, where a file has it twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, in the place it has or at the end.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(one, _)| one == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }
}

/// How a game ended, as a file says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: still played, abandoned or not said.
    #[default]
    Unknown,
}

impl Termination {
    /// Reads a result.
    pub fn parse(text: &[u8]) -> Option<Termination> {
        match text {
            b"1-0" => Some(Termination::White),
            b"0-1" => Some(Termination::Black),
            b"1/2-1/2" | b"1/2" => Some(Termination::Draw),
            b"*" => Some(Termination::Unknown),
            _ => None,
        }
    }

    /// The result as it is written.
    pub fn text(self) -> &'static str {
        match self {
            Termination::White => "1-0",
            Termination::Black => "0-1",
            Termination::Draw => "1/2-1/2",
            Termination::Unknown => "*",
        }
    }
}
