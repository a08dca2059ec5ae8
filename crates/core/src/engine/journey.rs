//! The way from source to target that a movement rule takes, if it leads there.

use crate::event::Event;
use crate::id::{DirectionId, KindId, PlayerId, RuleId, TileId};
use crate::interpret::Proposal;
use crate::path::Path;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Hop, Movement, Way};
use crate::written::Reach;

use super::Engine;

/// How a piece gets from source to target.
#[derive(Clone, Copy)]
pub(crate) enum Journey<'g> {
    /// By relations of the board.
    Along(Path<'g>),
    /// Without passing any tile.
    Direct,
}

impl<'g> Engine<'g> {
    /// The way that a movement rule takes for an event, if it leads there.
    pub(crate) fn journey(
        &mut self,
        state: &State,
        id: RuleId,
        movement: &'g Movement,
        kind: KindId,
        event: Event,
    ) -> Option<Journey<'g>> {
        let Event::Move { from, to, .. } = event else { return None };
        let (game, mover) = (self.game, self.mover(state));
        let found = match &movement.way {
            Way::Own | Way::Pattern(_) | Way::First(_) | Way::Dice(_) => {
                return game.journey(state, mover, movement, kind, (from, to)).map(Journey::Along);
            }
            _ if from == to || self.holds_friend(state, to) => return None,
            Way::Anywhere => return Some(Journey::Direct),
            Way::Hop(hop) => {
                let over = self.rule_code(id, mover).way[0];
                let over = self.find(over, Proposal::of(event), state);
                let along = hop.along.iter().map(|heading| heading[mover.index()]);
                along.into_iter().find_map(|direction| {
                    let steps = self.hop_steps(state, hop, &over, (from, to), direction)?;
                    Some((direction, steps))
                })
            }
            Way::Steps(ways) => {
                let counts = &self.rule_code(id, mover).way;
                ways.iter().zip(counts).find_map(|((heading, _), &count)| {
                    let count = self.number(count, Proposal::of(event), state);
                    let steps = u16::try_from(count).ok()?;
                    let direction = heading[mover.index()];
                    let fits = (1..=game.tile_count()).contains(&usize::from(steps));
                    let end = fits.then(|| self.walk(from, direction).nth(steps.into()))?;
                    (end == Some(to)).then_some((direction, steps))
                })
            }
        };
        let (direction, steps) = found?;
        Some(Journey::Along(game.resolver.straight((from, to), direction, steps)))
    }

    /// Whether a friend of the mover keeps a tile.
    fn holds_friend(&self, state: &State, tile: TileId) -> bool {
        let (game, view) = (self.game, self.game.view(state));
        let friend = |owner: PlayerId| game.spared(view.seat()) >> owner.index() & 1 == 1;
        !game.stacks(tile) && view.owner_at(tile).is_some_and(friend)
    }

    /// The tiles that steps in a direction lead to, the first one included.
    fn walk(&self, from: TileId, direction: DirectionId) -> impl Iterator<Item = TileId> + use<'g> {
        let game = self.game;
        std::iter::successors(Some(from), move |&tile| game.topology().next(tile, direction))
    }

    /// How many steps in a direction a hop takes to the target, if it leads there.
    fn hop_steps(
        &self,
        state: &State,
        hop: &Hop,
        over: &TileSet,
        (from, to): (TileId, TileId),
        direction: DirectionId,
    ) -> Option<u16> {
        let (game, view) = (self.game, self.game.view(state));
        let blocks = |tile: &TileId| !game.stacks(*tile) && view.owner_at(*tile).is_some();
        let mut seen = TileSet::EMPTY;
        let fresh = |tile: &TileId| {
            let fresh = !seen.contains(*tile);
            seen.insert(*tile);
            fresh
        };
        let way: Vec<TileId> = self.walk(from, direction).take_while(fresh).collect();
        let hurdle = match hop.approach {
            Reach::Once => 1,
            Reach::Repeat => 1 + way[1..].iter().position(blocks)?,
        };
        way.get(hurdle).filter(|tile| over.contains(**tile))?;
        let beyond = &way[hurdle + 1..];
        let reached = match hop.landing {
            Reach::Once => 1,
            Reach::Repeat => beyond.iter().position(blocks).map_or(beyond.len(), |at| at + 1),
        };
        let steps = beyond.iter().take(reached).position(|tile| *tile == to)?;
        Some((hurdle + 1 + steps) as u16)
    }
}
