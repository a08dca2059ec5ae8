//! What the planes of a state say at once, worked out from the rules before any state exists:
//! which endings hold, and where pieces may be put.
//!
//! What planes cannot say is left to the scene and to the rules, so that this is an acceleration
//! of them and never a second set of them.

mod inquiry;
mod line;
mod put;
mod sieve;

use std::ops::ControlFlow;

use crate::event::Event;
use crate::game::Game;
use crate::generate::{Extract, Walk, Work};
use crate::id::{PhaseId, PlayerId, RuleId};
use crate::legal::{Count, Sink};
use crate::make::Care;
use crate::plan::{Condition, Ending, Test};
use crate::rule::{Play, Subject};
use crate::state::State;

use inquiry::Inquiry;
use put::Puts;
use sieve::Asker;

/// The survey of a game, in the width of its board.
pub(crate) enum Survey {
    One(Box<Sheet<1>>),
    Two(Box<Sheet<2>>),
    Four(Box<Sheet<4>>),
    Eight(Box<Sheet<8>>),
}

/// The survey of a game on a board of `W` words.
pub(crate) struct Sheet<const W: usize> {
    /// The conditions of endings, each as asked of one player.
    asked: Vec<Inquiry<W>>,
    /// For each ending where its conditions begin, one for each player; none where the scene
    /// must be asked.
    endings: Vec<Option<usize>>,
    /// Whether an ending asks if the mover is stuck, which the survey takes not to be so.
    about_stuck: Vec<bool>,
    /// For each player to move the conditions that stop play; none where one is not known.
    stops: Option<Vec<Vec<usize>>>,
    phases: Vec<Option<Phase<W>>>,
    extract: Option<Extract>,
}

/// What is put in a phase.
struct Phase<const W: usize> {
    /// For each player.
    puts: Vec<Puts<W>>,
    /// Whether nothing else is play.
    only: bool,
    /// Whether programs carry out all of it.
    runs: bool,
}

/// Where a state is asked about: its words and who is to move.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) mover: PlayerId,
}

macro_rules! by_width {
    ($survey:expr, $sheet:ident => $answer:expr) => {
        match $survey {
            Survey::One($sheet) => $answer,
            Survey::Two($sheet) => $answer,
            Survey::Four($sheet) => $answer,
            Survey::Eight($sheet) => $answer,
        }
    };
}

impl Survey {
    /// The survey of a game.
    pub(crate) fn new(game: &Game) -> Option<Survey> {
        Some(match game.layout.width {
            1 => Survey::One(Box::new(Sheet::new(game))),
            2 => Survey::Two(Box::new(Sheet::new(game))),
            4 => Survey::Four(Box::new(Sheet::new(game))),
            8 => Survey::Eight(Box::new(Sheet::new(game))),
            _ => return None,
        })
    }

    /// Whether an ending stops play, where no player is stuck; none where the scene must be asked.
    #[inline]
    pub(crate) fn stops(&self, moment: Moment<'_>) -> Option<bool> {
        by_width!(self, sheet => sheet.dispatch(Stops(moment)))
    }

    /// Whether an ending holds of a player, where no player is stuck; none where the scene must
    /// be asked.
    pub(crate) fn holds(&self, ending: usize, player: PlayerId, words: &[u64]) -> Option<bool> {
        by_width!(self, sheet => sheet.dispatch(Holds { ending, player, words }))
    }

    /// Whether an ending asks if the mover is stuck.
    pub(crate) fn is_about_stuck(&self, ending: usize) -> bool {
        by_width!(self, sheet => sheet.about_stuck[ending])
    }

    /// Whether what may be put in a phase is known here.
    pub(crate) fn has_puts(&self, phase: PhaseId) -> bool {
        by_width!(self, sheet => sheet.phases[phase.index()].is_some())
    }

    /// Whether nothing but to put is play in a phase, and programs carry it out.
    pub(crate) fn runs(&self, phase: PhaseId) -> bool {
        by_width!(self, sheet => sheet.phases[phase.index()].as_ref().is_some_and(|one| one.runs))
    }

    /// Lists what may be put in a phase; none where the rules must be asked.
    #[inline]
    pub(crate) fn puts(
        &self,
        phase: PhaseId,
        moment: Moment<'_>,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        by_width!(self, sheet => sheet.dispatch(List { phase, moment, sink }))
    }

    /// How many events a phase has, where all of them are to put and no ending stops play.
    #[inline]
    pub(crate) fn count(&self, phase: PhaseId, moment: Moment<'_>) -> Option<u64> {
        by_width!(self, sheet => sheet.dispatch(Total { phase, moment }))
    }

    /// The event at a place among those of a phase, which is told how many there are; none where
    /// they must be listed.
    #[inline]
    pub(crate) fn choose(
        &self,
        phase: PhaseId,
        moment: Moment<'_>,
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Option<(Event, RuleId)>> {
        by_width!(self, sheet => sheet.dispatch(Choice { phase, moment, place }))
    }

    /// Plays the event at a place among those of a phase that programs carry out, which is told
    /// how many there are; none where it must be picked first.
    #[inline]
    pub(crate) fn play(
        &self,
        game: &Game,
        state: &mut State,
        phase: PhaseId,
        place: impl FnOnce(&State, u64) -> u64,
    ) -> Option<Option<Event>> {
        by_width!(self, sheet => sheet.dispatch(Playing { game, state, phase, place }))
    }

    /// The rule that accepts an event to put; none where the rules must be asked.
    pub(crate) fn accepting(
        &self,
        phase: PhaseId,
        moment: Moment<'_>,
        event: Event,
    ) -> Option<Option<RuleId>> {
        by_width!(self, sheet => sheet.dispatch(Accepting { phase, moment, event }))
    }
}

impl<const W: usize> Sheet<W> {
    fn new(game: &Game) -> Sheet<W> {
        let mut sheet = Sheet {
            asked: Vec::new(),
            endings: Vec::new(),
            about_stuck: Vec::new(),
            stops: None,
            phases: Vec::new(),
            extract: Extract::detect(&game.options),
        };
        for ending in &game.endings {
            let inquiry =
                |player| Inquiry::new(Asker { game, player, names_tile: false }, &ending.when);
            let first = sheet.asked.len();
            let asked: Option<Vec<Inquiry<W>>> = game.players().map(inquiry).collect();
            sheet.endings.push(asked.as_ref().map(|_| first));
            sheet.asked.extend(asked.into_iter().flatten());
            sheet.about_stuck.push(is_about_stuck(&ending.when));
        }
        sheet.stops = game.players().map(|mover| sheet.stopping(game, mover)).collect();
        let phases = (0..game.leaves.len()).map(PhaseId::at);
        let phase = |phase: PhaseId| {
            let only = put::is_only_puts(game, &game.leaves[phase.index()]);
            let runs = only && put::run(game, phase);
            Some(Phase { puts: put::puts(game, phase)?, only, runs })
        };
        sheet.phases = phases.map(phase).collect();
        sheet
    }

    /// The conditions by which play stops when a player is to move.
    fn stopping(&self, game: &Game, mover: PlayerId) -> Option<Vec<usize>> {
        let stops = |(_, ending): &(usize, &Ending)| ending.play == Play::Stops;
        let mut all = Vec::new();
        for (at, ending) in game.endings.iter().enumerate().filter(stops) {
            let first = self.endings[at]?;
            match ending.of {
                Subject::Mover => all.push(first + mover.index()),
                Subject::Each => all.extend(first..first + game.layout.players),
            }
        }
        all.retain(|&one| !matches!(self.asked[one], Inquiry::Sure(false)));
        Some(all)
    }

    #[inline(always)]
    fn dispatch<T: Task<W>>(&self, task: T) -> T::Answer {
        let run = Run { sheet: self, task };
        match self.extract {
            Some(extract) => extract.work(run),
            None => run.run(),
        }
    }

    #[inline(always)]
    fn stop(&self, moment: Moment<'_>) -> Option<bool> {
        let stops = &self.stops.as_ref()?[moment.mover.index()];
        for &one in stops {
            if self.asked[one].holds(moment.words) {
                return Some(true);
            }
        }
        Some(false)
    }

    #[inline(always)]
    fn putting(&self, phase: PhaseId, moment: Moment<'_>) -> Option<(&Puts<W>, bool)> {
        let phase = self.phases[phase.index()].as_ref()?;
        Some((&phase.puts[moment.mover.index()], phase.only))
    }
}

/// Whether a condition asks if the mover is stuck.
fn is_about_stuck(condition: &Condition) -> bool {
    match &condition.test {
        Test::Stuck => true,
        Test::All(all) | Test::Any(all) => all.iter().any(is_about_stuck),
        Test::Not(one) | Test::Called(one) | Test::Relevant(one) => is_about_stuck(one),
        _ => false,
    }
}

/// A question to a sheet.
trait Task<const W: usize> {
    type Answer;

    fn ask(self, sheet: &Sheet<W>) -> Self::Answer;
}

struct Run<'a, const W: usize, T> {
    sheet: &'a Sheet<W>,
    task: T,
}

impl<const W: usize, T: Task<W>> Work for Run<'_, W, T> {
    type Answer = T::Answer;

    #[inline(always)]
    fn run(self) -> T::Answer {
        self.task.ask(self.sheet)
    }
}

struct Stops<'a>(Moment<'a>);

impl<const W: usize> Task<W> for Stops<'_> {
    type Answer = Option<bool>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Option<bool> {
        sheet.stop(self.0)
    }
}

struct Holds<'a> {
    ending: usize,
    player: PlayerId,
    words: &'a [u64],
}

impl<const W: usize> Task<W> for Holds<'_> {
    type Answer = Option<bool>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Option<bool> {
        let first = sheet.endings[self.ending]?;
        Some(sheet.asked[first + self.player.index()].holds(self.words))
    }
}

struct List<'a, K> {
    phase: PhaseId,
    moment: Moment<'a>,
    sink: &'a mut K,
}

impl<const W: usize, K: Sink> Task<W> for List<'_, K> {
    type Answer = Option<ControlFlow<()>>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Self::Answer {
        let (puts, _) = sheet.putting(self.phase, self.moment)?;
        Some(puts.list(self.moment.words, self.sink))
    }
}

struct Total<'a> {
    phase: PhaseId,
    moment: Moment<'a>,
}

impl<const W: usize> Task<W> for Total<'_> {
    type Answer = Option<u64>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Option<u64> {
        let (puts, only) = sheet.putting(self.phase, self.moment)?;
        let mut count = Count(0);
        let _ = only.then(|| puts.list(self.moment.words, &mut count))?;
        Some(count.0)
    }
}

struct Choice<'a, P> {
    phase: PhaseId,
    moment: Moment<'a>,
    place: P,
}

impl<const W: usize, P: FnOnce(u64) -> u64> Task<W> for Choice<'_, P> {
    type Answer = Option<Option<(Event, RuleId)>>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Self::Answer {
        let Choice { phase, moment, place } = self;
        let (puts, only) = sheet.putting(phase, moment)?;
        if !only {
            return None;
        }
        if sheet.stop(moment)? {
            return Some(None);
        }
        Some(match sheet.extract {
            Some(extract) => puts.at(moment.words, place, extract),
            None => puts.at(moment.words, place, Walk),
        })
    }
}

struct Playing<'a, P> {
    game: &'a Game,
    state: &'a mut State,
    phase: PhaseId,
    place: P,
}

impl<const W: usize, P: FnOnce(&State, u64) -> u64> Task<W> for Playing<'_, P> {
    type Answer = Option<Option<Event>>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Self::Answer {
        let Playing { game, state, phase, place } = self;
        let moment = game.moment(state);
        let phase = sheet.phases[phase.index()].as_ref()?;
        if sheet.stop(moment)? {
            return Some(None);
        }
        let puts = &phase.puts[moment.mover.index()];
        let place = |count| place(state, count);
        let found = match sheet.extract {
            Some(extract) => puts.at(moment.words, place, extract),
            None => puts.at(moment.words, place, Walk),
        };
        let Some((event, rule)) = found else { return Some(None) };
        if let Some(program) = game.program(rule, moment.mover) {
            program.run_put::<W>(game, state, event, Care::All);
        }
        Some(Some(event))
    }
}

struct Accepting<'a> {
    phase: PhaseId,
    moment: Moment<'a>,
    event: Event,
}

impl<const W: usize> Task<W> for Accepting<'_> {
    type Answer = Option<Option<RuleId>>;

    #[inline(always)]
    fn ask(self, sheet: &Sheet<W>) -> Self::Answer {
        let Event::Put { kind, to } = self.event else { return None };
        let (puts, _) = sheet.putting(self.phase, self.moment)?;
        Some(puts.accepting(self.moment.words, kind, to))
    }
}

#[cfg(test)]
mod tests {
    use crate::builder::{EIGHT, LINES, SOUTH};
    use crate::{
        Area, Builder, Condition, Effect, Ending, Game, Grid, Options, Phase, Putting, Rule, Seat,
        Spot, TileTest, Trait, Value, Who,
    };

    fn rows(side: u16, rule: Rule) -> Game {
        let line = Condition::line(4, LINES, TileTest::owned_by(Who::Mover));
        let full = Value::tiles(Area::Board, TileTest::empty()).equals(0);
        let builder = Builder::new("rows")
            .players(["one", "two"])
            .board(Grid::new(side, side).along(EIGHT).named_by_number())
            .kind("stone")
            .pieces("one", "stone", 4)
            .pieces("two", "stone", 4)
            .phase(Phase::leaf("play").rule(rule.then(Effect::Turn(Seat::Next))))
            .ending(Ending::win("a row", Seat::Mover).of_each().when(line))
            .ending(Ending::draw("full").when(full.or(Condition::Stuck)));
        builder.build().compile(Options::default()).unwrap()
    }

    /// Whether puts and endings are known, and trees are counted without names.
    fn is_known(game: &Game) -> [bool; 3] {
        let survey = game.survey.as_ref().unwrap();
        let (phase, start) = (game.sole.unwrap(), game.start());
        [survey.has_puts(phase), survey.stops(game.moment(&start)) == Some(false), game.by_position]
    }

    #[test]
    fn rows_are_known_on_boards_of_every_width() {
        for side in [4, 8, 10, 15, 19] {
            let on_stone = Condition::tile(Spot::To.then(&[SOUTH]), TileTest::is_not(Trait::Empty));
            let game = rows(side, Rule::puts("put", Putting::any()).when(!on_stone));
            assert_eq!(is_known(&game), [true; 3], "{side}");
        }
    }

    #[test]
    fn what_planes_cannot_say_is_not_known() {
        let seen = Spot::To.first(SOUTH, TileTest::is_not(Trait::Empty));
        let blocked = Condition::tile(seen, TileTest::owned_by(Who::Foe));
        let game = rows(5, Rule::puts("put", Putting::any()).when(!blocked));
        assert_eq!(is_known(&game), [false, true, false]);
    }
}
