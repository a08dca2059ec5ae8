//! The sliding fast path: whole rays as masks, blockers by bit scan.

use std::cmp::Ordering;

use crate::id::{DirectionId, PlayerId, TileId};
use crate::path::{Capture, CompiledPattern, Course, Mobility, Mover, Occupancy, Path, Query, Way};
use crate::tile_set::TileSet;
use crate::topology::Topology;

/// How tile ids change along a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
    Mixed,
}

/// Every ray of a board: the tiles that repeating a direction from a tile would reach if nothing
/// stood in the way. A ray ends before it would enter any tile twice, its source included.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    tiles: usize,
    directions: usize,
    /// Words of a mask: 1, 2, 4, 8 or 16.
    width: usize,
    /// By tile, then direction, then word: all rays of a piece lie side by side.
    masks: Vec<u64>,
    /// By tile, then direction.
    orders: Vec<Order>,
    /// By source, then target. On most boards this spares a look at all rays but one, and the
    /// counting of its steps.
    leads: Vec<Lead>,
}

/// The ray that leads from a source to a target.
#[derive(Clone, Copy, Debug)]
struct Lead {
    direction: DirectionId,
    /// The order of ids along the ray, if there is one; `Mixed` also where several arrive, so that
    /// the other two need no further look.
    order: Option<Order>,
    steps: u16,
}

impl Rays {
    pub(super) fn new(topology: &Topology) -> Rays {
        let (tiles, directions) = (topology.tile_count(), topology.direction_count());
        let nowhere = Lead { direction: DirectionId::at(0), order: None, steps: 0 };
        let mut rays = Rays {
            tiles,
            directions,
            width: tiles.div_ceil(64).next_power_of_two(),
            masks: Vec::new(),
            orders: Vec::new(),
            leads: vec![nowhere; tiles * tiles],
        };
        // To stay where one is takes more than a glance: it is no journey at all.
        rays.leads.iter_mut().step_by(tiles + 1).for_each(|lead| lead.order = Some(Order::Mixed));
        for from in (0..tiles).map(TileId::at) {
            for direction in (0..directions).map(DirectionId::at) {
                let leads = &mut rays.leads[from.index() * tiles..][..tiles];
                let (reached, order) = ray(topology, from, direction, leads);
                rays.masks.extend(&reached.words()[..rays.width]);
                rays.orders.push(order);
            }
        }
        rays
    }

    /// The first pattern that leads to the target past whatever stands in the way.
    pub(super) fn resolve<'g>(
        &self,
        topology: &'g Topology,
        query: &Query<'g, '_>,
    ) -> Option<Path<'g>> {
        match self.width {
            1 => self.scan::<1>(topology, query),
            2 => self.scan::<2>(topology, query),
            4 => self.scan::<4>(topology, query),
            8 => self.scan::<8>(topology, query),
            _ => self.scan::<16>(topology, query),
        }
    }

    #[inline]
    fn scan<'g, const W: usize>(
        &self,
        topology: &'g Topology,
        query: &Query<'g, '_>,
    ) -> Option<Path<'g>> {
        let Query { mobility, mover, occupancy, from, to } = *query;
        match self.settle::<W>(topology, mobility, mover, occupancy, from, to) {
            Some(answer) => answer,
            None => self.search::<W>(topology, query),
        }
    }

    /// The answer on boards of one word where a single look is enough. It is short enough to stand
    /// where it is asked for, and takes words instead of a query so that none is put together there.
    #[inline(always)]
    pub(super) fn glance<'g>(
        &self,
        topology: &'g Topology,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        (from, to): (TileId, TileId),
    ) -> Option<Option<Path<'g>>> {
        if self.width != 1 || from.index().max(to.index()) >= self.tiles {
            return None;
        }
        self.settle::<1>(topology, mobility, mover, occupancy, from, to)
    }

    /// The answer where at most one ray leads to the target and every pattern slides: then that ray
    /// is the path of whichever pattern has it.
    #[inline(always)]
    fn settle<'g, const W: usize>(
        &self,
        topology: &'g Topology,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        from: TileId,
        to: TileId,
    ) -> Option<Option<Path<'g>>> {
        let lead = *self.leads.get(from.index() * self.tiles + to.index())?;
        if lead.order == Some(Order::Mixed) || !mobility.only_slides || occupancy.width != W {
            return None;
        }
        if lead.order.is_none() || !mobility.slides.contains(lead.direction) {
            return Some(None);
        }
        let occupied = occupancy.combined::<W>();
        let index = from.index() * self.directions + lead.direction.index();
        let ray = self.masks.get(index * W..)?.first_chunk::<W>()?;
        if meets(&between(ray, to, lead.order == Some(Order::Descending)), &occupied) {
            return Some(None);
        }
        let mut capture = Capture::None;
        if contains(&occupied, to) {
            let (planes, _) = occupancy.planes.as_chunks::<W>();
            let owner = PlayerId::at(planes.iter().position(|plane| contains(plane, to))?);
            if mover.is_friend(owner) {
                return Some(None);
            }
            capture = Capture::Enemy(owner);
        }
        let (way, len) = (Way::Straight(lead.direction), lead.steps);
        Some(Some(Path { topology, way, from, to, len, capture }))
    }

    /// The same where several rays arrive or patterns leap as well: pattern by pattern.
    #[inline(never)]
    fn search<'g, const W: usize>(
        &self,
        topology: &'g Topology,
        query: &Query<'g, '_>,
    ) -> Option<Path<'g>> {
        let slide = Slide::<W> {
            rays: self,
            topology,
            occupied: query.occupancy.combined(),
            from: query.from,
            to: query.to,
        };
        let mut patterns = query.mobility.compiled.iter();
        let course = patterns.find_map(|pattern| slide.course(pattern))?;
        Some(query.path(topology, course, query.landing()?))
    }
}

/// The tiles of a ray before one of its tiles, where ids either rise along it or fall.
#[inline(always)]
fn between<const W: usize>(ray: &[u64; W], to: TileId, falls: bool) -> [u64; W] {
    let flip = if falls { u64::MAX } else { 0 };
    let (word, bit) = (word::<W>(to), 1u64 << (to.index() % 64));
    std::array::from_fn(|at| match at.cmp(&word) {
        Ordering::Less => ray[at] & !flip,
        Ordering::Equal => ray[at] & !bit & ((bit - 1) ^ flip),
        Ordering::Greater => ray[at] & flip,
    })
}

/// Whether two sets have a tile in common.
#[inline(always)]
fn meets<const W: usize>(one: &[u64; W], other: &[u64; W]) -> bool {
    one.iter().zip(other).fold(0, |all, (one, other)| all | (one & other)) != 0
}

#[inline(always)]
fn contains<const W: usize>(tiles: &[u64; W], tile: TileId) -> bool {
    tiles[word::<W>(tile)] >> (tile.index() % 64) & 1 == 1
}

/// Which of `W` words has a tile of the board: where there is one word, that is known beforehand.
#[inline(always)]
fn word<const W: usize>(tile: TileId) -> usize {
    if W == 1 { 0 } else { tile.index() / 64 }
}

/// The tiles that a direction reaches when repeated on an empty board and the order of their ids;
/// enters the ray in the leads of its source.
fn ray(
    topology: &Topology,
    from: TileId,
    direction: DirectionId,
    leads: &mut [Lead],
) -> (TileSet, Order) {
    let mut reached = TileSet::EMPTY;
    let mut tiles = Vec::new();
    let mut tile = from;
    while let Some(next) = topology.next(tile, direction)
        && next != from
        && !reached.contains(next)
    {
        reached.insert(next);
        tiles.push(next);
        tile = next;
    }
    // The source is no part of the mask, so the way out of it may lead either way.
    let order = if tiles.is_sorted() {
        Order::Ascending
    } else if tiles.is_sorted_by(|one, next| one > next) {
        Order::Descending
    } else {
        Order::Mixed
    };
    for (tile, steps) in tiles.iter().zip(1..) {
        let lead = &mut leads[tile.index()];
        let order = if lead.order.is_some() { Order::Mixed } else { order };
        *lead = Lead { direction, order: Some(order), steps };
    }
    (reached, order)
}

/// One request on a board of `W` words.
struct Slide<'r, const W: usize> {
    rays: &'r Rays,
    topology: &'r Topology,
    occupied: [u64; W],
    from: TileId,
    to: TileId,
}

impl<const W: usize> Slide<'_, W> {
    /// How a pattern leads to the target, if it does.
    fn course<'g>(&self, pattern: &'g CompiledPattern) -> Option<Course<'g>> {
        if pattern.repeats() {
            return self.shortest(pattern.directions());
        }
        if let CompiledPattern::Fixed(steps) = pattern {
            let next = |tile, step: &DirectionId| self.topology.next(tile, *step);
            let end = steps.iter().try_fold(self.from, next)?;
            return (end == self.to).then_some(Course::steps(steps));
        }
        let arrives = |step: &&DirectionId| self.topology.next(self.from, **step) == Some(self.to);
        let step = pattern.directions().iter().find(arrives)?;
        Some(Course::straight(*step, 1))
    }

    /// The shortest open ray to the target; of equals the direction declared first.
    #[inline]
    fn shortest<'g>(&self, directions: &[DirectionId]) -> Option<Course<'g>> {
        let mut best: Option<(u16, DirectionId)> = None;
        for direction in directions {
            if let Some(steps) = self.steps(*direction)
                && best.is_none_or(|(least, _)| steps < least)
            {
                best = Some((steps, *direction));
            }
        }
        best.map(|(steps, direction)| Course::straight(direction, steps))
    }

    /// How many steps the ray takes to the target, if it is on the ray and the way is free.
    fn steps(&self, direction: DirectionId) -> Option<u16> {
        if direction.index() >= self.rays.directions {
            return None;
        }
        let (mask, order) = self.ray(direction)?;
        if !contains(mask, self.to) {
            return None;
        }
        if order == Order::Mixed {
            return self.walk(direction);
        }
        let between = between(mask, self.to, order == Order::Descending);
        let steps = between.iter().map(|word| word.count_ones() as u16);
        (!meets(&between, &self.occupied)).then(|| 1 + steps.sum::<u16>())
    }

    #[inline]
    fn ray(&self, direction: DirectionId) -> Option<(&[u64; W], Order)> {
        let index = self.from.index() * self.rays.directions + direction.index();
        let mask = self.rays.masks.get(index * W..)?.first_chunk()?;
        Some((mask, self.rays.orders[index]))
    }

    /// Counts the steps along a ray whose ids rise and fall. The target is on the ray, so the walk
    /// ends there or at a blocker.
    fn walk(&self, direction: DirectionId) -> Option<u16> {
        let mut tile = self.from;
        let mut steps = 0;
        loop {
            tile = self.topology.next(tile, direction)?;
            steps += 1;
            if tile == self.to {
                return Some(steps);
            }
            if contains(&self.occupied, tile) {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::tests::track;

    fn follow(track: &Topology, from: usize) -> (Vec<usize>, Order) {
        let rays = Rays::new(track);
        let reached = TileSet::from_words(&rays.masks[from..=from]);
        let tiles = reached.iter().map(TileId::index).collect();
        (tiles, rays.orders[from])
    }

    #[test]
    fn a_ray_ends_at_the_edge_at_its_source_and_before_any_tile_twice() {
        let line = track(&[0, 1, 2, 3]);
        assert_eq!(follow(&line, 1), (vec![2, 3], Order::Ascending));
        assert_eq!(follow(&line, 3), (vec![], Order::Ascending));
        let ring = track(&[0, 1, 2, 3, 0]);
        assert_eq!(follow(&ring, 2), (vec![0, 1, 3], Order::Mixed));
        let tail = track(&[3, 0, 1, 2, 1]);
        assert_eq!(follow(&tail, 3), (vec![0, 1, 2], Order::Ascending));
        let back = track(&[3, 2, 1, 0]);
        assert_eq!(follow(&back, 3), (vec![0, 1, 2], Order::Descending));
    }
}
