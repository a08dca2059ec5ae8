//! What a condition says in whatever words: which tiles must not be there for it to hold.
//!
//! Rules are matched in this form alone; what people read keeps the words of the author.

use crate::game::Game;
use crate::tile_set::TileSet;
use crate::typed::{Condition, Loop, Number, Set, Tile, Truth, Who};
use crate::written::Comparison;

use super::fact::asks_any;

/// The sets whose intersection must have no tile for a condition to hold.
pub(crate) fn none_of(condition: &Condition) -> Option<Vec<Set>> {
    any_of(condition, false)
}

/// The same, where that may be so only as long as a set has one tile at most: the only tile of the set must
/// not be in another.
pub(crate) fn none_of_one(condition: &Condition) -> Option<Vec<Set>> {
    match &condition.test {
        Truth::Called(one) | Truth::Relevant(one) => return none_of_one(one),
        Truth::Not(one) => {
            if let Truth::In(Tile::Only(only), set) = &bare(one).test {
                let mut parts = Vec::new();
                [&**only, set].into_iter().for_each(|set| gather(set, &mut parts));
                return Some(parts);
            }
        }
        _ => {}
    }
    none_of(condition)
}

/// A condition without the names that it is called by.
pub(crate) fn bare(condition: &Condition) -> &Condition {
    match &condition.test {
        Truth::Called(one) | Truth::Relevant(one) => bare(one),
        _ => condition,
    }
}

/// The sets whose intersection has a tile if and only if a condition answers so.
fn any_of(condition: &Condition, answer: bool) -> Option<Vec<Set>> {
    let set = match &condition.test {
        Truth::Called(one) | Truth::Relevant(one) => return any_of(one, answer),
        Truth::Not(one) => return any_of(one, !answer),
        Truth::Some(set) if answer => set.clone(),
        Truth::None(set) if !answer => set.clone(),
        Truth::Exists(Loop::Tiles(local, over), one) if answer => within(*local, over, one, true)?,
        Truth::Each(Loop::Tiles(local, over), one) if !answer => within(*local, over, one, false)?,
        Truth::Compare(left, is, right) => {
            let (number, is, bound) = match (left, right) {
                (number, Number::Is(bound)) => (number, *is, *bound),
                (Number::Is(bound), number) => (number, mirrored(*is), *bound),
                _ => return None,
            };
            if asks_any(is, bound)? != answer {
                return None;
            }
            match number {
                Number::Count(set) => set.clone(),
                Number::Pieces(on, who, None) => Set::All(vec![Set::Owned(*who), on.clone()]),
                _ => return None,
            }
        }
        _ => return None,
    };
    let mut parts = Vec::new();
    gather(&set, &mut parts);
    Some(parts)
}

/// Those tiles of a set that are in another where a condition about each answers so.
fn within(local: u16, over: &Set, condition: &Condition, answer: bool) -> Option<Set> {
    match &condition.test {
        Truth::Called(one) | Truth::Relevant(one) => within(local, over, one, answer),
        Truth::Not(one) => within(local, over, one, !answer),
        Truth::In(Tile::Local(tile), set) if *tile == local && answer => {
            Some(Set::All(vec![over.clone(), set.clone()]))
        }
        _ => None,
    }
}

/// A comparison with its sides exchanged.
fn mirrored(is: Comparison) -> Comparison {
    match is {
        Comparison::Less => Comparison::Greater,
        Comparison::Greater => Comparison::Less,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::AtLeast => Comparison::AtMost,
        same => same,
    }
}

/// The sets that a set is the intersection of, in whatever words.
pub(crate) fn gather(set: &Set, into: &mut Vec<Set>) {
    match set {
        Set::All(all) => all.iter().for_each(|one| gather(one, into)),
        Set::Any(any) if any.len() == 1 => gather(&any[0], into),
        Set::Not(one) => match &**one {
            Set::Not(inner) => gather(inner, into),
            Set::Any(any) => {
                any.iter().for_each(|one| gather(&Set::Not(Box::new(one.clone())), into));
            }
            _ => into.push(set.clone()),
        },
        one if into.contains(one) => {}
        one => into.push(one.clone()),
    }
}

/// Takes those sets out of an intersection that all tiles with a piece of the player judged are in.
pub(crate) fn beside_own(game: &Game, parts: Vec<Set>) -> Option<Vec<Set>> {
    if !parts.contains(&Set::Owned(Who::Mover)) {
        return None;
    }
    let one_each = game.exclusive == game.all_tiles;
    let holds_own = |set: &Set| match set {
        Set::Owned(Who::Mover | Who::Friend | Who::Anyone) => true,
        Set::Const(regions) => regions.iter().all(|tiles| *tiles == game.all_tiles),
        Set::Not(one) => match &**one {
            Set::Empty => true,
            Set::Owned(Who::Foe | Who::Ally) => one_each,
            Set::Const(regions) => regions.iter().all(|tiles| *tiles == TileSet::EMPTY),
            _ => false,
        },
        _ => false,
    };
    Some(parts.into_iter().filter(|part| !holds_own(part)).collect())
}
