//! Boards.

use std::collections::BTreeMap;

use senet_core::builder::{Board, Grid, Hex, Track};
use senet_core::builder::{EIGHT, FOUR, LINES};
use senet_core::written::{BoardTile, Capacity, MAX_TILES, Relation};

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
        self.names.steps.take();
        self.definition.relations.push(relation);
    }

    /// Where a step leads from each tile, by its direction.
    pub(super) fn step_ends(&self) -> &BTreeMap<(String, String), String> {
        let step = |one: &Relation| ((one.from.clone(), one.direction.clone()), one.to.clone());
        self.names.steps.get_or_init(|| self.definition.relations.iter().map(step).collect())
    }

    fn shape(&mut self, board: &'s syntax::Board) {
        if board.shape.text == "graph" {
            return self.graph(board);
        }
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
        let Some((mut made, points)) = self.made(board, columns, rows) else { return };
        wrap(&mut made, &points, (columns, rows), &board.wraps);
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
        let asked = along.is_some();
        let mut made = match (board.shape.text.as_str(), outline) {
            ("grid", _) => {
                let grid = Grid::new(columns, rows);
                along.map_or(grid.clone().eight(), |along| grid.along(along)).board()
            }
            ("hex", "rhombus") => Hex::parallelogram(columns, rows).board(),
            ("hex", "hexagon") => {
                Hex::hexagon(u8::try_from(columns - 1).unwrap_or(u8::MAX).min(17)).board()
            }
            ("hex", "triangle") => triangle(columns),
            ("lattice", _) => return self.lattice(board, (columns, rows), along),
            ("ring", _) => Track::ring(columns).board(),
            ("track", _) => Track::open(columns).board(),
            ("hex", _) => {
                let name = board.outline.clone().unwrap_or_default();
                self.unknown("hex board", &name, ["rhombus", "hexagon", "triangle"].into_iter());
                return None;
            }
            _ => {
                let known = ["grid", "hex", "ring", "track", "lattice", "graph"].into_iter();
                self.unknown("board", &board.shape, known);
                return None;
            }
        };
        if !asked {
            // A board of one row has no north.
            let Board { directions, relations, .. } = &mut made;
            directions.retain(|name| relations.iter().any(|one| one.direction == *name));
        }
        let flat = matches!(board.shape.text.as_str(), "grid" | "hex");
        let points =
            made.tiles.iter().filter_map(|tile| Some((tile.name.clone(), point(&tile.name)?)));
        let points = if flat { points.collect() } else { BTreeMap::new() };
        Some((made, points))
    }

    /// Tiles by name, joined along lines.
    fn graph(&mut self, board: &'s syntax::Board) {
        let mut made = Board::default();
        for lines in &board.lines {
            let known = super::direction::opposite(&lines.along.text).map(str::to_owned);
            let back = lines.back.as_ref().map(|back| back.text.clone()).or(known);
            for direction in std::iter::once(&lines.along.text).chain(&back) {
                if !made.directions.contains(direction) {
                    made.directions.push(direction.clone());
                }
            }
            for tile in lines.lines.iter().flatten() {
                if !made.tiles.iter().any(|known| known.name == tile.text) {
                    made.tiles.push(BoardTile { name: tile.text.clone(), ..BoardTile::default() });
                }
            }
            for pair in lines.lines.iter().flat_map(|line| line.windows(2)) {
                let (from, to) = (&pair[0].text, &pair[1].text);
                made.relations.push(Relation::new(from, &lines.along.text, to));
                made.relations.extend(back.as_ref().map(|back| Relation::new(to, back, from)));
            }
        }
        if made.tiles.is_empty() || made.tiles.len() > MAX_TILES {
            let message = format!("a graph has between 1 and {MAX_TILES} tiles");
            let error = Diagnostic::error("out-of-range", board.shape.span, message);
            return self.report(error.help("write its lines: `board graph east: a b c, d e f`"));
        }
        if board.stacks {
            made = made.stacking();
        }
        let places: Points = made
            .tiles
            .iter()
            .filter_map(|tile| Some((tile.name.clone(), point(&tile.name)?)))
            .collect();
        let points = if places.len() == made.tiles.len() { places } else { Points::new() };
        self.join(made, points, &board.shape);
    }

    /// Cells with the edges and corners between them, each a tile. A step from a cell leads to its
    /// edge, and one more to the next cell.
    fn lattice(
        &mut self,
        board: &'s syntax::Board,
        (columns, rows): (u16, u16),
        along: Option<Vec<String>>,
    ) -> Option<(Board, Points)> {
        let (wide, high) = (columns * 2 + 1, rows * 2 + 1);
        if usize::from(wide) * usize::from(high) > MAX_TILES {
            let message = format!("a lattice has at most {MAX_TILES} cells, edges and corners");
            self.error("out-of-range", board.shape.span, message);
            return None;
        }
        let grid = Grid::new(columns, rows).board();
        let cells: Vec<String> = grid.tiles.into_iter().map(|tile| tile.name).collect();
        let name = |column: i32, row: i32| lattice_name(&cells, columns, (column, row));
        let along = along.unwrap_or_else(|| FOUR.map(String::from).to_vec());
        let mut made = Grid::new(wide, high).along(along).named(name).board();
        if board.inner {
            let last = (i32::from(wide) - 1, i32::from(high) - 1);
            for (column, row) in (0..=last.0).flat_map(|x| (0..=last.1).map(move |y| (x, y))) {
                if column == 0 || row == 0 || column == last.0 || row == last.1 {
                    remove_tile(&mut made, &name(column, row));
                }
            }
        }
        let sorts = [("cells", [""; 4]), ("edges", EDGES), ("corners", CORNERS)];
        for (sort, ends) in sorts {
            let of_sort = |tile: &&BoardTile| {
                ends.contains(
                    &tile
                        .name
                        .trim_start_matches(char::is_alphabetic)
                        .trim_start_matches(|c: char| c.is_ascii_digit()),
                )
            };
            let tiles = made.tiles.iter().filter(of_sort).map(|tile| tile.name.clone()).collect();
            self.lattice.push((sort.to_owned(), tiles));
        }
        let points = cells.iter().filter_map(|cell| Some((cell.clone(), point(cell)?)));
        Some((made, points.collect()))
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

/// How the names of edges end, and those of corners.
const EDGES: [&str; 4] = ["n", "s", "e", "w"];
const CORNERS: [&str; 4] = ["ne", "se", "nw", "sw"];

/// The name of a tile of a lattice: that of a cell, or of the cell that an edge or corner lies north
/// or east of; at the border, south or west.
fn lattice_name(cells: &[String], columns: u16, (column, row): (i32, i32)) -> String {
    let cell = (((column - 1) / 2).max(0), ((row - 1) / 2).max(0));
    let name = &cells[cell.1 as usize * usize::from(columns) + cell.0 as usize];
    let upright = if row == 0 {
        "s"
    } else if row % 2 == 0 {
        "n"
    } else {
        ""
    };
    let aside = if column == 0 {
        "w"
    } else if column % 2 == 0 {
        "e"
    } else {
        ""
    };
    format!("{name}{upright}{aside}")
}

/// Joins the sides of a grid: a step over its edge leads to the other side.
fn wrap(board: &mut Board, points: &Points, (columns, rows): (u16, u16), wraps: &[Name]) {
    let over = |axis: &str| wraps.iter().any(|word| word.text == axis || word.text == "wraps");
    let (sideways, upwards) = (over("east"), over("north"));
    if !sideways && !upwards {
        return;
    }
    let (columns, rows) = (i32::from(columns), i32::from(rows));
    let names: BTreeMap<(i32, i32), &String> =
        points.iter().map(|(name, point)| (*point, name)).collect();
    let mut added = Vec::new();
    for tile in &board.tiles {
        let Some(&(column, row)) = points.get(&tile.name) else { continue };
        for direction in &board.directions {
            let Some((east, north)) = compass_step(direction) else { continue };
            let (x, y) = (column + east, row + north);
            let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
            let x = if sideways { x.rem_euclid(columns) } else { x };
            let y = if upwards { y.rem_euclid(rows) } else { y };
            if let Some(to) = names.get(&(x, y)).filter(|_| !inside) {
                added.push(Relation::new(&tile.name, direction, *to));
            }
        }
    }
    board.relations.extend(added);
}

/// How far a direction of a grid leads to the east and to the north.
fn compass_step(direction: &str) -> Option<(i32, i32)> {
    EIGHT.contains(&direction).then(|| {
        let towards = |plus: &str, minus: &str| {
            i32::from(direction.contains(plus)) - i32::from(direction.contains(minus))
        };
        (towards("east", "west"), towards("north", "south"))
    })
}

/// Where a tile named by letters and a number lies.
fn point(name: &str) -> Option<(i32, i32)> {
    let split = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at(split);
    let plain = !letters.is_empty() && letters.len() <= 3;
    if !plain || !letters.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let column = letters.bytes().fold(0, |sum, byte| sum * 26 + i32::from(byte - b'a') + 1);
    Some((column - 1, number.parse::<i32>().ok()? - 1))
}

fn remove_tile(board: &mut Board, name: &str) {
    board.tiles.retain(|tile| tile.name != name);
    board.relations.retain(|relation| relation.from != name && relation.to != name);
}

/// A triangle of hexagons with `side` on a side: the lower left half of a rhombus.
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
