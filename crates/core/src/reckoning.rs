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
    /// Whether each first part holds, all of them at once.
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
    /// The numbers that they ask for, and how many times each part does.
    counts: Vec<(Count, Lanes)>,
    fields: Vec<(Field, Lanes)>,
    /// A part holds where its sum, so much higher, lies in so wide a span from nought on, or where
    /// it does not: where these are all ones.
    from: Lanes,
    span: [u16; LANES],
    outside: [u16; LANES],
}

/// A number for each of the parts that are looked at together.
type Lanes = [i16; LANES];

/// How many tiles of a region lie in either of two planes, and in a third if there is one, by the
/// words where those begin.
#[derive(Clone, PartialEq, Eq)]
struct Count {
    either: [u16; 2],
    also: Option<u16>,
    within: TileSet,
}

impl Count {
    #[inline(always)]
    fn of(&self, words: &[u64], width: usize) -> u32 {
        let in_word = |word: usize| {
            let plane = |at: u16| words[usize::from(at) + word];
            let either = plane(self.either[0]) | plane(self.either[1]);
            let tiles = self.also.map_or(either, |also| either & plane(also));
            (tiles & self.within.words()[word]).count_ones()
        };
        let mut count = in_word(0);
        for word in 1..width {
            count += in_word(word);
        }
        count
    }
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
            glance: None,
            width: game.layout.width,
            extract: Extract::detect(&game.options),
        };
        for condition in conditions {
            let clauses = reckoning.parts(game, condition)?;
            reckoning.clauses.extend(clauses);
        }
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
        match self.counts.get(number) {
            Some(count) => count.of(words, self.width).into(),
            None => {
                let field = self.fields.get(NUMBERS - 1 - number);
                field.map_or(0, |field| field.get(words) as i64)
            }
        }
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
                let kind = kind.map(|kind| game.layout.kind(kind) as u16);
                let (either, also) = match (owner, kind, game.layout.players) {
                    // Every piece is somebody's.
                    (Who::Anyone, Some(kind), _) => ([kind; 2], None),
                    (Who::Anyone, None, 2) => ([plane(0), plane(1)], None),
                    (Who::Player(player), kind, _) => ([plane(player.index()); 2], kind),
                    _ => return None,
                };
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
                self.count(Count { either: planes, also: None, within }, times, part)?;
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
        // A lane without a part never holds.
        let (from, span, outside) = ([1; LANES], [0; LANES], [0; LANES]);
        let mut glance = Glance { counts: Vec::new(), fields: Vec::new(), from, span, outside };
        let mut times = [[0; LANES]; NUMBERS];
        for (lane, clause) in reckoning.clauses.iter().enumerate() {
            let part = &clause[0];
            let mut most = part.number.unsigned_abs();
            for (number, asked) in part.terms() {
                let number = usize::from(number);
                *times[number].get_mut(lane)? = asked.into();
                let counts = number < reckoning.counts.len();
                let field = || reckoning.fields[NUMBERS - 1 - number].place().1.count_ones();
                let largest = if counts { game.tile_count() as u64 } else { 1 << field().min(40) };
                most += largest * u64::from(asked.unsigned_abs());
            }
            let (low, high) = (part.low.max(i16::MIN.into()), part.high.min(i16::MAX.into()));
            *glance.from.get_mut(lane)? = i16::try_from(part.number.checked_sub(low)?).ok()?;
            glance.span[lane] = u16::try_from(high.checked_sub(low)?).ok()?;
            glance.outside[lane] = if part.inside { 0 } else { u16::MAX };
            (most <= i16::MAX as u64).then_some(())?;
        }
        let asked = |times: &Lanes| times.iter().any(|&times| times != 0);
        let counts = reckoning.counts.iter().cloned().zip(times);
        glance.counts = counts.filter(|(_, times)| asked(times)).collect();
        let fields = reckoning.fields.iter().copied().zip(times.into_iter().rev());
        glance.fields = fields.filter(|(_, times)| asked(times)).collect();
        Some(glance)
    }

    /// For each first part whether it holds: not where this is nought.
    #[inline(always)]
    fn hits(&self, words: &[u64], width: usize) -> [u16; LANES] {
        let mut sums = self.from;
        let mut add = |number: i16, times: &Lanes| {
            for (sum, times) in sums.iter_mut().zip(times) {
                *sum = sum.wrapping_add(number.wrapping_mul(*times));
            }
        };
        for (count, times) in &self.counts {
            add(count.of(words, width) as i16, times);
        }
        for (field, times) in &self.fields {
            add(field.get(words) as i16, times);
        }
        let mut hits = self.outside;
        for ((hit, sum), span) in hits.iter_mut().zip(sums).zip(self.span) {
            *hit ^= if sum as u16 <= span { u16::MAX } else { 0 };
        }
        hits
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
        let holds = |part: &Part| reckoning.part_holds(words, part);
        let Some(glance) = &reckoning.glance else {
            return reckoning.clauses.iter().any(|clause| clause.iter().all(holds));
        };
        let hits = glance.hits(words, reckoning.width);
        if hits == [0; LANES] {
            return false;
        }
        let mut clauses = reckoning.clauses.iter().zip(hits);
        clauses.any(|(clause, hit)| hit != 0 && clause[1..].iter().all(holds))
    }
}
