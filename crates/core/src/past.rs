//! Questions about a state of which it is known what came before: rules may ask whether a position
//! has come up before.

use crate::apply::Accepted;
use crate::budget::{Budget, Stopped};
use crate::engine::Stuck;
use crate::event::{Event, Outcome, Rejection, Step};
use crate::explain::Explanation;
use crate::game::Game;
use crate::perft::Leaves;
use crate::state::State;
use crate::turn::Turn;
use crate::walker::Walker;

/// A game with the positions that came before a state, by their hashes, the oldest first. Its answers
/// are those of the methods of [`Game`] of the same names, which know of no positions before. Only
/// where [`Game::looks_back`] holds do they differ.
#[derive(Clone, Copy)]
pub struct After<'g, 'p> {
    game: &'g Game,
    past: &'p [u64],
}

impl Game {
    /// Whether rules or endings ask what came before, so that the positions before count.
    pub fn looks_back(&self) -> bool {
        self.looks_back
    }

    /// The game for questions about a state that came after some positions, of which the hashes are
    /// given, the oldest first.
    pub fn after<'g, 'p>(&'g self, past: &'p [u64]) -> After<'g, 'p> {
        After { game: self, past }
    }
}

impl<'g> After<'g, '_> {
    /// A walker that has been told of the positions before.
    pub fn walker(self) -> Walker<'g> {
        let mut walker = self.game.walker();
        walker.remember(self.past);
        walker
    }

    /// See [`Game::legal`].
    pub fn legal(self, state: &State) -> Vec<Event> {
        self.game.legal_after(self.past, state)
    }

    /// See [`Game::legal_count`].
    pub fn legal_count(self, state: &State) -> u64 {
        if self.game.owns(state) { self.game.engine_after(self.past).count(state) } else { 0 }
    }

    /// See [`Game::has_legal`].
    pub fn has_legal(self, state: &State) -> bool {
        let mut engine = self.game.engine_after(self.past);
        self.game.owns(state) && !engine.stops(state) && engine.can_play(state)
    }

    /// See [`Game::filter_legal`].
    pub fn filter_legal(self, state: &State, events: &[Event]) -> Vec<Event> {
        let mut engine = self.game.engine_after(self.past);
        let legal =
            |event: &&Event| self.game.owns(state) && engine.attempt(state, **event).is_some();
        events.iter().filter(legal).copied().collect()
    }

    /// See [`Game::outcome`].
    pub fn outcome(self, state: &State) -> Option<Outcome> {
        self.game.outcome_by(state, Stuck::Ask, self.past)
    }

    /// See [`Game::apply`].
    pub fn apply(self, state: &State, event: Event) -> Result<Step, Rejection> {
        let mut after = state.clone();
        let rule = self.game.apply_on(self.past, &mut after, event)?;
        Ok(Step { event, rule, state: after })
    }

    /// See [`Walker::accept`].
    pub fn accept(self, state: &State, event: Event) -> Option<Accepted> {
        self.walker().accept(state, event)
    }

    /// See [`Game::explain`].
    pub fn explain(self, state: &State, event: Event) -> Explanation {
        self.game.explain_after(self.past, state, event)
    }

    /// See [`Game::turns_within`].
    pub fn turns_within(
        self,
        state: &State,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Turn>, Stopped> {
        self.game.turns_after(self.past, state, budget)
    }

    /// See [`Game::perft_within`].
    pub fn perft_within(
        self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        self.game.perft_after(self.past, (state, depth), budget)
    }

    /// See [`Game::perft_made_within`].
    pub fn perft_made_within(
        self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Leaves, Stopped> {
        self.game.perft_made_after(self.past, (state, depth), budget)
    }

    /// See [`Game::turn_perft_within`].
    pub fn turn_perft_within(
        self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        self.game.turn_perft_after(self.past, (state, depth), budget)
    }

    /// See [`Game::divide_within`].
    pub fn divide_within(
        self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Event, u64)>, Stopped> {
        self.game.divide_after(self.past, (state, depth), budget)
    }

    /// The positions before the state that some legal events lead to, the given ones included; none
    /// where the game does not ask for them.
    pub fn past_of(self, state: &State, events: &[Event]) -> Vec<u64> {
        if !self.game.looks_back {
            return Vec::new();
        }
        let (mut past, mut now) = (self.past.to_vec(), state.clone());
        for &event in events {
            let Ok(step) = self.game.after(&past).apply(&now, event) else { break };
            past.push(now.hash());
            now = step.state;
        }
        past
    }
}
