//! Questions about groups and what they touch, which chance alone would rarely put together.

use senet_core::{
    Binding, Definition, Domain, Effect, Number, Rule, Set, Tile, Truth, Wanted, Who,
};

use super::{Event, Random};

impl Random<'_> {
    /// Lets a rule of a definition ask or clear groups by what lies around them.
    pub(super) fn ask_groups(&mut self, definition: &mut Definition) {
        let Some(phase) = definition.phases.first_mut() else { return };
        let at = (self.below)(phase.rules.len() as u64) as usize;
        let Some(rule) = phase.rules.get_mut(at) else { return };
        self.event = match rule.wants {
            Wanted::Move(_) => Event::Move,
            Wanted::Put(_) | Wanted::Pick { .. } => Event::Put,
            _ => Event::Nothing,
        };
        for _ in 0..1 + (self.below)(2) {
            self.ask_groups_in(rule);
        }
        self.event = Event::Nothing;
    }

    fn ask_groups_in(&mut self, rule: &mut Rule) {
        let whose = self.pick(&[Who::Mover, Who::Foe, Who::Foe, Who::Anyone]);
        let of = if self.once_in(4) { self.set(1) } else { Set::Owned(whose) };
        let along = self.along();
        let name = "g".to_owned();
        let over = Domain::Groups { of: Box::new(of), along: along.clone() };
        let binding = Binding { name: name.clone(), over };
        let asked = self.about_group(&along, 1);
        let ensured = match (self.below)(5) {
            0 | 1 => {
                let clear = Effect::Clear(Set::Name(name));
                let clear = Effect::when_else(asked, [clear], []);
                rule.after.insert(0, Effect::Each(binding, vec![clear]));
                return;
            }
            2 => Truth::Exists(binding, Box::new(asked)),
            3 => {
                let chosen = Set::If(
                    Box::new(asked),
                    Box::new(Set::Name(name)),
                    Box::new(Set::Tiles(Vec::new())),
                );
                Number::Count(Set::union(binding, chosen)).at_least((self.below)(3) as i64)
            }
            _ if self.event == Event::Put => {
                let of = Box::new(Set::Owned(Who::Mover));
                let group = Set::Group { of, at: Box::new(Tile::To), along };
                let around = Set::Around(Box::new(group), self.along());
                (around & if self.once_in(3) { self.set(1) } else { Set::Empty }).any()
            }
            _ => Truth::Each(binding, Box::new(asked)),
        };
        let before = std::mem::take(&mut rule.ensures);
        rule.ensures = before.and(ensured);
    }

    /// A question about the group `g`.
    fn about_group(&mut self, along: &[String], depth: u32) -> Truth {
        if depth > 0 {
            return match (self.below)(5) {
                0 => self.about_group(along, 0).and(self.about_group(along, 0)),
                1 => self.about_group(along, 0).or(self.about_group(along, 0)),
                2 => !self.about_group(along, 0),
                _ => self.about_group(along, 0),
            };
        }
        let group = Set::Name("g".to_owned());
        let part = match (self.below)(5) {
            0 => group,
            1 => Set::Around(Box::new(group), self.along()),
            _ => Set::Around(Box::new(group), along.to_vec()),
        };
        let part = if self.once_in(8) { part } else { part & self.set(1) };
        match (self.below)(4) {
            0 | 1 => part.none(),
            2 => part.any(),
            _ => Number::Count(part).at_least(1 + (self.below)(2) as i64),
        }
    }
}
