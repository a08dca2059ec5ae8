//! Rays of a board and the tiles between two others.

use crate::bits::Bits;
use crate::id::{DirectionId, TileId};
use crate::topology::Topology;

/// Boards of more words than this look the tiles between two others up along their rays.
const WIDEST_TABLE: usize = 2;

/// Every ray of a board, by tile and direction.
pub(crate) struct Lines<const W: usize> {
    tiles: usize,
    directions: usize,
    rays: Vec<Ray<W>>,
    /// For each direction the one that leads back along every relation, if there is one.
    inverses: Vec<Option<DirectionId>>,
    /// By tile: every tile that a line joins with it.
    stars: Vec<Bits<W>>,
    /// By two tiles: those between them; empty on wide boards.
    between: Vec<Bits<W>>,
}

/// The tiles that a direction reaches on an empty board.
struct Ray<const W: usize> {
    tiles: Bits<W>,
    order: Order,
    /// The last tile.
    last: Bits<W>,
    /// The tiles one after another, where their ids neither rise nor fall.
    walk: Box<[TileId]>,
}

/// How tile ids change along a ray.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
    Mixed,
}

impl<const W: usize> Lines<W> {
    /// The lines of a board; none where two directions lead from one tile to the same other, so
    /// that what lies between them is not one thing.
    pub(crate) fn new(topology: &Topology) -> Option<Lines<W>> {
        let tiles = (0..topology.tile_count()).map(TileId::at);
        let directions = (0..topology.direction_count()).map(DirectionId::at);
        let rays = tiles.flat_map(|tile| directions.clone().map(move |d| ray(topology, tile, d)));
        let mut lines = Lines {
            tiles: topology.tile_count(),
            directions: topology.direction_count(),
            rays: rays.collect(),
            inverses: directions.clone().map(|one| inverse(topology, one)).collect(),
            stars: Vec::new(),
            between: Vec::new(),
        };
        let star = |rays: &[Ray<W>]| rays.iter().fold(Bits::EMPTY, |all, ray| all | ray.tiles);
        let stars = lines.rays.chunks(lines.directions.max(1)).map(star);
        lines.stars = stars.collect();
        lines.stars.resize(lines.tiles, Bits::EMPTY);
        let rays: u32 = lines.rays.iter().map(|ray| ray.tiles.len()).sum();
        if rays != lines.stars.iter().map(|star| star.len()).sum::<u32>() {
            return None;
        }
        if W <= WIDEST_TABLE {
            let pairs = (0..lines.tiles).flat_map(|a| (0..lines.tiles).map(move |b| (a, b)));
            let pairs = pairs.map(|(a, b)| lines.look_between(TileId::at(a), TileId::at(b)));
            lines.between = pairs.collect();
        }
        Some(lines)
    }

    /// The direction that leads back along every relation of another.
    pub(crate) fn inverse(&self, direction: DirectionId) -> Option<DirectionId> {
        self.inverses[direction.index()]
    }

    #[inline(always)]
    fn ray(&self, tile: TileId, direction: DirectionId) -> &Ray<W> {
        &self.rays[tile.index() * self.directions + direction.index()]
    }

    /// The tiles of a ray whose occupancy decides how far it leads: all but the last.
    pub(crate) fn inner(&self, tile: TileId, direction: DirectionId) -> Bits<W> {
        let ray = self.ray(tile, direction);
        ray.tiles.without(ray.last)
    }

    /// The first tile of a set along a ray.
    #[inline(always)]
    pub(crate) fn first(
        &self,
        tile: TileId,
        direction: DirectionId,
        among: Bits<W>,
    ) -> Option<TileId> {
        let ray = self.ray(tile, direction);
        let met = ray.tiles & among;
        match ray.order {
            Order::Ascending => met.first(),
            Order::Descending => met.last(),
            Order::Mixed => ray.walk.iter().copied().find(|&one| met.contains(one)),
        }
    }

    /// The tiles of a ray up to the first of a set, that one included.
    #[inline(always)]
    pub(crate) fn until(&self, tile: TileId, direction: DirectionId, among: Bits<W>) -> Bits<W> {
        let ray = self.ray(tile, direction);
        match self.first(tile, direction, among) {
            None => ray.tiles,
            Some(end) if ray.order != Order::Mixed => {
                ray.tiles.without(self.ray(end, direction).tiles)
            }
            Some(end) => {
                let to_end = ray.walk.iter().take_while(|&&one| one != end);
                to_end.fold(Bits::of(end), |all, &one| all | Bits::of(one))
            }
        }
    }

    /// The tiles between two others on the line that joins them; none where no line does.
    #[inline(always)]
    pub(crate) fn between(&self, from: TileId, to: TileId) -> Bits<W> {
        if W <= WIDEST_TABLE {
            self.between[from.index() * self.tiles + to.index()]
        } else {
            self.look_between(from, to)
        }
    }

    /// The tiles of the line from one tile to another, both included; none where no line joins
    /// them.
    #[inline(always)]
    pub(crate) fn span(&self, from: TileId, to: TileId) -> Bits<W> {
        let ends = Bits::of(from) | Bits::of(to);
        let joined = from == to || self.stars[from.index()].contains(to);
        if joined { self.between(from, to) | ends } else { Bits::EMPTY }
    }

    fn look_between(&self, from: TileId, to: TileId) -> Bits<W> {
        let mut directions = (0..self.directions).map(DirectionId::at);
        let joins = directions.find(|&one| self.ray(from, one).tiles.contains(to));
        let target = Bits::of(to);
        joins.map_or(Bits::EMPTY, |one| self.until(from, one, target).without(target))
    }
}

fn ray<const W: usize>(topology: &Topology, from: TileId, direction: DirectionId) -> Ray<W> {
    let mut tiles = Bits::of(from);
    let mut walk = Vec::new();
    let mut tile = from;
    while let Some(next) = topology.next(tile, direction).filter(|&next| !tiles.contains(next)) {
        tiles.insert(next);
        walk.push(next);
        tile = next;
    }
    let rises = walk.windows(2).all(|pair| pair[0] < pair[1]);
    let falls = walk.windows(2).all(|pair| pair[0] > pair[1]);
    // A ray that comes back to a tile it passed is no part of another's tail.
    let open = topology.next(tile, direction).is_none();
    let order = match (rises, falls) {
        (true, _) if open => Order::Ascending,
        (_, true) if open => Order::Descending,
        _ => Order::Mixed,
    };
    let last = walk.last().map_or(Bits::EMPTY, |&tile| Bits::of(tile));
    let walk = if order == Order::Mixed { walk } else { Vec::new() };
    Ray { tiles: tiles.without(Bits::of(from)), order, last, walk: walk.into() }
}

fn inverse(topology: &Topology, direction: DirectionId) -> Option<DirectionId> {
    let tiles = (0..topology.tile_count()).map(TileId::at);
    let mut all = (0..topology.direction_count()).map(DirectionId::at);
    let steps = || tiles.clone().filter_map(|tile| Some((tile, topology.next(tile, direction)?)));
    let back = |one: DirectionId| {
        let count = tiles.clone().filter(|&tile| topology.next(tile, one).is_some()).count();
        count == steps().count() && steps().all(|(from, to)| topology.next(to, one) == Some(from))
    };
    all.find(|&one| back(one))
}
