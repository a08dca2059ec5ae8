//! Pictures of positions: SVG, PNG and animations.
//!
//! ```
//! let position = senet::load("chess")?.start();
//! let svg = position.picture().caption("White to move").svg();
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), senet::UnknownGame>(())
//! ```

pub use senet_render::{
    Cell, Figure, Film, FilmError, Frame, Layout, Marks, Picture, Place, Sheet, Spot, Style, Theme,
    ends,
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

/// A piece as forms of SVG in a square of 100 units, with the colours of its owner.
pub fn piece_svg(game: &Game, owner: PlayerId, kind: KindId) -> String {
    senet_render::piece_svg(game.rules(), owner, kind)
}

/// The board without pieces as a player sees it: with two players the second sits opposite, and
/// tiles have the names that the player gives them.
pub fn sheet(game: &Game, player: PlayerId) -> Sheet {
    let start = game.start();
    let opposite = player.index() == 1 && game.players().count() == 2;
    let labels = game.tiles().map(|tile| game.label(player, tile)).collect();
    start.picture().flipped(opposite).labels(labels).sheet()
}

/// The character for a piece.
pub fn glyph(game: &Game, owner: PlayerId, kind: KindId) -> char {
    senet_render::glyph(game.rules(), owner, kind)
}

/// A piece as rows of cells, each filled or not. None for pieces that are a disk or a
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
