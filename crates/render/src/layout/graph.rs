//! Boards of any other kind: tiles push each other away and lines pull them together.

use std::f64::consts::TAU;

use senet_core::TileId;
use senet_core::layers::Link;

use super::{Cell, Part, Style, lines};

/// How often all tiles are moved.
const ROUNDS: usize = 400;

/// How long a line would like to be, in tiles.
const LENGTH: f64 = 1.5;

/// Tiles where pushing and pulling leave them. Whatever the graph, it is the same each time.
pub(super) fn of(tiles: &[TileId], links: &[Link]) -> Part {
    let count = tiles.len() as f64;
    let radius = (count * LENGTH / TAU).max(1.0);
    let mut places: Vec<(f64, f64)> = (0..tiles.len())
        .map(|at| {
            let (sine, cosine) = (TAU * at as f64 / count).sin_cos();
            // Not all equally far out, so that nothing is in balance by chance.
            let radius = radius * (1.0 + 0.1 * (at % 3) as f64);
            (radius * sine, -radius * cosine)
        })
        .collect();
    let index = |tile: TileId| tiles.iter().position(|one| *one == tile);
    let joined: Vec<(usize, usize)> = lines(links)
        .into_iter()
        .filter_map(|(one, two)| Some((index(one)?, index(two)?)))
        .collect();
    for round in 0..ROUNDS {
        let heat = LENGTH * (1.0 - round as f64 / ROUNDS as f64);
        step(&mut places, &joined, heat);
    }
    spread(&mut places);
    let places = tiles.iter().copied().zip(level(places)).collect();
    Part { style: Style::Graph, cell: Cell::Spot, places }
}

/// Moves every tile once, no further than the heat allows.
fn step(places: &mut [(f64, f64)], joined: &[(usize, usize)], heat: f64) {
    let mut forces = vec![(0.0, 0.0); places.len()];
    let mut push = |one: usize, two: usize, force: fn(f64) -> f64| {
        let (x, y) = (places[one].0 - places[two].0, places[one].1 - places[two].1);
        let far = (x * x + y * y).sqrt().max(0.01);
        let by = force(far) / far;
        forces[one].0 += x * by;
        forces[one].1 += y * by;
        forces[two].0 -= x * by;
        forces[two].1 -= y * by;
    };
    for one in 0..places.len() {
        for two in 0..one {
            push(one, two, |far| LENGTH * LENGTH / far);
        }
    }
    for &(one, two) in joined {
        push(one, two, |far| -far * far / LENGTH);
    }
    for (place, (x, y)) in places.iter_mut().zip(forces) {
        let far = (x * x + y * y).sqrt().max(0.000_001);
        let by = far.min(heat) / far;
        place.0 += x * by;
        place.1 += y * by;
    }
}

/// Widens the drawing until no two tiles touch.
fn spread(places: &mut [(f64, f64)]) {
    let mut nearest = f64::MAX;
    for (at, one) in places.iter().enumerate() {
        for two in &places[..at] {
            let (x, y) = (one.0 - two.0, one.1 - two.1);
            nearest = nearest.min((x * x + y * y).sqrt());
        }
    }
    if nearest < 1.15 {
        let by = (1.15 / nearest.max(0.2)).max(1.0);
        places.iter_mut().for_each(|place| *place = (place.0 * by, place.1 * by));
    }
}

/// Turns the drawing so that the line along which it is longest lies level.
fn level(places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let count = places.len() as f64;
    let sum = places.iter().fold((0.0, 0.0), |all, (x, y)| (all.0 + x, all.1 + y));
    let (x0, y0) = (sum.0 / count, sum.1 / count);
    let mean = |product: fn(f64, f64) -> f64| -> f64 {
        places.iter().map(|(x, y)| product(x - x0, y - y0)).sum()
    };
    let (across, along, both) = (mean(|x, _| x * x), mean(|_, y| y * y), mean(|x, y| x * y));
    let (sine, cosine) = ((2.0 * both).atan2(across - along) / 2.0).sin_cos();
    let turned = |(x, y): (f64, f64)| (x * cosine + y * sine, y * cosine - x * sine);
    let turned: Vec<(f64, f64)> = places.into_iter().map(turned).collect();
    // The first tile lies to the left.
    let middle = turned.iter().map(|(x, _)| x).sum::<f64>() / turned.len() as f64;
    let mirrored = turned.first().is_some_and(|(x, _)| *x > middle);
    let side = if mirrored { -1.0 } else { 1.0 };
    turned.into_iter().map(|(x, y)| (x * side, y)).collect()
}
