//! The pieces on a board, its dice and its cube.

use senet_core::{Game, KindId, PlayerId, TileId};

use crate::layout::points::{ASIDE, LENGTH, SIZE};
use crate::layout::{Cell, Style};
use crate::look::{self, Coat};
use crate::picture::Canvas;
use crate::scene::{Anchor, Color, Paint, Point, Scene};
use crate::shape::{CROWN, Part, STROKES, Shape};

/// A piece to be drawn.
#[derive(Clone, Copy)]
struct Sort {
    owner: PlayerId,
    kind: KindId,
    count: usize,
}

/// How many pieces of a pile are drawn; the rest is told by a number.
const PILE: usize = 5;

/// An end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    From,
    To,
}

impl Canvas<'_> {
    /// Draws what stands on every tile.
    pub(crate) fn draw_pieces(&mut self) {
        for tile in self.game.tiles() {
            let sorts = self.sorts(tile);
            match (self.layout.style(), self.game.stacks(tile)) {
                (Style::Points, true) => self.draw_column(tile, &sorts),
                (_, true) => self.draw_piles(tile, &sorts),
                _ => {
                    for sort in sorts {
                        let (x, y) = self.middle(tile);
                        let (size, down) = self.room(tile);
                        self.draw_piece((x, y + down * self.unit), size * self.unit, sort);
                    }
                }
            }
        }
    }

    /// How large a piece on a tile is and how far down it stands, so that its name is seen.
    pub(crate) fn room(&self, tile: TileId) -> (f64, f64) {
        match self.layout.place(tile).cell {
            Cell::Square if self.edges().is_none() => (0.84, 0.07),
            Cell::Hexagon => (0.9, -0.03),
            Cell::Spot => (0.9, 0.0),
            _ => (1.0, 0.0),
        }
    }

    fn sorts(&self, tile: TileId) -> Vec<Sort> {
        let view = self.game.view(self.state);
        let mut sorts = Vec::new();
        for owner in self.game.players() {
            for kind in self.game.kinds() {
                let count = view.count(tile, owner, kind);
                if count > 0 {
                    sorts.push(Sort { owner, kind, count });
                }
            }
        }
        sorts
    }

    /// Piles on a tile that holds many: beside each other, each with its number.
    fn draw_piles(&mut self, tile: TileId, sorts: &[Sort]) {
        let (x, y) = self.middle(tile);
        let many = sorts.len() as f64;
        let size = self.unit * if many > 1.0 { 0.9 / many.min(3.0) } else { 0.72 };
        for (at, sort) in sorts.iter().enumerate() {
            let x = x + (at as f64 - (many - 1.0) / 2.0) * size * 0.92;
            let deep = sort.count.min(3);
            for layer in 0..deep {
                let lift = (layer as f64 - (deep as f64 - 1.0) / 2.0) * size * 0.12;
                self.draw_piece((x, y - lift), size, *sort);
            }
            if sort.count > 1 {
                let lift = (deep as f64 - 1.0) / 2.0 * size * 0.12;
                self.draw_count((x, y - lift), size, *sort);
            }
        }
    }

    /// Where a column on a board of points begins, and which way it grows.
    pub(crate) fn column(&self, tile: TileId) -> (f64, f64) {
        let place = self.layout.place(tile);
        let is_top = place.y < SIZE.1 / 2.0;
        match place.cell {
            Cell::Tray if self.is_on_wall(tile) && is_top => (LENGTH - 0.2, -1.0),
            Cell::Tray if self.is_on_wall(tile) => (SIZE.1 - LENGTH + 0.2, 1.0),
            _ if is_top => (0.0, 1.0),
            _ => (SIZE.1, -1.0),
        }
    }

    fn is_on_wall(&self, tile: TileId) -> bool {
        (self.layout.place(tile).x - ASIDE - SIZE.0 / 2.0).abs() < 1.0
    }

    /// Where a piece of a column stands.
    fn in_column(&self, tile: TileId, at: usize) -> Point {
        let (base, step) = self.column(tile);
        self.at(self.layout.place(tile).x, base + step * (0.48 + at as f64 * 0.95))
    }

    /// Where an arrow from a tile begins, or one to it ends: in its middle, and on a board of
    /// points at the piece that goes, or where it comes to stand.
    pub(crate) fn perch(&self, tile: TileId, end: End) -> Point {
        if self.layout.style() != Style::Points {
            return self.middle(tile);
        }
        if self.layout.place(tile).cell == Cell::Tray && !self.is_on_wall(tile) {
            return self.middle(tile);
        }
        let mover = self.game.view(self.state).player();
        let sorts = self.sorts(tile);
        let count: usize = sorts.iter().map(|sort| sort.count).sum();
        // A piece that is taken makes room.
        let taken = count == 1 && sorts.iter().all(|sort| sort.owner != mover);
        match end {
            End::From => self.in_column(tile, count.min(PILE).saturating_sub(1)),
            End::To if taken => self.in_column(tile, 0),
            End::To => self.in_column(tile, count.min(PILE - 1)),
        }
    }

    /// A column on a point, on the wall or in a tray.
    fn draw_column(&mut self, tile: TileId, sorts: &[Sort]) {
        let place = self.layout.place(tile);
        for sort in sorts {
            if place.cell == Cell::Tray && !self.is_on_wall(tile) {
                self.draw_slabs(place.x, self.column(tile), *sort);
                continue;
            }
            for at in 0..sort.count.min(PILE) {
                self.draw_piece(self.in_column(tile, at), self.unit * 1.14, *sort);
            }
            if sort.count > PILE {
                self.draw_count(self.in_column(tile, PILE - 1), self.unit * 1.14, *sort);
            }
        }
    }

    /// Pieces that are off, seen from the side.
    fn draw_slabs(&mut self, x: f64, (base, step): (f64, f64), sort: Sort) {
        let coat = look::coat_of(self.game, sort.owner);
        let (wide, high) = (0.78, 0.27);
        for at in 0..sort.count {
            let y = base + step * (0.16 + (at as f64 + 0.5) * 0.31);
            let corner = self.at(x - wide / 2.0, y - high / 2.0);
            let size = (wide * self.unit, high * self.unit);
            let paint = Paint::fill(coat.body).edged(coat.edge, 1.6);
            self.scene.rect(corner, size, 3.0, paint);
        }
    }

    fn draw_count(&mut self, (x, y): Point, size: f64, sort: Sort) {
        let coat = look::coat_of(self.game, sort.owner);
        let letters = size * 0.34;
        let at = (x, y + letters * 0.36);
        let shape = look::shape(self.game, sort.owner, sort.kind);
        if shape == Shape::Disk {
            self.scene.circle((x, y), size * 0.24, Paint::fill(coat.body));
            let count = sort.count.to_string();
            self.scene.text(at, letters, (Anchor::Middle, true), coat.detail, count);
            return;
        }
        let (x, y) = (x + size * 0.34, y - size * 0.34);
        self.scene.circle((x, y), size * 0.2, Paint::fill(coat.edge));
        let (at, ink) = ((x, y + size * 0.09), self.palette.page);
        self.scene.text(at, size * 0.26, (Anchor::Middle, true), ink, sort.count.to_string());
    }

    /// A single piece of a kind around a place.
    pub(crate) fn draw_one(&mut self, at: Point, size: f64, (owner, kind): (PlayerId, KindId)) {
        self.draw_piece(at, size, Sort { owner, kind, count: 1 });
    }

    /// A piece in a box of a size around a place.
    fn draw_piece(&mut self, at: Point, size: f64, sort: Sort) {
        draw_piece(&mut self.scene, self.game, (sort.owner, sort.kind), (at, size));
    }

    /// Draws what lies on the table beside the pieces: dice, and a cube that doubles.
    pub(crate) fn draw_table(&mut self) {
        let view = self.game.view(self.state);
        let shown: Vec<u8> = self.game.dice().filter_map(|die| view.die(die)).collect();
        let player = view.player();
        let coat = look::coat_of(self.game, player);
        let is_points = self.layout.style() == Style::Points;
        let (width, height) = self.layout.size();
        for (at, pips) in shown.iter().enumerate() {
            let along = (at as f64 - (shown.len() as f64 - 1.0) / 2.0) * 1.05;
            let middle = match (is_points, (player.index() == 0) != self.flipped) {
                (true, true) => (ASIDE + 10.0 + along, SIZE.1 / 2.0),
                (true, false) => (ASIDE + 3.0 + along, SIZE.1 / 2.0),
                _ => (width / 2.0 + along, height + 0.55),
            };
            let at = self.at(middle.0, middle.1);
            self.draw_die(at, *pips, &coat);
        }
        if is_points {
            self.draw_cube();
        }
    }

    fn draw_die(&mut self, (x, y): Point, pips: u8, coat: &Coat) {
        let size = self.unit * 0.82;
        let paint = Paint::fill(coat.body).edged(coat.edge, 2.0);
        self.scene.rect((x - size / 2.0, y - size / 2.0), (size, size), size * 0.2, paint);
        let Some(spots) = spots(pips) else {
            let at = (x, y + size * 0.2);
            let letters = (Anchor::Middle, true);
            self.scene.text(at, size * 0.55, letters, coat.detail, pips.to_string());
            return;
        };
        for (right, down) in spots {
            let at = (x + right * size * 0.27, y + down * size * 0.27);
            self.scene.circle(at, size * 0.085, Paint::fill(coat.detail));
        }
    }

    /// The cube lies in the middle or with its owner.
    fn draw_cube(&mut self) {
        let (game, view) = (self.game, self.game.view(self.state));
        let Some(cube) = game.variable("cube") else { return };
        let value = view.variable(cube, view.player());
        let owner = game
            .variable("owns")
            .and_then(|owns| game.players().find(|&player| view.variable(owns, player) > 0));
        let y = match owner.map(PlayerId::index) {
            None => SIZE.1 / 2.0,
            Some(0) => SIZE.1 - 0.6,
            Some(_) => 0.6,
        };
        let (x, y) = if self.flipped {
            (self.layout.size().0 - ASIDE / 2.0, SIZE.1 - y)
        } else {
            (ASIDE / 2.0, y)
        };
        let ((x, y), size) = (self.at(x, y), self.unit * 0.9);
        let (body, ink) = (Color::hex(0xfdfbf5), Color::hex(0x2b2a27));
        let paint = Paint::fill(body).edged(ink, 2.0);
        self.scene.rect((x - size / 2.0, y - size / 2.0), (size, size), size * 0.14, paint);
        // A cube that nobody turned shows its greatest face, as on a table.
        let text = if value <= 1 { "64".to_owned() } else { value.to_string() };
        let letters = size * if text.len() > 2 { 0.34 } else { 0.5 };
        let at = (x, y + letters * 0.36);
        self.scene.text(at, letters, (Anchor::Middle, true), ink, text);
    }
}

/// Draws a piece in a box of a size around a place.
pub(crate) fn draw_piece(
    scene: &mut Scene,
    game: &Game,
    (owner, kind): (PlayerId, KindId),
    ((x, y), size): (Point, f64),
) {
    let (shape, coat) = (look::shape(game, owner, kind), look::coat_of(game, owner));
    let (corner, scale) = ((x - size / 2.0, y - size / 2.0), size / 100.0);
    match shape {
        Shape::Cross => {
            // All edges first, so that one stroke does not cut the other.
            for paint in [Paint::stroke(coat.edge, 19.0), Paint::stroke(coat.body, 13.0)] {
                for stroke in STROKES {
                    scene.shape(stroke, corner, scale, paint);
                }
            }
        }
        Shape::Nought => {
            for (color, width) in [(coat.edge, 0.18), (coat.body, 0.12)] {
                scene.circle((x, y), size * 0.27, Paint::stroke(color, size * width));
            }
        }
        Shape::Disk | Shape::CrownedDisk | Shape::Letter(_) => {
            draw_disk(scene, ((x, y), size), shape, &coat);
        }
        shape => {
            for part in shape.parts() {
                let (d, paint) = match part {
                    Part::Body(d) => (d, Paint::fill(coat.body).edged(coat.edge, 3.6)),
                    Part::Line(d) => (d, Paint::stroke(coat.detail, 3.2)),
                    Part::Crest(d) => (d, Paint::stroke(coat.edge, 5.0)),
                    Part::Dot(d) => (d, Paint::fill(coat.detail)),
                };
                scene.shape(*d, corner, scale, paint);
            }
        }
    }
}

fn draw_disk(scene: &mut Scene, ((x, y), size): (Point, f64), shape: Shape, coat: &Coat) {
    let body = Paint::fill(coat.body).edged(coat.edge, size * 0.03);
    scene.circle((x, y), size * 0.4, body);
    let ring = Paint::stroke(coat.detail.fade(110), size * 0.022);
    scene.circle((x, y), size * 0.31, ring);
    match shape {
        Shape::Disk => scene.circle((x, y), size * 0.19, ring),
        Shape::CrownedDisk => {
            let corner = (x - size / 2.0, y - size / 2.0);
            scene.shape(CROWN, corner, size / 100.0, Paint::fill(coat.detail));
        }
        Shape::Letter(letter) => {
            let at = (x, y + size * 0.135);
            let letters = (Anchor::Middle, true);
            scene.text(at, size * 0.38, letters, coat.detail, letter.to_string());
        }
        _ => {}
    }
}

/// The spots of a die with six sides.
fn spots(pips: u8) -> Option<Vec<(f64, f64)>> {
    let pairs = [[(-1.0, -1.0), (1.0, 1.0)], [(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 0.0), (1.0, 0.0)]];
    let middle = (pips % 2 == 1).then_some((0.0, 0.0));
    let count = usize::from(pips / 2);
    (1..=6).contains(&pips).then(|| pairs.into_iter().take(count).flatten().chain(middle).collect())
}
