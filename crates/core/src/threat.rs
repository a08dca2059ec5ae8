//! What a player attacks: where a piece could capture, whether anything stands there or not.

use crate::game::Game;
use crate::id::{PlayerId, TileId};
use crate::interpret::Proposal;
use crate::state::State;
use crate::tile_set::TileSet;

impl Game {
    /// The tiles that a player attacks. A ray ends at the first piece in its way, whoever's it is,
    /// that piece's tile included.
    pub fn threats(&self, state: &State, player: PlayerId) -> TileSet {
        let attacks = self.entries.attacks[player.index()];
        let engine = self.engine_for(state);
        engine.map_or(TileSet::EMPTY, |mut engine| engine.find(attacks, Proposal::NONE, state))
    }

    /// The tiles that a player attacks with what stands on a tile.
    pub fn threats_from(&self, state: &State, player: PlayerId, from: TileId) -> TileSet {
        let proposal = Proposal { from: from.index() as i64, ..Proposal::NONE };
        let attacks = self.entries.attacks_from[player.index()];
        let engine = self.engine_for(state);
        engine.map_or(TileSet::EMPTY, |mut engine| engine.find(attacks, proposal, state))
    }

    /// The tiles from which a player attacks a tile.
    pub fn attackers(&self, state: &State, tile: TileId, player: PlayerId) -> TileSet {
        let from = self.view(state).owned(player).iter();
        from.filter(|&from| self.threats_from(state, player, from).contains(tile)).collect()
    }

    /// Whether a player attacks a tile.
    pub fn is_threatened(&self, state: &State, tile: TileId, player: PlayerId) -> bool {
        let proposal = Proposal { to: tile.index() as i64, ..Proposal::NONE };
        let probe = self.entries.probes[player.index()];
        self.engine_for(state).is_some_and(|mut engine| engine.holds(probe, proposal, state))
    }

    /// The royal pieces of a player that a foe attacks, by their tiles.
    pub fn threatened_royals(&self, state: &State, player: PlayerId) -> TileSet {
        let view = self.view(state);
        let royal = self.royals.iter().fold(TileSet::EMPTY, |all, &kind| all | view.of_kind(kind));
        let foes = self.seats().filter(|&foe| self.are_foes(player, foe));
        let foes: Vec<PlayerId> = foes.collect();
        let tiles = (royal & view.owned(player)).iter();
        tiles.filter(|&tile| foes.iter().any(|&foe| self.is_threatened(state, tile, foe))).collect()
    }
}
