//! Whole turns, where a turn is several events.

use std::collections::BTreeSet;

use crate::event::{Event, Step};
use crate::game::Game;
use crate::id::{PhaseId, PlayerId};
use crate::state::State;
use crate::written::Usage;

/// One whole turn: its events and the state after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The state after them.
    pub state: State,
}

struct Search<'g> {
    game: &'g Game,
    mover: PlayerId,
    /// The phase in which a turn by dice is played.
    phase: Option<PhaseId>,
    /// Positions met within the turn and at its end.
    seen: BTreeSet<Box<[u64]>>,
    turns: Vec<Turn>,
}

impl Game {
    /// Every whole turn of the player to move, distinct by the resulting position, each with the
    /// first events in the order of [`Game::legal`] that lead there. A turn ends when the turn
    /// passes, its dice are used, chance is awaited, the game is over or nothing is left to do.
    /// Where chance is awaited now, every outcome is a turn of its own.
    ///
    /// What happens by itself ([`Game::due`]) is not among the events, but done in the state: a
    /// turn in which nothing can be played is one turn without events.
    pub fn turns(&self, state: &State) -> Vec<Turn> {
        let mover = self.view(state).player();
        let phase = self.active_phase(state);
        let phase = phase.filter(|phase| self.leaves[phase.index()].usage != Usage::Free);
        let (seen, turns) = (BTreeSet::new(), Vec::new());
        let mut search = Search { game: self, mover, phase, seen, turns };
        search.follow(state, &mut Vec::new());
        search.turns
    }

    /// How many sequences of this many whole turns there are. A turn is all that a player does from
    /// one outcome of chance on, and turns that lead to the same position are one. Sequences that
    /// end earlier because the game is over do not count.
    pub fn turn_perft(&self, state: &State, depth: u32) -> u64 {
        let Some(rest) = depth.checked_sub(1) else { return 1 };
        if self.engine().stops(state) {
            return 0;
        }
        if self.awaits_chance(state) {
            let count = |outcome: &Turn| match self.awaits_chance(&outcome.state) {
                // Chance decides nothing and is asked again.
                true => 0,
                false => self.turn_perft(&outcome.state, depth),
            };
            return self.turns(state).iter().map(count).sum();
        }
        let turns = self.turns(state);
        match rest {
            0 => turns.len() as u64,
            _ => turns.iter().map(|turn| self.turn_perft(&turn.state, rest)).sum(),
        }
    }

    /// Whether a turn of this game is several moves by dice, so that people count its turns.
    pub fn plays_by_turns(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.usage != Usage::Free)
    }
}

impl Search<'_> {
    fn follow(&mut self, state: &State, events: &mut Vec<Event>) {
        if let Some(due) = self.game.due(state) {
            let Ok(Step { state, .. }) = self.game.apply(state, due) else { return };
            if self.seen.insert(self.game.view(&state).position().into()) {
                self.turns.push(Turn { events: events.clone(), state });
            }
            return;
        }
        let mut walker = self.game.walker();
        let mut list = Vec::new();
        walker.legal(state, &mut list);
        for accepted in list {
            let (event, state) = (accepted.event(), walker.play(state, accepted));
            if !self.seen.insert(self.game.view(&state).position().into()) {
                continue;
            }
            events.push(event);
            if self.is_end(&state, event) {
                self.turns.push(Turn { events: events.clone(), state });
            } else {
                self.follow(&state, events);
            }
            events.pop();
        }
    }

    fn is_end(&self, state: &State, event: Event) -> bool {
        matches!(event, Event::Roll(_))
            || self.game.view(state).player() != self.mover
            || self.phase.is_some() && self.game.active_phase(state) != self.phase
            || self.game.awaits_chance(state)
            || !self.game.has_legal(state)
    }
}
