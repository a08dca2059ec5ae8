//! Facts about typed rules: what an expression reads of the event, and what it could answer if a
//! foe stood on the target.

use crate::tile_set::TileSet;
use crate::typed::{Condition, Effect, Fate, Loop, Number, Set, Tile, Truth, Who};

/// What an expression depends on beyond the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) from: bool,
    pub(crate) to: bool,
    /// A name bound around it.
    pub(crate) local: bool,
    /// What players attack.
    pub(crate) attacks: bool,
    /// Rust code, which may look at anything.
    pub(crate) custom: bool,
}

impl Uses {
    /// Whether it depends on the state alone.
    pub(crate) fn only_state(self) -> bool {
        !self.from && !self.to && !self.local && !self.custom
    }
}

/// A part of an expression, whatever its type.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Set(&'a Set),
    Tile(&'a Tile),
    Number(&'a Number),
    Truth(&'a Condition),
}

/// What a part depends on.
pub(crate) fn uses(part: Part<'_>) -> Uses {
    let mut found = Uses::default();
    visit(part, &mut |part| match part {
        Part::Tile(Tile::From) => found.from = true,
        Part::Tile(Tile::To) => found.to = true,
        Part::Tile(Tile::Local(_)) | Part::Set(Set::Local(_)) => found.local = true,
        Part::Set(Set::Attacked(_)) => found.attacks = true,
        Part::Truth(Condition { test: Truth::Custom(_), .. }) => {
            (found.custom, found.from, found.to) = (true, true, true);
        }
        _ => {}
    });
    found
}

/// Visits a part and every part inside it.
pub(crate) fn visit<'a>(part: Part<'a>, sink: &mut dyn FnMut(Part<'a>)) {
    sink(part);
    match part {
        Part::Set(set) => visit_set(set, sink),
        Part::Tile(tile) => match tile {
            Tile::From | Tile::To | Tile::Const(_) | Tile::Local(_) => {}
            Tile::Only(set) => visit(Part::Set(set), sink),
            Tile::Steps(tile, _) => visit(Part::Tile(tile), sink),
            Tile::First { from, at, .. } => {
                visit(Part::Tile(from), sink);
                visit(Part::Set(at), sink);
            }
        },
        Part::Number(number) => visit_number(number, sink),
        Part::Truth(condition) => visit_truth(&condition.test, sink),
    }
}

fn visit_loop<'a>(over: &'a Loop, sink: &mut dyn FnMut(Part<'a>)) {
    match over {
        Loop::Tiles(_, set) | Loop::Groups(_, set, _) => visit(Part::Set(set), sink),
    }
}

fn visit_set<'a>(set: &'a Set, sink: &mut dyn FnMut(Part<'a>)) {
    match set {
        Set::Const(_)
        | Set::Empty
        | Set::Owned(_)
        | Set::Kind(_)
        | Set::Royal
        | Set::Flag(_)
        | Set::Mark(_)
        | Set::AtLeast(..)
        | Set::Attacked(_)
        | Set::Local(_) => {}
        Set::At(tile) | Set::Ray(tile, _) => visit(Part::Tile(tile), sink),
        Set::All(all) | Set::Any(all) => all.iter().for_each(|one| visit(Part::Set(one), sink)),
        Set::Not(one) | Set::Step(one, _) | Set::Around(one, _) | Set::Origin(one, _) => {
            visit(Part::Set(one), sink);
        }
        Set::RunOrigin { over, end, .. } => {
            visit(Part::Set(over), sink);
            visit(Part::Set(end), sink);
        }
        Set::Run { from, over, end, .. } => {
            visit(Part::Tile(from), sink);
            visit(Part::Set(over), sink);
            end.iter().for_each(|end| visit(Part::Set(end), sink));
        }
        Set::Span(one, other) | Set::Between(one, other) => {
            visit(Part::Tile(one), sink);
            visit(Part::Tile(other), sink);
        }
        Set::Reach { from, over, .. } => {
            visit(Part::Set(from), sink);
            visit(Part::Set(over), sink);
        }
        Set::Line { of, .. } => visit(Part::Set(of), sink),
        Set::If(truth, yes, no) => {
            visit(Part::Truth(truth), sink);
            visit(Part::Set(yes), sink);
            visit(Part::Set(no), sink);
        }
        Set::Union(over, set) => {
            visit_loop(over, sink);
            visit(Part::Set(set), sink);
        }
    }
}

fn visit_number<'a>(number: &'a Number, sink: &mut dyn FnMut(Part<'a>)) {
    match number {
        Number::Is(_) | Number::Variable(..) | Number::Die(_) | Number::Hand(..) => {}
        Number::Count(set)
        | Number::Pieces(set, ..)
        | Number::Attribute(_, set)
        | Number::Groups(set, _) => visit(Part::Set(set), sink),
        Number::Distance(tile, _, set) => {
            visit(Part::Tile(tile), sink);
            visit(Part::Set(set), sink);
        }
        Number::Sum(all) | Number::Times(all) | Number::Min(all) | Number::Max(all) => {
            all.iter().for_each(|one| visit(Part::Number(one), sink));
        }
        Number::Minus(one, other) => {
            visit(Part::Number(one), sink);
            visit(Part::Number(other), sink);
        }
        Number::If(truth, yes, no) => {
            visit(Part::Truth(truth), sink);
            visit(Part::Number(yes), sink);
            visit(Part::Number(no), sink);
        }
    }
}

fn visit_truth<'a>(truth: &'a Truth, sink: &mut dyn FnMut(Part<'a>)) {
    match truth {
        Truth::Always | Truth::Never | Truth::Turn(_) | Truth::Stuck | Truth::Custom(_) => {}
        Truth::All(all) | Truth::Any(all) => {
            all.iter().for_each(|one| visit(Part::Truth(one), sink));
        }
        Truth::Not(one) | Truth::Called(one) | Truth::Relevant(one) => {
            visit(Part::Truth(one), sink);
        }
        Truth::Compare(left, _, right) => {
            visit(Part::Number(left), sink);
            visit(Part::Number(right), sink);
        }
        Truth::In(tile, set) => {
            visit(Part::Tile(tile), sink);
            visit(Part::Set(set), sink);
        }
        Truth::Some(set) | Truth::None(set) | Truth::Line(_, set) => visit(Part::Set(set), sink),
        Truth::Exists(over, one) | Truth::Each(over, one) => {
            visit_loop(over, sink);
            visit(Part::Truth(one), sink);
        }
    }
}

/// Visits every effect, those inside others included.
pub(crate) fn visit_effects<'a>(effects: &'a [Effect], sink: &mut dyn FnMut(&'a Effect)) {
    for effect in effects {
        sink(effect);
        match effect {
            Effect::When { then, otherwise, .. } => {
                visit_effects(then, sink);
                visit_effects(otherwise, sink);
            }
            Effect::Each(_, inside) | Effect::Repeat(_, inside) => visit_effects(inside, sink),
            _ => {}
        }
    }
}

/// Whether effects leave every piece where it is, of its kind and owner.
pub(crate) fn moves_nothing(effects: &[Effect]) -> bool {
    let mut nothing = true;
    visit_effects(effects, &mut |effect| {
        nothing &= matches!(
            effect,
            Effect::Flag { .. }
                | Effect::Mark { .. }
                | Effect::Set { .. }
                | Effect::Add { .. }
                | Effect::Turn(_)
                | Effect::Unroll(_)
                | Effect::Show { .. }
                | Effect::When { .. }
                | Effect::Each(..)
                | Effect::Repeat(..)
        );
    });
    nothing
}

/// The kinds into whose hand effects put pieces, or from which they place them.
pub(crate) fn uses_hand(effects: &[Effect]) -> bool {
    let mut found = false;
    visit_effects(effects, &mut |effect| {
        found |= matches!(effect, Effect::Place { .. } | Effect::Capture { to: Fate::Hand(_), .. });
    });
    found
}

/// The parts that must all hold for a condition to hold, from the outside in.
pub(crate) fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    match &condition.test {
        Truth::Always => Vec::new(),
        Truth::All(all) => all.iter().flat_map(conjuncts).collect(),
        Truth::Called(one) | Truth::Relevant(one) => conjuncts(one),
        _ => vec![condition],
    }
}

/// What a set of tiles would be at the target if some capturable foe of the player stood there.
/// What depends on which foe it is counts as it suits the capture.
pub(crate) fn as_if_foe(set: &Set, all: &TileSet) -> Set {
    replace(set, Polarity::Wanted, all)
}

#[derive(Clone, Copy)]
enum Polarity {
    Wanted,
    Unwanted,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Wanted => Polarity::Unwanted,
            Polarity::Unwanted => Polarity::Wanted,
        }
    }
}

fn replace(set: &Set, polarity: Polarity, all: &TileSet) -> Set {
    let known = |holds: bool| Set::Const(vec![if holds { *all } else { TileSet::EMPTY }; 64]);
    match set {
        Set::Empty | Set::Owned(Who::Mover | Who::Ally | Who::Friend) => known(false),
        Set::Owned(Who::Foe | Who::Anyone) => known(true),
        Set::Owned(Who::Player(_)) | Set::Kind(_) | Set::Royal | Set::Flag(_) => {
            known(matches!(polarity, Polarity::Wanted))
        }
        Set::All(sets) => Set::All(sets.iter().map(|one| replace(one, polarity, all)).collect()),
        Set::Any(sets) => Set::Any(sets.iter().map(|one| replace(one, polarity, all)).collect()),
        Set::Not(one) => Set::Not(Box::new(replace(one, polarity.flipped(), all))),
        other => other.clone(),
    }
}

/// A condition with what it asks of the target's own tile replaced in the same way.
pub(crate) fn condition_as_if_foe(condition: &Condition, all: &TileSet) -> Condition {
    let rec = |one: &Condition| condition_as_if_foe(one, all);
    let test = match &condition.test {
        Truth::All(inside) => Truth::All(inside.iter().map(rec).collect()),
        Truth::Any(inside) => Truth::Any(inside.iter().map(rec).collect()),
        Truth::Called(one) => Truth::Called(Box::new(rec(one))),
        Truth::Relevant(one) => Truth::Relevant(Box::new(rec(one))),
        Truth::In(Tile::To, set) => Truth::In(Tile::To, as_if_foe(set, all)),
        Truth::Not(one) => match &one.test {
            Truth::In(Tile::To, set) => {
                let set = Set::Not(Box::new(set.clone()));
                Truth::In(Tile::To, as_if_foe(&set, all))
            }
            _ => Truth::Not(one.clone()),
        },
        other => other.clone(),
    };
    Condition { number: condition.number, test }
}
