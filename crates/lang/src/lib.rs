//! Game files: a board game written as a person would tell it, in a file `NAME.senet`.
//!
//! [`read`] makes a [`GameFile`] of a source: a [`senet_core::Definition`] with what else the file
//! says, or every mistake at once, each with its place.
//!
//! ```
//! use senet_lang::{Source, read};
//!
//! let file = read(&Source::new("tic-tac-toe.senet", "
//!     game tic-tac-toe
//!     players x, o
//!     board grid 3 x 3
//!     piece mark
//!     put mark on empty
//!     win  \"three in a row\"  line 3 of own
//!     draw \"board full\"      none empty
//! ")).unwrap();
//! assert_eq!(file.definition.tiles.len(), 9);
//! ```

mod diagnostic;
mod file;
mod format;
mod json;
mod lint;
mod parser;
mod resolve;
#[cfg(feature = "lsp")]
pub mod server;
mod sheet;
mod span;
mod symbol;
pub mod syntax;
mod token;
mod trial;
mod value;
mod word;

pub use diagnostic::{Diagnostic, Severity};
pub use file::{
    GameFile, Library, NoLibrary, Problems, Reading, Shelf, Source, read, read_with, summary,
};
pub use format::format;
pub use json::{Misfit, read_json};
pub use lint::lint;
pub use parser::{MAX_BYTES, Parsed, STATEMENTS, parse};
pub use span::{Lines, Span, line_column};
pub use symbol::{Index, Sort, Symbol};
pub use token::{Token, TokenKind, tokens};
pub use trial::{Trial, run_tests};
pub use value::{Value, value_at_start};
pub use word::{Group, STAGE, WORDS, Word, reference, words};
