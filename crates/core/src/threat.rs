//! What a player attacks: where a piece could capture, whether anything stands there or not.

use crate::game::Game;
use crate::id::{PlayerId, TileId};
use crate::path::Mobility;
use crate::plan::{Movement, Wanted};
use crate::scene::Scene;
use crate::state::State;
use crate::tile_set::TileSet;

impl Game {
    /// The tiles that a player attacks. A ray ends at the first piece in its way, whoever's it is,
    /// that piece's tile included.
    pub fn threats(&self, state: &State, player: PlayerId) -> TileSet {
        let tiles = self.view(state).owned(player).iter();
        tiles.fold(TileSet::EMPTY, |all, tile| all | self.threats_from(state, player, tile))
    }

    /// The tiles that a player attacks with what stands on a tile.
    pub fn threats_from(&self, state: &State, player: PlayerId, from: TileId) -> TileSet {
        let scene = Scene { mover: player, ..Scene::of_state(self, state) };
        let mut threats = TileSet::EMPTY;
        for rule in &self.threatening {
            let Wanted::Move(movement) = &self.rules[rule.index()].wants else { continue };
            if let Some(mobility) = self.threatening_way(&scene, movement, from) {
                let through = |tile| scene.passes(&movement.through, tile);
                let occupancy = self.occupancy(state);
                threats = threats | self.resolver.reach(mobility, occupancy, from, through);
            }
        }
        threats
    }

    /// How a piece on a tile attacks by a rule, if it does.
    fn threatening_way<'g>(
        &'g self,
        scene: &Scene<'_>,
        movement: &'g Movement,
        from: TileId,
    ) -> Option<&'g Mobility> {
        let kind = scene.moving_kind(movement, from)?;
        if !scene.passes(&movement.source, from) {
            return None;
        }
        self.way(movement, scene, kind)
    }

    /// The tiles from which a player attacks a tile.
    pub fn attackers(&self, state: &State, tile: TileId, player: PlayerId) -> TileSet {
        let from = self.view(state).owned(player).iter();
        from.filter(|&from| self.threats_from(state, player, from).contains(tile)).collect()
    }

    /// Whether a player attacks a tile.
    pub fn is_threatened(&self, state: &State, tile: TileId, player: PlayerId) -> bool {
        if let Some(tables) = &self.generator {
            return tables.is_threatened(self, state, tile, player);
        }
        let mut from = self.view(state).owned(player).iter();
        from.any(|from| self.threats_from(state, player, from).contains(tile))
    }

    /// The royal pieces of a player that a foe attacks, by their tiles.
    pub fn threatened_royals(&self, state: &State, player: PlayerId) -> TileSet {
        let view = self.view(state);
        let royal = self.royals.iter().fold(TileSet::EMPTY, |all, &kind| all | view.of_kind(kind));
        let foes =
            self.players().filter(|foe| self.friends[player.index()] >> foe.index() & 1 == 0);
        let foes: Vec<PlayerId> = foes.collect();
        let tiles = (royal & view.owned(player)).iter();
        tiles.filter(|&tile| foes.iter().any(|&foe| self.is_threatened(state, tile, foe))).collect()
    }
}
