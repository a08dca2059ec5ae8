//! Effects: from names to ids.

use crate::fault::Fault;
use crate::id::DieId;
use crate::typed;
use crate::written::{Binding, Domain, Effect, Fate, Set, Tile};

use super::word::Words;

impl Words<'_, '_> {
    pub(crate) fn effects(&mut self, written: &[Effect]) -> Vec<typed::Effect> {
        let effects = written.iter();
        effects.filter_map(|effect| self.nested(|words| words.effect(effect))).collect()
    }

    fn effect(&mut self, written: &Effect) -> Option<typed::Effect> {
        Some(match written {
            Effect::Capture { on, to } => {
                let (on, to) = (self.set(on), self.fate(to));
                typed::Effect::Capture { on: on?, to: to? }
            }
            Effect::Clear(on) => typed::Effect::Clear(self.set(on)?),
            Effect::Carry { from, to } => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Effect::Carry { from: from?, to: to? }
            }
            Effect::Together(moves) => self.together(moves)?,
            Effect::Shift { on, along } => self.shift(on, along)?,
            Effect::Flag { on, set, clear } => {
                let on = self.set(on);
                let (set, clear) = (self.flags(set), self.flags(clear));
                typed::Effect::Flag { on: on?, set: set?, clear: clear? }
            }
            Effect::Mark { on, set, clear } => {
                let on = self.set(on);
                let (set, clear) = (self.marks(set), self.marks(clear));
                typed::Effect::Mark { on: on?, set: set?, clear: clear? }
            }
            Effect::Become { on, kind } => {
                let on = self.set(on);
                typed::Effect::Become { on: on?, kind: self.compiler.kind(&self.place, kind)? }
            }
            Effect::Give { on, to } => {
                let (on, to) = (self.set(on), self.seat(to));
                typed::Effect::Give { on: on?, to: to? }
            }
            Effect::Place { kind, owner, on } => {
                let (kind, owner) = (self.compiler.kind(&self.place, kind), self.seat(owner));
                typed::Effect::Place { kind: kind?, owner: owner?, on: self.set(on)? }
            }
            Effect::Set { variable, of, to } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, to) = (self.seat(of), self.value(to));
                typed::Effect::Set { variable: variable?, of: of?, to: to? }
            }
            Effect::Add { variable, of, by } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, by) = (self.seat(of), self.value(by));
                typed::Effect::Add { variable: variable?, of: of?, by: by? }
            }
            Effect::TurnWhere(truth) => typed::Effect::TurnWhere(Box::new(self.unnumbered(truth))),
            // Written out before names are resolved.
            Effect::Again { .. } => return None,
            Effect::Turn(seat) => typed::Effect::Turn(self.playing_seat(seat)?),
            Effect::Unroll(dice) => typed::Effect::Unroll(self.dice(dice)?),
            Effect::Show { dice, value } => {
                let (dice, value) = (self.dice(dice), self.value(value));
                typed::Effect::Show { dice: dice?, value: value? }
            }
            Effect::Reset => typed::Effect::Reset,
            Effect::Sow { from, along, skip, count } => {
                self.sow(from, along, skip, count.as_deref())?
            }
            Effect::When { condition, then, otherwise } => typed::Effect::When {
                condition: Box::new(self.unnumbered(condition)),
                then: self.effects(then),
                otherwise: self.effects(otherwise),
            },
            Effect::Each(binding, effects) => self.each(binding, effects)?,
            Effect::Repeat(times, effects) => {
                typed::Effect::Repeat(self.value(times)?, self.effects(effects))
            }
            Effect::Custom { name } => self.custom(name)?,
        })
    }

    fn shift(&mut self, on: &Set, along: &[String]) -> Option<typed::Effect> {
        let (on, along) = (self.set(on), self.headings(along));
        Some(typed::Effect::Shift { on: on?, along: along? })
    }

    fn together(&mut self, moves: &[(Tile, Tile)]) -> Option<typed::Effect> {
        let moves: Vec<_> =
            moves.iter().map(|(from, to)| (self.tile(from), self.tile(to))).collect();
        let both = |(from, to): (Option<_>, Option<_>)| Some((from?, to?));
        Some(typed::Effect::Together(moves.into_iter().map(both).collect::<Option<_>>()?))
    }

    fn sow(
        &mut self,
        from: &Tile,
        along: &str,
        skip: &Set,
        count: Option<&str>,
    ) -> Option<typed::Effect> {
        let (from, along, skip) = (self.tile(from), self.heading(along), self.set(skip));
        let count = match count {
            Some(name) => Some(self.compiler.variable(&self.place, name)?),
            None => None,
        };
        Some(typed::Effect::Sow { from: from?, along: along?, skip: skip?, count })
    }

    /// Effects for each value of a name: directions are written out, the rest is a loop.
    fn each(&mut self, binding: &Binding, effects: &[Effect]) -> Option<typed::Effect> {
        if let Domain::Directions(directions) = &binding.over {
            let each = self
                .each_direction(&binding.name, directions, |words| Some(words.effects(effects)))?;
            let effects = each.into_iter().flatten().collect();
            return Some(typed::Effect::Repeat(typed::Number::Is(1), effects));
        }
        let (over, effects) = self.bound(binding, |words| Some(words.effects(effects)))?;
        Some(typed::Effect::Each(over, effects))
    }

    fn custom(&mut self, name: &str) -> Option<typed::Effect> {
        let custom = self.compiler.options.customs.effects.get(name);
        if custom.is_none() {
            self.fault(Fault::UnknownCustom { name: name.to_owned() });
        }
        custom.map(|custom| typed::Effect::Custom(*custom))
    }

    fn fate(&mut self, written: &Fate) -> Option<typed::Fate> {
        Some(match written {
            Fate::Out => typed::Fate::Out,
            Fate::Tile(tile) => typed::Fate::Tile(self.tile(tile)?),
            Fate::Hand(seat) => typed::Fate::Hand(self.seat(seat)?),
        })
    }

    fn dice(&mut self, names: &[String]) -> Option<Vec<DieId>> {
        let dice: Vec<_> = names.iter().map(|die| self.compiler.die(&self.place, die)).collect();
        dice.into_iter().collect()
    }

    fn flags(&mut self, names: &[String]) -> Option<u64> {
        let flags: Vec<_> =
            names.iter().map(|name| self.compiler.flag(&self.place, name)).collect();
        flags.into_iter().try_fold(0, |mask, flag| Some(mask | 1 << (flag?.index() % 64)))
    }

    fn marks(&mut self, names: &[String]) -> Option<u64> {
        let marks: Vec<_> =
            names.iter().map(|name| self.compiler.mark(&self.place, name)).collect();
        marks.into_iter().try_fold(0, |mask, mark| Some(mask | 1 << (mark?.index() % 64)))
    }
}
