//! Conditions of a rule sorted by what they depend on, and lifted to sets of targets.
//!
//! A lifted condition is the set of targets for which it holds, so that it is asked once for all
//! candidates.

use crate::inspect::Frequency;
use crate::ir::{Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Heading, Movement, Number, Rule, Set, Tile, Truth};

use crate::written::Comparison;

use super::fact::{Part, Uses, asks_any, conjuncts, constant, flatten, mentions, uses};
use super::{Answer, Builder};

/// The questions of a rule, by what they depend on.
#[derive(Default)]
pub(super) struct Questions {
    /// On the state alone.
    pub(super) free: Vec<Condition>,
    /// On the source too.
    pub(super) of_source: Vec<Condition>,
    /// The same, but so costly that they are asked only where there are targets.
    pub(super) late: Vec<Condition>,
    /// Sets in which the target must lie, found once.
    pub(super) targets: Vec<Set>,
    /// The same, found for each source.
    pub(super) targets_of_source: Vec<Set>,
    /// Asked of every candidate.
    pub(super) of_candidate: Vec<Condition>,
}

impl Builder<'_, '_> {
    pub(super) fn questions(&self, rule: &Rule, movement: &Movement) -> Questions {
        let mut questions = Questions::default();
        conjuncts(&rule.when).into_iter().for_each(|one| self.sort(one, &mut questions));
        self.sort_source(&movement.source, &mut questions);
        self.sort_target(&movement.onto, &mut questions);
        questions
    }

    /// How often each part of a condition that must hold is asked.
    pub(super) fn frequencies(&self, condition: &Condition) -> Vec<(u16, Frequency)> {
        let frequency = |one: &Condition| {
            let mut questions = Questions::default();
            self.sort(one, &mut questions);
            let Questions { free, of_source, late, targets, targets_of_source, .. } = questions;
            if !free.is_empty() {
                Frequency::Once
            } else if !of_source.is_empty() || !late.is_empty() {
                Frequency::PerSource
            } else if !targets.is_empty() || !targets_of_source.is_empty() {
                Frequency::Lifted
            } else {
                Frequency::PerCandidate
            }
        };
        conjuncts(condition).into_iter().map(|one| (one.number, frequency(one))).collect()
    }

    /// Puts a condition where it costs least.
    pub(super) fn sort(&self, condition: &Condition, into: &mut Questions) {
        let needs = uses(Part::Truth(condition));
        match needs {
            Uses { from: false, to: false, .. } => into.free.push(condition.clone()),
            Uses { from: true, to: false, attacks: true, .. } => into.late.push(condition.clone()),
            Uses { from: true, to: false, .. } => into.of_source.push(condition.clone()),
            Uses { custom: false, from, .. } => match self.lift(condition, &Tile::To) {
                Some(set) if from => into.targets_of_source.push(set),
                Some(set) => into.targets.push(set),
                None => into.of_candidate.push(condition.clone()),
            },
            _ => into.of_candidate.push(condition.clone()),
        }
    }

    /// A source that depends on the event is a question; otherwise it is looked for.
    pub(super) fn sort_source(&self, source: &Set, into: &mut Questions) {
        let needs = uses(Part::Set(source));
        if needs.from || needs.to {
            let test = Truth::In(Tile::From, source.clone());
            self.sort(&Condition { number: 0, test }, into);
        }
    }

    pub(super) fn sort_target(&self, onto: &Set, into: &mut Questions) {
        if !self.lowering.is_everywhere(onto, self.player) {
            let test = Truth::In(Tile::To, onto.clone());
            self.sort(&Condition { number: 0, test }, into);
        }
    }

    /// The set of those tiles for which a condition about one, such as the target, holds, where there
    /// is such a set.
    pub(super) fn lift(&self, condition: &Condition, of: &Tile) -> Option<Set> {
        let about_target = |part: Part<'_>| mentions(part, of);
        let lift_all = |all: &[Condition]| -> Option<Vec<Set>> {
            all.iter().map(|one| self.lift(one, of)).collect()
        };
        let everywhere = || constant(self.game, self.game.all_tiles);
        let nowhere = || constant(self.game, TileSet::EMPTY);
        Some(match &condition.test {
            _ if !about_target(Part::Truth(condition)) => {
                Set::If(Box::new(condition.clone()), Box::new(everywhere()), Box::new(nowhere()))
            }
            Truth::All(all) => Set::All(lift_all(all)?),
            Truth::Any(any) => Set::Any(lift_all(any)?),
            Truth::Not(one) => Set::Not(Box::new(self.lift(one, of)?)),
            Truth::Called(one) | Truth::Relevant(one) => self.lift(one, of)?,
            Truth::In(tile, set) if tile == of && !about_target(Part::Set(set)) => set.clone(),
            Truth::In(tile, Set::All(sets)) if tile == of => {
                let each = sets.iter().map(|set| self.lift_membership(set, of));
                Set::All(each.collect::<Option<_>>()?)
            }
            Truth::In(Tile::Steps(tile, steps), set)
                if **tile == *of && !about_target(Part::Set(set)) =>
            {
                Set::Origin(Box::new(set.clone()), steps.clone())
            }
            Truth::Some(set) => self.lift_some(set, of)?,
            Truth::None(set) => Set::Not(Box::new(self.lift_some(set, of)?)),
            Truth::Compare(Number::Count(set), is, Number::Is(number)) => {
                match asks_any(*is, *number)? {
                    true => self.lift_some(set, of)?,
                    false => Set::Not(Box::new(self.lift_some(set, of)?)),
                }
            }
            Truth::Compare(one, is, other) => match is {
                Comparison::Equal => lift_distance(one, other, of)?,
                Comparison::Different => Set::Not(Box::new(lift_distance(one, other, of)?)),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn lift_membership(&self, set: &Set, of: &Tile) -> Option<Set> {
        self.lift(&Condition { number: 0, test: Truth::In(of.clone(), set.clone()) }, of)
    }

    /// The tiles for which a set that depends on one has a tile.
    fn lift_some(&self, set: &Set, of: &Tile) -> Option<Set> {
        match set {
            Set::Any(any) => {
                let any: Option<Vec<Set>> = any.iter().map(|one| self.lift_some(one, of)).collect();
                Some(Set::Any(any?))
            }
            Set::Run { from, along, over, end: Some(end) }
                if **from == *of
                    && !mentions(Part::Set(over), of)
                    && !mentions(Part::Set(end), of)
                    && self.is_straight(along) =>
            {
                let (over, end) = (over.clone(), end.clone());
                Some(Set::RunOrigin { along: along.clone(), over, end })
            }
            Set::All(all) => self.lift_neighbours(all, of),
            Set::At(tile) => {
                let everywhere = constant(self.game, self.game.all_tiles);
                let test = Truth::In((**tile).clone(), everywhere);
                self.lift(&Condition { number: 0, test }, of)
            }
            _ => None,
        }
    }

    /// The tiles beside which lies a tile that some sets have in common.
    fn lift_neighbours(&self, all: &[Set], of: &Tile) -> Option<Set> {
        let itself = Set::At(Box::new(of.clone()));
        let mut others = Vec::new();
        all.iter().for_each(|set| flatten(set, &mut others));
        let is_around = |set: &&Set| matches!(set, Set::Around(inner, _) if **inner == itself);
        let around = others.iter().copied().find(is_around)?;
        let Set::Around(_, along) = around else { return None };
        others.retain(|set| *set != around);
        // No tile lies beside itself.
        if !along.iter().any(|step| self.leads_back(step)) {
            others.retain(|set| !matches!(set, Set::Not(one) if **one == itself));
        }
        if others.iter().any(|set| mentions(Part::Set(set), of)) {
            return None;
        }
        let others = Set::All(others.into_iter().cloned().collect());
        let from = |step: &Heading| Set::Origin(Box::new(others.clone()), vec![step.clone()]);
        Some(Set::Any(along.iter().map(from).collect()))
    }

    /// Whether a direction leads from a tile to itself.
    fn leads_back(&self, along: &Heading) -> bool {
        let (game, direction) = (self.game, self.direction(along));
        game.tiles().any(|tile| game.topology().next(tile, direction) == Some(tile))
    }

    /// Whether a direction leads back to no tile and no two tiles to one.
    fn is_straight(&self, along: &Heading) -> bool {
        let (game, direction) = (self.game, self.direction(along));
        let topology = game.topology();
        let mut reached = TileSet::EMPTY;
        game.tiles().all(|tile| {
            let next = |tile: &crate::TileId| topology.next(*tile, direction);
            let ends = std::iter::successors(Some(tile), next).take(game.tile_count() + 1).count()
                <= game.tile_count();
            let fresh = next(&tile).is_none_or(|next| {
                let fresh = !reached.contains(next);
                reached.insert(next);
                fresh
            });
            ends && fresh
        })
    }

    /// Runs code where all of some conditions hold.
    pub(super) fn guarded(&mut self, conditions: &[Condition], fill: impl FnOnce(&mut Self)) {
        let Some((first, rest)) = conditions.split_first() else { return fill(self) };
        match self.truth(first) {
            Answer::Known(true) => self.guarded(rest, fill),
            Answer::Known(false) => {}
            Answer::Asked(holds) => {
                let body = self.nested(|builder| builder.guarded(rest, fill));
                self.push(Op::If(holds, body, Vec::new()));
            }
        }
    }

    /// The intersection of some sets; none where there are none.
    pub(super) fn meet(&mut self, sets: &[Set]) -> Option<SetReg> {
        let mut found = None;
        for set in sets {
            found = Some(match (found, set) {
                (Some(found), Set::Not(one)) => {
                    let one = self.set(one);
                    self.and_not(found, one)
                }
                (Some(found), set) => {
                    let set = self.set(set);
                    self.and(found, set)
                }
                (None, set) => self.set(set),
            });
        }
        found
    }
}

/// The tiles whose distance from another is a number, where a comparison says so.
fn lift_distance(one: &Number, other: &Number, of: &Tile) -> Option<Set> {
    let (from, along, steps) = match (one, other) {
        (Number::Distance(from, along, Set::At(tile)), steps)
        | (steps, Number::Distance(from, along, Set::At(tile)))
            if **tile == *of =>
        {
            (from, along, steps)
        }
        _ => return None,
    };
    let apart = !mentions(Part::Tile(from), of) && !mentions(Part::Number(steps), of);
    apart.then(|| Set::Distant {
        from: Box::new(from.clone()),
        along: along.clone(),
        steps: Box::new(steps.clone()),
    })
}
