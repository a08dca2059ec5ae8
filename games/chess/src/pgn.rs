//! Games in Portable Game Notation, read as a stream and written in export format.
//!
//! A [`Reader`] takes any `BufRead` and holds one game at a time, whatever the size of the file.
//! [`Reader::next_line`] checks every move of the main line and builds nothing else;
//! [`Reader::next_record`] keeps comments, glyphs and variations too. After an error reading goes
//! on with the next game.
//!
//! ```
//! use senet_chess::{NOTATION, game, pgn};
//!
//! let game = game();
//! let rules = pgn::Rules::new(&game, &NOTATION);
//! let text = "[Event \"casual\"]\n\n1. e4 e5 (1... c5 $1) 2. Nf3 {develops} *\n";
//! let mut reader = pgn::Reader::new(text.as_bytes(), "casual.pgn", &rules);
//! let record = reader.next_record().unwrap().unwrap();
//! assert_eq!(record.tags.get("Event"), Some("casual"));
//! assert_eq!(record.tree.main_line().len(), 3);
//! assert_eq!(record.format(&rules).unwrap(), text);
//! assert!(reader.next_record().is_none());
//! ```

mod error;
mod reader;
mod record;
mod rules;
mod source;
mod token;
mod tree;
mod writer;

pub use error::{Error, Problem};
pub use reader::{Line, Reader};
pub use record::{Record, Tags, Termination};
pub use rules::Rules;
pub use tree::{Node, Tree};

/// The longest line that is read, in bytes. Real files stay far below; a longer line is refused
/// before it fills the memory.
pub const LONGEST_LINE: usize = 1 << 24;

/// The most moves of one game, those of variations included.
pub const MOST_MOVES: usize = 1 << 18;

/// How deep variations may lie in each other.
pub const DEEPEST: usize = 1000;

/// The most bytes of comments and tags in one game.
pub const MOST_TEXT: usize = 1 << 24;
