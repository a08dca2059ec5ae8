//! Legal moves by whole sets of tiles: the movement rules of a phase as tables.
//!
//! What a table cannot say is asked of the rule itself, one candidate at a time, so that the
//! tables are an acceleration of the rules and never a second set of them. A game or a phase that
//! does not fit the tables is listed by the rules alone.

mod attack;
mod board;
mod cpu;
mod land;
mod line;
mod link;
mod list;
mod row;
mod safety;
mod shape;
mod sight;
mod tree;

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::accept::Arrival;
use crate::event::Event;
use crate::game::Game;
use crate::id::{PhaseId, PlayerId, RuleId, TileId};
use crate::legal::{Exists, Sink};
use crate::perft::Leaves;
use crate::state::State;

use attack::Attacks;
use board::Board;
pub(crate) use cpu::{Extract, Work};
use line::Lines;
pub(crate) use list::each_event;
use row::Row;
use shape::{Compact, Loose, Shape};
use sight::Sight;
pub(crate) use sight::{Eye, Walk};
use tree::{Accept, Choice, Counted, Made, Question, Tree};

/// The tables of a game, in the width of its board.
pub(crate) enum Generator {
    One(Box<Tables<1>>),
    Two(Box<Tables<2>>),
    Four(Box<Tables<4>>),
    Eight(Box<Tables<8>>),
}

/// The tables of a game on a board of `W` words.
pub(crate) struct Tables<const W: usize> {
    lines: Lines<W>,
    /// How each player attacks.
    attacks: Vec<Attacks<W>>,
    /// For each leaf phase the movement rules of each player, or none where the rules alone list.
    phases: Vec<Option<Vec<Side<W>>>>,
    /// The same in terms of what pieces can do, if they can be said so.
    tree: Option<Tree<W>>,
    eye: Option<Extract>,
    outline: Outline,
}

/// The movement rules of a phase for one player.
struct Side<const W: usize> {
    sights: Vec<Arc<Sight<W>>>,
    /// How each foe attacks.
    foes: Vec<Attacks<W>>,
    rows: Vec<Row<W>>,
    /// By kind: the rows that move it, and which of their reaches is its.
    rows_of: Vec<Vec<(usize, usize)>>,
}

/// The shape that the tables have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outline {
    Loose,
    Compact,
}

/// A question to the tables.
trait Task<const W: usize> {
    type Answer;

    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer;
}

/// Runs a task with an eye and a shape.
struct Run<'a, const W: usize, T, E, S> {
    tables: &'a Tables<W>,
    task: T,
    eye: E,
    _shape: S,
}

impl<const W: usize, T: Task<W>, E: Eye, S: Shape> Work for Run<'_, W, T, E, S> {
    type Answer = T::Answer;

    #[inline(always)]
    fn run(self) -> T::Answer {
        self.task.ask::<E, S>(self.tables, self.eye)
    }
}

macro_rules! by_width {
    ($generator:expr, $tables:ident => $answer:expr) => {
        match $generator {
            Generator::One($tables) => $answer,
            Generator::Two($tables) => $answer,
            Generator::Four($tables) => $answer,
            Generator::Eight($tables) => $answer,
        }
    };
}

/// The same for what wide boards have none of.
macro_rules! by_narrow {
    ($generator:expr, $tables:ident => $answer:expr) => {
        match $generator {
            Generator::One($tables) => $answer,
            Generator::Two($tables) => $answer,
            Generator::Four(_) | Generator::Eight(_) => None,
        }
    };
}

impl Generator {
    /// The tables of a game, if it fits them: every tile holds one piece.
    pub(crate) fn new(game: &Game) -> Option<Generator> {
        if game.exclusive != game.all_tiles {
            return None;
        }
        Some(match game.layout.width {
            1 => Generator::One(Box::new(Tables::new(game)?)),
            2 => Generator::Two(Box::new(Tables::new(game)?)),
            4 => Generator::Four(Box::new(Tables::new(game)?)),
            8 => Generator::Eight(Box::new(Tables::new(game)?)),
            _ => return None,
        })
    }

    /// Whether a player attacks a tile.
    pub(crate) fn is_threatened(
        &self,
        game: &Game,
        state: &State,
        tile: TileId,
        player: PlayerId,
    ) -> bool {
        by_width!(self, tables => tables.dispatch(Threatened { game, state, tile, player }))
    }

    /// Lists the legal moves of a phase; none where the rules alone must.
    #[inline]
    pub(crate) fn moves(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        by_width!(self, tables => tables.dispatch(Moves { game, state, phase, sink }))
    }

    /// How many leaves the tree below a state has, so many moves deep, but at least one; none
    /// where states must be used.
    pub(crate) fn perft(&self, game: &Game, state: &State, depth: u32) -> Option<u64> {
        let question = Question { game, state, depth, harvest: PhantomData::<Counted> };
        by_narrow!(self, tables => tables.climb(question))
    }

    /// The same with every leaf made.
    pub(crate) fn perft_made(&self, game: &Game, state: &State, depth: u32) -> Option<Leaves> {
        let question = Question { game, state, depth, harvest: PhantomData::<Made> };
        by_narrow!(self, tables => tables.climb(question))
    }

    /// The move at a place among those of a state, which is told how many there are; none where
    /// they must be listed.
    #[inline]
    pub(crate) fn choose(
        &self,
        game: &Game,
        state: &State,
        place: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Option<(Event, RuleId)>> {
        by_narrow!(self, tables => tables.climb(Choice { game, state, place }))
    }

    /// Asks about moves to a tile in a state in which nothing stops play: takes each with the rule
    /// that accepts it, if one does, and none where it must be asked otherwise. None where all
    /// must be.
    #[inline]
    pub(crate) fn accept(
        &self,
        game: &Game,
        state: &State,
        arrival: &Arrival<'_>,
        take: &mut dyn FnMut(Event, Option<Option<RuleId>>),
    ) -> Option<()> {
        by_narrow!(self, tables => tables.climb(Accept { game, state, arrival, take }))
    }

    /// Whether a rule of a phase has a legal move; none where it must be asked.
    pub(crate) fn fires(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        rule: RuleId,
    ) -> Option<bool> {
        by_width!(self, tables => tables.dispatch(Fires { game, state, phase, rule }))
    }

    /// The rule that accepts a move; none where the rules alone must say.
    #[inline]
    pub(crate) fn accepting(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<Option<RuleId>> {
        by_width!(self, tables => tables.dispatch(Accepting { game, state, phase, event }))
    }
}

impl<const W: usize> Tables<W> {
    fn new(game: &Game) -> Option<Tables<W>> {
        let lines = Lines::new(game.topology())?;
        let mut sights = attack::sights(game, &lines);
        let eye = Extract::detect(&game.options).filter(|&extract| {
            W <= 2 && sights.iter_mut().all(|one| one.tabulate(&lines, extract).is_some())
        });
        let sights: Vec<Arc<Sight<W>>> = sights.into_iter().map(Arc::new).collect();
        let attacks = game.players().map(|player| Attacks::new(game, &lines, &sights, player));
        let attacks = attacks.collect::<Option<Vec<Attacks<W>>>>()?;
        let foes = |player: PlayerId| {
            let foe = |one: &usize| game.friends[player.index()] >> one & 1 == 0;
            (0..game.layout.players).filter(foe).map(|foe| attacks[foe].clone()).collect()
        };
        let side = |leaf, player| {
            let rows = row::rows(game, (&lines, &sights), leaf, player)?;
            let rows_of = game.kinds().map(|kind| row::rows_of(&rows, kind)).collect();
            Some(Side { sights: sights.clone(), foes: foes(player), rows, rows_of })
        };
        let sides = |leaf| game.players().map(|player| side(leaf, player)).collect();
        let phases: Vec<Option<Vec<Side<W>>>> = game.leaves.iter().map(sides).collect();
        let tree =
            if W <= 2 { Tree::new(game, (&lines, &sights), &attacks, &phases) } else { None };
        let mut tables = Tables { lines, attacks, phases, tree, eye, outline: Outline::Loose };
        tables.outline = match W {
            1 if tables.has::<Compact>() => Outline::Compact,
            _ => Outline::Loose,
        };
        Some(tables)
    }

    /// Whether the tables have a shape.
    fn has<S: Shape>(&self) -> bool {
        let sides = || self.phases.iter().flatten().flatten();
        let spokes = |sight: &Arc<Sight<W>>| self.eye.is_none() || sight.spokes() == S::SPOKES;
        self.attacks.iter().all(|attacks| {
            attacks.slides.len() == S::SLIDES
                && attacks.slides.iter().all(|(kinds, _)| kinds.len <= S::SLIDE_KINDS)
                && attacks.leaps.len() == S::FOE_LEAPS
                && (attacks.leaps.iter())
                    .all(|(kinds, _)| S::FOE_LEAP_KINDS == 0 || kinds.len <= S::FOE_LEAP_KINDS)
        }) && sides().all(|side| side.foes.len() == S::FOES && side.sights.iter().all(spokes))
    }

    /// Asks with the best eye and the shape at hand. What a width does not have is not built for
    /// it, which the compiler must be told.
    #[inline(always)]
    fn dispatch<T: Task<W>>(&self, task: T) -> T::Answer {
        let tables = self;
        if const { W <= 2 }
            && let (Some(eye), Outline::Loose) = (self.eye, self.outline)
        {
            return eye.work(Run { tables, task, eye, _shape: Loose });
        }
        self.ask(task)
    }

    /// Asks about a tree, with the eye and the shape at hand: narrow boards have no other.
    #[inline(always)]
    fn climb<T: Task<W>>(&self, task: T) -> T::Answer {
        let tables = self;
        if const { W == 2 }
            && let Some(eye) = self.eye
        {
            return eye.work(Run { tables, task, eye, _shape: Loose });
        }
        self.ask(task)
    }

    /// Asks with the eye at hand where the shape is compact, and otherwise with none.
    #[inline(always)]
    fn ask<T: Task<W>>(&self, task: T) -> T::Answer {
        let tables = self;
        if const { W == 1 }
            && let (Some(eye), Outline::Compact) = (self.eye, self.outline)
        {
            return eye.work(Run { tables, task, eye, _shape: Compact });
        }
        task.ask::<Walk, Loose>(self, Walk)
    }

    #[inline(always)]
    fn side(&self, phase: PhaseId, player: PlayerId) -> Option<&Side<W>> {
        Some(&self.phases[phase.index()].as_ref()?[player.index()])
    }
}

struct Threatened<'a> {
    game: &'a Game,
    state: &'a State,
    tile: TileId,
    player: PlayerId,
}

impl<const W: usize> Task<W> for Threatened<'_> {
    type Answer = bool;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> bool {
        let board = Board::new(self.game, self.state);
        let attacks = &tables.attacks[self.player.index()];
        attacks.reaches::<S>(&tables.lines, eye, board.words, self.tile, board.occupied)
    }
}

struct Moves<'a, K> {
    game: &'a Game,
    state: &'a State,
    phase: PhaseId,
    sink: &'a mut K,
}

impl<const W: usize, K: Sink> Task<W> for Moves<'_, K> {
    type Answer = Option<ControlFlow<()>>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer {
        let board = Board::new(self.game, self.state);
        let side = tables.side(self.phase, board.mover)?;
        Some(side.list::<E, S>(&tables.lines, eye, &board, self.sink))
    }
}

struct Fires<'a> {
    game: &'a Game,
    state: &'a State,
    phase: PhaseId,
    rule: RuleId,
}

impl<const W: usize> Task<W> for Fires<'_> {
    type Answer = Option<bool>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Option<bool> {
        let board = Board::new(self.game, self.state);
        let side = tables.side(self.phase, board.mover)?;
        let row = side.rows.iter().find(|row| row.rule == self.rule)?;
        // A rule that is listed only where no earlier one takes the event fires all the same.
        if row.contested {
            return None;
        }
        let safety = side.safety::<S>(&tables.lines, &board);
        let (lines, safety) = (&tables.lines, safety.as_ref());
        Some(side.row::<E, S>(lines, eye, &board, safety, row, &mut Exists).is_break())
    }
}

struct Accepting<'a> {
    game: &'a Game,
    state: &'a State,
    phase: PhaseId,
    event: Event,
}

impl<const W: usize> Task<W> for Accepting<'_> {
    type Answer = Option<Option<RuleId>>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer {
        let Event::Move { .. } = self.event else { return None };
        let board = Board::new(self.game, self.state);
        let side = tables.side(self.phase, board.mover)?;
        Some(side.accepting::<E, S>(&tables.lines, eye, &board, self.event))
    }
}
