//! Boards on which tiles follow one another: tracks, folded where they are long, and rings.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use senet_core::TileId;
use senet_core::layers::Link;

use super::{Cell, Part, Style, lines};

/// How many tiles of a track lie in a row.
const ROW: usize = 10;

/// A track or a ring, if the tiles form one.
pub(super) fn of(tiles: &[TileId], links: &[Link]) -> Option<Part> {
    let mut around: BTreeMap<TileId, Vec<TileId>> = BTreeMap::new();
    for (one, two) in lines(links) {
        around.entry(one).or_default().push(two);
        around.entry(two).or_default().push(one);
    }
    if tiles.iter().any(|tile| around.get(tile).is_none_or(|all| all.len() > 2)) {
        return None;
    }
    let end = tiles.iter().copied().find(|tile| around[tile].len() == 1);
    // A ring is walked the way its first relation leads.
    let first = end.or(tiles.first().copied())?;
    let ahead = links.iter().find(|link| link.from == first && link.to != first);
    let mut order = vec![first];
    let mut next = ahead.map(|link| link.to).or_else(|| around[&first].first().copied());
    while let Some(tile) = next.filter(|tile| !order.contains(tile)) {
        order.push(tile);
        next = around[&tile].iter().copied().find(|tile| !order.contains(tile));
    }
    Some(if end.is_some() { folded(&order) } else { around_ring(&order) })
}

/// A track in rows, each the other way than the one before.
fn folded(order: &[TileId]) -> Part {
    let place = |at: usize| {
        let (row, column) = (at / ROW, at % ROW);
        let column = if row.is_multiple_of(2) { column } else { ROW - 1 - column };
        (column as f64, -(row as f64))
    };
    let places = order.iter().enumerate().map(|(at, tile)| (*tile, place(at))).collect();
    Part { style: Style::Grid, cell: Cell::Square, places }
}

/// A ring that begins at the top and goes round with the clock.
fn around_ring(order: &[TileId]) -> Part {
    let count = order.len() as f64;
    let radius = (count * 1.25 / TAU).max(0.8);
    let place = |at: usize| {
        let (sine, cosine) = (TAU * at as f64 / count).sin_cos();
        (radius * sine, -radius * cosine)
    };
    let places = order.iter().enumerate().map(|(at, tile)| (*tile, place(at))).collect();
    Part { style: Style::Ring, cell: Cell::Spot, places }
}
