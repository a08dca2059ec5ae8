//! A position as a picture.

use senet_core::{Game, State, TileId};

use crate::layout::points::LENGTH;
use crate::layout::{Cell, Layout, Style};
use crate::mark::Marks;
use crate::scene::{Anchor, Paint, Point, Scene};
use crate::theme::{Palette, Theme};
use crate::{font, raster, svg};

/// How large a tile is in a picture.
const UNIT: f64 = 60.0;

/// The size of the letters below a board.
const CAPTION: f64 = 17.0;

/// A picture with a caption is at least so wide.
const NARROWEST: f64 = 6.0 * UNIT;

/// How many pixels a picture has at most: larger ones are drawn smaller.
const MAX_PIXELS: f64 = 16_000_000.0;

/// How many pixels a unit of the picture has in a PNG.
const ZOOM: f64 = 2.0;

/// A rectangle of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

/// A position of a game, ready to be drawn.
#[derive(Clone)]
pub struct Picture<'g> {
    game: &'g Game,
    state: &'g State,
    theme: Theme,
    flipped: bool,
    marks: Marks,
    caption: Option<String>,
    /// How many lines are left below the board at least.
    lines: usize,
    /// What tiles are called, where that is not their names.
    labels: Option<Vec<String>>,
}

impl<'g> Picture<'g> {
    /// A position without marks.
    pub fn new(game: &'g Game, state: &'g State) -> Picture<'g> {
        let (theme, flipped) = (Theme::default(), false);
        let (marks, caption, labels) = (Marks::default(), None, None);
        Picture { game, state, theme, flipped, marks, caption, lines: 0, labels }
    }

    /// In other colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Picture<'g> {
        self.theme = theme;
        self
    }

    /// Seen from the other side of the board, or not.
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Picture<'g> {
        self.flipped = flipped;
        self
    }

    /// With other words than their names for tiles, one for each tile in order.
    #[must_use]
    pub fn labels(mut self, labels: Vec<String>) -> Picture<'g> {
        self.labels = Some(labels);
        self
    }

    /// With marks on it.
    #[must_use]
    pub fn marks(mut self, marks: Marks) -> Picture<'g> {
        self.marks = marks;
        self
    }

    /// With a sentence below it.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Picture<'g> {
        self.caption = Some(caption.into());
        self
    }

    /// With room for `lines` lines below it, however short the sentence is: pictures of a film are
    /// all of one size.
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Picture<'g> {
        self.lines = lines;
        self
    }

    /// How many lines a sentence takes below the board.
    pub fn lines_of(&self, caption: &str) -> usize {
        let width = Canvas::new(&self.clone().caption(caption), self.layout()).scene.size.0;
        wrapped(caption, width).len()
    }

    pub(crate) fn layout(&self) -> Layout {
        let layout = Layout::of(self.game);
        if self.flipped { layout.flipped() } else { layout }
    }

    /// Where each tile lies in the picture, in the order of the game: the least rectangle around
    /// it, in the units of the SVG text.
    pub fn tiles(&self) -> Vec<Frame> {
        let canvas = Canvas::new(self, self.layout());
        self.game.tiles().map(|tile| canvas.frame(tile)).collect()
    }

    /// The picture as SVG text.
    pub fn svg(&self) -> String {
        svg::write(&self.scene())
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        self.pixels(ZOOM).encode_png().expect("pixels in memory can be written to memory")
    }

    /// The picture as its width, its height and the red, green and blue of each pixel, row by row.
    pub fn rgb(&self) -> (usize, usize, Vec<u8>) {
        let pixels = self.pixels(ZOOM);
        let rgb = pixels.pixels().iter().flat_map(|one| [one.red(), one.green(), one.blue()]);
        (pixels.width() as usize, pixels.height() as usize, rgb.collect())
    }

    pub(crate) fn pixels(&self, zoom: f64) -> tiny_skia::Pixmap {
        let scene = self.scene();
        let (width, height) = scene.size;
        // A board may be as long as it likes, but memory is not.
        let most = (MAX_PIXELS / (width * height).max(1.0)).sqrt();
        raster::fill(&scene, zoom.min(most))
    }

    fn scene(&self) -> Scene {
        let mut canvas = Canvas::new(self, self.layout());
        canvas.draw_board();
        canvas.draw_tints(&self.marks);
        canvas.draw_names();
        canvas.draw_pieces();
        canvas.draw_table();
        canvas.draw_signs(&self.marks);
        if let Some(caption) = &self.caption {
            canvas.draw_caption(caption, self.lines);
        }
        canvas.scene
    }
}

/// The lines of a caption.
fn wrapped(caption: &str, width: f64) -> Vec<String> {
    font::wrap(caption, CAPTION, width - UNIT * 0.7)
}

/// A picture being drawn.
pub(crate) struct Canvas<'g> {
    pub(crate) game: &'g Game,
    pub(crate) state: &'g State,
    pub(crate) palette: Palette,
    pub(crate) layout: Layout,
    pub(crate) flipped: bool,
    labels: Option<Vec<String>>,
    pub(crate) unit: f64,
    /// Where the board begins.
    pub(crate) origin: Point,
    pub(crate) scene: Scene,
}

impl<'g> Canvas<'g> {
    pub(crate) fn new(picture: &Picture<'g>, layout: Layout) -> Canvas<'g> {
        let Picture { game, state, .. } = *picture;
        let (width, height) = layout.size();
        let unit = UNIT;
        let margin = match layout.style() {
            Style::Grid => (unit * 0.5, unit * 0.22, unit * 0.52),
            Style::Points => (unit * 0.2, unit * 0.75, unit * 0.75),
            _ => (unit * 0.4, unit * 0.3, unit * 0.4),
        };
        let (aside, above, below) = margin;
        let has_dice = layout.style() != Style::Points && game.dice().next().is_some();
        let dice = if has_dice { unit } else { 0.0 };
        let size = (width * unit + 2.0 * aside, height * unit + above + below + dice);
        let title =
            format!("{}, {} to move", game.name(), game.player_name(game.view(state).player()));
        let mut canvas = Canvas {
            game,
            state,
            palette: picture.theme.palette(),
            layout,
            flipped: picture.flipped,
            labels: picture.labels.clone(),
            unit,
            origin: (aside, above),
            scene: Scene { size, title, items: Vec::new() },
        };
        if let Some(caption) = &picture.caption {
            // A small board has no room for a sentence, so the page is wider than the board.
            let wide = size.0.max(NARROWEST);
            canvas.origin.0 += (wide - size.0) / 2.0;
            canvas.scene.size.0 = wide;
            let lines = wrapped(caption, wide).len().max(picture.lines);
            canvas.scene.size.1 += CAPTION * 1.45 * lines as f64 + unit * 0.15;
        }
        let (width, height) = canvas.scene.size;
        canvas.scene.size = (width.ceil(), height.ceil());
        let page = Paint::fill(canvas.palette.page);
        canvas.scene.rect((0.0, 0.0), canvas.scene.size, 0.0, page);
        canvas
    }

    /// What a tile is called.
    pub(crate) fn label(&self, tile: TileId) -> &str {
        let own = self.labels.as_ref().and_then(|labels| labels.get(tile.index()));
        own.map_or_else(|| self.game.tile_name(tile), String::as_str)
    }

    /// A place of the board as a place of the picture.
    pub(crate) fn at(&self, x: f64, y: f64) -> Point {
        (self.origin.0 + x * self.unit, self.origin.1 + y * self.unit)
    }

    /// The middle of a tile.
    pub(crate) fn middle(&self, tile: TileId) -> Point {
        let place = self.layout.place(tile);
        self.at(place.x, place.y)
    }

    /// Where a dot on a tile is seen best: its middle, or the tip of a point.
    pub(crate) fn foot(&self, tile: TileId) -> Point {
        let place = self.layout.place(tile);
        let by = match place.cell {
            Cell::Down => 2.2,
            Cell::Up => -2.2,
            _ => 0.0,
        };
        self.at(place.x, place.y + by)
    }

    /// The rectangle around a tile.
    fn frame(&self, tile: TileId) -> Frame {
        let place = self.layout.place(tile);
        let (width, height) = match (place.cell, self.layout.style()) {
            (Cell::Down | Cell::Up, _) => (1.0, LENGTH),
            (Cell::Tray, Style::Points) => (0.92, LENGTH),
            _ => (1.0, 1.0),
        };
        let (x, y) = self.at(place.x - width / 2.0, place.y - height / 2.0);
        Frame { x, y, width: width * self.unit, height: height * self.unit }
    }

    fn draw_caption(&mut self, caption: &str, room: usize) {
        let lines = wrapped(caption, self.scene.size.0);
        let left = self.unit * 0.5;
        let bottom = self.scene.size.1 - self.unit * 0.3;
        let count = lines.len().max(room);
        for (at, line) in lines.into_iter().enumerate() {
            let y = bottom - CAPTION * 1.45 * (count - 1 - at) as f64;
            let color = self.palette.ink;
            self.scene.text((left, y), CAPTION, (Anchor::Start, false), color, line);
        }
    }
}
