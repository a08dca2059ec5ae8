//! Tests of tiles as sets, for one player.

use crate::bits::Bits;
use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId};
use crate::plan::{TileTest, Trait, Who};

use super::board::Board;

/// The tiles that pass a test, as far as that is known before any state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Land<const W: usize> {
    pub(crate) ground: Ground,
    pub(crate) within: Bits<W>,
    /// The words where planes begin in which the tile must be; the first `count` of these.
    planes: [u16; 2],
    count: u8,
}

/// What must stand on a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// No matter what.
    Any,
    Empty,
    Foe,
    /// A piece of the mover.
    Own,
    /// What the test asks for, which is answered piece by piece.
    Asked,
}

impl<const W: usize> Land<W> {
    /// Every tile.
    pub(crate) const ANYWHERE: Land<W> =
        Land { ground: Ground::Any, within: Bits::FULL, planes: [0; 2], count: 0 };

    pub(crate) fn new(game: &Game, test: &TileTest, player: PlayerId) -> Land<W> {
        let mut land = Land::ANYWHERE;
        if !test.any_of.is_empty() {
            land.ground = Ground::Asked;
        }
        for one in &test.all_of {
            match one {
                Trait::Empty => land.must(Ground::Empty),
                Trait::Owner(Who::Foe) => land.must(Ground::Foe),
                Trait::Owner(Who::Mover) => land.must(Ground::Own),
                Trait::Kind(kind) => land.lie_in(game.layout.kind(*kind)),
                Trait::Flag(flag) => land.lie_in(game.layout.flag(*flag)),
                Trait::In(regions) => land.within &= Bits::from_set(regions[player.index()]),
                _ => land.ground = Ground::Asked,
            }
        }
        for one in &test.none_of {
            match one {
                Trait::In(regions) => {
                    land.within = land.within.without(Bits::from_set(regions[player.index()]));
                }
                _ => land.ground = Ground::Asked,
            }
        }
        land
    }

    fn must(&mut self, ground: Ground) {
        self.ground = if self.ground == Ground::Any { ground } else { Ground::Asked };
    }

    fn lie_in(&mut self, plane: usize) {
        match self.planes.get_mut(usize::from(self.count)) {
            Some(slot) => {
                *slot = plane as u16;
                self.count += 1;
            }
            None => self.ground = Ground::Asked,
        }
    }

    /// Whether it asks for nothing but a ground and a region.
    pub(crate) fn is_plain(&self) -> bool {
        self.count == 0 && self.ground != Ground::Asked
    }

    /// The kind, if it asks for the mover's pieces of a kind with a flag and nothing else.
    pub(crate) fn flagged_kind(&self, game: &Game, flag: FlagId) -> Option<KindId> {
        let fits = self.ground == Ground::Own && self.within == Bits::FULL && self.count == 2;
        let asks = |plane: usize| self.planes.iter().any(|&one| usize::from(one) == plane);
        let mut kinds = game.kinds().filter(|&kind| asks(game.layout.kind(kind)));
        kinds.next().filter(|_| fits && asks(game.layout.flag(flag)))
    }

    /// The tiles among others that pass.
    #[inline(always)]
    pub(crate) fn select(&self, board: &Board<'_, W>, test: &TileTest, among: Bits<W>) -> Bits<W> {
        let mut tiles = among & self.within;
        match self.ground {
            Ground::Any => {}
            Ground::Empty => tiles = tiles.without(board.occupied),
            Ground::Foe => tiles &= board.foes,
            Ground::Own => tiles &= board.own,
            Ground::Asked => return board.select(test, among),
        }
        for &plane in &self.planes[..usize::from(self.count)] {
            tiles &= Bits::read(board.words, plane.into());
        }
        tiles
    }
}
