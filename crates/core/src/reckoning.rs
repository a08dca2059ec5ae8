//! Conditions about numbers of pieces and variables alone, in a form that is quick to ask: the
//! same answers as [`crate::scene::Scene`] gives, whoever is asked about.

use crate::condition::Comparison;
use crate::game::Game;
use crate::generate::{Extract, Work};
use crate::id::PlayerId;
use crate::layout::Field;
use crate::plan::{Area, Condition, Seat, Test, TileTest, Trait, Value, Who};
use crate::tile_set::TileSet;

/// Conditions with more clauses than this, or about more numbers, are left to the scene.
const CLAUSES: usize = 16;
const NUMBERS: usize = 8;

/// Numbers below this are added up without a thought.
const LARGE: u64 = 1 << 40;

/// A condition about numbers alone.
pub(crate) struct Reckoning {
    counts: Vec<Count>,
    fields: Vec<Field>,
    /// It holds where all parts of one clause hold: the parts one after another, with the place
    /// where the next clause begins.
    parts: Vec<(Part, usize)>,
    width: usize,
    extract: Option<Extract>,
}

/// A sum of the counts and fields, so many times each, compared with nought.
#[derive(Clone)]
struct Part {
    times: [i64; NUMBERS],
    number: i64,
    is: Comparison,
}

/// How many tiles of a region lie in either of two planes and in a third, by the words where
/// those begin.
#[derive(Clone, PartialEq, Eq)]
struct Count {
    either: [u16; 2],
    also: u16,
    within: TileSet,
}

impl Reckoning {
    /// The condition in this form, if it has one.
    pub(crate) fn new(game: &Game, condition: &Condition) -> Option<Reckoning> {
        let mut reckoning = Reckoning {
            counts: Vec::new(),
            fields: Vec::new(),
            parts: Vec::new(),
            width: game.layout.width,
            extract: Extract::detect(),
        };
        for clause in reckoning.clauses(game, condition)? {
            let next = reckoning.parts.len() + clause.len();
            reckoning.parts.extend(clause.into_iter().map(|part| (part, next)));
        }
        Some(reckoning)
    }

    /// Whether it holds in a state's words.
    #[inline]
    pub(crate) fn holds(&self, words: &[u64]) -> bool {
        let question = Question { reckoning: self, words };
        match self.extract {
            Some(extract) => extract.work(question),
            None => question.run(),
        }
    }

    /// A condition as clauses of which one must hold, none of them empty.
    fn clauses(&mut self, game: &Game, condition: &Condition) -> Option<Vec<Vec<Part>>> {
        let clauses = match &condition.test {
            Test::Any(any) => {
                let any: Option<Vec<_>> = any.iter().map(|one| self.clauses(game, one)).collect();
                any?.concat()
            }
            Test::All(all) if !all.is_empty() => {
                let mut clauses = vec![Vec::new()];
                for one in all {
                    let more = self.clauses(game, one)?;
                    let both = |clause: &Vec<Part>| {
                        let clause = clause.clone();
                        more.iter().map(move |more| [clause.clone(), more.clone()].concat())
                    };
                    clauses = clauses.iter().flat_map(both).collect();
                    (clauses.len() <= CLAUSES).then_some(())?;
                }
                clauses
            }
            Test::Called(one) | Test::Relevant(one) => self.clauses(game, one)?,
            Test::Compare { left, is, right } => {
                let mut part = Part { times: [0; NUMBERS], number: 0, is: *is };
                self.add(game, left, 1, &mut part)?;
                self.add(game, right, -1, &mut part)?;
                vec![vec![part]]
            }
            _ => return None,
        };
        (clauses.len() <= CLAUSES).then_some(clauses)
    }

    /// Adds a value to a part, so many times.
    fn add(&mut self, game: &Game, value: &Value, times: i64, part: &mut Part) -> Option<()> {
        match value {
            Value::Number(number) => part.add_number(number.checked_mul(times)?)?,
            Value::Variable(variable, seat) => {
                let slot = game.layout.variable(*variable);
                let at = match (slot.fields.len(), seat) {
                    (1, _) => 0,
                    (_, Seat::Player(player)) => player.index(),
                    _ => return None,
                };
                (slot.max.unsigned_abs() < LARGE).then_some(())?;
                part.add_number(slot.min.checked_mul(times)?)?;
                let field = slot.fields[at];
                let known = self.fields.iter().position(|one| *one == field);
                let number = known.unwrap_or_else(|| {
                    self.fields.push(field);
                    self.fields.len() - 1
                });
                // Fields are counted from the end.
                *part.times.get_mut(NUMBERS.checked_sub(number + 1)?)? += times;
            }
            Value::Pieces { area: Area::Board, owner, kind } if game.layout.holds_single() => {
                let plane = |player: usize| game.layout.owner(PlayerId::at(player)) as u16;
                let either = match (owner, game.layout.players) {
                    (Who::Anyone, 2) => [plane(0), plane(1)],
                    (Who::Player(player), _) => [plane(player.index()); 2],
                    _ => return None,
                };
                let within = game.all_tiles;
                match kind {
                    Some(kind) => {
                        let also = game.layout.kind(*kind) as u16;
                        self.count(Count { either, also, within }, times, part)?;
                    }
                    None if either[0] == either[1] => {
                        self.count(Count { either, also: either[0], within }, times, part)?;
                    }
                    None => {
                        for also in either {
                            let count = Count { either: [also; 2], also, within };
                            self.count(count, times, part)?;
                        }
                    }
                }
            }
            Value::Tiles { area, is } => {
                let within = match area {
                    Area::Board => game.all_tiles,
                    Area::Region(regions, _) if regions.iter().all(|one| *one == regions[0]) => {
                        regions[0]
                    }
                    _ => return None,
                };
                let (TileTest { any_of, none_of, .. }, [Trait::Kind(kind)]) = (is, &*is.all_of)
                else {
                    return None;
                };
                (any_of.is_empty() && none_of.is_empty()).then_some(())?;
                let also = game.layout.kind(*kind) as u16;
                self.count(Count { either: [also; 2], also, within }, times, part)?;
            }
            Value::Sum(values) => {
                values.iter().try_for_each(|one| self.add(game, one, times, part))?;
            }
            // What depends on who is asked is left to the scene.
            Value::Pieces { .. } | Value::Die(_) => return None,
        }
        (self.counts.len() + self.fields.len() <= NUMBERS).then_some(())
    }

    fn count(&mut self, count: Count, times: i64, part: &mut Part) -> Option<()> {
        let known = self.counts.iter().position(|one| *one == count);
        let number = known.unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        });
        *part.times.get_mut(number)? += times;
        Some(())
    }
}

impl Part {
    fn add_number(&mut self, number: i64) -> Option<()> {
        self.number = self.number.checked_add(number)?;
        (self.number.unsigned_abs() < LARGE).then_some(())
    }
}

struct Question<'a> {
    reckoning: &'a Reckoning,
    words: &'a [u64],
}

impl Work for Question<'_> {
    type Answer = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Question { reckoning, words } = self;
        let mut numbers = [0i64; NUMBERS];
        for (slot, count) in numbers.iter_mut().zip(&reckoning.counts) {
            for word in 0..reckoning.width {
                let plane = |at: u16| words[usize::from(at) + word];
                let tiles = (plane(count.either[0]) | plane(count.either[1])) & plane(count.also);
                *slot += i64::from((tiles & count.within.words()[word]).count_ones());
            }
        }
        for (slot, field) in numbers.iter_mut().rev().zip(&reckoning.fields) {
            *slot = field.get(words) as i64;
        }
        let mut at = 0;
        while let Some((part, next)) = reckoning.parts.get(at) {
            let mut sum = part.number;
            for (times, number) in part.times.iter().zip(&numbers) {
                sum += times * number;
            }
            at = match part.is.holds(sum, 0) {
                true if at + 1 == *next => return true,
                true => at + 1,
                false => *next,
            };
        }
        false
    }
}
