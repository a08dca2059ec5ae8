//! A board without pieces, and where pieces stand on it: for programs that draw the pieces
//! themselves, as a page in a browser does.

use senet_core::{Game, KindId, PlayerId, TileId};

use crate::layout::compass::CORNER;
use crate::layout::points::LENGTH;
use crate::layout::{Cell, Style};
use crate::picture::{Canvas, Picture};
use crate::svg;

/// A board without pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// What the board looks like.
    pub style: Style,
    /// Its forms as SVG. The colours of the board are the variables `--senet-page`, `--senet-ink`,
    /// `--senet-faint`, `--senet-light`, `--senet-dark`, `--senet-middle`, `--senet-frame` and
    /// `--senet-line` of a style sheet.
    pub svg: String,
    /// How wide and high it is, in units of the picture.
    pub size: (f64, f64),
    /// Where each tile lies, in the order of the tiles.
    pub spots: Vec<Spot>,
    /// Which tiles lie next to each other.
    pub links: Vec<(TileId, TileId)>,
}

/// A tile of a [`Sheet`], in units of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// What it looks like.
    pub cell: Cell,
    /// Its middle, to the right and down.
    pub middle: (f64, f64),
    /// How wide and high it is.
    pub size: (f64, f64),
    /// Where its first piece stands.
    pub stand: (f64, f64),
    /// How large a piece on it is.
    pub piece: f64,
    /// How far each further piece of a column is from the one before, downwards; 0 where pieces do
    /// not stand in a column.
    pub step: f64,
    /// Whether it holds many pieces.
    pub stacks: bool,
}

impl Picture<'_> {
    /// The board alone. Marks, caption and pieces are left out.
    pub fn sheet(&self) -> Sheet {
        let mut canvas = Canvas::new(self, self.layout());
        // The page is the browser's.
        canvas.scene.items.clear();
        canvas.draw_board();
        canvas.draw_names();
        let spots = canvas.game.tiles().map(|tile| canvas.spot(tile)).collect();
        let topology = canvas.game.topology();
        let mut links: Vec<(TileId, TileId)> = { canvas.game.tiles() }
            .flat_map(|tile| topology.leaving(tile))
            .map(|relation| topology.relation(relation))
            .map(|link| (link.from, link.to))
            .collect();
        links.sort_unstable();
        links.dedup();
        Sheet {
            style: canvas.layout.style(),
            svg: svg::fragment(&canvas.scene.items, &canvas.palette.named()),
            size: canvas.scene.size,
            spots,
            links,
        }
    }
}

impl Canvas<'_> {
    fn spot(&self, tile: TileId) -> Spot {
        let (unit, cell) = (self.unit, self.layout.place(tile).cell);
        let middle = self.middle(tile);
        let is_points = self.layout.style() == Style::Points;
        let (room, down) = self.room(tile);
        let (stand, step) = if is_points {
            let (base, step) = self.column(tile);
            ((middle.0, self.at(0.0, base + step * 0.48).1), step * 0.95 * unit)
        } else {
            ((middle.0, middle.1 + down * unit), 0.0)
        };
        let size = match cell {
            Cell::Hexagon => (1.0, 2.0 * CORNER),
            Cell::Down | Cell::Up => (1.0, LENGTH),
            Cell::Tray if is_points => (0.92, LENGTH),
            _ => (1.0, 1.0),
        };
        let size = (size.0 * unit, size.1 * unit);
        let stacks = self.game.stacks(tile);
        Spot { cell, middle, size, stand, piece: room * unit, step, stacks }
    }
}

/// A piece as forms of SVG in a square of 100 units, with the colours of its owner.
pub fn piece_svg(game: &Game, owner: PlayerId, kind: KindId) -> String {
    let state = game.start();
    let picture = Picture::new(game, &state);
    let mut canvas = Canvas::new(&picture, picture.layout());
    canvas.scene.items.clear();
    canvas.draw_one((50.0, 50.0), 100.0, (owner, kind));
    svg::fragment(&canvas.scene.items, &[])
}
