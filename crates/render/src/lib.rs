//! Pictures of boards: SVG text, PNG pixels and GIF animations of any game, from its topology and
//! its names alone.
//!
//! A [`Picture`] is a position of a game with [`Marks`] on it; [`Layout`] says where tiles lie. A
//! [`Sheet`] is a board without pieces, for programs that put the pieces onto it themselves.

mod board;
mod figure;
mod film;
mod font;
mod layout;
mod look;
mod mark;
mod outline;
mod picture;
mod piece;
mod raster;
mod scene;
mod shape;
mod sheet;
mod silhouette;
mod svg;
mod theme;

pub use figure::Figure;
pub use film::{Film, FilmError};
pub use layout::{Cell, Layout, Place, Style};
pub use look::{color, glyph, letter};
pub use mark::{Marks, ends};
pub use picture::{Frame, Picture};
pub use sheet::{Sheet, Spot, piece_svg};
pub use silhouette::silhouette;
pub use theme::Theme;
