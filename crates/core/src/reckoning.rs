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

/// First parts of clauses that are looked at together.
const LANES: usize = 8;

/// Numbers below this are added up without a thought.
const LARGE: u64 = 1 << 40;

/// A condition about numbers alone.
pub(crate) struct Reckoning {
    counts: Vec<Count>,
    fields: Vec<Field>,
    /// It holds where all parts of one of these hold, of which none is empty.
    clauses: Vec<Vec<Part>>,
    /// The numbers that the first parts of clauses ask for.
    first: Vec<u8>,
    /// Whether any first part holds, all of them at once.
    glance: Option<Glance>,
    width: usize,
    extract: Option<Extract>,
}

/// A sum of counts and fields compared with nought.
#[derive(Clone, PartialEq, Eq)]
struct Part {
    /// Which number, and how many times; unused ones no times.
    terms: [(u8, i8); TERMS],
    /// How many terms are used.
    len: u8,
    /// What is added to the sum.
    number: i64,
    /// It holds where that lies between these, or where it does not.
    low: i64,
    high: i64,
    inside: bool,
}

/// The first parts of all clauses, each in a lane of a vector.
struct Glance {
    /// By number: how many times each part asks for it.
    times: [[i16; LANES]; NUMBERS],
    /// A part holds where its sum, so much lower, lies in so wide a span from nought on, or where
    /// it does not.
    from: [i16; LANES],
    span: [u16; LANES],
    inside: [bool; LANES],
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
            glance: None,
            width: game.layout.width,
            extract: Extract::detect(&game.options),
        };
        for condition in conditions {
            let clauses = reckoning.parts(game, condition)?;
            reckoning.clauses.extend(clauses);
        }
        let first = reckoning.clauses.iter().flat_map(|clause| clause[0].terms());
        reckoning.first = first.map(|(number, _)| number).collect();
        reckoning.first.sort_unstable();
        reckoning.first.dedup();
        reckoning.glance = Glance::new(game, &reckoning);
        Some(reckoning)
    }

    /// Whether it holds in no state, there being nothing that could.
    #[inline]
    pub(crate) fn is_never(&self) -> bool {
        self.clauses.is_empty()
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

    /// Whether a part holds.
    fn part_holds(&self, words: &[u64], part: &Part) -> bool {
        let term = |(number, times): (u8, i8)| i64::from(times) * self.number(words, number.into());
        let sum = part.number + part.terms().map(term).sum::<i64>();
        (part.low <= sum && sum <= part.high) == part.inside
    }

    /// A number that parts ask for: counts come first, and fields from the end.
    #[inline(always)]
    fn number(&self, words: &[u64], number: usize) -> i64 {
        let Some(count) = self.counts.get(number) else {
            let field = self.fields.get(NUMBERS - 1 - number);
            return field.map_or(0, |field| field.get(words) as i64);
        };
        let in_word = |word: usize| {
            let plane = |at: u16| words[usize::from(at) + word];
            let both = |planes: [u16; 2]| plane(planes[0]) | plane(planes[1]);
            let tiles = both(count.either) & both(count.also);
            i64::from((tiles & count.within.words()[word]).count_ones())
        };
        in_word(0) + (1..self.width).map(in_word).sum::<i64>()
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
        let (low, high, inside) = match is {
            Comparison::Equal => (0, 0, true),
            Comparison::Different => (0, 0, false),
            Comparison::Less => (i64::MIN, -1, true),
            Comparison::AtMost => (i64::MIN, 0, true),
            Comparison::Greater => (1, i64::MAX, true),
            Comparison::AtLeast => (0, i64::MAX, true),
        };
        Part { terms: [(0, 0); TERMS], len: 0, number: 0, low, high, inside }
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

    fn add_number(&mut self, number: i64) -> Option<()> {
        self.number = self.number.checked_add(number)?;
        (self.number.unsigned_abs() < LARGE).then_some(())
    }
}

impl Glance {
    /// The first parts of a condition, if all their sums are small.
    fn new(game: &Game, reckoning: &Reckoning) -> Option<Glance> {
        let parts = || reckoning.clauses.iter().map(|clause| &clause[0]);
        // A lane without a part never holds.
        let mut glance = Glance {
            times: [[0; LANES]; NUMBERS],
            from: [1; LANES],
            span: [0; LANES],
            inside: [true; LANES],
        };
        for (lane, part) in parts().enumerate() {
            let mut most = part.number.unsigned_abs();
            for (number, times) in part.terms() {
                let number = usize::from(number);
                *glance.times[number].get_mut(lane)? = times.into();
                let counts = number < reckoning.counts.len();
                let field = || reckoning.fields[NUMBERS - 1 - number].place().1.count_ones();
                let largest = if counts { game.tile_count() as u64 } else { 1 << field().min(40) };
                most += largest * u64::from(times.unsigned_abs());
            }
            let (low, high) = (part.low.max(i16::MIN.into()), part.high.min(i16::MAX.into()));
            glance.from[lane] = i16::try_from(part.number.checked_sub(low)?).ok()?;
            glance.span[lane] = u16::try_from(high.checked_sub(low)?).ok()?;
            glance.inside[lane] = part.inside;
            (most <= i16::MAX as u64).then_some(())?;
        }
        Some(glance)
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
        if let Some(glance) = &reckoning.glance {
            let mut sums = glance.from;
            for &number in &reckoning.first {
                let found = reckoning.number(words, number.into()) as i16;
                let times = &glance.times[usize::from(number) % NUMBERS];
                for (sum, times) in sums.iter_mut().zip(times) {
                    *sum = sum.wrapping_add(found.wrapping_mul(*times));
                }
            }
            let mut any = false;
            for (lane, sum) in sums.into_iter().enumerate() {
                any |= (sum as u16 <= glance.span[lane]) == glance.inside[lane];
            }
            if !any {
                return false;
            }
        }
        let holds = |part: &Part| reckoning.part_holds(words, part);
        reckoning.clauses.iter().any(|clause| clause.iter().all(holds))
    }
}
