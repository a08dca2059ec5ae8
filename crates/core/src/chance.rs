//! Chance: which outcomes are possible, and how likely each is. The host draws.

use crate::engine::Engine;
use crate::event::Event;
use crate::game::Game;
use crate::id::{OutcomeId, RuleId};
use crate::interpret::Proposal;
use crate::state::State;
use crate::typed::Wanted;

/// An exact probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    /// How many of all throws give the outcome.
    pub weight: u64,
    /// How many throws there are, each equally likely.
    pub total: u64,
}

/// One outcome that chance may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The event to submit for it.
    pub event: Event,
    /// How likely it is.
    pub probability: Probability,
}

impl Game {
    /// What chance may give in a state; nothing where no chance is awaited.
    pub fn chances(&self, state: &State) -> Vec<Chance> {
        if self.outcomes.is_empty() {
            return Vec::new();
        }
        let Some(mut engine) = self.engine_for(state) else { return Vec::new() };
        self.chances_by(&mut engine, state)
    }

    /// The same, asked through an engine.
    pub(crate) fn chances_by(&self, engine: &mut Engine<'_>, state: &State) -> Vec<Chance> {
        let Some((rule, first, last)) = self.awaited_by(engine, state) else { return Vec::new() };
        let outcomes = (first.0..=last.0).map(OutcomeId);
        if !self.rules[rule.index()].lots.is_empty() {
            let weights = engine.weights(state, rule);
            let total = weights.iter().sum();
            let possible = outcomes.zip(weights).filter(|(_, weight)| *weight > 0);
            let chance = |(outcome, weight)| {
                let probability = Probability { weight, total };
                Chance { event: Event::Roll(outcome), probability }
            };
            return possible.map(chance).collect();
        }
        let chance = |outcome: OutcomeId| {
            let entry = &self.outcomes[outcome.index()];
            let probability = Probability { weight: entry.weight, total: entry.total };
            Chance { event: Event::Roll(outcome), probability }
        };
        outcomes.map(chance).collect()
    }

    /// How many outcomes chance has in all; 0 in a game without chance.
    pub fn chance_count(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether the state waits for dice.
    #[inline]
    pub fn awaits_chance(&self, state: &State) -> bool {
        !self.outcomes.is_empty() && self.awaited(state).is_some()
    }

    /// The outcomes of the first roll that the active phase accepts.
    fn awaited(&self, state: &State) -> Option<(RuleId, OutcomeId, OutcomeId)> {
        if self.outcomes.is_empty() {
            return None;
        }
        self.awaited_by(&mut self.engine_for(state)?, state)
    }

    fn awaited_by(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
    ) -> Option<(RuleId, OutcomeId, OutcomeId)> {
        if engine.stops(state) {
            return None;
        }
        let phase = {
            let known = engine.known(state);
            engine.active_phase(&known)?
        };
        let mover = self.view(state).seat();
        self.leaves[phase.index()].rules.iter().find_map(|&id| {
            let Wanted::Roll { first, last } = self.rules[id.index()].wants else { return None };
            let when = engine.rule_code(id, mover).when;
            engine.holds(when, Proposal::NONE, state).then_some((id, first, last))
        })
    }

    /// The name of an outcome that is no throw of dice.
    pub fn outcome_name(&self, outcome: OutcomeId) -> Option<&str> {
        self.outcomes.get(outcome.index())?.name.as_deref()
    }

    /// What each die shows in an outcome.
    pub fn faces(&self, outcome: OutcomeId) -> &[(crate::DieId, u8)] {
        self.outcomes.get(outcome.index()).map_or(&[], |outcome| &outcome.dice)
    }
}
