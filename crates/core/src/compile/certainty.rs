//! What can be known of a condition before any state exists.

use crate::condition::Comparison;
use crate::definition::Share;
use crate::plan::{Area, Condition, Test, Value};
use crate::tile_set::TileSet;

use super::name::Compiler;

impl Compiler<'_> {
    /// Whether a condition holds in every state, in none, or in some.
    pub(crate) fn certainty(&self, condition: &Condition) -> Option<bool> {
        match &condition.test {
            Test::Always => Some(true),
            Test::Never => Some(false),
            Test::All(all) => {
                let mut all = all.iter().map(|one| self.certainty(one));
                if all.clone().any(|one| one == Some(false)) {
                    return Some(false);
                }
                all.all(|one| one == Some(true)).then_some(true)
            }
            Test::Any(any) => {
                let mut any = any.iter().map(|one| self.certainty(one));
                if any.clone().any(|one| one == Some(true)) {
                    return Some(true);
                }
                any.all(|one| one == Some(false)).then_some(false)
            }
            Test::Not(one) => self.certainty(one).map(|certain| !certain),
            Test::Called(one) | Test::Relevant(one) => self.certainty(one),
            Test::Compare { left, is, right } => compare(self.range(left), *is, self.range(right)),
            Test::Line { lines, .. } if lines.is_empty() => Some(false),
            Test::Turn(_) if self.definition.players.len() == 1 => Some(true),
            Test::Turn(_)
            | Test::Tile { .. }
            | Test::Line { .. }
            | Test::Stuck
            | Test::Custom(_) => None,
        }
    }

    /// The least and the greatest that a value can be.
    fn range(&self, value: &Value) -> (i64, i64) {
        let d = self.definition;
        match value {
            Value::Number(number) => (*number, *number),
            Value::Variable(variable, _) => {
                let variable = &d.variables[variable.index()];
                debug_assert!(variable.share == Share::Common || !d.players.is_empty());
                (variable.min, variable.max)
            }
            Value::Die(die) => (0, d.dice[die.index()].sides.into()),
            Value::Tiles { area, .. } => (0, self.tiles_of(area) as i64),
            Value::Pieces { .. } => (0, d.pieces.len() as i64),
            Value::Sum(values) => values
                .iter()
                .map(|value| self.range(value))
                .fold((0i64, 0i64), |(min, max), (low, high)| {
                    (min.saturating_add(low), max.saturating_add(high))
                }),
        }
    }

    fn tiles_of(&self, area: &Area) -> usize {
        match area {
            Area::Board => self.definition.tiles.len(),
            Area::Region(regions, _) => regions.iter().map(TileSet::len).max().unwrap_or(0),
            Area::At(_) => 1,
            Area::Span(..) | Area::Around(_) | Area::Beyond(..) => self.definition.tiles.len(),
        }
    }
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
