//! What must hold when all is done, known before anything is done.
//!
//! The state after an event is tried on a copy, which costs as much as playing it. Mostly less is
//! enough: a stone beside an empty tile has a liberty, whatever it captures. A lower bound of what
//! is asked is found in the state as it is and lifted to a set of targets; only the others are tried.

use crate::typed::{Condition, Effect, Fate, Loop, Number, Rule, Set, Tile, Truth, Wanted, Who};
use crate::written::{Comparison, Deed};

use super::fact::{leaves_pieces, visit_effects};
use super::{Builder, Local};

/// The loops around effects, by the names that they bind.
type Loops<'a> = Vec<(Local, &'a Set)>;

impl Builder<'_, '_> {
    /// Targets of a rule about pieces that enter for which all that it ensures is sure to hold.
    pub(super) fn sure_targets(&self, rule: &Rule) -> Option<Set> {
        let puts = matches!(rule.wants, Wanted::Put { .. }) && rule.written.deed == Deed::Usual;
        let stacks = !self.game.all_tiles.without(self.game.exclusive).is_empty();
        if !puts || stacks || !takes_foes_alone(rule) {
            return None;
        }
        self.lift(&surely(rule.ensures.as_ref()?)?, &Tile::To)
    }
}

/// Whether a rule leaves every piece of the mover where it is, and places none but the one that enters.
fn takes_foes_alone(rule: &Rule) -> bool {
    let lists = [&rule.before, &rule.after];
    let mut loops = Loops::new();
    for list in lists {
        visit_effects(list, &mut |effect| {
            if let Effect::Each(Loop::Tiles(name, set) | Loop::Groups(name, set, _), _) = effect {
                loops.push((*name, set));
            }
        });
    }
    let mut alone = true;
    for list in lists {
        visit_effects(list, &mut |effect| {
            alone &= match effect {
                Effect::Clear(on) => is_within_foes(on, &loops),
                // A capture spares friends.
                Effect::Capture { to: Fate::Out | Fate::Hand(_), .. } => true,
                effect => leaves_pieces(effect) && !matches!(effect, Effect::Custom(_)),
            };
        });
    }
    alone
}

/// Whether only foes stand on the tiles of a set.
fn is_within_foes(set: &Set, loops: &Loops<'_>) -> bool {
    match set {
        Set::Owned(Who::Foe) => true,
        Set::All(all) => all.iter().any(|one| is_within_foes(one, loops)),
        Set::Any(any) => any.iter().all(|one| is_within_foes(one, loops)),
        Set::Local(name) => {
            let mut around = loops.iter().filter(|(bound, _)| bound == name).peekable();
            around.peek().is_some() && around.all(|(_, set)| is_within_foes(set, loops))
        }
        Set::Reach { over, .. } => is_within_foes(over, loops),
        _ => false,
    }
}

/// A condition on the state as it is that makes another one hold afterwards.
fn surely(condition: &Condition) -> Option<Condition> {
    let each = |all: &[Condition]| all.iter().map(surely).collect::<Option<Vec<_>>>();
    let test = match &condition.test {
        Truth::Always => Truth::Always,
        Truth::All(all) => Truth::All(each(all)?),
        Truth::Any(any) => Truth::Any(each(any)?),
        Truth::Called(one) | Truth::Relevant(one) => return surely(one),
        Truth::Some(set) => Truth::Some(at_least(set)?),
        Truth::Compare(
            Number::Count(set),
            is @ (Comparison::AtLeast | Comparison::Greater),
            number @ Number::Is(_),
        ) => Truth::Compare(Number::Count(at_least(set)?), *is, number.clone()),
        _ => return None,
    };
    Some(Condition { number: condition.number, test })
}

/// Tiles that are sure to be in a set afterwards, in terms of the state as it is: foes may be gone, the
/// mover's pieces stay, and one of them stands on the target.
fn at_least(set: &Set) -> Option<Set> {
    let target = || Set::At(Box::new(Tile::To));
    let each = |all: &[Set]| all.iter().map(at_least).collect::<Option<Vec<_>>>();
    Some(match set {
        Set::Const(_) => set.clone(),
        Set::Empty => Set::All(vec![Set::Empty, Set::Not(Box::new(target()))]),
        Set::Owned(Who::Mover | Who::Friend | Who::Anyone) => {
            Set::Any(vec![Set::Owned(Who::Mover), target()])
        }
        Set::At(tile) if matches!(**tile, Tile::To | Tile::Const(_)) => set.clone(),
        Set::All(all) => Set::All(each(all)?),
        Set::Any(any) => Set::Any(each(any)?),
        Set::Around(one, along) => Set::Around(Box::new(at_least(one)?), along.clone()),
        // Of a group that the target belongs to, the target.
        Set::Reach { from, over, .. } if **from == target() && has_target(over) => target(),
        _ => return None,
    })
}

/// Whether the piece that enters is in a set afterwards.
fn has_target(set: &Set) -> bool {
    match set {
        Set::Owned(Who::Mover | Who::Friend | Who::Anyone) => true,
        Set::Any(any) => any.iter().any(has_target),
        _ => false,
    }
}
