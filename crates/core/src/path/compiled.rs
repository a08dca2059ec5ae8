//! The compiled patterns: what patterns become, and the resolver that reads them.

use crate::id::{DirectionId, TileId};
use crate::path::{Course, Occupancy, Path, PathOptions, Query, Travel};
use crate::tile_set::{MAX_TILES, TileSet};
use crate::topology::Topology;
use crate::written::Reach;

/// A pattern reduced to one of three shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompiledPattern {
    /// These steps in this order, all of them.
    Fixed(Box<[DirectionId]>),
    /// One direction.
    Ray {
        /// The direction.
        direction: DirectionId,
        /// Whether it may be taken again and again.
        reach: Reach,
    },
    /// Several directions, each a ray of its own.
    MultiRay {
        /// The directions in declared order, which settles ties.
        directions: Box<[DirectionId]>,
        /// Whether each may be taken again and again.
        reach: Reach,
    },
}

impl CompiledPattern {
    /// The compiled form of a way of travelling; those that never arrive have none.
    pub(super) fn compile(travel: &Travel) -> Option<CompiledPattern> {
        match travel {
            Travel::Fixed(steps) => Some(CompiledPattern::Fixed(steps.as_slice().into())),
            Travel::Direction(direction, reach) => {
                Some(CompiledPattern::Ray { direction: *direction, reach: *reach })
            }
            Travel::MultiDirection(directions, reach) => match directions[..] {
                [] => None,
                [direction] => Some(CompiledPattern::Ray { direction, reach: *reach }),
                _ => Some(CompiledPattern::MultiRay {
                    directions: directions.as_slice().into(),
                    reach: *reach,
                }),
            },
            Travel::Null | Travel::Any => None,
        }
    }

    /// The directions it takes.
    pub(super) fn directions(&self) -> &[DirectionId] {
        match self {
            CompiledPattern::Ray { direction, .. } => std::slice::from_ref(direction),
            CompiledPattern::Fixed(directions) | CompiledPattern::MultiRay { directions, .. } => {
                directions
            }
        }
    }

    /// Whether it takes a direction again and again.
    pub(super) fn repeats(&self) -> bool {
        match self {
            CompiledPattern::Fixed(_) => false,
            CompiledPattern::Ray { reach, .. } | CompiledPattern::MultiRay { reach, .. } => {
                *reach == Reach::Repeat
            }
        }
    }
}

/// The first compiled pattern that leads to the target past whatever stands in the way.
pub(super) fn resolve<'g>(
    topology: &'g Topology,
    options: PathOptions,
    query: &Query<'g, '_>,
) -> Option<Path<'g>> {
    let landing = query.landing()?;
    let walker = Walker::new(topology, options, query);
    let mut patterns = query.mobility.compiled.iter();
    let course = patterns.find_map(|pattern| walker.course(pattern))?;
    Some(query.path(topology, course, landing))
}

/// One request on its way over the board.
struct Walker<'g, 'q> {
    topology: &'g Topology,
    neighbours: Neighbours,
    blockers: Blockers<'q>,
    from: TileId,
    to: TileId,
}

/// Where the next tile is looked up.
enum Neighbours {
    Cached,
    Graph,
}

/// How the walker learns that a tile is occupied.
enum Blockers<'q> {
    Combined(TileSet),
    Asked(Occupancy<'q>),
}

impl<'g, 'q> Walker<'g, 'q> {
    fn new(topology: &'g Topology, options: PathOptions, query: &Query<'g, 'q>) -> Self {
        let neighbours =
            if options.adjacency_cache { Neighbours::Cached } else { Neighbours::Graph };
        // Only repeating patterns ask what stands between, so others need not combine planes.
        let blockers = if options.bitboards && query.mobility.repeats {
            let words = query.occupancy.combined::<{ MAX_TILES / 64 }>();
            Blockers::Combined(TileSet::from_words(&words))
        } else {
            Blockers::Asked(query.occupancy)
        };
        Walker { topology, neighbours, blockers, from: query.from, to: query.to }
    }

    /// How a pattern leads to the target, if it does.
    fn course(&self, pattern: &'g CompiledPattern) -> Option<Course<'g>> {
        match pattern {
            CompiledPattern::Fixed(steps) => {
                let mut walk = steps.iter();
                let end = walk.try_fold(self.from, |tile, step| self.next(tile, *step))?;
                (end == self.to).then_some(Course::steps(steps))
            }
            CompiledPattern::Ray { direction, reach } => {
                let steps = self.ray(*direction, *reach)?;
                Some(Course::straight(*direction, steps))
            }
            CompiledPattern::MultiRay { directions, reach } => {
                let rays = directions.iter().filter_map(|direction| {
                    let steps = self.ray(*direction, *reach)?;
                    Some((*direction, steps))
                });
                // Of equals this keeps the first, which is the direction declared first.
                let (direction, steps) = rays.min_by_key(|(_, steps)| *steps)?;
                Some(Course::straight(direction, steps))
            }
        }
    }

    /// How many steps a ray takes to the target.
    fn ray(&self, direction: DirectionId, reach: Reach) -> Option<u16> {
        let mut tile = self.next(self.from, direction)?;
        if reach == Reach::Once {
            return (tile == self.to).then_some(1);
        }
        // A ray with more steps than the board has tiles goes round a cycle without the target.
        for steps in 1..=self.topology.tile_count() as u16 {
            if tile == self.to {
                return Some(steps);
            }
            if tile == self.from || self.is_occupied(tile) {
                return None;
            }
            tile = self.next(tile, direction)?;
        }
        None
    }

    #[inline]
    fn next(&self, tile: TileId, direction: DirectionId) -> Option<TileId> {
        match self.neighbours {
            Neighbours::Cached => self.topology.next(tile, direction),
            Neighbours::Graph => {
                let mut links = self.topology.leaving(tile).map(|id| self.topology.relation(id));
                let link = links.find(|link| link.direction == direction)?;
                Some(link.to)
            }
        }
    }

    #[inline]
    fn is_occupied(&self, tile: TileId) -> bool {
        match &self.blockers {
            Blockers::Combined(tiles) => tiles.contains(tile),
            Blockers::Asked(occupancy) => occupancy.owner(tile).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Mobility;

    #[test]
    fn each_pattern_compiles_to_its_shape_in_declared_order() {
        let [a, b] = [0, 1].map(DirectionId::at);
        let mobility = Mobility::new(vec![
            Travel::Any,
            Travel::Fixed(vec![a, a, b]),
            Travel::Direction(b, Reach::Once),
            Travel::Null,
            Travel::MultiDirection(vec![a], Reach::Repeat),
            Travel::MultiDirection(vec![], Reach::Repeat),
            Travel::MultiDirection(vec![b, a, b], Reach::Once),
        ]);
        let expected = [
            CompiledPattern::Fixed([a, a, b].into()),
            CompiledPattern::Ray { direction: b, reach: Reach::Once },
            CompiledPattern::Ray { direction: a, reach: Reach::Repeat },
            CompiledPattern::MultiRay { directions: [b, a, b].into(), reach: Reach::Once },
        ];
        assert_eq!(mobility.compiled(), expected);
    }
}
