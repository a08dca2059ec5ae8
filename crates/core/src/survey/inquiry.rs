//! Conditions about planes and fields of a state, as they are asked of one player: the same
//! answers as [`crate::scene::Scene`] gives, without going from tile to tile.

use crate::bits::Bits;
use crate::condition::Comparison;
use crate::id::{PlayerId, TileId};
use crate::layout::Field;
use crate::plan::{Condition, Heading, Spot, Test, TileTest, Value, Who};

use super::line::Lines;
use super::sieve::{Asker, Sieve, Steps};

/// Numbers from this on are left to the scene, which takes care when it adds them up.
const LARGE: u64 = 1 << 40;

/// A condition asked of a player. That the player to move is stuck is taken not to be so.
pub(super) enum Inquiry<const W: usize> {
    Sure(bool),
    All(Vec<Inquiry<W>>),
    Any(Vec<Inquiry<W>>),
    Not(Box<Inquiry<W>>),
    Turn(Field, PlayerId),
    /// A sum compared with nought.
    Compare(Sum<W>, Comparison),
    /// Some tile passes, or none does.
    Some(Sieve<W>),
    None(Sieve<W>),
    Line(Lines<W>, Sieve<W>),
}

/// A number, and how many times fields and counts of tiles come to it.
#[derive(Default)]
pub(super) struct Sum<const W: usize> {
    number: i64,
    fields: Vec<(Field, i64)>,
    counts: Vec<(Sieve<W>, i64)>,
}

impl<const W: usize> Inquiry<W> {
    /// The condition in this form, if it has one.
    pub(super) fn new(asker: Asker<'_>, condition: &Condition) -> Option<Inquiry<W>> {
        let many = |all: &[Condition]| {
            let all = all.iter().map(|one| Inquiry::new(asker, one));
            all.collect::<Option<Vec<_>>>()
        };
        Some(match &condition.test {
            Test::Always => Inquiry::Sure(true),
            Test::Never | Test::Stuck => Inquiry::Sure(false),
            Test::All(all) => Inquiry::All(many(all)?),
            Test::Any(any) => Inquiry::Any(many(any)?),
            Test::Not(one) => Inquiry::Not(Box::new(Inquiry::new(asker, one)?)),
            Test::Called(one) | Test::Relevant(one) => Inquiry::new(asker, one)?,
            Test::Turn(player) => Inquiry::Turn(asker.game.layout.turn, *player),
            Test::Compare { left, is, right } => {
                let mut sum = Sum { number: 0, fields: Vec::new(), counts: Vec::new() };
                sum.add(asker, left, 1)?;
                sum.add(asker, right, -1)?;
                sum.compared(*is)
            }
            Test::Tile { at, is } => match asker.spot(at)? {
                Some(tile) => Inquiry::Some(Sieve::new(asker, is, [tile].into_iter().collect())?),
                None => Inquiry::Sure(false),
            },
            Test::Line { lines, .. } if lines.is_empty() => Inquiry::Sure(false),
            Test::Line { lines, is } => {
                Inquiry::Line(Lines::new(lines)?, Sieve::new(asker, is, asker.game.all_tiles)?)
            }
            Test::Custom(_) => return None,
        })
    }

    #[inline(always)]
    pub(super) fn holds(&self, words: &[u64]) -> bool {
        match self {
            Inquiry::Compare(sum, is) => is.holds(sum.value(words), 0),
            Inquiry::Line(lines, marked) => lines.any_in(marked.tiles(words)),
            Inquiry::None(sieve) => sieve.tiles(words).is_empty(),
            Inquiry::Sure(sure) => *sure,
            other => other.holds_inside(words),
        }
    }

    #[inline(never)]
    fn holds_inside(&self, words: &[u64]) -> bool {
        match self {
            Inquiry::All(all) => all.iter().all(|one| one.holds(words)),
            Inquiry::Any(any) => any.iter().any(|one| one.holds(words)),
            Inquiry::Not(one) => !one.holds(words),
            Inquiry::Turn(turn, player) => turn.get(words) == player.index() as u64,
            Inquiry::Some(sieve) => !sieve.tiles(words).is_empty(),
            one => one.holds(words),
        }
    }
}

impl<const W: usize> Sum<W> {
    /// Adds a value, so many times.
    fn add(&mut self, asker: Asker<'_>, value: &Value, times: i64) -> Option<()> {
        let layout = &asker.game.layout;
        match value {
            Value::Number(number) => self.add_number(*number, times)?,
            Value::Variable(variable, of) => {
                let slot = layout.variable(*variable);
                let at = if slot.fields.len() > 1 { asker.seat(*of).index() } else { 0 };
                (slot.max.unsigned_abs() < LARGE).then_some(())?;
                self.add_number(slot.min, times)?;
                self.fields.push((slot.fields[at], times));
            }
            Value::Die(die) => self.fields.push((layout.die(*die), times)),
            Value::Tiles { area, is } => {
                self.counts.push((Sieve::new(asker, is, asker.area(area)?)?, times));
            }
            Value::Pieces { area, owner, kind } => {
                layout.holds_single().then_some(())?;
                let mut pieces = Sieve::all(asker.area(area)?);
                // Pieces of anyone are those on any tile that is not empty.
                match (owner, kind) {
                    (Who::Anyone, Some(_)) => {}
                    (owner, _) => pieces.add(asker.planes(*owner), Bits::EMPTY, false),
                }
                if let Some(kind) = kind {
                    pieces.add(vec![layout.kind(*kind)], Bits::EMPTY, false);
                }
                self.counts.push((pieces, times));
            }
            Value::Sum(values) => {
                values.iter().try_for_each(|one| self.add(asker, one, times))?;
            }
        }
        Some(())
    }

    /// The sum compared with nought.
    fn compared(mut self, is: Comparison) -> Inquiry<W> {
        let single = self.number == 0 && self.fields.is_empty() && self.counts.len() == 1;
        match (is, self.counts.pop()) {
            (Comparison::Equal, Some((sieve, _))) if single => Inquiry::None(sieve),
            (Comparison::Different, Some((sieve, _))) if single => Inquiry::Some(sieve),
            (is, last) => {
                self.counts.extend(last);
                Inquiry::Compare(self, is)
            }
        }
    }

    fn add_number(&mut self, number: i64, times: i64) -> Option<()> {
        (number.unsigned_abs() < LARGE).then_some(())?;
        self.number += number * times;
        (self.number.unsigned_abs() < LARGE).then_some(())
    }

    #[inline(always)]
    fn value(&self, words: &[u64]) -> i64 {
        let mut sum = self.number;
        for (field, times) in &self.fields {
            sum += times * field.get(words) as i64;
        }
        for (sieve, times) in &self.counts {
            sum += times * i64::from(sieve.tiles(words).len());
        }
        sum
    }
}

/// The tiles on which an event that names one tile meets a condition.
pub(super) enum Ground<const W: usize> {
    All(Vec<Ground<W>>),
    Any(Vec<Ground<W>>),
    Not(Box<Ground<W>>),
    /// The tile itself passes.
    Here(Sieve<W>),
    /// The tile to which steps lead from it passes.
    There(Steps<W>, Sieve<W>),
    /// Every tile or none.
    Where(Inquiry<W>),
}

impl<const W: usize> Ground<W> {
    /// The condition in this form, if it has one.
    pub(super) fn new(asker: Asker<'_>, condition: &Condition) -> Option<Ground<W>> {
        if let Some(inquiry) = Inquiry::new(asker, condition) {
            return Some(Ground::Where(inquiry));
        }
        let many = |all: &[Condition]| {
            let all = all.iter().map(|one| Ground::new(asker, one));
            all.collect::<Option<Vec<_>>>()
        };
        let sieve = |is: &TileTest| Sieve::new(asker, is, asker.game.all_tiles);
        Some(match &condition.test {
            Test::All(all) => Ground::All(many(all)?),
            Test::Any(any) => Ground::Any(many(any)?),
            Test::Not(one) => Ground::Not(Box::new(Ground::new(asker, one)?)),
            Test::Called(one) | Test::Relevant(one) => Ground::new(asker, one)?,
            Test::Tile { at: Spot::To, is } => Ground::Here(sieve(is)?),
            Test::Tile { at: Spot::Steps(from, steps), is } if matches!(**from, Spot::To) => {
                let ways: Vec<_> = steps.iter().map(|step| step[asker.player.index()]).collect();
                Ground::There(Steps::new(asker.game, &ways)?, sieve(is)?)
            }
            _ => return None,
        })
    }

    /// The tiles of a set on which it holds.
    pub(super) fn among(&self, tiles: Bits<W>, words: &[u64]) -> Bits<W> {
        match self {
            Ground::All(all) => all.iter().fold(tiles, |tiles, one| one.among(tiles, words)),
            Ground::Any(any) => {
                any.iter().fold(Bits::EMPTY, |all, one| all | one.among(tiles, words))
            }
            Ground::Not(one) => tiles.without(one.among(tiles, words)),
            Ground::Here(sieve) => tiles & sieve.tiles(words),
            Ground::There(steps, sieve) => tiles & steps.before(sieve.tiles(words)),
            Ground::Where(inquiry) => tiles.when(inquiry.holds(words)),
        }
    }
}

impl Asker<'_> {
    /// The tile of a spot that is the same in every state: none outside where that depends on the
    /// state, none inside where there is no such tile.
    fn spot(self, spot: &Spot) -> Option<Option<TileId>> {
        match spot {
            Spot::From => Some(None),
            Spot::To if self.names_tile => None,
            Spot::To => Some(None),
            Spot::Tile(tile) => Some(Some(*tile)),
            Spot::Only(tiles, seat) => Some(Some(tiles[self.seat(*seat).index()])),
            Spot::Steps(from, steps) => {
                let step =
                    |tile, way: &Heading| self.game.topology().next(tile, way[self.player.index()]);
                Some(self.spot(from)?.and_then(|from| steps.iter().try_fold(from, step)))
            }
            Spot::First { .. } => None,
        }
    }
}
