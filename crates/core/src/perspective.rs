//! How a player sees the board: mine, an ally's, a foe's, or empty.

use std::fmt;

use crate::game::Game;
use crate::id::{PlayerId, TileId};
use crate::state::State;
use crate::tile_set::TileSet;

/// What a tile is to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Perspective {
    /// No piece stands on it.
    Empty,
    /// A piece of the player stands on it.
    Own,
    /// A piece of another player of the same team stands on it.
    Ally,
    /// A piece of another team stands on it.
    Foe,
    /// A piece of a neutral player stands on it.
    Neutral,
}

impl Game {
    /// What a tile is to a player; on a tile that holds many, the first owner decides.
    pub fn perspective(&self, state: &State, player: PlayerId, tile: TileId) -> Perspective {
        match self.view(state).owner_at(tile) {
            None => Perspective::Empty,
            Some(owner) if owner == player => Perspective::Own,
            Some(owner) if self.are_allied(player, owner) => Perspective::Ally,
            Some(owner) if self.are_foes(player, owner) => Perspective::Foe,
            Some(_) => Perspective::Neutral,
        }
    }

    /// What every tile is to a player, in the order of the tiles.
    pub fn perspectives(&self, state: &State, player: PlayerId) -> Vec<Perspective> {
        self.tiles().map(|tile| self.perspective(state, player, tile)).collect()
    }

    /// Whether two players are one, or of one team.
    pub fn are_allied(&self, one: PlayerId, other: PlayerId) -> bool {
        self.friends[one.index()] >> other.index() & 1 == 1
    }

    /// Whether two players are of different teams, and neither is neutral.
    pub fn are_foes(&self, one: PlayerId, other: PlayerId) -> bool {
        let neutral = |player: PlayerId| self.neutral >> player.index() & 1 == 1;
        !self.are_allied(one, other) && !neutral(one) && !neutral(other)
    }

    /// Friends of a player and neutral players, a bit for each: those whose pieces he may not take
    /// by moving onto them.
    #[inline]
    pub(crate) fn spared(&self, player: PlayerId) -> u64 {
        self.friends[player.index()] | self.neutral
    }

    /// The tiles that any foe of a player attacks.
    pub fn threatened_by_foes(&self, state: &State, player: PlayerId) -> TileSet {
        let foes = self.seats().filter(|&foe| self.are_foes(player, foe));
        foes.fold(TileSet::EMPTY, |all, foe| all | self.threats(state, foe))
    }
}

impl fmt::Display for Perspective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Perspective::Empty => "empty",
            Perspective::Own => "self",
            Perspective::Ally => "ally",
            Perspective::Foe => "foe",
            Perspective::Neutral => "neutral",
        })
    }
}
