//! Whole turns, where a turn is several events.

use std::collections::BTreeSet;

use crate::event::{Event, Step};
use crate::game::Game;
use crate::id::{PhaseId, PlayerId};
use crate::rule::Usage;
use crate::state::State;

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
        if let Some(race) = phase.filter(|_| !self.stops(state)).and_then(|p| self.race(p)) {
            return self.turns_from_tables(race, state);
        }
        let (seen, turns) = (BTreeSet::new(), Vec::new());
        let mut search = Search { game: self, mover, phase, seen, turns };
        search.follow(state, &mut Vec::new());
        search.turns
    }

    /// How many sequences of so many whole turns there are. A turn is all that a player does from
    /// one outcome of chance on, and turns that lead to the same position are one. Sequences that
    /// end earlier because the game is over do not count.
    pub fn turn_perft(&self, state: &State, depth: u32) -> u64 {
        self.count_turns(state, depth, false)
    }

    /// The same with the results of the last turns made, and not only counted.
    pub fn turn_perft_made(&self, state: &State, depth: u32) -> u64 {
        self.count_turns(state, depth, true)
    }

    fn count_turns(&self, state: &State, depth: u32, made: bool) -> u64 {
        let Some(rest) = depth.checked_sub(1) else { return 1 };
        if self.stops(state) {
            return 0;
        }
        if let Some(count) = self.turn_perft_from_tables(state, depth, made) {
            return count;
        }
        if self.awaits_chance(state) {
            let count = |outcome: &Turn| match self.awaits_chance(&outcome.state) {
                // Chance decides nothing and is asked again.
                true => 0,
                false => self.count_turns(&outcome.state, depth, made),
            };
            return self.turns(state).iter().map(count).sum();
        }
        let turns = self.turns(state);
        match rest {
            0 => turns.len() as u64,
            _ => turns.iter().map(|turn| self.count_turns(&turn.state, rest, made)).sum(),
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
            let Some(Step { state, .. }) = self.game.attempt(state, due) else { return };
            if self.seen.insert(self.game.view(&state).position().into()) {
                self.turns.push(Turn { events: events.clone(), state });
            }
            return;
        }
        for event in self.game.legal(state) {
            let Some(Step { state, .. }) = self.game.attempt(state, event) else { continue };
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
