//! Tests of tiles as sets, for one player.

use crate::bits::Bits;
use crate::id::PlayerId;
use crate::plan::{TileTest, Trait, Who};

use super::board::Board;

/// The tiles that pass a test, as far as that is known before any state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Land<const W: usize> {
    pub(crate) ground: Ground,
    pub(crate) within: Bits<W>,
}

/// What must stand on a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// No matter what.
    Any,
    Empty,
    Foe,
    /// What the test asks for, which is answered piece by piece.
    Asked,
}

impl<const W: usize> Land<W> {
    pub(crate) fn new(test: &TileTest, player: PlayerId) -> Land<W> {
        let mut land = Land { ground: Ground::Any, within: Bits::FULL };
        if !test.any_of.is_empty() {
            land.ground = Ground::Asked;
        }
        for one in &test.all_of {
            match one {
                Trait::Empty => land.must(Ground::Empty),
                Trait::Owner(Who::Foe) => land.must(Ground::Foe),
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

    /// The tiles among others that pass.
    #[inline(always)]
    pub(crate) fn select(&self, board: &Board<'_, W>, test: &TileTest, among: Bits<W>) -> Bits<W> {
        match self.ground {
            Ground::Any => among & self.within,
            Ground::Empty => among.without(board.occupied) & self.within,
            Ground::Foe => among & board.foes & self.within,
            Ground::Asked => board.select(test, among),
        }
    }
}
