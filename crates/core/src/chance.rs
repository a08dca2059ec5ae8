//! Chance: which outcomes are possible, and how likely each is. The host draws.

use crate::accept::Accepted;
use crate::event::Event;
use crate::game::Game;
use crate::id::{OutcomeId, RuleId};
use crate::make::Cast;
use crate::plan::{Test, Wanted};
use crate::scene::Scene;
use crate::state::State;

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

/// A throw that a state waits for.
#[derive(Clone, Copy)]
pub struct Throw<'g> {
    game: &'g Game,
    state: &'g State,
    rule: RuleId,
    first: OutcomeId,
    last: OutcomeId,
}

impl Throw<'_> {
    /// How many throws of the dice there are, each equally likely.
    #[inline]
    pub fn total(&self) -> u64 {
        self.game.outcomes[self.first.index()].total
    }

    /// What the throw of a number, counted from 0, gives: the outcomes of [`Game::chances`] in
    /// their order, each for as many throws as give it.
    #[inline]
    pub fn event(&self, number: u64) -> Option<Event> {
        if let Some(outcome) = self.cast().and_then(|cast| cast.throws.get(number as usize)) {
            return Some(Event::Roll(*outcome));
        }
        let mut left = number;
        (self.first.0..=self.last.0).map(OutcomeId).find_map(|outcome| {
            let weight = self.game.outcomes[outcome.index()].weight;
            match left.checked_sub(weight) {
                Some(rest) => {
                    left = rest;
                    None
                }
                None => Some(Event::Roll(outcome)),
            }
        })
    }

    /// The same as accepted by the state that waits for it.
    #[inline]
    pub fn accepted(&self, number: u64) -> Option<Accepted> {
        let event = self.event(number)?;
        match self.cast() {
            Some(Cast { certain: true, .. }) => {
                Some(Accepted::known(event, self.rule, self.state.hash()))
            }
            _ => self.game.accept(self.state, event),
        }
    }

    fn cast(&self) -> Option<&Cast> {
        self.game.casts.get(self.rule.index())?.as_ref()
    }
}

impl Game {
    /// What chance may give in a state; nothing where no chance is awaited.
    pub fn chances(&self, state: &State) -> Vec<Chance> {
        let Some((_, first, last)) = self.awaited(state) else { return Vec::new() };
        let outcomes = (first.0..=last.0).map(OutcomeId);
        let chance = |outcome: OutcomeId| {
            let entry = &self.outcomes[outcome.index()];
            let probability = Probability { weight: entry.weight, total: entry.total };
            Chance { event: Event::Roll(outcome), probability }
        };
        outcomes.map(chance).collect()
    }

    /// Whether the state waits for dice.
    pub fn awaits_chance(&self, state: &State) -> bool {
        self.awaited(state).is_some()
    }

    /// The throw that a state waits for, to be drawn without a list of what it may give.
    #[inline]
    pub fn throw<'g>(&'g self, state: &'g State) -> Option<Throw<'g>> {
        let (rule, first, last) = self.awaited(state)?;
        Some(Throw { game: self, state, rule, first, last })
    }

    /// The first roll that the active phase accepts, and its outcomes.
    #[inline]
    fn awaited(&self, state: &State) -> Option<(RuleId, OutcomeId, OutcomeId)> {
        if self.outcomes.is_empty() {
            return None;
        }
        let leaf = &self.leaves[self.open_phase(state)?.index()];
        leaf.rules.iter().find_map(|&id| {
            let rule = &self.rules[id.index()];
            let Wanted::Roll { first, last } = rule.wants else { return None };
            let asks = !matches!(rule.when.test, Test::Always);
            (!asks || Scene::of_state(self, state).holds(&rule.when)).then_some((id, first, last))
        })
    }

    /// What each die shows in an outcome.
    pub fn faces(&self, outcome: OutcomeId) -> &[(crate::DieId, u8)] {
        self.outcomes.get(outcome.index()).map_or(&[], |outcome| &outcome.dice)
    }
}
