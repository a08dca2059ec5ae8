//! Boards.

use std::collections::BTreeMap;

use senet_core::builder::{EIGHT, LINES};
use senet_core::{Board, BoardTile, Capacity, Grid, Hex, MAX_TILES, Relation, Track};

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::sheet::BoardPart;
use crate::syntax::{self, Name};

/// Where tiles lie on the plane.
type Points = BTreeMap<String, (i32, i32)>;

impl<'s> Resolver<'s> {
    /// Tiles, directions and relations.
    pub(super) fn board(&mut self) {
        let sheet = self.sheet;
        for part in &sheet.board {
            match part {
                BoardPart::Shape(board) => self.shape(board),
                BoardPart::Tiles(names, stacks) => {
                    let holds = if *stacks { Capacity::Many } else { Capacity::One };
                    for name in names {
                        let tile = BoardTile { name: name.text.clone(), holds };
                        self.add_tile(tile, name);
                    }
                }
                BoardPart::Link(from, direction, to) => self.link(from, direction, to),
            }
        }
        if self.definition.tiles.is_empty() {
            let error = Diagnostic::error("missing", sheet.name.span, "the game has no board");
            self.report(error.help("write `board grid 8 x 8`"));
        }
    }

    fn add_tile(&mut self, tile: BoardTile, at: &Name) {
        let index = self.definition.tiles.len();
        if self.names.tiles.insert(tile.name.clone(), index).is_some() {
            let message = format!("a second tile is named `{}`", tile.name);
            self.error("second", at.span, message);
            return;
        }
        self.definition.tiles.push(tile);
    }

    fn link(&mut self, from: &Name, direction: &Name, to: &Name) {
        let ends = [self.tile_named(from), self.tile_named(to)];
        let [Some(start), Some(end)] = ends else { return };
        if !self.definition.directions.contains(&direction.text) {
            self.definition.directions.push(direction.text.clone());
        }
        let place = format!("relations/{}", self.definition.relations.len());
        self.place(place, from.span.to(to.span));
        self.add_relation(Relation::new(start, direction.text.clone(), end));
    }

    fn add_relation(&mut self, relation: Relation) {
        let key = (relation.from.clone(), relation.direction.clone());
        self.names.steps.insert(key, relation.to.clone());
        self.definition.relations.push(relation);
    }

    fn shape(&mut self, board: &'s syntax::Board) {
        let sizes: Vec<i64> = board.sizes.iter().filter_map(|size| self.integer(size)).collect();
        if sizes.len() != board.sizes.len() {
            return;
        }
        let most = MAX_TILES as i64;
        let tiles = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        let fits = sizes.iter().all(|size| (1..=most).contains(size));
        if !fits || tiles.is_none_or(|tiles| tiles > most) {
            let span = board.sizes[0].span;
            let message = format!("a board has between 1 and {MAX_TILES} tiles");
            return self.error("out-of-range", span, message);
        }
        let columns = sizes[0] as u16;
        let rows = sizes.get(1).map_or(columns, |rows| *rows as u16);
        let Some((made, points)) = self.made(board, columns, rows) else { return };
        let mut made = made;
        for hole in &board.holes {
            let known: Vec<&str> = made.tiles.iter().map(|tile| tile.name.as_str()).collect();
            if !known.contains(&hole.text.as_str()) {
                self.unknown("tile", hole, known.into_iter());
            }
            remove_tile(&mut made, &hole.text);
        }
        let mut points = points;
        if let Some(prefix) = &board.prefix {
            made = made.prefixed(&prefix.text);
            points = points
                .into_iter()
                .map(|(name, at)| (format!("{}{name}", prefix.text), at))
                .collect();
        }
        if board.stacks {
            made = made.stacking();
        }
        self.join(made, points, &board.shape);
    }

    fn made(
        &mut self,
        board: &'s syntax::Board,
        columns: u16,
        rows: u16,
    ) -> Option<(Board, Points)> {
        let along = board.along.as_ref().map(|along| self.compass(along));
        let outline = board.outline.as_ref().map_or("", |outline| outline.text.as_str());
        let made = match (board.shape.text.as_str(), outline) {
            ("grid", _) => {
                let grid = Grid::new(columns, rows);
                along.map_or(grid.clone().eight(), |along| grid.along(along)).board()
            }
            ("hex", "rhombus") => Hex::parallelogram(columns, rows).board(),
            ("hex", "hexagon") => {
                Hex::hexagon(u8::try_from(columns - 1).unwrap_or(u8::MAX).min(17)).board()
            }
            ("hex", "triangle") => triangle(columns),
            ("ring", _) => Track::ring(columns).board(),
            ("track", _) => Track::open(columns).board(),
            ("hex", _) => {
                let name = board.outline.clone().unwrap_or_default();
                self.unknown("hex board", &name, ["rhombus", "hexagon", "triangle"].into_iter());
                return None;
            }
            _ => {
                let known = ["grid", "hex", "ring", "track"].into_iter();
                self.unknown("board", &board.shape, known);
                return None;
            }
        };
        let flat = matches!(board.shape.text.as_str(), "grid" | "hex");
        let points =
            made.tiles.iter().filter_map(|tile| Some((tile.name.clone(), point(&tile.name)?)));
        let points = if flat { points.collect() } else { BTreeMap::new() };
        Some((made, points))
    }

    /// Directions of a grid, before the board is there to look them up on.
    fn compass(&mut self, along: &'s syntax::Expr) -> Vec<String> {
        let known: Vec<String> = self.definition.directions.clone();
        self.definition.directions = EIGHT.map(String::from).to_vec();
        let directions = self.directions(along, &None);
        self.definition.directions = known;
        if directions.is_empty() { LINES.map(String::from).to_vec() } else { directions }
    }

    fn join(&mut self, board: Board, points: Points, at: &Name) {
        for tile in board.tiles {
            self.add_tile(tile, at);
        }
        for direction in board.directions {
            if !self.definition.directions.contains(&direction) {
                self.definition.directions.push(direction);
            }
        }
        for relation in board.relations {
            self.add_relation(relation);
        }
        self.names.points.extend(points);
    }
}

/// Where a tile named by letters and a number lies.
fn point(name: &str) -> Option<(i32, i32)> {
    let split = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at(split);
    let column = letters.bytes().fold(0, |sum, byte| sum * 26 + i32::from(byte - b'a') + 1);
    Some((column - 1, number.parse::<i32>().ok()? - 1))
}

fn remove_tile(board: &mut Board, name: &str) {
    board.tiles.retain(|tile| tile.name != name);
    board.relations.retain(|relation| relation.from != name && relation.to != name);
}

/// A triangle of hexagons with so many on a side: the lower left half of a rhombus.
fn triangle(side: u16) -> Board {
    let mut board = Hex::parallelogram(side, side).board();
    let outside: Vec<String> = board
        .tiles
        .iter()
        .filter(|tile| {
            point(&tile.name).is_some_and(|(column, row)| column + row >= i32::from(side))
        })
        .map(|tile| tile.name.clone())
        .collect();
    for name in outside {
        remove_tile(&mut board, &name);
    }
    board
}
