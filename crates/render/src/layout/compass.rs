//! Boards whose directions are named after the compass.

use std::collections::BTreeMap;

use senet_core::builder::{
    EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use senet_core::{Game, Link, TileId};

use super::{Cell, Part, Style};

/// How far the corner of a hexagon is from its middle, where its width is 1.
pub(crate) const CORNER: f64 = 0.577_350_269_189_625_8;

type Step = (i32, i32);

/// Steps to the right and up.
const GRID: [(&str, Step); 8] = [
    (NORTH, (0, 1)),
    (SOUTH, (0, -1)),
    (EAST, (1, 0)),
    (WEST, (-1, 0)),
    (NORTH_EAST, (1, 1)),
    (NORTH_WEST, (-1, 1)),
    (SOUTH_EAST, (1, -1)),
    (SOUTH_WEST, (-1, -1)),
];

/// Steps along the rows and the columns that lean to the right.
const HEX: [(&str, Step); 6] = [
    (NORTH_EAST, (0, 1)),
    (SOUTH_WEST, (0, -1)),
    (EAST, (1, 0)),
    (WEST, (-1, 0)),
    (NORTH_WEST, (-1, 1)),
    (SOUTH_EAST, (1, -1)),
];

/// A part of squares, if its named directions draw one.
pub(super) fn grid(game: &Game, tiles: &[TileId], links: &[Link]) -> Option<Part> {
    let places = walk(game, tiles, links, &GRID)?;
    let places =
        places.into_iter().map(|(tile, (x, y))| (tile, (f64::from(x), -f64::from(y)))).collect();
    Some(Part { style: Style::Grid, cell: Cell::Square, places })
}

/// A part of hexagons, if its named directions draw one.
pub(super) fn hex(game: &Game, tiles: &[TileId], links: &[Link]) -> Option<Part> {
    let upright = |link: &Link| matches!(game.direction_name(link.direction), NORTH | SOUTH);
    let across = |link: &Link| matches!(game.direction_name(link.direction), EAST | WEST);
    if links.iter().any(upright) || !links.iter().any(across) {
        return None;
    }
    let places = walk(game, tiles, links, &HEX)?;
    let leaning = |(x, y): Step| (f64::from(x) + f64::from(y) / 2.0, -f64::from(y) * 1.5 * CORNER);
    let places = places.into_iter().map(|(tile, at)| (tile, leaning(at))).collect();
    Some(Part { style: Style::Hex, cell: Cell::Hexagon, places })
}

/// The squares that core found by relations alone, if it did so for the whole board.
pub(super) fn unnamed(game: &Game, tiles: &[TileId]) -> Option<Part> {
    let coordinates = game.topology().coordinates().filter(|all| all.len() == tiles.len())?;
    let place = |tile: &TileId| {
        let (x, y) = coordinates[tile.index()];
        (*tile, (f64::from(x), -f64::from(y)))
    };
    let places = tiles.iter().map(place).collect();
    Some(Part { style: Style::Grid, cell: Cell::Square, places })
}

/// Squares by their names, as `c3`: for boards of several parts that lie between each other, such as
/// the two colours of squares where pieces go along diagonals alone.
pub(super) fn named(game: &Game) -> Option<Part> {
    let places = by_name(game, game.tiles())?;
    Some(Part { style: Style::Grid, cell: Cell::Square, places })
}

/// Spots by their names, as `c3`: for boards of lines of any length, such as that of nine men's
/// morris.
pub(super) fn named_spots(game: &Game, tiles: &[TileId]) -> Option<Part> {
    let places = by_name(game, tiles.iter().copied())?;
    let mut taken: Vec<(i64, i64)> =
        places.iter().map(|(_, (x, y))| (*x as i64, *y as i64)).collect();
    taken.sort_unstable();
    taken.dedup();
    let is_plane =
        |pick: fn(&(i64, i64)) -> i64| taken.iter().any(|one| pick(one) != pick(&taken[0]));
    let apart = taken.len() == tiles.len() && is_plane(|one| one.0) && is_plane(|one| one.1);
    apart.then_some(Part { style: Style::Graph, cell: Cell::Spot, places })
}

/// The places of tiles that are all named by a column and a row.
fn by_name(game: &Game, tiles: impl Iterator<Item = TileId>) -> Option<Vec<(TileId, (f64, f64))>> {
    let place = |tile: TileId| {
        let name = game.tile_name(tile);
        let (column, row) = name.split_at_checked(1)?;
        let column = column.bytes().next().filter(u8::is_ascii_lowercase)?;
        let row: u8 = row.parse().ok()?;
        Some((tile, (f64::from(column), -f64::from(row))))
    };
    tiles.map(place).collect()
}

/// The place of each tile, where every step says the same of it and no two lie in one place.
fn walk(
    game: &Game,
    tiles: &[TileId],
    links: &[Link],
    steps: &[(&str, Step)],
) -> Option<BTreeMap<TileId, Step>> {
    let step = |link: &Link| {
        let name = game.direction_name(link.direction);
        steps.iter().find(|(known, _)| *known == name).map(|(_, step)| *step)
    };
    let known: Vec<(TileId, TileId, Step)> =
        links.iter().filter_map(|link| Some((link.from, link.to, step(link)?))).collect();
    let mut around: BTreeMap<TileId, Vec<(TileId, Step)>> = BTreeMap::new();
    for &(from, to, (right, up)) in &known {
        around.entry(from).or_default().push((to, (right, up)));
        around.entry(to).or_default().push((from, (-right, -up)));
    }
    let mut places = BTreeMap::from([(*tiles.first()?, (0, 0))]);
    let mut due = vec![*tiles.first()?];
    while let Some(tile) = due.pop() {
        let (x, y) = places[&tile];
        for &(to, (right, up)) in around.get(&tile).into_iter().flatten() {
            let place = (x + right, y + up);
            match places.get(&to) {
                Some(before) if *before != place => return None,
                Some(_) => {}
                None => {
                    places.insert(to, place);
                    due.push(to);
                }
            }
        }
    }
    let mut taken: Vec<Step> = places.values().copied().collect();
    taken.sort_unstable();
    taken.dedup();
    (places.len() == tiles.len() && taken.len() == tiles.len()).then_some(places)
}
