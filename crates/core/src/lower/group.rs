//! Questions about each group of a set, lifted to all groups at once.
//!
//! Whether a group touches a set is known of all groups after one flood fill, which begins where any
//! of them touches it. What is asked with `all`, `any` and `not` of such answers is a set too: the
//! tiles of the groups for which it holds.

use crate::tile_set::TileSet;
use crate::typed::{Condition, Connection, Effect, Heading, Loop, Number, Set, Tile, Truth};

use super::fact::{Part, asks_any, is_local, visit};
use super::{Builder, Local};

/// The groups of a set, and the name that a loop gives to each.
#[derive(Clone, Copy)]
struct Groups<'a> {
    name: Local,
    of: &'a Set,
    along: &'a [Heading],
}

impl<'a> Groups<'a> {
    fn of(over: &'a Loop) -> Option<Groups<'a>> {
        match over {
            Loop::Groups(name, of, along) => Some(Groups { name: *name, of, along }),
            Loop::Tiles(..) => None,
        }
    }

    fn is_asked_in(self, part: Part<'_>) -> bool {
        let mut found = false;
        visit(part, &mut |part| {
            found |= match part {
                Part::Set(Set::Local(name)) | Part::Tile(Tile::Local(name)) => *name == self.name,
                _ => false,
            };
        });
        found
    }

    /// The tiles of the groups that have some of these tiles.
    fn with(self, tiles: Set) -> Set {
        Set::Reach {
            from: Box::new(Set::All(vec![self.of.clone(), tiles])),
            over: Box::new(self.of.clone()),
            along: self.along.to_vec(),
            connection: Connection::Either,
        }
    }

    /// The tiles of the groups for which a set that depends on the group is not empty.
    fn where_some(self, set: &Set) -> Option<Set> {
        let parts = match set {
            Set::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let (own, others): (Vec<&Set>, Vec<&Set>) =
            parts.iter().partition(|part| self.is_asked_in(Part::Set(part)));
        let others = Set::All(others.into_iter().cloned().collect());
        match own[..] {
            [Set::Local(_)] => Some(self.with(others)),
            [Set::Around(inner, along)] if matches!(**inner, Set::Local(_)) => {
                let from =
                    |step: &Heading| Set::Origin(Box::new(others.clone()), vec![step.clone()]);
                Some(self.with(Set::Any(along.iter().map(from).collect())))
            }
            _ => None,
        }
    }

    /// The tiles of the groups for which a condition holds.
    fn where_holds(self, condition: &Condition) -> Option<Set> {
        let each = |all: &[Condition]| -> Option<Vec<Set>> {
            all.iter().map(|one| self.where_holds(one)).collect()
        };
        let but = |set: Set| Set::All(vec![self.of.clone(), Set::Not(Box::new(set))]);
        Some(match &condition.test {
            Truth::All(all) => Set::All(each(all)?),
            Truth::Any(any) => Set::Any(each(any)?),
            Truth::Not(one) => but(self.where_holds(one)?),
            Truth::Called(one) | Truth::Relevant(one) => self.where_holds(one)?,
            Truth::Some(set) => self.where_some(set)?,
            Truth::None(set) => but(self.where_some(set)?),
            Truth::Compare(Number::Count(set), is, Number::Is(number)) => {
                match asks_any(*is, *number)? {
                    true => self.where_some(set)?,
                    false => but(self.where_some(set)?),
                }
            }
            _ => return None,
        })
    }

    /// Whether what a condition asks of one group stays the same when others are cleared: steps lead
    /// from a group to none of the others, and what it asks of a tile hangs on that tile alone.
    fn is_apart(self, condition: &Condition) -> bool {
        let mut apart = true;
        visit(Part::Truth(condition), &mut |part| {
            apart &= match part {
                Part::Set(Set::Around(_, along)) => {
                    along.iter().all(|step| self.along.contains(step))
                }
                Part::Set(Set::All(_) | Set::Local(_)) => true,
                Part::Set(set) => is_local(set),
                _ => true,
            };
        });
        apart
    }
}

impl Builder<'_, '_> {
    /// The tiles of the groups of a loop for which a condition holds, where they are found at once.
    pub(super) fn groups_where(&self, over: &Loop, condition: &Condition) -> Option<Set> {
        Groups::of(over)?.where_holds(condition)
    }

    /// The union of the groups for which a condition holds, written as a loop.
    pub(super) fn chosen_groups(&self, over: &Loop, set: &Set) -> Option<Set> {
        let groups = Groups::of(over)?;
        match set {
            Set::If(condition, yes, no)
                if **yes == Set::Local(groups.name)
                    && matches!(&**no, Set::Const(tiles) if tiles.iter().all(TileSet::is_empty)) =>
            {
                groups.where_holds(condition)
            }
            _ => None,
        }
    }

    /// The tiles that a loop clears which clears every group for which a condition holds.
    pub(super) fn cleared_groups(&self, over: &Loop, effects: &[Effect]) -> Option<Set> {
        let groups = Groups::of(over)?;
        let [Effect::When { condition, then, otherwise }] = effects else { return None };
        let [Effect::Clear(Set::Local(name))] = &then[..] else { return None };
        let whole = *name == groups.name && otherwise.is_empty();
        (whole && groups.is_apart(condition)).then(|| groups.where_holds(condition))?
    }
}
