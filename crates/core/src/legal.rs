//! Every event that would be accepted, from the same rules that accept it.

use crate::event::Event;
use crate::game::Game;
use crate::state::State;
use crate::typed::{Leaf, Rule};
use crate::written::{EventKind, Listing};

impl Game {
    /// Every event that [`Game::apply`] accepts in a state as play, each once: by kind of event,
    /// then in the order of the rules, then of the tiles.
    pub fn legal(&self, state: &State) -> Vec<Event> {
        self.legal_after(&[], state)
    }

    pub(crate) fn legal_after(&self, past: &[u64], state: &State) -> Vec<Event> {
        let mut list = Vec::new();
        if self.owns(state) {
            self.engine_after(past).legal(state, &mut list);
        }
        list.into_iter().map(|found| found.event).collect()
    }

    /// Whether every event of a kind that [`Game::apply`] accepts is one of [`Game::legal`]: none is
    /// an aside, and none becomes others by a preprocessor.
    pub(crate) fn plays_all(&self, kind: EventKind) -> bool {
        let derives = |leaf: &Leaf| leaf.pre.iter().any(|pre| pre.on == kind);
        let aside =
            |rule: &Rule| rule.wants.kind() == kind && rule.written.listing == Listing::Aside;
        !self.leaves.iter().any(derives) && !self.rules.iter().any(aside)
    }

    /// How many events are legal.
    pub fn legal_count(&self, state: &State) -> u64 {
        self.after(&[]).legal_count(state)
    }

    /// Every event that [`Game::apply`] accepts beside play, such as to resign.
    pub fn asides(&self, state: &State) -> Vec<Event> {
        let Some(mut engine) = self.engine_for(state) else { return Vec::new() };
        let mut list = Vec::new();
        if !engine.is_decided(state) {
            engine.list(state, Listing::Aside, &mut list);
        }
        list.into_iter().map(|found| found.event).collect()
    }

    /// Whether any event is legal.
    pub fn has_legal(&self, state: &State) -> bool {
        self.after(&[]).has_legal(state)
    }

    /// Whether the rules would accept no event even if no ending stopped play.
    pub(crate) fn is_stuck(&self, state: &State, past: &[u64]) -> bool {
        !self.engine_after(past).can_play(state)
    }

    /// The same, asked by a rule: that a player is stuck counts as true in what is asked here.
    pub(crate) fn is_stuck_in_rule(&self, state: &State, past: &[u64]) -> bool {
        let mut engine = self.engine_after(past);
        engine.assume_stuck();
        !engine.can_play(state)
    }

    /// The event that happens by itself in a state, because its phase has no other.
    pub fn due(&self, state: &State) -> Option<Event> {
        let mut engine = self.engine_for(state)?;
        if engine.stops(state) {
            return None;
        }
        let phase = engine.active_phase(state)?;
        if !self.leaves[phase.index()].has_otherwise {
            return None;
        }
        let mut list = Vec::new();
        engine.list(state, Listing::Play, &mut list);
        let first = list.first()?;
        self.lists(first.rule, Listing::Otherwise).then_some(first.event)
    }
}
