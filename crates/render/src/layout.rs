//! Where the tiles of a board lie in the plane: as the game says, else from its relations and their
//! names alone.

pub(crate) mod compass;
mod graph;
pub(crate) mod points;
mod strand;

use senet_core::layers::Link;
use senet_core::written::TileLook;
use senet_core::{Game, TileId};

use points::Points;

/// What a board looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Squares in rows and columns.
    Grid,
    /// Hexagons.
    Hex,
    /// Tiles around a ring.
    Ring,
    /// Tiles joined by lines.
    Graph,
    /// Two rows of pointed tiles with a wall between, as in the games of the tables family.
    Points,
}

/// What a tile looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A square.
    Square,
    /// A hexagon that stands on a corner.
    Hexagon,
    /// A round spot.
    Spot,
    /// A long point whose tip is below its base, in a board of points.
    Down,
    /// A long point whose tip is above its base.
    Up,
    /// A place beside the board that holds many pieces.
    Tray,
}

/// Where a tile lies, counted in tiles to the right and down from the upper left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The middle of the tile, to the right.
    pub x: f64,
    /// The middle of the tile, down.
    pub y: f64,
    /// What it looks like.
    pub cell: Cell,
}

/// A board in the plane.
#[derive(Clone, Debug)]
pub struct Layout {
    style: Style,
    places: Vec<Place>,
    size: (f64, f64),
    /// Lines between tiles, where tiles do not touch.
    lines: Vec<(TileId, TileId)>,
    /// Whether tiles are crossings of these lines.
    crossings: bool,
}

/// A connected part of a board, to the right and down from anywhere.
pub(crate) struct Part {
    style: Style,
    cell: Cell,
    places: Vec<(TileId, (f64, f64))>,
}

impl Layout {
    /// The layout of a game's board.
    pub fn of(game: &Game) -> Layout {
        let picture = &game.definition().picture;
        let drawn = drawn(game, &picture.rows);
        if let Some(Points { places, size }) = points::of(game).filter(|_| drawn.is_none()) {
            let (lines, crossings) = (Vec::new(), false);
            return Layout { style: Style::Points, places, size, lines, crossings };
        }
        let links = links(game);
        let mut parts: Vec<Part> = match drawn {
            Some(parts) => parts,
            None => {
                components(game, &links).iter().map(|tiles| part(game, tiles, &links)).collect()
            }
        };
        let apart = parts.len() > 1 && parts.iter().all(|part| part.places.len() > 1);
        if let Some(whole) = compass::named(game).filter(|_| apart) {
            parts = vec![whole];
        }
        // The greatest part is the board; what is left lies below it.
        parts.sort_by_key(|part| std::cmp::Reverse(part.places.len()));
        if let (Some(look), Some(first)) = (picture.tiles, parts.first_mut()) {
            (first.style, first.cell) = match look {
                TileLook::Squares => (Style::Grid, Cell::Square),
                TileLook::Crossings if first.style == Style::Grid => (Style::Grid, first.cell),
                TileLook::Spots | TileLook::Crossings => (Style::Graph, Cell::Spot),
            };
        }
        let style = parts.first().map_or(Style::Graph, |part| part.style);
        let lines = match style {
            Style::Ring | Style::Graph => lines(&links),
            _ => Vec::new(),
        };
        let (places, size) = arranged(game, &parts);
        let crossings = picture.tiles == Some(TileLook::Crossings);
        Layout { style, places, size, lines, crossings }
    }

    /// What the board looks like.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Where a tile lies.
    pub fn place(&self, tile: TileId) -> Place {
        self.places[tile.index()]
    }

    /// How many tiles the board is wide and high.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// Whether tiles are crossings of lines.
    pub(crate) fn crossings(&self) -> bool {
        self.crossings
    }

    pub(crate) fn lines(&self) -> &[(TileId, TileId)] {
        &self.lines
    }

    /// The same board, seen from the other side.
    #[must_use]
    pub fn flipped(mut self) -> Layout {
        let (width, height) = self.size;
        for place in &mut self.places {
            (place.x, place.y) = (width - place.x, height - place.y);
            place.cell = match place.cell {
                Cell::Down => Cell::Up,
                Cell::Up => Cell::Down,
                cell => cell,
            };
        }
        self
    }
}

/// The board as rows of tiles, which the game may give, and each other tile apart.
fn drawn(game: &Game, rows: &[Vec<String>]) -> Option<Vec<Part>> {
    let mut places: Vec<(TileId, (f64, f64))> = Vec::new();
    for (down, row) in rows.iter().enumerate() {
        for (right, name) in row.iter().enumerate() {
            places.extend(game.tile(name).map(|tile| (tile, (right as f64, down as f64))));
        }
    }
    if places.is_empty() {
        return None;
    }
    let left = game.tiles().filter(|tile| !places.iter().any(|(drawn, _)| drawn == tile));
    let alone = left.map(|tile| part(game, &[tile], &[])).collect::<Vec<_>>();
    let board = Part { style: Style::Grid, cell: Cell::Square, places };
    Some(std::iter::once(board).chain(alone).collect())
}

/// Every relation, in the order it was declared.
fn links(game: &Game) -> Vec<Link> {
    let topology = game.topology();
    let mut all: Vec<_> = game.tiles().flat_map(|tile| topology.leaving(tile)).collect();
    all.sort_unstable();
    all.into_iter().map(|relation| topology.relation(relation)).collect()
}

/// The lines that a player sees between tiles: each once, and none from a tile to itself.
fn lines(links: &[Link]) -> Vec<(TileId, TileId)> {
    let mut lines: Vec<(TileId, TileId)> = links
        .iter()
        .filter(|link| link.from != link.to)
        .map(|link| (link.from.min(link.to), link.from.max(link.to)))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The tiles in groups that are joined.
fn components(game: &Game, links: &[Link]) -> Vec<Vec<TileId>> {
    let mut group: Vec<usize> = (0..game.tile_count()).collect();
    fn root(group: &[usize], mut at: usize) -> usize {
        while group[at] != at {
            at = group[at];
        }
        at
    }
    for link in links {
        let one = root(&group, link.from.index());
        let two = root(&group, link.to.index());
        group[one.max(two)] = one.min(two);
    }
    let mut groups: Vec<Vec<TileId>> = vec![Vec::new(); game.tile_count()];
    for tile in game.tiles() {
        groups[root(&group, tile.index())].push(tile);
    }
    groups.retain(|tiles| !tiles.is_empty());
    groups
}

fn part(game: &Game, tiles: &[TileId], links: &[Link]) -> Part {
    let within: Vec<Link> =
        links.iter().copied().filter(|link| tiles.contains(&link.from)).collect();
    if let [alone] = tiles {
        let cell = if game.stacks(*alone) { Cell::Tray } else { Cell::Square };
        return Part { style: Style::Graph, cell, places: vec![(*alone, (0.0, 0.0))] };
    }
    compass::hex(game, tiles, &within)
        .or_else(|| compass::grid(game, tiles, &within))
        .or_else(|| strand::of(tiles, &within))
        .or_else(|| compass::unnamed(game, tiles))
        .or_else(|| compass::named_spots(game, tiles))
        .unwrap_or_else(|| graph::of(tiles, &within))
}

/// Puts the parts below one another, those of one tile in rows as wide as the first part.
fn arranged(game: &Game, parts: &[Part]) -> (Vec<Place>, (f64, f64)) {
    let mut places = vec![Place { x: 0.0, y: 0.0, cell: Cell::Spot }; game.tile_count()];
    // Tiles that nothing joins lie in a square.
    let loose = parts.first().is_some_and(|part| part.places.len() == 1);
    let widest = if loose { (parts.len() as f64).sqrt().ceil() } else { 1.0 };
    let (mut widest, mut below): (f64, f64) = (widest, 0.0);
    let mut row = (0.0, 0.0);
    for part in parts {
        let (left, top, width, height) = part.bounds();
        let alone = part.places.len() == 1;
        if !alone || row.0 + width > widest {
            row = (0.0, below + if below > 0.0 && !loose { 0.4 } else { 0.0 });
        }
        for (tile, (x, y)) in &part.places {
            let (x, y) = (x - left + row.0, y - top + row.1);
            places[tile.index()] = Place { x, y, cell: part.cell };
        }
        below = below.max(row.1 + height);
        row.0 += width;
        widest = widest.max(row.0);
    }
    (places, (widest, below))
}

impl Part {
    /// Left, top, width and height, with the room of the tiles themselves.
    fn bounds(&self) -> (f64, f64, f64, f64) {
        let reach = match self.cell {
            Cell::Hexagon => (0.5, compass::CORNER),
            _ => (0.5, 0.5),
        };
        let all = |pick: fn(&(f64, f64)) -> f64| {
            let values = self.places.iter().map(move |(_, place)| pick(place));
            (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max))
        };
        let ((left, right), (top, bottom)) = (all(|place| place.0), all(|place| place.1));
        let (left, top) = (left - reach.0, top - reach.1);
        (left, top, right + reach.0 - left, bottom + reach.1 - top)
    }
}
