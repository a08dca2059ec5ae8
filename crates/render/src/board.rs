//! The board under the pieces: tiles, lines, names.

use senet_core::TileId;

use crate::layout::compass::CORNER;
use crate::layout::points::{ASIDE, LENGTH, SIZE};
use crate::layout::{Cell, Style};
use crate::picture::Canvas;
use crate::scene::{Anchor, Color, Paint, Point};

impl Canvas<'_> {
    /// Draws every tile, and what lies between them.
    pub(crate) fn draw_board(&mut self) {
        match self.layout.style() {
            Style::Points => self.draw_points(),
            Style::Grid => self.draw_frame(),
            _ => self.draw_lines(),
        }
        if let Some(bounds) = self.crossings() {
            self.draw_crossings(bounds);
        } else if self.layout.style() == Style::Grid
            || self.layout.style() != Style::Points && !self.layout.crossings()
        {
            for tile in self.game.tiles() {
                let color = self.tile_color(tile);
                let line = match self.layout.place(tile).cell {
                    Cell::Square => self.palette.frame,
                    _ => self.palette.line,
                };
                let edge = if self.is_checkered() { 0.0 } else { 1.5 };
                self.fill_tile(tile, color, Some((line, edge)));
            }
        }
    }

    /// Left, top, right and bottom of a full grid whose tiles are crossings of lines.
    fn crossings(&self) -> Option<Bounds> {
        self.grid_bounds().filter(|_| self.layout.crossings())
    }

    fn draw_crossings(&mut self, (left, top, right, bottom): Bounds) {
        let (at, unit) = (self.at(left, top), self.unit);
        let size = ((right - left) * unit, (bottom - top) * unit);
        self.scene.rect(at, size, 0.0, Paint::fill(self.palette.middle));
        let (columns, rows) = ((right - left) as usize, (bottom - top) as usize);
        let (line, wide) = (self.palette.frame, (unit * 0.04).max(1.0));
        let place =
            |column: usize, row: usize| (left + column as f64 + 0.5, top + row as f64 + 0.5);
        for column in 0..columns {
            let ((x, y), (_, end)) = (place(column, 0), place(column, rows - 1));
            let (from, to) = (self.at(x, y), self.at(x, end));
            self.scene.line(from, to, line, wide);
        }
        for row in 0..rows {
            let ((x, y), (end, _)) = (place(0, row), place(columns - 1, row));
            let (from, to) = (self.at(x, y), self.at(end, y));
            self.scene.line(from, to, line, wide);
        }
        for column in stars(columns) {
            for row in stars(rows) {
                let (x, y) = place(column, row);
                let at = self.at(x, y);
                self.scene.circle(at, unit * 0.11, Paint::fill(line));
            }
        }
    }

    /// What a tile of a board of cells with edges and corners is: its name is that of a cell, and one
    /// or two directions.
    fn lattice_part(&self, tile: TileId) -> Option<usize> {
        let name = self.game.tile_name(tile);
        let cell = name.trim_end_matches(['n', 'e', 's', 'w']);
        let numbered = cell.ends_with(|letter: char| letter.is_ascii_digit());
        (numbered && name.len() - cell.len() <= 2).then_some(name.len() - cell.len())
    }

    /// Whether the board is one of cells with edges and corners.
    fn is_lattice(&self) -> bool {
        let parts: Option<Vec<usize>> =
            self.game.tiles().map(|tile| self.lattice_part(tile)).collect();
        let has = |part: usize| parts.as_ref().is_some_and(|parts| parts.contains(&part));
        self.layout.style() == Style::Grid && has(0) && has(1)
    }

    /// Lays a colour over a tile.
    pub(crate) fn tint(&mut self, tile: TileId, color: Color) {
        self.fill_tile(tile, color, None);
    }

    /// Whether squares take turns in two colours: where pieces travel. Where they are only put,
    /// lines between squares are what people draw.
    fn is_checkered(&self) -> bool {
        let travels = self.game.definition().kinds.iter().any(|kind| !kind.patterns.is_empty());
        self.layout.style() == Style::Grid && travels
    }

    fn fill_tile(&mut self, tile: TileId, color: Color, edge: Option<(Color, f64)>) {
        let place = self.layout.place(tile);
        let (unit, (x, y)) = (self.unit, self.at(place.x, place.y));
        let half = unit / 2.0;
        let paint = match edge.filter(|(_, width)| *width > 0.0) {
            Some((line, width)) => Paint::fill(color).edged(line, width),
            None => Paint::fill(color),
        };
        match place.cell {
            Cell::Square => self.scene.rect((x - half, y - half), (unit, unit), 0.0, paint),
            Cell::Hexagon => self.scene.polygon(&hexagon((x, y), unit * CORNER), paint),
            Cell::Spot => self.scene.circle((x, y), unit * 0.42, paint),
            Cell::Down | Cell::Up => {
                let corners = self.point_corners(place.cell, (x, y));
                self.scene.polygon(&corners, paint);
            }
            Cell::Tray => {
                let (wide, high) = match self.layout.style() {
                    Style::Points => (0.46 * unit, LENGTH / 2.0 * unit),
                    _ => (0.45 * unit, 0.45 * unit),
                };
                let at = (x - wide, y - high);
                self.scene.rect(at, (wide * 2.0, high * 2.0), unit * 0.08, paint);
            }
        }
    }

    fn tile_color(&self, tile: TileId) -> Color {
        let palette = &self.palette;
        let place = self.layout.place(tile);
        let (width, height) = self.layout.size();
        let (x, y) =
            if self.flipped { (width - place.x, height - place.y) } else { (place.x, place.y) };
        match place.cell {
            Cell::Square if self.is_lattice() => {
                let shades = [palette.light, palette.middle, palette.dark];
                shades[self.lattice_part(tile).unwrap_or(0)]
            }
            Cell::Square if self.is_checkered() => {
                let (column, row) = (x.floor() as i64, (height - y).floor() as i64);
                if (column + row).rem_euclid(2) == 0 { palette.dark } else { palette.light }
            }
            Cell::Hexagon => {
                let row = ((y - CORNER) / (1.5 * CORNER)).round() as i64;
                let column = (x - 0.5 + row as f64 / 2.0).round() as i64;
                let shades = [palette.light, palette.middle, palette.dark];
                shades[(column + row).rem_euclid(3) as usize]
            }
            Cell::Tray => palette.middle,
            _ => palette.light,
        }
    }

    /// Left, top, right and bottom of a grid without holes.
    fn grid_bounds(&self) -> Option<Bounds> {
        let squares = self.game.tiles().map(|tile| self.layout.place(tile));
        let squares: Vec<_> = squares.filter(|place| place.cell == Cell::Square).collect();
        let is_full = |(left, top, right, bottom): Bounds| {
            ((right - left) * (bottom - top)).round() as usize == squares.len()
        };
        let bounds = squares.iter().fold((f64::MAX, f64::MAX, 0.0_f64, 0.0_f64), |all, place| {
            let (x, y) = (place.x, place.y);
            (all.0.min(x - 0.5), all.1.min(y - 0.5), all.2.max(x + 0.5), all.3.max(y + 0.5))
        });
        let is_grid = self.layout.style() == Style::Grid && !squares.is_empty();
        (is_grid && is_full(bounds)).then_some(bounds)
    }

    /// The edge around the squares of a grid.
    fn draw_frame(&mut self) {
        let Some((left, top, right, bottom)) = self.grid_bounds() else { return };
        let ((x, y), edge) = (self.at(left, top), 3.0);
        let size =
            ((right - left) * self.unit + 2.0 * edge, (bottom - top) * self.unit + 2.0 * edge);
        self.scene.rect((x - edge, y - edge), size, 2.0, Paint::fill(self.palette.frame));
    }

    fn draw_lines(&mut self) {
        if self.layout.style() == Style::Hex {
            return;
        }
        for (one, two) in self.layout.lines().to_vec() {
            let (from, to) = (self.middle(one), self.middle(two));
            self.scene.line(from, to, self.palette.line, 3.0);
        }
    }

    /// The names of tiles: along the edges where they follow from column and row, else on each.
    pub(crate) fn draw_names(&mut self) {
        match self.layout.style() {
            Style::Points => self.name_points(),
            style => match self.edges() {
                Some(edges) if style == Style::Grid || self.layout.crossings() => {
                    self.name_edges(&edges);
                }
                _ => self.name_tiles(),
            },
        }
    }

    /// The letters of columns and numbers of rows with their places, where every tile is named by
    /// both.
    pub(crate) fn edges(&self) -> Option<Edges> {
        let mut edges = Edges::default();
        for tile in self.game.tiles() {
            let place = self.layout.place(tile);
            let named =
                place.cell == Cell::Square || place.cell == Cell::Spot && self.layout.crossings();
            if !named {
                continue;
            }
            let name = self.game.tile_name(tile);
            let digits = name.find(|letter: char| letter.is_ascii_digit())?;
            let (column, row) = name.split_at(digits);
            let fits = |known: &mut Vec<(String, f64)>, word: &str, at: f64| match known
                .iter()
                .find(|(one, _)| one == word)
            {
                Some((_, before)) => (*before - at).abs() < 0.01,
                None => {
                    known.push((word.to_owned(), at));
                    true
                }
            };
            let known = !column.is_empty()
                && fits(&mut edges.columns, column, place.x)
                && fits(&mut edges.rows, row, place.y);
            if !known {
                return None;
            }
        }
        (!edges.columns.is_empty()).then_some(edges)
    }

    fn name_edges(&mut self, edges: &Edges) {
        let (ink, size) = (self.palette.faint, self.unit * 0.23);
        let lowest = edges.rows.iter().fold(0.0_f64, |low, (_, y)| low.max(*y)) + 0.5;
        for (column, x) in &edges.columns {
            let at = self.at(*x, lowest + 0.33);
            self.scene.text(at, size, (Anchor::Middle, false), ink, column.as_str());
        }
        for (row, y) in &edges.rows {
            let at = self.at(-0.14, *y + 0.08);
            self.scene.text(at, size, (Anchor::End, false), ink, row.as_str());
        }
    }

    fn name_tiles(&mut self) {
        let (unit, ink) = (self.unit, self.palette.ink.fade(170));
        let lattice = self.is_lattice();
        for tile in self.game.tiles() {
            // Edges and corners are named by their cells.
            if lattice && self.lattice_part(tile) != Some(0) {
                continue;
            }
            let (place, name) = (self.layout.place(tile), self.label(tile).to_owned());
            let (x, y) = self.at(place.x, place.y);
            let size = unit * 0.17;
            match place.cell {
                Cell::Square => {
                    let at = (x - unit * 0.44, y - unit * 0.3);
                    self.scene.text(at, size, (Anchor::Start, false), ink, name);
                }
                Cell::Hexagon => {
                    let at = (x, y + unit * 0.485);
                    self.scene.text(at, size * 0.7, (Anchor::Middle, false), ink, name);
                }
                _ => {
                    let at = (x, y + unit * 0.59);
                    self.scene.text(at, size, (Anchor::Middle, false), ink, name);
                }
            }
        }
    }

    fn draw_points(&mut self) {
        let unit = self.unit;
        let (left, top) = self.at(ASIDE, 0.0);
        let edge = unit * 0.16;
        let size = (SIZE.0 * unit + 2.0 * edge, SIZE.1 * unit + 2.0 * edge);
        let frame = Paint::fill(self.palette.frame);
        self.scene.rect((left - edge, top - edge), size, unit * 0.1, frame);
        let field = Paint::fill(self.palette.light);
        for half in [0.0, 7.0] {
            let at = self.at(ASIDE + half, 0.0);
            self.scene.rect(at, (6.0 * unit, SIZE.1 * unit), 0.0, field);
        }
        // Pieces on the wall are seen as well as those on points.
        let wall = self.at(ASIDE + 6.0 + 0.08, 0.0);
        let size = (0.84 * unit, SIZE.1 * unit);
        self.scene.rect(wall, size, 0.0, Paint::fill(self.palette.dark));
        for tile in self.game.tiles() {
            let place = self.layout.place(tile);
            match place.cell {
                Cell::Down | Cell::Up => {
                    let across =
                        (place.x - ASIDE).floor() as i64 + i64::from(place.cell == Cell::Up);
                    // The wall takes a column of its own.
                    let across = across + i64::from(place.x - ASIDE > 6.5);
                    let colors = [self.palette.dark, self.palette.middle];
                    let color = colors[across.rem_euclid(2) as usize];
                    self.fill_tile(tile, color, Some((self.palette.line, 0.8)));
                }
                _ if (place.x - ASIDE - SIZE.0 / 2.0).abs() > 1.0 => {
                    let edge = Some((self.palette.frame, 3.0));
                    self.fill_tile(tile, self.palette.middle, edge);
                }
                _ => {}
            }
        }
    }

    /// The numbers of points, at their bases.
    fn name_points(&mut self) {
        let (ink, size) = (self.palette.faint, self.unit * 0.26);
        for tile in self.game.tiles() {
            let place = self.layout.place(tile);
            let y = match place.cell {
                Cell::Down => -0.29,
                Cell::Up => SIZE.1 + 0.46,
                _ => continue,
            };
            let name = self.label(tile).trim_start_matches('p').to_owned();
            let at = self.at(place.x, y);
            self.scene.text(at, size, (Anchor::Middle, false), ink, name);
        }
    }

    fn point_corners(&self, cell: Cell, (x, y): Point) -> [Point; 3] {
        let (half, long) = (self.unit * 0.47, LENGTH / 2.0 * self.unit);
        let side = if cell == Cell::Down { 1.0 } else { -1.0 };
        [(x - half, y - side * long), (x + half, y - side * long), (x, y + side * long)]
    }
}

/// Left, top, right and bottom, in tiles.
type Bounds = (f64, f64, f64, f64);

/// The lines of a board of so many that have points on them: those that help to count.
fn stars(count: usize) -> Vec<usize> {
    let edge = if count >= 13 { 3 } else { 2 };
    let mut lines = match count {
        0..9 => Vec::new(),
        9..13 => vec![edge, count - 1 - edge],
        _ => vec![edge, count / 2, count - 1 - edge],
    };
    if count.is_multiple_of(2) {
        lines.retain(|line| *line != count / 2);
    }
    lines
}

/// What stands along the edges of a grid.
#[derive(Default)]
pub(crate) struct Edges {
    columns: Vec<(String, f64)>,
    rows: Vec<(String, f64)>,
}

/// The corners of a hexagon that stands on one.
fn hexagon((x, y): Point, radius: f64) -> [Point; 6] {
    let (wide, half) = (radius * 0.866_025_4, radius / 2.0);
    [
        (x, y - radius),
        (x + wide, y - half),
        (x + wide, y + half),
        (x, y + radius),
        (x - wide, y + half),
        (x - wide, y - half),
    ]
}
