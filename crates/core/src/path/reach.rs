//! Every tile that a piece can travel to: what resolving a path to each tile in turn would find.

use crate::id::{DirectionId, TileId};
use crate::path::{CompiledPattern, Mobility, Mover, Occupancy, Resolver};
use crate::tile_set::{MAX_TILES, TileSet};
use crate::written::Reach;

impl Resolver {
    /// The tiles to which some pattern leads from a tile.
    pub(crate) fn targets(
        &self,
        mobility: &Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        from: TileId,
    ) -> TileSet {
        let reached = self.reach(mobility, occupancy, from, |_| true);
        let friend = |tile: &TileId| occupancy.owner(*tile).is_some_and(|one| mover.is_friend(one));
        reached.without(reached.iter().filter(friend).collect())
    }

    /// The tiles to which some pattern leads past tiles that may be passed, whoever stands there.
    pub(crate) fn reach(
        &self,
        mobility: &Mobility,
        occupancy: Occupancy<'_>,
        from: TileId,
        through: impl Fn(TileId) -> bool,
    ) -> TileSet {
        let occupied = TileSet::from_words(&occupancy.combined::<{ MAX_TILES / 64 }>());
        let open = |tile: TileId| !occupied.contains(tile) && through(tile);
        let mut reached = TileSet::EMPTY;
        for pattern in mobility.compiled() {
            match pattern {
                CompiledPattern::Fixed(steps) => {
                    reached.extend(self.leap(from, steps, &through));
                }
                CompiledPattern::Ray { direction, reach } => {
                    self.follow(from, *direction, *reach, open, &mut reached);
                }
                CompiledPattern::MultiRay { directions, reach } => {
                    for direction in directions {
                        self.follow(from, *direction, *reach, open, &mut reached);
                    }
                }
            }
        }
        reached.remove(from);
        reached
    }

    /// Where steps lead, if the tiles between may be passed.
    fn leap(
        &self,
        from: TileId,
        steps: &[DirectionId],
        through: impl Fn(TileId) -> bool,
    ) -> Option<TileId> {
        let (last, before) = steps.split_last()?;
        let near = before.iter().try_fold(from, |tile, step| {
            self.topology.next(tile, *step).filter(|&next| through(next))
        })?;
        self.topology.next(near, *last)
    }

    /// Adds the tiles of a ray up to the first that is not open, that one included.
    fn follow(
        &self,
        from: TileId,
        direction: DirectionId,
        reach: Reach,
        open: impl Fn(TileId) -> bool,
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
            if reach == Reach::Once || !open(next) {
                return;
            }
            tile = next;
        }
    }

    /// The first occupied tile along a direction, and how many steps away it is.
    pub(crate) fn first_occupied(
        &self,
        occupancy: Occupancy<'_>,
        from: TileId,
        direction: DirectionId,
    ) -> Option<(TileId, u16)> {
        let mut tile = from;
        for steps in 1..=self.topology.tile_count() as u16 {
            tile = self.topology.next(tile, direction).filter(|&next| next != from)?;
            if occupancy.owner(tile).is_some() {
                return Some((tile, steps));
            }
        }
        None
    }
}
