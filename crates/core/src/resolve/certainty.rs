//! What can be known of a condition before any state exists.

use crate::lower::fact::flatten;
use crate::tile_set::TileSet;
use crate::typed::{Condition, Number, Set, Truth};
use crate::written::Comparison;

use super::name::Compiler;

impl Compiler<'_> {
    /// Whether a condition holds in every state, in none, or in some.
    pub(crate) fn certainty(&self, condition: &Condition) -> Option<bool> {
        match &condition.test {
            Truth::Always => Some(true),
            Truth::Never => Some(false),
            Truth::All(all) => {
                let mut all = all.iter().map(|one| self.certainty(one));
                if all.clone().any(|one| one == Some(false)) {
                    return Some(false);
                }
                all.all(|one| one == Some(true)).then_some(true)
            }
            Truth::Any(any) => {
                let mut any = any.iter().map(|one| self.certainty(one));
                if any.clone().any(|one| one == Some(true)) {
                    return Some(true);
                }
                any.all(|one| one == Some(false)).then_some(false)
            }
            Truth::Not(one) => self.certainty(one).map(|certain| !certain),
            Truth::Called(one) | Truth::Relevant(one) => self.certainty(one),
            Truth::Compare(left, is, right) => compare(self.range(left), *is, self.range(right)),
            Truth::In(_, set) | Truth::Some(set) if is_nothing(set) => Some(false),
            Truth::None(set) if is_nothing(set) => Some(true),
            Truth::Line(lines, _) if lines.iter().all(Vec::is_empty) => Some(false),
            Truth::Turn(_) if self.seat_count() == 1 => Some(true),
            _ => None,
        }
    }

    /// The least and the greatest that a number can be.
    pub(super) fn range(&self, number: &Number) -> (i64, i64) {
        let d = self.definition;
        match number {
            Number::Is(number) => (*number, *number),
            Number::Variable(variable, _) => {
                let variable = &d.variables[variable.index()];
                (variable.min, variable.max)
            }
            Number::Die(die) => (0, d.dice[die.index()].sides.into()),
            Number::Count(set) => (0, self.most_tiles(set) as i64),
            Number::Groups(..) | Number::Distance(..) => (0, d.tiles.len() as i64),
            Number::Sum(all) => {
                let ranges = all.iter().map(|one| self.range(one));
                ranges.fold((0i64, 0i64), |(min, max), (low, high)| {
                    (min.saturating_add(low), max.saturating_add(high))
                })
            }
            Number::Pieces(..) | Number::Hand(..) => (0, u16::MAX.into()),
            Number::Minus(one, other) => {
                let (one, other) = (self.range(one), self.range(other));
                (one.0.saturating_sub(other.1), one.1.saturating_sub(other.0))
            }
            Number::Times(all) => all.iter().map(|one| self.range(one)).fold((1, 1), product),
            Number::Min(all) => {
                let ranges = all.iter().map(|one| self.range(one));
                let least = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.min(d)));
                least.unwrap_or((i64::MIN, i64::MAX))
            }
            Number::Max(all) => {
                let ranges = all.iter().map(|one| self.range(one));
                let greatest = ranges.reduce(|(a, b), (c, d)| (a.max(c), b.max(d)));
                greatest.unwrap_or((i64::MIN, i64::MAX))
            }
            Number::If(_, yes, no) => {
                let (yes, no) = (self.range(yes), self.range(no));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            Number::Attribute(worth, set) => {
                let most = self.most_tiles(set) as i64;
                let of = |sign: i64| {
                    let worths = worth.iter().map(|(_, value)| value.saturating_mul(sign));
                    worths
                        .max()
                        .unwrap_or(0)
                        .max(0)
                        .saturating_mul(most.saturating_mul(u16::MAX.into()))
                };
                (of(-1).saturating_neg(), of(1))
            }
        }
    }

    pub(super) fn most_tiles(&self, set: &Set) -> usize {
        match set {
            Set::Const(regions) => regions.iter().map(TileSet::len).max().unwrap_or(0),
            Set::At(_) => 1,
            Set::All(all) => {
                let most = all.iter().map(|one| self.most_tiles(one)).min();
                most.unwrap_or(self.definition.tiles.len())
            }
            _ => self.definition.tiles.len(),
        }
    }
}

/// Whether a set has no tile in any state, because it asks for opposites.
fn is_nothing(set: &Set) -> bool {
    match set {
        Set::Const(regions) => regions.iter().all(TileSet::is_empty),
        Set::All(_) => {
            let mut parts = Vec::new();
            flatten(set, &mut parts);
            let opposite = |one: &&Set| match one {
                Set::Not(inside) => parts.contains(&&**inside),
                Set::Empty => parts.iter().any(|other| needs_piece(other)),
                one => is_nothing(one),
            };
            parts.iter().any(opposite)
        }
        Set::Any(any) => any.iter().all(is_nothing),
        _ => false,
    }
}

/// Whether only tiles on which a piece stands are in a set.
fn needs_piece(set: &Set) -> bool {
    matches!(set, Set::Owned(_) | Set::Kind(_) | Set::Royal | Set::Flag(_) | Set::AtLeast(1.., _))
}

/// The least and the greatest product of numbers from two ranges.
fn product(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    let ends = [one.0, one.1].map(|a| [other.0, other.1].map(|b| a.saturating_mul(b)));
    let ends = ends.as_flattened();
    let (least, greatest) = (ends.iter().min(), ends.iter().max());
    (least.copied().unwrap_or(0), greatest.copied().unwrap_or(0))
}

/// Whether every, no, or some pair of numbers from two ranges compares so.
fn compare(left: (i64, i64), is: Comparison, right: (i64, i64)) -> Option<bool> {
    let swap = |answer: Option<bool>| answer.map(|certain| !certain);
    match is {
        Comparison::Less if left.1 < right.0 => Some(true),
        Comparison::Less if left.0 >= right.1 => Some(false),
        Comparison::Less => None,
        Comparison::AtLeast => swap(compare(left, Comparison::Less, right)),
        Comparison::Greater => compare(right, Comparison::Less, left),
        Comparison::AtMost => swap(compare(right, Comparison::Less, left)),
        Comparison::Equal if left.0 == left.1 && left == right => Some(true),
        Comparison::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
        Comparison::Equal => None,
        Comparison::Different => swap(compare(left, Comparison::Equal, right)),
    }
}
