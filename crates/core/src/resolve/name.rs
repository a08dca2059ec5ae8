//! Names to ids, with the mistakes collected on the way.

use std::collections::BTreeMap;

use crate::fault::{Artifact, DefinitionError, Fault};
use crate::game::{Index, Options};
use crate::id::{
    ActionId, DieId, DirectionId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId,
};
use crate::name::nearest;
use crate::path::{Mobility, Travel};
use crate::tile_set::TileSet;
use crate::typed;
use crate::written::{Definition, Pattern, Player};

/// A definition being compiled.
pub(crate) struct Compiler<'d> {
    pub(crate) definition: &'d Definition,
    pub(crate) options: &'d Options,
    pub(crate) index: Index,
    /// Regions by name, then by player; under no player for a region that is everyone's.
    pub(crate) regions: BTreeMap<String, BTreeMap<Option<usize>, TileSet>>,
    pub(crate) errors: Vec<DefinitionError>,
}

/// The most mistakes of one definition that are reported.
const ENOUGH: usize = 1000;

macro_rules! lookups {
    ($($name:ident, $list:ident, $what:ident, $id:ident;)*) => {$(
        pub(crate) fn $name(&mut self, place: &str, name: &str) -> Option<$id> {
            match self.index.$list.get(name) {
                Some(&id) => Some($id::at(id)),
                None => {
                    let near = self.guess(name, self.index.$list.keys());
                    self.unknown(place, Artifact::$what, name, near);
                    None
                }
            }
        }
    )*};
}

impl<'d> Compiler<'d> {
    pub(crate) fn new(definition: &'d Definition, options: &'d Options) -> Self {
        Compiler {
            definition,
            options,
            index: Index::default(),
            regions: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    pub(crate) fn fault(&mut self, place: &str, fault: Fault) {
        let error = DefinitionError { place: place.to_owned(), fault };
        if self.errors.len() < ENOUGH && !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// What was probably meant by a name, while there are few enough mistakes to think about it.
    pub(crate) fn guess<'n>(
        &self,
        name: &str,
        known: impl Iterator<Item = &'n String>,
    ) -> Option<String> {
        if self.errors.len() < ENOUGH / 10 {
            nearest(name, known.map(String::as_str))
        } else {
            None
        }
    }

    pub(crate) fn unknown(
        &mut self,
        place: &str,
        what: Artifact,
        name: &str,
        near: Option<String>,
    ) {
        self.fault(place, Fault::Unknown { what, name: name.to_owned(), near });
    }

    lookups! {
        player, players, Player, PlayerId;
        tile, tiles, Tile, TileId;
        flag, flags, Flag, FlagId;
        mark, marks, Mark, MarkId;
        kind, kinds, Kind, KindId;
        piece, pieces, Piece, PieceId;
        die, dice, Die, DieId;
        variable, variables, Variable, VariableId;
        action, actions, Action, ActionId;
        board_direction, directions, Direction, DirectionId;
    }

    /// What a direction name means to a player.
    fn direction_for(&mut self, place: &str, name: &str, player: usize) -> Option<DirectionId> {
        if let Some(&id) = self.index.directions.get(name) {
            return Some(DirectionId::at(id));
        }
        let mut one = &self.definition.players[player];
        let means = |one: &&Player| one.directions.iter().any(|facing| facing.name == name);
        if one.neutral && !means(&one) {
            one = self.definition.players.iter().find(means).unwrap_or(one);
        }
        let Some(facing) = one.directions.iter().find(|facing| facing.name == name) else {
            let known = |players: &Definition| {
                players.players.iter().any(|p| p.directions.iter().any(|f| f.name == name))
            };
            if known(self.definition) {
                let player = one.name.clone();
                self.fault(place, Fault::NoFacing { name: name.to_owned(), player });
            } else {
                let near = self.guess(name, self.index.directions.keys());
                self.unknown(place, Artifact::Direction, name, near);
            }
            return None;
        };
        let place = format!("players/{}/directions/{}", one.name, facing.name);
        self.board_direction(&place, &facing.direction)
    }

    /// How many players take turns.
    pub(super) fn seat_count(&self) -> usize {
        self.definition.players.iter().filter(|player| !player.neutral).count()
    }

    /// What a direction name means to each player. To a neutral one it may mean nothing: then it is
    /// what it means to the first who gives it a meaning.
    pub(crate) fn heading(&mut self, place: &str, name: &str) -> Option<typed::Heading> {
        let players = 0..self.definition.players.len();
        let all: Vec<_> = players.map(|player| self.direction_for(place, name, player)).collect();
        all.into_iter().collect()
    }

    /// Patterns for one player.
    pub(crate) fn mobility(
        &mut self,
        place: &str,
        patterns: &[Pattern],
        player: PlayerId,
    ) -> Mobility {
        let travels = patterns.iter().map(|pattern| {
            let directions: Vec<DirectionId> = pattern
                .directions()
                .iter()
                .filter_map(|name| self.direction_for(place, name, player.index()))
                .collect();
            match pattern {
                Pattern::Direction(_, reach) => {
                    directions.first().map_or(Travel::Null, |&one| Travel::Direction(one, *reach))
                }
                Pattern::MultiDirection(_, reach) => Travel::MultiDirection(directions, *reach),
                Pattern::Fixed(_) => Travel::Fixed(directions),
                Pattern::Null => Travel::Null,
                Pattern::Any => Travel::Any,
            }
        });
        Mobility::new(travels.collect())
    }
}
