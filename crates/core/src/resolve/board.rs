//! Tiles, relations and regions.

use crate::fault::{Artifact, Fault};
use crate::id::{DirectionId, TileId};
use crate::name::is_writable;
use crate::tile_set::{MAX_TILES, TileSet};
use crate::topology::{Link, Topology};
use crate::typed;
use crate::written::{BoardTile, Capacity};

use super::name::Compiler;

/// The compiled board.
pub(crate) struct Board {
    pub(crate) topology: Topology,
    pub(crate) all: TileSet,
    pub(crate) exclusive: TileSet,
    pub(crate) stacks: Vec<TileId>,
}

impl Compiler<'_> {
    pub(crate) fn board(&mut self) -> Board {
        let links = self.links();
        self.collect_regions();
        let tiles = self.definition.tiles.iter().take(MAX_TILES).enumerate();
        let tiles = tiles.map(|(index, tile)| (TileId::at(index), tile));
        let stacking = |tile: &BoardTile| tile.holds == Capacity::Many;
        Board {
            topology: Topology::new(
                self.definition.tiles.len().min(MAX_TILES),
                self.definition.directions.len(),
                &links,
            ),
            all: tiles.clone().map(|(id, _)| id).collect(),
            exclusive: tiles.clone().filter(|(_, t)| !stacking(t)).map(|(id, _)| id).collect(),
            stacks: tiles.filter(|(_, t)| stacking(t)).map(|(id, _)| id).collect(),
        }
    }

    fn links(&mut self) -> Vec<Link> {
        let d = self.definition;
        let mut links: Vec<Link> = Vec::new();
        let mut leaving = std::collections::BTreeSet::new();
        for (index, relation) in d.relations.iter().enumerate() {
            let place = || format!("relations/{index}");
            let tile = |name: &str| self.index.tiles.get(name).copied().map(TileId::at);
            let direction = self.index.directions.get(&relation.direction).copied();
            let known = (tile(&relation.from), tile(&relation.to), direction.map(DirectionId::at));
            let (Some(from), Some(to), Some(direction)) = known else {
                self.tile(&place(), &relation.from);
                self.tile(&place(), &relation.to);
                self.board_direction(&place(), &relation.direction);
                continue;
            };
            if from == to {
                self.fault(&place(), Fault::Loop { tile: relation.from.clone() });
            }
            if !leaving.insert((from, direction)) {
                let (from, direction) = (relation.from.clone(), relation.direction.clone());
                self.fault(&place(), Fault::SecondRelation { from, direction });
                continue;
            }
            let fits = from.index() < MAX_TILES && to.index() < MAX_TILES;
            if fits {
                links.push(Link { from, to, direction, distance: relation.distance });
            }
        }
        for name in &d.directions {
            if !d.relations.iter().any(|relation| relation.direction == *name) {
                self.fault(&format!("directions/{name}"), Fault::UnusedDirection);
            }
        }
        links
    }

    fn collect_regions(&mut self) {
        for region in &self.definition.regions {
            let place = format!("regions/{}", region.name);
            if !is_writable(&region.name) {
                let (what, name) = (Artifact::Region, region.name.clone());
                self.fault(&place, Fault::BadName { what, name });
            }
            let player = match &region.player {
                Some(name) => match self.player(&place, name) {
                    Some(id) => Some(id.index()),
                    None => continue,
                },
                None => None,
            };
            let tiles = region.tiles.iter().filter_map(|name| self.tile(&place, name));
            let tiles = tiles.filter(|tile| tile.index() < MAX_TILES).collect();
            let of_name = self.regions.entry(region.name.clone()).or_default();
            if of_name.insert(player, tiles).is_some() {
                let (what, name) = (Artifact::Region, region.name.clone());
                self.fault(&place, Fault::Duplicate { what, name });
            }
        }
    }

    /// A region for each player.
    pub(crate) fn region(&mut self, place: &str, name: &str) -> Option<typed::Regions> {
        let Some(of_name) = self.regions.get(name) else {
            let near = self.guess(name, self.regions.keys());
            self.unknown(place, Artifact::Region, name, near);
            return None;
        };
        let common = of_name.get(&None).copied();
        let players = 0..self.definition.players.len();
        let found = players.map(|player| of_name.get(&Some(player)).copied().or(common));
        let neutral = |player: usize| self.definition.players[player].neutral;
        // A neutral player is asked nothing, so that any region will do.
        let found = found.enumerate().map(|(player, region)| match region {
            None if neutral(player) => of_name.values().next().copied(),
            region => region,
        });
        let found: Vec<Option<TileSet>> = found.collect();
        for (player, _) in found.iter().enumerate().filter(|(_, region)| region.is_none()) {
            let player = self.definition.players[player].name.clone();
            self.fault(place, Fault::NoRegion { name: name.to_owned(), player });
        }
        found.into_iter().collect()
    }
}
