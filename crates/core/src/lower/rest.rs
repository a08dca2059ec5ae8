//! Conditions that events of a rule leave as they are, so that what they decide is known beforehand.
//!
//! A rule may move pieces only while a variable says so, which none of its events changes. While it does
//! not, the rule is as one without these effects.

use crate::game::Game;
use crate::id::{RuleId, VariableId};
use crate::typed::{Condition, Effect, Number, Rule, Truth};

use super::fact::{Part, conjuncts, moves_nothing, visit, visit_effects};

/// What a rule does while some conditions do not hold.
pub(super) struct AtRest {
    pub(super) before: Vec<Effect>,
    pub(super) after: Vec<Effect>,
    /// None of these holds.
    pub(super) unless: Vec<Condition>,
}

impl AtRest {
    pub(super) fn of(rule: &Rule) -> AtRest {
        let mut unless = Vec::new();
        let [before, after] =
            [&rule.before, &rule.after].map(|effects| at_rest(rule, effects, &mut unless));
        AtRest { before, after, unless }
    }
}

/// Effects without those that move pieces under conditions that the rule leaves as they are.
fn at_rest(rule: &Rule, effects: &[Effect], unless: &mut Vec<Condition>) -> Vec<Effect> {
    let mut left = Vec::new();
    for effect in effects {
        match effect {
            Effect::When { condition, then, otherwise }
                if !moves_nothing(then) && keeps(rule, condition) =>
            {
                if !unless.contains(condition) {
                    unless.push((**condition).clone());
                }
                left.extend(at_rest(rule, otherwise, unless));
            }
            effect => left.push(effect.clone()),
        }
    }
    left
}

/// A condition of a rule without which it has no events, and which no event of others changes.
pub(super) fn asleep_unless<'r>(
    game: &'r Game,
    id: RuleId,
    others: &[RuleId],
) -> Option<&'r Condition> {
    let parts = conjuncts(&game.rules[id.index()].when);
    let lasts = |one: &&Condition| others.iter().all(|id| keeps(&game.rules[id.index()], one));
    parts.into_iter().find(lasts)
}

/// Whether a condition holds after an event of a rule, and while it is carried out, if and only if it does
/// before: it is about variables alone, and the rule changes none of them.
pub(crate) fn keeps(rule: &Rule, condition: &Condition) -> bool {
    let mut asked: Vec<VariableId> = Vec::new();
    let mut alone = true;
    visit(Part::Truth(condition), &mut |part| match part {
        Part::Number(Number::Variable(variable, _)) => asked.push(*variable),
        Part::Number(
            Number::Is(_)
            | Number::Sum(_)
            | Number::Minus(..)
            | Number::Times(_)
            | Number::Min(_)
            | Number::Max(_)
            | Number::If(..),
        ) => {}
        Part::Truth(one) => {
            alone &= matches!(
                one.test,
                Truth::Always
                    | Truth::Never
                    | Truth::All(_)
                    | Truth::Any(_)
                    | Truth::Not(_)
                    | Truth::Called(_)
                    | Truth::Compare(..)
            );
        }
        Part::Number(_) | Part::Set(_) | Part::Tile(_) => alone = false,
    });
    let mut written = false;
    for effects in rule.effect_lists() {
        visit_effects(effects, &mut |effect| {
            written |= match effect {
                Effect::Set { variable, .. } | Effect::Add { variable, .. } => {
                    asked.contains(variable)
                }
                Effect::Sow { count, .. } => count.is_some_and(|one| asked.contains(&one)),
                Effect::Custom(_) => true,
                _ => false,
            };
        });
    }
    alone && !written
}
