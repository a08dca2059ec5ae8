//! What must hold when all is done, known before anything is done.
//!
//! The state after an event is tried on a copy, which costs as much as playing it. Mostly less is
//! enough: a stone beside an empty tile has a liberty, whatever it captures. A lower bound of what
//! is asked is found in the state as it is and lifted to a set of targets; only the others are tried.

use crate::tile_set::TileSet;
use crate::typed::{
    Condition, Effect, Fate, Loop, Number, Rule, Set, Tile, Truth, UNNUMBERED, Wanted, Who,
};
use crate::written::{Comparison, Deed};

use super::fact::{Part, asks_any, leaves_pieces, outline, visit, visit_effects};
use super::{Builder, Local};

/// The loops around effects, by the names that they bind.
type Loops<'a> = Vec<(Local, &'a Set)>;

impl Builder<'_, '_> {
    /// Targets of a rule about pieces that enter for which all that it ensures is sure to hold.
    pub(super) fn sure_targets(&self, rule: &Rule) -> Option<Set> {
        let puts = matches!(rule.wants, Wanted::Put { .. }) && rule.written.deed == Deed::Usual;
        let stacks = !self.game.all_tiles.without(self.game.exclusive).is_empty();
        if puts && !stacks && takes_foes_alone(rule) {
            return self.lift(&surely(rule.ensures.as_ref()?)?, &Tile::To);
        }
        self.lift(&self.beforehand(rule)?, &Tile::To)
    }

    /// A condition on the state as it is that makes what a rule ensures hold once its effects are
    /// done, found from the last effect to the first.
    fn beforehand(&self, rule: &Rule) -> Option<Condition> {
        let onto = match &rule.wants {
            Wanted::Put { onto, .. } | Wanted::Pick { onto, .. } => onto,
            _ => return None,
        };
        let ensured = rule.ensures.as_ref()?;
        if !is_about_pieces(ensured) {
            return None;
        }
        let after = self.before_all(&rule.after, ensured.clone())?;
        // A piece that enters takes none away, but it may change what effects are about.
        let enters = matches!(rule.wants, Wanted::Put { .. }) && rule.written.deed == Deed::Usual;
        if enters && !is_about_pieces(&after) {
            return None;
        }
        let first = self.before_all(&rule.before, after)?;
        Some(self.apart_from(&first, outline(self.game, self.player, onto)))
    }

    fn before_all(&self, effects: &[Effect], holds: Condition) -> Option<Condition> {
        effects.iter().rev().try_fold(holds, |holds, effect| self.before(effect, holds))
    }

    /// A condition that makes another hold once an effect is done.
    fn before(&self, effect: &Effect, holds: Condition) -> Option<Condition> {
        match effect {
            Effect::When { condition, then, otherwise } => {
                let yes = self.before_all(then, holds.clone())?;
                let no = self.before_all(otherwise, holds.clone())?;
                Some(match yes == no || implies(condition, &yes) {
                    true => no,
                    false => Condition { number: UNNUMBERED, test: Truth::All(vec![yes, no]) },
                })
            }
            Effect::Each(_, inside) | Effect::Repeat(_, inside) => {
                let same = self.before_all(inside, holds.clone())? == holds;
                same.then_some(holds)
            }
            Effect::Clear(on) | Effect::Capture { on, to: Fate::Out | Fate::Hand(_) } => {
                is_about_pieces(&holds).then(|| without(&holds, on))
            }
            // Tiles that hold many take in whatever comes.
            Effect::Sow { from: Tile::To, .. } if self.game.exclusive.is_empty() => {
                let source = Set::At(Box::new(Tile::To));
                is_about_pieces(&holds).then(|| without(&holds, &source))
            }
            Effect::Set { .. } | Effect::Add { .. } | Effect::Turn(_) => {
                is_about_board(&holds).then_some(holds)
            }
            effect => (leaves_pieces(effect) && is_about_pieces(&holds)).then_some(holds),
        }
    }

    /// A condition on pieces without what it says of the target where that never matters.
    fn apart_from(&self, condition: &Condition, targets: TileSet) -> Condition {
        let target = Set::Not(Box::new(Set::At(Box::new(Tile::To))));
        let each =
            |all: &[Condition]| all.iter().map(|one| self.apart_from(one, targets)).collect();
        let test = match &condition.test {
            Truth::All(all) => Truth::All(each(all)),
            Truth::Any(any) => Truth::Any(each(any)),
            Truth::Called(one) | Truth::Relevant(one) => return self.apart_from(one, targets),
            Truth::Some(set) => {
                let mut parts = conjuncts(set);
                if (outline(self.game, self.player, set) & targets).is_empty() {
                    parts.retain(|part| **part != target);
                }
                Truth::Some(Set::All(parts.into_iter().cloned().collect()))
            }
            other => other.clone(),
        };
        Condition { number: condition.number, test }
    }
}

/// The sets that a set is the intersection of.
fn conjuncts(set: &Set) -> Vec<&Set> {
    match set {
        Set::All(all) => all.iter().flat_map(conjuncts).collect(),
        one => vec![one],
    }
}

/// The set of which a condition says that it has a tile.
fn some(condition: &Condition) -> Option<&Set> {
    match &condition.test {
        Truth::Some(set) => Some(set),
        Truth::Compare(Number::Count(set), is, Number::Is(number)) => {
            asks_any(*is, *number)?.then_some(set)
        }
        Truth::Called(one) | Truth::Relevant(one) => some(one),
        _ => None,
    }
}

/// Whether one condition says at least as much as another; where that is not seen, it does not.
fn implies(one: &Condition, other: &Condition) -> bool {
    let (Some(one), Some(other)) = (some(one), some(other)) else { return false };
    let (one, other) = (conjuncts(one), conjuncts(other));
    other.iter().all(|part| one.contains(part))
}

/// Whether a condition says no more than that pieces stand on some tiles.
fn is_about_pieces(condition: &Condition) -> bool {
    match &condition.test {
        Truth::All(all) | Truth::Any(all) => all.iter().all(is_about_pieces),
        Truth::Called(one) | Truth::Relevant(one) => is_about_pieces(one),
        _ => some(condition).is_some_and(grows_with_pieces),
    }
}

/// Whether a condition says nothing of variables, dice, the turn and what rules allow.
fn is_about_board(condition: &Condition) -> bool {
    let mut board = true;
    visit(Part::Truth(condition), &mut |part| {
        board &= match part {
            Part::Number(number) => matches!(number, Number::Count(_) | Number::Is(_)),
            Part::Truth(one) => match &one.test {
                Truth::All(_) | Truth::Any(_) | Truth::Called(_) | Truth::Relevant(_) => true,
                _ => some(one).is_some(),
            },
            Part::Set(_) | Part::Tile(_) => true,
        };
    });
    board
}

/// Whether a set depends on pieces alone and has the more tiles the more pieces there are.
fn grows_with_pieces(set: &Set) -> bool {
    match set {
        Set::Const(_) | Set::Owned(_) | Set::AtLeast(..) => true,
        Set::At(tile) => matches!(**tile, Tile::To | Tile::Const(_)),
        Set::Not(one) => is_fixed(one),
        Set::All(all) | Set::Any(all) => all.iter().all(grows_with_pieces),
        _ => false,
    }
}

/// Whether a set is the same whatever happens.
fn is_fixed(set: &Set) -> bool {
    match set {
        Set::Const(_) => true,
        Set::At(tile) => matches!(**tile, Tile::To | Tile::Const(_)),
        _ => false,
    }
}

/// A condition on pieces where those on some tiles do not count.
fn without(condition: &Condition, tiles: &Set) -> Condition {
    let each = |all: &[Condition]| all.iter().map(|one| without(one, tiles)).collect();
    let test = match &condition.test {
        Truth::All(all) => Truth::All(each(all)),
        Truth::Any(any) => Truth::Any(each(any)),
        Truth::Called(one) | Truth::Relevant(one) => return without(one, tiles),
        other => match some(condition) {
            Some(set) => {
                Truth::Some(Set::All(vec![set.clone(), Set::Not(Box::new(tiles.clone()))]))
            }
            None => other.clone(),
        },
    };
    Condition { number: UNNUMBERED, test }
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
