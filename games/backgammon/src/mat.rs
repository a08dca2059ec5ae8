//! Matches as Jellyfish and gnubg write them in `.mat` files, read as a stream and written again.
//!
//! A file has a line with the length of the match, then its games: a number, the players with
//! their points, and rows of two columns with what each player does. Lines that begin with `;`
//! or `#` are comments and are kept. A [`Reader`] holds one game at a time, whatever the size of
//! the file, and after an error goes on with the next game.
//!
//! ```
//! use senet_backgammon::{game, mat};
//!
//! let game = game();
//! let text = " 1 point match\n\n Game 1\n Anna : 0   Bob : 0\n  1) 31: 8/5 6/5   52: 13/11 13/8\n";
//! let mut reader = mat::Reader::new(text.as_bytes(), "evening.mat", &[&game]);
//! let record = reader.next_game().unwrap().unwrap();
//! assert_eq!(record.game.players, ["Anna", "Bob"]);
//! assert_eq!(record.events.len(), 6);
//! assert!(reader.next_game().is_none());
//! ```

mod error;
mod reader;
mod record;
mod replay;
mod row;
mod source;
mod writer;

pub use error::{Error, Problem};
pub use reader::Reader;
pub use record::{Deed, Entry, Game, Header, Record, Winning};
pub use writer::{write_game, write_header};

/// The longest line that is read, in bytes. Real files stay far below; a longer line is refused
/// before it fills the memory.
pub const LONGEST_LINE: usize = 1 << 16;

/// The most rolls and cube actions of one game.
pub const MOST_DEEDS: usize = 1 << 16;

/// The most bytes of comments in one game.
pub const MOST_TEXT: usize = 1 << 20;
