//! Numbers: from names to ids.

use crate::fault::{Artifact, Fault};
use crate::typed;
use crate::written::Number;

use super::word::Words;

impl Words<'_, '_> {
    pub(crate) fn value(&mut self, written: &Number) -> Option<typed::Number> {
        self.nested(|words| words.number_of(written))
    }

    fn values(&mut self, written: &[Number]) -> Option<Vec<typed::Number>> {
        let all: Vec<_> = written.iter().map(|one| self.value(one)).collect();
        all.into_iter().collect()
    }

    fn number_of(&mut self, written: &Number) -> Option<typed::Number> {
        Some(match written {
            Number::Is(number) => typed::Number::Is(*number),
            Number::Variable { name, of } => {
                let variable = self.compiler.variable(&self.place, name);
                typed::Number::Variable(variable?, self.seat(of)?)
            }
            Number::Die(name) => typed::Number::Die(self.compiler.die(&self.place, name)?),
            Number::Count(set) => typed::Number::Count(self.set(set)?),
            Number::Pieces { on, owner, kind } => {
                let (on, owner) = (self.set(on), self.who(owner));
                let kind = match kind {
                    Some(name) => Some(self.compiler.kind(&self.place, name)?),
                    None => None,
                };
                typed::Number::Pieces(on?, owner?, kind)
            }
            Number::Hand { kind, of } => {
                let kind = self.compiler.kind(&self.place, kind);
                typed::Number::Hand(kind?, self.seat(of)?)
            }
            Number::Attribute { name, on } => {
                let counts = self.attribute(name);
                typed::Number::Attribute(counts, self.set(on)?)
            }
            Number::Groups { of, along } => {
                let (of, along) = (self.set(of), self.connections(along));
                typed::Number::Groups(of?, along?)
            }
            Number::Distance { from, along, to } => {
                let (from, along, to) = (self.tile(from), self.heading(along), self.set(to));
                typed::Number::Distance(from?, along?, to?)
            }
            Number::Sum(all) => typed::Number::Sum(self.values(all)?),
            Number::Minus(one, other) => {
                let (one, other) = (self.value(one), self.value(other));
                typed::Number::Minus(Box::new(one?), Box::new(other?))
            }
            Number::Times(all) => typed::Number::Times(self.values(all)?),
            Number::Min(all) => typed::Number::Min(self.some_values(all)?),
            Number::Max(all) => typed::Number::Max(self.some_values(all)?),
            Number::If(truth, yes, no) => {
                let truth = Box::new(self.unnumbered(truth));
                let (yes, no) = (self.value(yes), self.value(no));
                typed::Number::If(truth, Box::new(yes?), Box::new(no?))
            }
        })
    }

    /// Numbers of which there is at least one.
    fn some_values(&mut self, written: &[Number]) -> Option<Vec<typed::Number>> {
        if written.is_empty() {
            self.fault(Fault::None { what: Artifact::Word });
        }
        self.values(written)
    }

    /// What an attribute is for each kind that has it.
    fn attribute(&mut self, name: &str) -> Vec<(crate::KindId, i64)> {
        let kinds = self.compiler.definition.kinds.iter().enumerate();
        let counts = kinds.filter_map(|(index, kind)| {
            let found = kind.attributes.iter().find(|attribute| attribute.name == name)?;
            Some((crate::KindId::at(index), found.value))
        });
        let counts: Vec<_> = counts.collect();
        if counts.is_empty() {
            self.compiler.unknown(&self.place, Artifact::Attribute, name, None);
        }
        counts
    }
}
