//! The events that players can ever propose, whatever the state: the fixed action space of a game.

use std::collections::BTreeSet;

use crate::event::Event;
use crate::game::Game;
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::path::Mobility;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Heading, Movement, Set, Wanted, Way};
use crate::written::Listing;

impl Game {
    /// Every event of a player that some rule could accept in some state, in the order of
    /// [`Event`]. It follows from the board, the ways of travelling and the tiles that rules name:
    /// no pieces are looked at, so that some of these events may never be legal. Outcomes of
    /// chance and asides are not in it.
    ///
    /// The list is the same whenever the definition hash is.
    pub fn event_space(&self) -> Vec<Event> {
        let mut space = BTreeSet::new();
        for index in 0..self.rules.len() {
            let rule = RuleId::at(index);
            if self.lists(rule, Listing::Aside) {
                continue;
            }
            match &self.rules[index].wants {
                Wanted::Move(movement) => self.add_moves(movement, &mut space),
                Wanted::Put { kinds, onto } => {
                    let tiles = self.players().map(|player| self.bound(onto, player));
                    let tiles = tiles.fold(TileSet::EMPTY, |all, one| all | one);
                    for kind in self.kinds().filter(|&kind| kinds.contains(kind)) {
                        space.extend(tiles.iter().map(|to| Event::Put { kind, to }));
                    }
                }
                Wanted::Pick { action, onto } => {
                    let tiles = self.players().map(|player| self.bound(onto, player));
                    let tiles = tiles.fold(TileSet::EMPTY, |all, one| all | one);
                    space.extend(tiles.iter().map(|to| Event::Pick { action: *action, to }));
                }
                Wanted::Act(action) => {
                    space.insert(Event::Act(*action));
                }
                Wanted::Roll { .. } => {}
            }
        }
        if self.has_preprocessors {
            self.add_whole_journeys(&mut space);
        }
        space.into_iter().collect()
    }

    fn add_moves(&self, movement: &Movement, space: &mut BTreeSet<Event>) {
        let choices: Vec<Option<KindId>> = match &movement.choice[..] {
            [] => vec![None],
            kinds => kinds.iter().copied().map(Some).collect(),
        };
        for player in self.players() {
            let onto = self.bound(&movement.onto, player);
            for from in self.bound(&movement.source, player).iter() {
                if let Way::Dice(track) = &movement.way {
                    let lead = |pips: u8| Some((pips, track.target(player, from, pips)?));
                    let targets = (1..=track.sides).filter_map(lead);
                    let targets = targets.filter(|(_, to)| onto.contains(*to));
                    space.extend(targets.map(|(pips, to)| Event::Advance { from, to, pips }));
                    continue;
                }
                for to in (self.reachable(movement, player, from) & onto).iter() {
                    let moves = choices.iter().map(|&choice| Event::Move { from, to, choice });
                    space.extend(moves);
                }
            }
        }
    }

    /// The tiles to which a movement rule leads from a tile of a board without pieces.
    fn reachable(&self, movement: &Movement, player: PlayerId, from: TileId) -> TileSet {
        match &movement.way {
            Way::Own => {
                let kinds = self.kinds().filter(|&kind| movement.kinds.contains(kind));
                kinds.fold(TileSet::EMPTY, |all, kind| {
                    all | self.open_reach(self.mobility(player, kind), from)
                })
            }
            Way::Pattern(by_player) => self.open_reach(&by_player[player.index()], from),
            Way::First(along) => self.rays(along.iter(), player, from),
            Way::Hop(hop) => self.rays(hop.along.iter(), player, from),
            Way::Steps(steps) => self.rays(steps.iter().map(|(along, _)| along), player, from),
            Way::Anywhere => self.all_tiles,
            Way::Dice(_) => TileSet::EMPTY,
        }
    }

    /// The tiles that lie in some directions of a tile.
    fn rays<'h>(
        &self,
        along: impl Iterator<Item = &'h Heading>,
        player: PlayerId,
        from: TileId,
    ) -> TileSet {
        let mut reached = TileSet::EMPTY;
        for heading in along {
            let mut ray = TileSet::EMPTY;
            let mut tile = from;
            while let Some(next) = self.topology().next(tile, heading[player.index()])
                && next != from
                && !ray.contains(next)
            {
                ray.insert(next);
                tile = next;
            }
            reached = reached | ray;
        }
        reached
    }

    fn open_reach(&self, mobility: &Mobility, from: TileId) -> TileSet {
        let nothing = State::blank(0, self.layout.words);
        self.resolver.reach(mobility, self.occupancy(&nothing), from, |_| true)
    }

    /// Preprocessors divide whole journeys by the patterns of a kind into steps.
    fn add_whole_journeys(&self, space: &mut BTreeSet<Event>) {
        for player in self.players() {
            for kind in self.kinds() {
                for from in self.tiles() {
                    let reached = self.open_reach(self.mobility(player, kind), from);
                    space.extend(reached.iter().map(|to| Event::step(from, to)));
                }
            }
        }
    }

    /// Tiles among which those of a set are in every state.
    fn bound(&self, set: &Set, player: PlayerId) -> TileSet {
        match set {
            Set::Const(regions) => regions[player.index()],
            Set::All(sets) => {
                sets.iter().fold(self.all_tiles, |all, one| all & self.bound(one, player))
            }
            Set::Any(sets) => {
                sets.iter().fold(TileSet::EMPTY, |all, one| all | self.bound(one, player))
            }
            Set::Not(set) => match &**set {
                Set::Const(regions) => self.all_tiles.without(regions[player.index()]),
                _ => self.all_tiles,
            },
            _ => self.all_tiles,
        }
    }
}
