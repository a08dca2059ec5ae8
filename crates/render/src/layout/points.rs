//! The board of the tables family: 24 points in two rows, a wall between their halves, and trays.
//!
//! A board is drawn so where its tiles are called so: stacking tiles `p1` to `p24` or `1` to `24`
//! and, for each player, `PLAYER-bar` and `PLAYER-off` as far as they exist, and nothing else.

use senet_core::{Game, TileId};

use super::{Cell, Place};

/// How many points there are.
const COUNT: usize = 24;

/// How long a point is, in tiles.
pub(crate) const LENGTH: f64 = 5.0;

/// How many tiles the board is wide without trays, and high.
pub(crate) const SIZE: (f64, f64) = (13.0, 11.4);

/// How wide the place beside the board is, on either side.
pub(crate) const ASIDE: f64 = 1.5;

/// Places of every tile, and the size of it all.
pub(super) struct Points {
    pub(super) places: Vec<Place>,
    pub(super) size: (f64, f64),
}

/// A board of points, if the tiles are called so.
pub(super) fn of(game: &Game) -> Option<Points> {
    let named = |prefix: &str| -> Option<Vec<TileId>> {
        (1..=COUNT).map(|number| game.tile(&format!("{prefix}{number}"))).collect()
    };
    let points = named("p").or_else(|| named(""))?;
    if !points.iter().all(|point| game.stacks(*point)) {
        return None;
    }
    let mut places = vec![None; game.tile_count()];
    for (at, point) in points.iter().enumerate() {
        places[point.index()] = Some(of_point(at));
    }
    for (side, player) in game.players().enumerate() {
        let name = game.player_name(player);
        let mut set = |what: &str, x: f64, y: f64| {
            if let Some(tile) = game.tile(&format!("{name}-{what}")) {
                places[tile.index()] = Some(Place { x, y, cell: Cell::Tray });
            }
        };
        let top = LENGTH / 2.0;
        let bottom = SIZE.1 - top;
        // Who goes down to the first point waits above it and goes off below it.
        let (wall, tray) = if side == 0 { (top, bottom) } else { (bottom, top) };
        set("bar", ASIDE + SIZE.0 / 2.0, wall);
        set("off", ASIDE * 1.5 + SIZE.0, tray);
    }
    let places: Option<Vec<Place>> = places.into_iter().collect();
    Some(Points { places: places?, size: (SIZE.0 + 2.0 * ASIDE, SIZE.1) })
}

/// The first point lies below on the right; from there they go round.
fn of_point(at: usize) -> Place {
    let column = |at: usize| at as f64 + if at >= 6 { 1.5 } else { 0.5 };
    if at < COUNT / 2 {
        let x = ASIDE + SIZE.0 - column(at);
        return Place { x, y: SIZE.1 - LENGTH / 2.0, cell: Cell::Up };
    }
    Place { x: ASIDE + column(at - COUNT / 2), y: LENGTH / 2.0, cell: Cell::Down }
}
