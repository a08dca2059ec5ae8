//! How a game ends, and what it is worth.

use std::collections::BTreeMap;

use crate::event::Outcome;
use crate::game::{Game, Masked};
use crate::id::{EndingId, PlayerId, VariableId};
use crate::plan::{Condition, Ending, Test, Value};
use crate::reckoning::Reckoning;
use crate::rule::{Play, Subject};
use crate::scene::{Scene, Stuck};
use crate::state::State;

impl Game {
    /// The bits that decide whether play stops, as at the start, if they are bits of variables
    /// alone and play does not stop at the start.
    pub(crate) fn quiet_bits(&self) -> Option<Vec<Masked>> {
        let mut variables = Vec::new();
        for ending in self.endings.iter().filter(|ending| ending.play == Play::Stops) {
            asked_variables(&ending.when, &mut variables)?;
        }
        if self.stops(&self.start) {
            return None;
        }
        let mut masks: BTreeMap<usize, u64> = BTreeMap::new();
        for field in variables.iter().flat_map(|&id| &self.layout.variable(id).fields) {
            let (word, mask) = field.place();
            *masks.entry(word).or_default() |= mask;
        }
        let words = self.start.words();
        let masked = |(word, mask): (usize, u64)| Masked { word, mask, bits: words[word] & mask };
        Some(masks.into_iter().map(masked).collect())
    }

    /// Whether any ending holds of those that do not stop play, as one condition in the quick form.
    pub(crate) fn going_on(&self) -> Option<Reckoning> {
        let endings = self.endings.iter().filter(|ending| ending.play != Play::Stops);
        Reckoning::of_any(self, endings.map(|ending| &ending.when))
    }

    /// Whether nothing that could stop play has happened, where that is known without asking.
    #[inline]
    pub(crate) fn is_quiet(&self, state: &State) -> bool {
        let words = state.words();
        self.quiet.as_ref().is_some_and(|quiet| quiet.iter().all(|one| one.is_in(words)))
    }

    /// How the game ended, if it did: the first ending whose condition holds.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::Ask)
    }

    /// The same where a legal event is known, so that no player is stuck.
    pub fn outcome_with_events(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::AssumeNot)
    }

    fn outcome_by(&self, state: &State, stuck: Stuck) -> Option<Outcome> {
        // Where there is a legal event, no ending holds that stops play.
        let goes_on = stuck == Stuck::AssumeNot;
        let any = |going_on: &Reckoning| going_on.holds(state.words());
        if goes_on && !self.going_on.as_ref().is_none_or(any) {
            return None;
        }
        let asked = |(_, ending): &(usize, &Ending)| !goes_on || ending.play != Play::Stops;
        let mut endings = self.endings.iter().enumerate().filter(asked);
        let (index, ending, subject) = endings.find_map(|(index, ending)| {
            Some((index, ending, self.subject_of(ending, state, stuck)?))
        })?;
        let scene = Scene { mover: subject, ..Scene::of_state(self, state) };
        let winner = ending.winner.map(|seat| scene.seat(seat));
        let worth = scene.value(&ending.score);
        let score = |player: PlayerId| match winner {
            None => 0,
            Some(winner) if self.friends[winner.index()] >> player.index() & 1 == 1 => worth,
            Some(_) => worth.saturating_neg(),
        };
        let scores = self.players().map(score).collect();
        Some(Outcome { ending: EndingId::at(index), winner, scores })
    }

    /// The player of whom an ending holds, if it holds of one.
    pub(crate) fn subject_of(
        &self,
        ending: &Ending,
        state: &State,
        stuck: Stuck,
    ) -> Option<PlayerId> {
        if let Some(reckoning) = &ending.reckoning {
            // Such a condition holds of every player or of none.
            let subject = || match ending.of {
                Subject::Mover => self.view(state).player(),
                Subject::Each => PlayerId::at(0),
            };
            return reckoning.holds(state.words()).then(subject);
        }
        let scene = Scene { stuck, ..Scene::of_state(self, state) };
        let holds = |&mover: &PlayerId| Scene { mover, ..scene }.holds(&ending.when);
        match ending.of {
            Subject::Mover => Some(scene.mover).filter(holds),
            Subject::Each => self.players().find(holds),
        }
    }
}

/// Adds the variables that a condition asks about; none if it asks about anything else. That the
/// mover is stuck is not asked where play is about to go on.
fn asked_variables(condition: &Condition, into: &mut Vec<VariableId>) -> Option<()> {
    match &condition.test {
        Test::Always | Test::Never | Test::Stuck => Some(()),
        // What comes after a part that is always assumed not to hold is never asked.
        Test::All(all) if matches!(all.first(), Some(Condition { test: Test::Stuck, .. })) => {
            Some(())
        }
        Test::All(all) | Test::Any(all) => {
            all.iter().try_for_each(|one| asked_variables(one, into))
        }
        Test::Not(one) | Test::Called(one) | Test::Relevant(one) => asked_variables(one, into),
        Test::Compare { left, right, .. } => {
            [left, right].into_iter().try_for_each(|value| match value {
                Value::Number(_) => Some(()),
                Value::Variable(variable, _) => {
                    into.push(*variable);
                    Some(())
                }
                _ => None,
            })
        }
        Test::Turn(_) | Test::Tile { .. } | Test::Line { .. } | Test::Custom(_) => None,
    }
}
