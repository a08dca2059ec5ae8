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
const TERMS: usize = 4;

/// Numbers below this are added up without a thought.
const LARGE: u64 = 1 << 40;

/// A condition about numbers alone.
pub(crate) struct Reckoning {
    counts: Vec<Count>,
    fields: Vec<Field>,
    /// It holds where one clause does.
    clauses: Vec<Clause>,
    /// The numbers that the first parts of clauses ask for.
    first: Vec<u8>,
    width: usize,
    extract: Option<Extract>,
}

/// A condition that holds where all its parts hold.
struct Clause {
    first: Part,
    rest: Vec<Part>,
    /// The place of the next clause with another first part.
    next: usize,
}

/// A sum of counts and fields compared with nought.
#[derive(Clone, PartialEq, Eq)]
struct Part {
    /// Which number, and how many times; unused ones no times.
    terms: [(u8, i8); TERMS],
    /// How many terms are used.
    len: u8,
    number: i64,
    /// It holds where the sum lies between these, or where it does not.
    between: (i64, i64),
    inside: bool,
}

/// How many tiles of a region lie in either of two planes and in either of two others, by the
/// words where those begin.
#[derive(Clone, PartialEq, Eq)]
struct Count {
    either: [u16; 2],
    also: [u16; 2],
    within: TileSet,
}

impl Reckoning {
    /// The condition in this form, if it has one.
    pub(crate) fn new(game: &Game, condition: &Condition) -> Option<Reckoning> {
        Reckoning::of_any(game, std::iter::once(condition))
    }

    /// Whether any of several conditions holds, in this form, if they have one.
    pub(crate) fn of_any<'g>(
        game: &Game,
        conditions: impl Iterator<Item = &'g Condition>,
    ) -> Option<Reckoning> {
        let mut reckoning = Reckoning {
            counts: Vec::new(),
            fields: Vec::new(),
            clauses: Vec::new(),
            first: Vec::new(),
            width: game.layout.width,
            extract: Extract::detect(),
        };
        for condition in conditions {
            for mut clause in reckoning.parts(game, condition)? {
                let (first, next) = (clause.remove(0), reckoning.clauses.len() + 1);
                reckoning.first.extend(first.terms().map(|(number, _)| number));
                let same = reckoning.clauses.iter_mut().rev().take_while(|one| one.first == first);
                same.for_each(|one| one.next = next);
                reckoning.clauses.push(Clause { first, rest: clause, next });
            }
        }
        reckoning.first.sort_unstable();
        reckoning.first.dedup();
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

    /// Whether what comes after the first part of a clause holds, which is seldom asked.
    #[cold]
    fn rest_holds(&self, words: &[u64], clause: &Clause) -> bool {
        clause.rest.iter().all(|part| {
            let mut numbers = [0; NUMBERS];
            for (number, _) in part.terms() {
                numbers[usize::from(number) % NUMBERS] = self.number(words, number.into());
            }
            part.holds(&numbers)
        })
    }

    /// A number that parts ask for: counts come first, and fields from the end.
    #[inline(always)]
    fn number(&self, words: &[u64], number: usize) -> i64 {
        let Some(count) = self.counts.get(number) else {
            let field = self.fields.get(NUMBERS - 1 - number);
            return field.map_or(0, |field| field.get(words) as i64);
        };
        let mut sum = 0;
        for word in 0..self.width {
            let plane = |at: u16| words[usize::from(at) + word];
            let both = |planes: [u16; 2]| plane(planes[0]) | plane(planes[1]);
            let tiles = both(count.either) & both(count.also);
            sum += i64::from((tiles & count.within.words()[word]).count_ones());
        }
        sum
    }

    /// A condition as clauses of which one must hold, none of them empty.
    fn parts(&mut self, game: &Game, condition: &Condition) -> Option<Vec<Vec<Part>>> {
        let clauses = match &condition.test {
            Test::Any(any) => {
                let any: Option<Vec<_>> = any.iter().map(|one| self.parts(game, one)).collect();
                any?.concat()
            }
            Test::All(all) if !all.is_empty() => {
                let mut clauses = vec![Vec::new()];
                for one in all {
                    let more = self.parts(game, one)?;
                    let both = |clause: &Vec<Part>| {
                        let clause = clause.clone();
                        more.iter().map(move |more| [clause.clone(), more.clone()].concat())
                    };
                    clauses = clauses.iter().flat_map(both).collect();
                    (clauses.len() <= CLAUSES).then_some(())?;
                }
                clauses
            }
            Test::Called(one) | Test::Relevant(one) => self.parts(game, one)?,
            Test::Compare { left, is, right } => {
                let mut part = Part::new(*is);
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
                // Fields are numbered from the end.
                part.add_term(NUMBERS.checked_sub(number + 1)?, times)?;
            }
            Value::Pieces { area: Area::Board, owner, kind } if game.layout.holds_single() => {
                let plane = |player: usize| game.layout.owner(PlayerId::at(player)) as u16;
                let either = match (owner, game.layout.players) {
                    (Who::Anyone, 2) => [plane(0), plane(1)],
                    (Who::Player(player), _) => [plane(player.index()); 2],
                    _ => return None,
                };
                let also = kind.map_or(either, |kind| [game.layout.kind(kind) as u16; 2]);
                self.count(Count { either, also, within: game.all_tiles }, times, part)?;
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
                let planes = [game.layout.kind(*kind) as u16; 2];
                self.count(Count { either: planes, also: planes, within }, times, part)?;
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
        part.add_term(number, times)
    }
}

impl Part {
    fn new(is: Comparison) -> Part {
        let (between, inside) = match is {
            Comparison::Equal => ((0, 0), true),
            Comparison::Different => ((0, 0), false),
            Comparison::Less => ((i64::MIN, -1), true),
            Comparison::AtMost => ((i64::MIN, 0), true),
            Comparison::Greater => ((1, i64::MAX), true),
            Comparison::AtLeast => ((0, i64::MAX), true),
        };
        Part { terms: [(0, 0); TERMS], len: 0, number: 0, between, inside }
    }

    fn add_term(&mut self, number: usize, times: i64) -> Option<()> {
        let number = u8::try_from(number).ok().filter(|&number| usize::from(number) < NUMBERS)?;
        let times = i8::try_from(times).ok()?;
        let known = self.terms().position(|(one, _)| one == number);
        let at = known.unwrap_or(self.len.into());
        let term = self.terms.get_mut(at)?;
        *term = (number, term.1.checked_add(times)?);
        self.len = self.len.max(at as u8 + 1);
        Some(())
    }

    #[inline(always)]
    fn terms(&self) -> impl Iterator<Item = (u8, i8)> + '_ {
        self.terms[..usize::from(self.len) % (TERMS + 1)].iter().copied()
    }

    /// Whether it holds of some numbers.
    #[inline(always)]
    fn holds(&self, numbers: &[i64; NUMBERS]) -> bool {
        let mut sum = self.number;
        for (number, times) in self.terms() {
            sum += i64::from(times) * numbers[usize::from(number) % NUMBERS];
        }
        ((sum >= self.between.0) & (sum <= self.between.1)) == self.inside
    }

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
        let mut numbers = [0; NUMBERS];
        for &number in &reckoning.first {
            numbers[usize::from(number) % NUMBERS] = reckoning.number(words, number.into());
        }
        let mut at = 0;
        while let Some(clause) = reckoning.clauses.get(at) {
            at = match clause.first.holds(&numbers) {
                true if reckoning.rest_holds(words, clause) => return true,
                true => at + 1,
                false => clause.next,
            };
        }
        false
    }
}
