//! Edits that say in other words that no royal piece is attacked.

use senet_core::Definition;
use senet_core::written::{Binding, Domain, Kind, Set, Tile, Truth};

use super::{Edit, ensured};

/// One edit for each way to say it.
pub(super) const EDITS: &[Edit] = &[
    Edit { name: "what is ensured, of each tile", apply: |of| ensured(of, of_each) },
    Edit { name: "what is ensured, of no tile", apply: |of| ensured(of, of_no_tile) },
    Edit { name: "what is ensured, of the only tile", apply: |of| ensured(of, of_the_only) },
    Edit { name: "what is ensured, and not empty", apply: |of| ensured(of, and_not_empty) },
    Edit { name: "what is ensured, twice", apply: |of| ensured(of, twice) },
    Edit { name: "what is ensured, in the opposite order", apply: |of| ensured(of, reversed) },
    Edit { name: "what is ensured, of one more kind too", apply: of_one_more_kind },
];

/// The condition that a set is empty, said in another way.
fn none(truth: Truth, say: impl Fn(Vec<Set>) -> Truth) -> Truth {
    match truth {
        Truth::Called(words, one) => Truth::Called(words, Box::new(none(*one, say))),
        Truth::None(Set::All(parts)) => {
            let mut sets = Vec::new();
            gather(parts, &mut sets);
            say(sets)
        }
        other => other,
    }
}

fn gather(parts: Vec<Set>, into: &mut Vec<Set>) {
    for part in parts {
        match part {
            Set::All(parts) => gather(parts, into),
            set => into.push(set),
        }
    }
}

/// What is attacked, and the other sets.
fn apart(parts: Vec<Set>) -> (Set, Set) {
    let (attacked, others): (Vec<Set>, Vec<Set>) =
        parts.into_iter().partition(|part| matches!(part, Set::Attacked(_)));
    (Set::All(attacked), Set::All(others))
}

const TILE: &str = "edited-tile";

fn each_of(others: Set) -> Binding {
    Binding { name: TILE.into(), over: Domain::Tiles(Box::new(others)) }
}

fn of_each(truth: Truth) -> Truth {
    none(truth, |parts| {
        let (attacked, others) = apart(parts);
        let is_attacked = Truth::In(Tile::Name(TILE.into()), attacked);
        Truth::Each(each_of(others), Box::new(Truth::Not(Box::new(is_attacked))))
    })
}

fn of_no_tile(truth: Truth) -> Truth {
    none(truth, |parts| {
        let (attacked, others) = apart(parts);
        let is_attacked = Truth::In(Tile::Name(TILE.into()), attacked);
        Truth::Not(Box::new(Truth::Exists(each_of(others), Box::new(is_attacked))))
    })
}

fn of_the_only(truth: Truth) -> Truth {
    none(truth, |parts| {
        let (attacked, others) = apart(parts);
        Truth::Not(Box::new(Truth::In(Tile::Only(Box::new(others)), attacked)))
    })
}

fn and_not_empty(truth: Truth) -> Truth {
    none(truth, |mut parts| {
        parts.insert(0, Set::Not(Box::new(Set::Empty)));
        Truth::None(Set::All(parts))
    })
}

fn twice(truth: Truth) -> Truth {
    Truth::All(vec![truth.clone(), truth])
}

fn reversed(truth: Truth) -> Truth {
    none(truth, |mut parts| {
        parts.reverse();
        Truth::None(Set::All(parts))
    })
}

/// A kind of which there is no piece is kept safe like the royal one.
fn of_one_more_kind(of: &Definition) -> Option<Definition> {
    let mut edited = ensured(of, |truth| {
        none(truth, |parts| {
            let either = |part: Set| match part {
                Set::Royal => Set::Any(vec![Set::Royal, Set::Kind("edited-kind".into())]),
                other => other,
            };
            Truth::None(Set::All(parts.into_iter().map(either).collect()))
        })
    })?;
    edited.kinds.push(Kind { name: "edited-kind".into(), ..Kind::default() });
    Some(edited)
}
