//! Whether play ever asks what lies beside the position: variables kept apart from it, and which
//! of two like pieces stands where. Where it does not, those who only count need not keep it.

use crate::game::Game;
use crate::id::{RuleId, VariableId};
use crate::plan::{Condition, Effect, Rule, Test, Value, Wanted};
use crate::rule::{Listing, Play};

impl Game {
    /// Whether what may be played follows from the position alone.
    pub(crate) fn plays_by_position(&self) -> bool {
        let play = |rule: &&Rule| rule.written.listing == Listing::Play;
        let numbers = (0..self.rules.len()).map(RuleId::at);
        let mut played = numbers.filter(|id| play(&&self.rules[id.index()]));
        // Effects carried out as written look for pieces by what lies beside the position.
        let runs = |id: RuleId| self.players().all(|player| self.program(id, player).is_some());
        let stops = self.endings.iter().filter(|ending| ending.play == Play::Stops);
        played.all(runs)
            && !self.hides_hands()
            && self.gates.iter().all(|gate| self.is_of_position(&gate.when))
            && stops.into_iter().all(|ending| self.is_of_position(&ending.when))
            && self.leaves.iter().all(|leaf| leaf.pre.is_empty())
            && self.rules.iter().filter(play).all(|rule| {
                self.is_of_position(&rule.when)
                    && rule.ensures.iter().all(|ensures| self.is_of_position(ensures))
                    && rule.before.iter().chain(&rule.after).all(|one| self.keeps_position(one))
            })
    }

    /// Whether it is asked which pieces are in hand, and only their names tell: planes do where no
    /// piece changes its kind, if they are what is asked.
    fn hides_hands(&self) -> bool {
        let puts = |rule: &Rule| matches!(rule.wants, Wanted::Put { .. });
        let surveyed = |phase| self.survey.as_ref().is_some_and(|survey| survey.has_puts(phase));
        let named = |rule: &&Rule| self.layout.changing || !surveyed(rule.phase);
        self.rules.iter().filter(|rule| puts(rule)).any(|rule| named(&rule))
            || self
                .serving
                .iter()
                .flat_map(|(_, rules)| rules)
                .any(|id| puts(&self.rules[id.index()]))
    }

    fn is_of_position(&self, condition: &Condition) -> bool {
        match &condition.test {
            Test::All(all) | Test::Any(all) => all.iter().all(|one| self.is_of_position(one)),
            Test::Not(one) | Test::Called(one) | Test::Relevant(one) => self.is_of_position(one),
            Test::Compare { left, right, .. } => self.is_value(left) && self.is_value(right),
            Test::Always
            | Test::Never
            | Test::Stuck
            | Test::Turn(_)
            | Test::Tile { .. }
            | Test::Line { .. } => true,
            _ => false,
        }
    }

    fn is_value(&self, value: &Value) -> bool {
        match value {
            Value::Variable(variable, _) => self.is_hashed(*variable),
            Value::Sum(values) => values.iter().all(|value| self.is_value(value)),
            Value::Number(_) | Value::Die(_) | Value::Tiles { .. } | Value::Pieces { .. } => true,
            #[allow(unreachable_patterns, reason = "a new sort of value may ask anything")]
            _ => false,
        }
    }

    fn is_hashed(&self, variable: VariableId) -> bool {
        self.layout.variable(variable).hashed
    }

    /// Whether what an effect does to the position follows from the position.
    fn keeps_position(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Custom(_) => false,
            Effect::Set { variable, to: value, .. } | Effect::Add { variable, by: value, .. } => {
                !self.is_hashed(*variable) || self.is_value(value)
            }
            Effect::When { condition, then, otherwise } => {
                self.is_of_position(condition)
                    && then.iter().chain(otherwise).all(|one| self.keeps_position(one))
            }
            _ => true,
        }
    }
}
