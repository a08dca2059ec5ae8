//! Every tile that a piece can travel to: what resolving a path to each tile in turn would find.

use crate::id::{DirectionId, TileId};
use crate::path::{CompiledPattern, Mobility, Mover, Occupancy, Resolver};
use crate::pattern::Reach;
use crate::tile_set::{MAX_TILES, TileSet};

impl Resolver {
    /// The tiles to which some pattern leads from a tile.
    pub(crate) fn targets(
        &self,
        mobility: &Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        from: TileId,
    ) -> TileSet {
        let occupied = TileSet::from_words(&occupancy.combined::<{ MAX_TILES / 64 }>());
        let mut reached = TileSet::EMPTY;
        for pattern in mobility.compiled() {
            match pattern {
                CompiledPattern::Fixed(steps) => {
                    let end = steps.iter().try_fold(from, |t, step| self.topology.next(t, *step));
                    reached.extend(end);
                }
                CompiledPattern::Ray { direction, reach } => {
                    self.follow(from, *direction, *reach, occupied, &mut reached);
                }
                CompiledPattern::MultiRay { directions, reach } => {
                    for direction in directions {
                        self.follow(from, *direction, *reach, occupied, &mut reached);
                    }
                }
            }
        }
        reached.remove(from);
        let friend = |tile: &TileId| occupancy.owner(*tile).is_some_and(|one| mover.is_friend(one));
        let taken: TileSet = (reached & occupied).iter().filter(friend).collect();
        reached.without(taken)
    }

    /// Adds the tiles of a ray up to the first piece in its way, that one included.
    fn follow(
        &self,
        from: TileId,
        direction: DirectionId,
        reach: Reach,
        occupied: TileSet,
        reached: &mut TileSet,
    ) {
        let mut seen: TileSet = std::iter::once(from).collect();
        let mut tile = from;
        while let Some(next) = self.topology.next(tile, direction) {
            if seen.contains(next) {
                return;
            }
            seen.insert(next);
            reached.insert(next);
            if occupied.contains(next) || reach == Reach::Once {
                return;
            }
            tile = next;
        }
    }
}
