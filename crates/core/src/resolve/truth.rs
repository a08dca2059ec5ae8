//! Conditions: from names to ids.

use crate::fault::Fault;
use crate::typed;
use crate::written::{Binding, Domain, Truth};

use super::word::{Context, Words};

impl Words<'_, '_> {
    /// A condition; parts that name unknown things ask nothing, their mistakes are noted.
    pub(crate) fn condition(&mut self, written: &Truth) -> typed::Condition {
        let number = self.number;
        self.number = self.number.saturating_add(1);
        let test = self.nested(|words| words.truth(written)).unwrap_or(typed::Truth::Always);
        let condition = typed::Condition { number, test };
        if self.compiler.certainty(&condition) == Some(false) {
            self.fault(Fault::NeverHolds { condition: written.to_string() });
        }
        condition
    }

    fn conditions(&mut self, all: &[Truth]) -> Vec<typed::Condition> {
        all.iter().map(|one| self.condition(one)).collect()
    }

    fn boxed(&mut self, written: &Truth) -> Box<typed::Condition> {
        Box::new(self.condition(written))
    }

    /// A condition inside another expression, which has no number of its own.
    pub(super) fn unnumbered(&mut self, written: &Truth) -> typed::Condition {
        let number = std::mem::replace(&mut self.number, typed::UNNUMBERED);
        let condition = self.condition(written);
        self.number = number;
        condition
    }

    fn truth(&mut self, written: &Truth) -> Option<typed::Truth> {
        Some(match written {
            Truth::Always => typed::Truth::Always,
            Truth::Never => typed::Truth::Never,
            Truth::All(all) => typed::Truth::All(self.conditions(all)),
            Truth::Any(any) => typed::Truth::Any(self.conditions(any)),
            Truth::Not(one) => typed::Truth::Not(self.boxed(one)),
            Truth::Called(_, one) => typed::Truth::Called(self.boxed(one)),
            Truth::Relevant(one) => typed::Truth::Relevant(self.boxed(one)),
            Truth::Turn(player) => typed::Truth::Turn(self.compiler.player(&self.place, player)?),
            Truth::Compare { left, is, right } => {
                let (left, right) = (self.value(left), self.value(right));
                typed::Truth::Compare(left?, *is, right?)
            }
            Truth::In(tile, set) => {
                let (tile, set) = (self.tile(tile), self.set(set));
                typed::Truth::In(tile?, set?)
            }
            Truth::Some(set) => typed::Truth::Some(self.set(set)?),
            Truth::None(set) => typed::Truth::None(self.set(set)?),
            Truth::Line { length, along, of } => {
                let (lines, of) = (self.lines(*length, along), self.set(of));
                typed::Truth::Line(lines?, of?)
            }
            Truth::Exists(binding, one) => self.quantified(binding, one, Quantifier::Some)?,
            Truth::Each(binding, one) => self.quantified(binding, one, Quantifier::Every)?,
            Truth::Stuck => {
                if !matches!(self.context, Context::Ending | Context::Event) {
                    self.fault(Fault::StuckOutsideRule);
                }
                typed::Truth::Stuck
            }
            Truth::Repeats(times) => {
                if self.in_effect {
                    self.fault(Fault::RepeatsInEffect);
                }
                typed::Truth::Repeats(*times)
            }
            Truth::Can { by, from } => {
                let (rules, from) =
                    (self.compiler.movement_rules(&self.place, by), self.tile(from));
                typed::Truth::Can(rules?, from?)
            }
            Truth::Custom { name } => match self.compiler.options.customs.conditions.get(name) {
                Some(custom) => typed::Truth::Custom(*custom),
                None => {
                    self.fault(Fault::UnknownCustom { name: name.clone() });
                    return None;
                }
            },
        })
    }

    /// A truth for each value of a name: directions are written out, the rest is a loop.
    fn quantified(
        &mut self,
        binding: &Binding,
        one: &Truth,
        quantifier: Quantifier,
    ) -> Option<typed::Truth> {
        if let Domain::Directions(directions) = &binding.over {
            let each = self
                .each_direction(&binding.name, directions, |words| Some(words.unnumbered(one)))?;
            return Some(match quantifier {
                Quantifier::Some => typed::Truth::Any(each),
                Quantifier::Every => typed::Truth::All(each),
            });
        }
        let (over, one) = self.bound(binding, |words| Some(Box::new(words.unnumbered(one))))?;
        Some(match quantifier {
            Quantifier::Some => typed::Truth::Exists(over, one),
            Quantifier::Every => typed::Truth::Each(over, one),
        })
    }
}

#[derive(Clone, Copy)]
enum Quantifier {
    Some,
    Every,
}
