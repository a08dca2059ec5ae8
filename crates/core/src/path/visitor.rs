//! The visitor: patterns walked step by step over the plain graph.
//!
//! What it answers is what a pattern means. It uses neither the neighbour arrays nor ray tables nor
//! combined occupancy, so that an error in one of those shows as a difference.

use crate::id::{DirectionId, TileId};
use crate::path::{Blocked, Capture, Course, Occupancy, Path, Query, Travel, Way};
use crate::tile_set::{MAX_TILES, TileSet};
use crate::topology::{Link, Topology};
use crate::written::Reach;

/// One who is shown a way of travelling, whichever it is.
trait Visitor<'g> {
    type Answer;

    fn direction(&mut self, direction: DirectionId, reach: Reach) -> Self::Answer;
    fn multi_direction(&mut self, directions: &'g [DirectionId], reach: Reach) -> Self::Answer;
    fn fixed(&mut self, steps: &'g [DirectionId]) -> Self::Answer;
    fn null(&mut self) -> Self::Answer;
    fn any(&mut self) -> Self::Answer;
}

impl Travel {
    fn accept<'g, V: Visitor<'g>>(&'g self, visitor: &mut V) -> V::Answer {
        match self {
            Travel::Direction(direction, reach) => visitor.direction(*direction, *reach),
            Travel::MultiDirection(directions, reach) => {
                visitor.multi_direction(directions, *reach)
            }
            Travel::Fixed(steps) => visitor.fixed(steps),
            Travel::Null => visitor.null(),
            Travel::Any => visitor.any(),
        }
    }
}

/// The first pattern that leads to the target past whatever stands in the way.
pub(super) fn resolve<'g>(topology: &'g Topology, query: &Query<'g, '_>) -> Option<Path<'g>> {
    let mut walker = Walker { topology, query };
    let mut travels = query.mobility.travels.iter();
    travels.find_map(|travel| travel.accept(&mut walker))
}

/// The first pattern that would lead to the target on an empty board, and what stops it.
pub(super) fn blocked<'g>(topology: &'g Topology, query: &Query<'g, '_>) -> Option<Blocked<'g>> {
    let open = Query {
        occupancy: Occupancy { exclusive: &[0; MAX_TILES / 64], ..query.occupancy },
        ..*query
    };
    let mut walker = Walker { topology, query: &open };
    query.mobility.travels.iter().find_map(|travel| {
        let path = travel.accept(&mut walker)?;
        let tile = obstacle(&path, query)?;
        Some(Blocked { tile, path })
    })
}

/// The first tile of a path at which a piece on exclusive tiles stops it.
fn obstacle(path: &Path<'_>, query: &Query<'_, '_>) -> Option<TileId> {
    let owner = |tile| query.occupancy.owner(tile);
    let leap = matches!(path.way, Way::Steps(_));
    let mut between = path.tiles().skip(1).take(path.len().saturating_sub(1));
    let first = between.find(|tile| !leap && owner(*tile).is_some());
    let friend = || owner(path.to()).is_some_and(|player| query.mover.is_friend(player));
    first.or_else(|| friend().then(|| path.to()))
}

/// The visitor that looks for a path.
struct Walker<'g, 'q> {
    topology: &'g Topology,
    query: &'q Query<'g, 'q>,
}

impl<'g> Walker<'g, '_> {
    fn leave(&self, tile: TileId, direction: DirectionId) -> Option<Link> {
        let mut links = self.topology.leaving(tile).map(|id| self.topology.relation(id));
        links.find(|link| link.direction == direction)
    }

    /// The journey's end: a friend on an exclusive tile forbids it, an enemy there is captured.
    fn land(&self, course: Course<'g>) -> Option<Path<'g>> {
        let Query { from, to, .. } = *self.query;
        let capture = match self.query.occupancy.owner(to) {
            Some(player) if self.query.mover.is_friend(player) => return None,
            Some(player) => Capture::Enemy(player),
            None => Capture::None,
        };
        let Course { way, len } = course;
        Some(Path { topology: self.topology, way, from, to, len, capture })
    }
}

impl<'g> Visitor<'g> for Walker<'g, '_> {
    type Answer = Option<Path<'g>>;

    fn direction(&mut self, direction: DirectionId, reach: Reach) -> Option<Path<'g>> {
        let mut tile = self.query.from;
        let mut visited = TileSet::EMPTY;
        for steps in 1.. {
            visited.insert(tile);
            tile = self.leave(tile, direction)?.to;
            if tile == self.query.to {
                return self.land(Course::straight(direction, steps));
            }
            let ended = reach == Reach::Once || visited.contains(tile);
            if ended || self.query.occupancy.owner(tile).is_some() {
                return None;
            }
        }
        None
    }

    fn multi_direction(&mut self, directions: &'g [DirectionId], reach: Reach) -> Option<Path<'g>> {
        let mut shortest: Option<Path<'g>> = None;
        for direction in directions {
            let path = self.direction(*direction, reach);
            // A later ray must be strictly shorter: ties go to the direction declared first.
            shortest = match (shortest, path) {
                (Some(best), Some(path)) if path.len() < best.len() => Some(path),
                (best, path) => best.or(path),
            };
        }
        shortest
    }

    fn fixed(&mut self, steps: &'g [DirectionId]) -> Option<Path<'g>> {
        let mut tile = self.query.from;
        for direction in steps {
            tile = self.leave(tile, *direction)?.to;
        }
        if tile != self.query.to {
            return None;
        }
        self.land(Course::steps(steps))
    }

    fn null(&mut self) -> Option<Path<'g>> {
        None
    }

    fn any(&mut self) -> Option<Path<'g>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Layer, Mobility, Mover, PathOptions, Resolver};

    /// Marsaglia's xorshift: the same boards in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound as u64) as usize
        }

        fn directions(&mut self, count: usize, most: usize) -> Vec<DirectionId> {
            let len = self.below(most + 1);
            (0..len).map(|_| DirectionId::at(self.below(count))).collect()
        }

        fn reach(&mut self) -> Reach {
            [Reach::Once, Reach::Repeat, Reach::Repeat][self.below(3)]
        }

        fn travel(&mut self, directions: usize) -> Travel {
            match self.below(8) {
                0 => Travel::Null,
                1 => Travel::Any,
                2 | 3 => Travel::Fixed(self.directions(directions, 4)),
                4 | 5 => Travel::MultiDirection(self.directions(directions, 6), self.reach()),
                _ => Travel::Direction(DirectionId::at(self.below(directions)), self.reach()),
            }
        }

        /// A board where each direction is a fixed jump in tile order, with holes and detours and
        /// sometimes renumbered, so that rays rise, fall, mix, go round and run into cycles.
        fn board(&mut self) -> Topology {
            let sizes = [1, 2, 9, 25, 63, 64, 65, 80, 128, 129, 200, 300];
            let (tiles, directions) = (sizes[self.below(sizes.len())], 1 + self.below(6));
            let mut ids: Vec<TileId> = (0..tiles).map(TileId::at).collect();
            if self.below(3) == 0 {
                (1..tiles).for_each(|at| ids.swap(at, self.below(at + 1)));
            }
            let wild = [0, 0, 5, 40][self.below(4)];
            let mut links = Vec::new();
            for direction in (0..directions).map(DirectionId::at) {
                let jump = 1 + self.below(tiles.min(12));
                let (back, wraps) = (self.below(2) == 0, self.below(3) == 0);
                for at in 0..tiles {
                    let ahead = if back { at + tiles - jump } else { at + tiles + jump };
                    let to = match self.below(100) {
                        0..5 => continue,
                        roll if roll < 5 + wild => self.below(tiles),
                        _ if wraps || ahead / tiles == 1 => ahead % tiles,
                        _ => continue,
                    };
                    links.push(Link { from: ids[at], to: ids[to], direction, distance: 1 });
                }
            }
            Topology::new(tiles, directions, &links)
        }

        /// Words with roughly one bit in `rarity` set, or none at all.
        fn words(&mut self, width: usize, rarity: usize) -> Vec<u64> {
            let word = |dice: &mut Self| {
                (0..64).fold(0, |word, bit| word | u64::from(dice.below(rarity) == 0) << bit)
            };
            (0..width).map(|_| word(self)).collect()
        }
    }

    fn all_options() -> impl Iterator<Item = PathOptions> {
        (0..16).map(|bits| PathOptions {
            compiled_patterns: bits & 1 != 0,
            bitboards: bits & 2 != 0,
            sliding_fast_path: bits & 4 != 0,
            adjacency_cache: bits & 8 != 0,
        })
    }

    /// Asks every resolver for every target and returns how many paths the visitor found, and how
    /// many of them capture.
    fn agree(resolvers: &[Resolver], mobility: &Mobility, dice: &mut Dice) -> (usize, usize) {
        let tiles = resolvers[0].topology().tile_count();
        let width = tiles.div_ceil(64) + dice.below(2);
        let rarity = [2, 6, 30, 1_000][dice.below(4)];
        let planes = dice.words(3 * width, rarity);
        let exclusive = match dice.below(3) {
            0 => dice.words(width, 2),
            _ => vec![u64::MAX; width],
        };
        let occupancy = Occupancy { planes: &planes, width, exclusive: &exclusive };
        let mover = Mover { friends: [0b001, 0b101][dice.below(2)] };
        let from = TileId::at(dice.below(tiles));
        let mut found = (0, 0);
        for to in (0..tiles + 2).map(TileId::at) {
            let truth =
                resolvers[0].resolve_by(Layer::Visitor, mobility, mover, occupancy, (from, to));
            let legal = truth.ok().flatten();
            found.0 += usize::from(legal.is_some());
            found.1 += usize::from(legal.is_some_and(|path| path.capture() != Capture::None));
            for resolver in resolvers {
                let path = resolver.resolve(mobility, mover, occupancy, from, to, &mut ());
                assert_eq!(path, legal, "{resolver:?} {mobility:?} {from:?} {to:?}");
                for layer in Layer::ALL {
                    let alone = resolver.resolve_by(layer, mobility, mover, occupancy, (from, to));
                    if let Ok(path) = alone {
                        assert_eq!(path, legal, "{layer:?} {mobility:?} {from:?} {to:?}");
                    }
                }
            }
        }
        found
    }

    #[test]
    fn all_layers_agree_under_all_options() {
        let mut dice = Dice(0x5EED);
        let (mut paths, mut captures) = (0, 0);
        for _ in 0..300 {
            let board = dice.board();
            let directions = board.direction_count();
            let resolvers: Vec<Resolver> =
                all_options().map(|options| Resolver::new(board.clone(), options)).collect();
            for _ in 0..8 {
                let count = dice.below(4);
                // One direction too many: an id that the board lacks leads nowhere.
                let travels = (0..=count).map(|_| dice.travel(directions + 1)).collect();
                let found = agree(&resolvers, &Mobility::new(travels), &mut dice);
                paths += found.0;
                captures += found.1;
            }
        }
        assert!(paths > 5_000 && captures > 300, "{paths} paths, {captures} captures");
    }
}
