//! A match as a file has it, game by game.

use senet_core::{Event, State};

use crate::play::Trip;
use crate::position::{Side, Win};

/// What a file says before the games of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The comments, without their marks.
    pub comments: Vec<String>,
    /// To how many points the match is played; 0 is money play.
    pub length: u16,
}

/// A game of a match. White is the player of the left column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Its number in the match, from 1.
    pub number: u32,
    /// Who plays.
    pub players: [String; 2],
    /// The points before it.
    pub score: [u16; 2],
    /// What is done, in order.
    pub entries: Vec<Entry>,
    /// How it ended, where the file says so.
    pub winning: Option<Winning>,
    /// Comments before its number.
    pub before: Vec<String>,
    /// Comments within it: before which entry each stands, and what it says.
    pub comments: Vec<(usize, String)>,
    /// Comments after it, at the end of the file.
    pub after: Vec<String>,
}

/// A game that was read and checked.
#[derive(Clone, Debug)]
pub struct Record {
    /// What the file says of its match.
    pub header: Header,
    /// Whether it is the first game of its match in the file.
    pub opens: bool,
    /// The name of the game that is played, as `backgammon` or `hypergammon`.
    pub variant: String,
    /// The game, every play in single steps.
    pub game: Game,
    /// The state before the opening roll.
    pub start: State,
    /// Everything that happened, rolls included.
    pub events: Vec<Event>,
    /// The state after it.
    pub state: State,
    /// How it was won, where it was.
    pub win: Option<Win>,
    /// Whether the file awards the points although the plays it tells of do not end the game: it
    /// was given up, or the file leaves out the rest. The format does not say which.
    pub awarded: bool,
}

/// Something that a player does, and the line where it stands.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Who does it.
    pub side: Side,
    /// What is done.
    pub deed: Deed,
    /// The line of the file, from 1.
    pub line: usize,
}

/// Entries are the same wherever they stand in a file.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.side == other.side && self.deed == other.deed
    }
}

impl Eq for Entry {}

/// What a player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Rolls and plays.
    Play {
        /// What is rolled.
        dice: [u8; 2],
        /// What is played, as it is written.
        trips: Vec<Trip>,
    },
    /// Doubles to a value.
    Double(u64),
    /// Doubles again at once to a value, and keeps the cube.
    Beaver(u64),
    /// Takes the cube.
    Take,
    /// Gives the game up instead.
    Drop,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winning {
    /// Who won.
    pub side: Side,
    /// How many points.
    pub points: u32,
    /// Whether the file says that it decided the match.
    pub decides: bool,
}
