//! Pictures of positions: SVG, PNG and animations.
//!
//! ```
//! let position = senet::load("chess")?.start();
//! let svg = position.picture().caption("White to move").svg();
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), senet::UnknownGame>(())
//! ```

pub use senet_render::{
    Cell, Figure, Film, FilmError, Frame, Layout, Marks, Picture, Place, Style, Theme, ends,
};

use senet_core::{KindId, PlayerId};

use crate::game::Game;
use crate::position::Position;

impl Position {
    /// A picture of the position, to be given marks and a caption.
    pub fn picture(&self) -> Picture<'_> {
        Picture::new(self.game().rules(), self.state())
    }
}

/// Where the tiles of a game lie.
pub fn layout(game: &Game) -> Layout {
    Layout::of(game.rules())
}

/// The character for a piece.
pub fn glyph(game: &Game, owner: PlayerId, kind: KindId) -> char {
    senet_render::glyph(game.rules(), owner, kind)
}

/// A piece as rows of so many cells: whether each is filled. None for pieces that are a disk or a
/// letter.
pub fn silhouette(
    game: &Game,
    owner: PlayerId,
    kind: KindId,
    size: (usize, usize),
) -> Option<Vec<Vec<bool>>> {
    senet_render::silhouette(game.rules(), owner, kind, size)
}

/// A piece as pixels in a picture of a width and a height, on a background or on none.
pub fn figure(
    game: &Game,
    piece: (PlayerId, KindId),
    size: (u32, u32),
    background: Option<[u8; 3]>,
) -> Figure {
    Figure::new(game.rules(), piece, size, background)
}

/// A capital letter for a kind that no other kind of the game has.
pub fn letter(game: &Game, kind: KindId) -> char {
    senet_render::letter(game.rules(), kind)
}

/// The colour of a player's pieces: red, green, blue.
pub fn color(game: &Game, player: PlayerId) -> [u8; 3] {
    senet_render::color(game.rules(), player)
}
