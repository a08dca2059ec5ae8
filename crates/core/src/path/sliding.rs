//! The sliding fast path: whole rays as masks, blockers by bit scan.

use std::cmp::Ordering;

use crate::id::{DirectionId, TileId};
use crate::path::{Capture, CompiledPattern, Course, Path, Query};
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
    /// Words of a mask: 1, 2, 4 or 8.
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
    count: Count,
    steps: u16,
}

/// How many rays lead from a source to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    None,
    One,
    Several,
}

impl Rays {
    pub(super) fn new(topology: &Topology) -> Rays {
        let (tiles, directions) = (topology.tile_count(), topology.direction_count());
        let nowhere = Lead { direction: DirectionId::at(0), count: Count::None, steps: 0 };
        let mut rays = Rays {
            tiles,
            directions,
            width: tiles.div_ceil(64).next_power_of_two(),
            masks: Vec::new(),
            orders: Vec::new(),
            leads: vec![nowhere; tiles * tiles],
        };
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
    #[inline]
    pub(super) fn resolve<'g>(
        &self,
        topology: &'g Topology,
        query: &Query<'g, '_>,
    ) -> Option<Path<'g>> {
        match self.width {
            1 => self.scan::<1>(topology, query),
            2 => self.scan::<2>(topology, query),
            4 => self.scan::<4>(topology, query),
            _ => self.scan::<8>(topology, query),
        }
    }

    #[inline]
    fn scan<'g, const W: usize>(
        &self,
        topology: &'g Topology,
        query: &Query<'g, '_>,
    ) -> Option<Path<'g>> {
        let lead = self.leads[query.from.index() * self.tiles + query.to.index()];
        let mobility = query.mobility;
        // Where all patterns slide and one ray arrives, it is the path of whichever pattern has it.
        let decided = mobility.only_slides && lead.count != Count::Several;
        if decided && (lead.count == Count::None || !mobility.slides.contains(lead.direction)) {
            return None;
        }
        let slide = Slide::<W> {
            rays: self,
            topology,
            occupied: query.occupancy.combined(),
            from: query.from,
            to: query.to,
        };
        let course = if decided {
            if !slide.is_open(lead.direction) {
                return None;
            }
            Course::straight(lead.direction, lead.steps)
        } else {
            let mut patterns = mobility.compiled.iter();
            patterns.find_map(|pattern| slide.course(pattern))?
        };
        let capture = if slide.is_occupied(query.to) { query.landing()? } else { Capture::None };
        Some(query.path(topology, course, capture))
    }
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
    let (mut rises, mut falls) = (false, false);
    let mut tile = from;
    for steps in 1.. {
        let Some(next) = topology.next(tile, direction) else {
            break;
        };
        if next == from || reached.contains(next) {
            break;
        }
        // The source is no part of the mask, so the way out of it may lead either way.
        if tile != from {
            rises |= next > tile;
            falls |= next < tile;
        }
        reached.insert(next);
        let lead = &mut leads[next.index()];
        lead.count = match lead.count {
            Count::None => Count::One,
            Count::One | Count::Several => Count::Several,
        };
        (lead.direction, lead.steps) = (direction, steps);
        tile = next;
    }
    let order = match (rises, falls) {
        (true, true) => Order::Mixed,
        (_, false) => Order::Ascending,
        (false, true) => Order::Descending,
    };
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
            return (end == self.to).then_some(Course::Steps(steps));
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
        let (word, shift) = (self.to.index() / 64, self.to.index() % 64);
        if mask[word] >> shift & 1 == 0 {
            return None;
        }
        let Some(between) = self.between(mask, order) else {
            return self.walk(direction);
        };
        let steps = between.iter().map(|word| word.count_ones() as u16);
        self.is_empty(&between).then(|| 1 + steps.sum::<u16>())
    }

    /// Whether the way is free along a ray that has the target.
    #[inline]
    fn is_open(&self, direction: DirectionId) -> bool {
        let ray = self.ray(direction);
        match ray.and_then(|(mask, order)| self.between(mask, order)) {
            Some(between) => self.is_empty(&between),
            None => self.walk(direction).is_some(),
        }
    }

    #[inline]
    fn ray(&self, direction: DirectionId) -> Option<(&[u64; W], Order)> {
        let index = self.from.index() * self.rays.directions + direction.index();
        let mask = self.rays.masks.get(index * W..)?.first_chunk()?;
        Some((mask, self.rays.orders[index]))
    }

    /// The tiles of a ray before the target, where the order of ids tells.
    #[inline]
    fn between(&self, mask: &[u64; W], order: Order) -> Option<[u64; W]> {
        let flip = match order {
            Order::Ascending => 0,
            Order::Descending => u64::MAX,
            Order::Mixed => return None,
        };
        let (word, bit) = (self.to.index() / 64, 1u64 << (self.to.index() % 64));
        Some(std::array::from_fn(|at| match at.cmp(&word) {
            Ordering::Less => mask[at] & !flip,
            Ordering::Equal => mask[at] & !bit & ((bit - 1) ^ flip),
            Ordering::Greater => mask[at] & flip,
        }))
    }

    #[inline]
    fn is_empty(&self, tiles: &[u64; W]) -> bool {
        let blockers = tiles.iter().zip(&self.occupied);
        blockers.fold(0, |all, (tiles, occupied)| all | (tiles & occupied)) == 0
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
            if self.is_occupied(tile) {
                return None;
            }
        }
    }

    #[inline]
    fn is_occupied(&self, tile: TileId) -> bool {
        self.occupied[tile.index() / 64] >> (tile.index() % 64) & 1 == 1
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
