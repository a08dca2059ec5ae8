//! The walk through a tree: depth first, one position in memory for each ply.

use std::sync::Arc;

use arrow::record_batch::RecordBatch;
use senet_core::{State, Walker};

use crate::batch::Batch;
use crate::error::Error;
use crate::expand::{Expander, Place, family};
use crate::family::Move;
use crate::timeline::{BATCH_ROWS, Timeline};
use crate::unit::Unit;

/// Record batches of some units, one after another.
pub struct Walk {
    timeline: Arc<Timeline>,
    units: std::vec::IntoIter<Unit>,
    expander: Expander,
    batch: Batch,
    /// The positions on the way from the root of the unit; those beyond `open` wait to be used
    /// again.
    frames: Vec<Frame>,
    open: usize,
    after: Vec<State>,
    code: String,
    root: usize,
    failed: bool,
}

/// A position on the way.
struct Frame {
    state: State,
    moves: Vec<Move>,
    next: usize,
    /// How much of the path code is its own.
    code: usize,
    ply: u32,
    reach: f64,
    /// The positions before it, by their hashes; none where the game does not ask for them.
    past: Vec<u64>,
}

impl Walk {
    /// A walk through some units of a timeline. Units of another are passed over in silence where
    /// their moves do not exist.
    pub fn new(timeline: &Arc<Timeline>, units: Vec<Unit>) -> Walk {
        Walk {
            timeline: timeline.clone(),
            units: units.into_iter(),
            expander: Expander::new(timeline),
            batch: Batch::new(&timeline.subject, &timeline.columns),
            frames: Vec::new(),
            open: 0,
            after: Vec::new(),
            code: String::new(),
            root: 0,
            failed: false,
        }
    }

    /// Goes the way to a unit, writing those rows of it that no unit before has.
    fn begin(&mut self, walker: &mut Walker<'_>, unit: &Unit) -> Result<(), Error> {
        let Some(root) = self.timeline.roots.get(unit.path[0] as usize) else { return Ok(()) };
        let state = root.state.clone();
        self.root = unit.path[0] as usize;
        self.code = self.timeline.code(&unit.path[..1]);
        self.enter(walker, (state, Vec::new()), 1, 1.0)?;
        for (at, &index) in unit.path.iter().enumerate().skip(1) {
            let moves = &self.frames[self.open - 1].moves;
            let Some(nth) = moves.iter().position(|one| one.index == index) else {
                self.open = 0;
                return Ok(());
            };
            self.descend(walker, nth, at >= unit.told)?;
        }
        // What is beside the way belongs to other units.
        let last = self.open - 1;
        self.frames.swap(0, last);
        self.open = 1;
        Ok(())
    }

    /// Opens a position.
    fn enter(
        &mut self,
        walker: &mut Walker<'_>,
        (state, past): (State, Vec<u64>),
        ply: u32,
        reach: f64,
    ) -> Result<(), Error> {
        if self.frames.len() == self.open {
            let (state, moves, past) = (state.clone(), Vec::new(), Vec::new());
            self.frames.push(Frame { state, moves, next: 0, code: 0, ply, reach, past });
        }
        let only_counted = self.is_only_counted(ply);
        let frame = &mut self.frames[self.open];
        (frame.state, frame.next, frame.code) = (state, 0, self.code.len());
        (frame.ply, frame.reach, frame.past) = (ply, reach, past);
        self.open += 1;
        if only_counted {
            return Ok(());
        }
        let Frame { state, moves, past, .. } = frame;
        let place = Place { state, root: self.root, code: &self.code, ply, reach, past };
        self.expander.moves(walker, place, moves)
    }

    /// Whether the moves of this ply are counted without being listed.
    fn is_only_counted(&self, ply: u32) -> bool {
        ply == self.timeline.depth && self.batch.only_counts() && self.timeline.prune.is_none()
    }

    /// Goes to the position after a move of the open one; with its row or without.
    fn descend(&mut self, walker: &mut Walker<'_>, nth: usize, told: bool) -> Result<(), Error> {
        let frame = &self.frames[self.open - 1];
        let one = frame.moves[nth];
        let after = walker.play(&frame.state, one.accepted);
        self.code.truncate(frame.code);
        let place = Place {
            state: &frame.state,
            root: self.root,
            code: &self.code,
            ply: frame.ply,
            reach: frame.reach,
            past: &frame.past,
        };
        let (moves, after) = ([one], [after]);
        let row = family(&self.timeline, place, &moves, &after, 1);
        if told {
            self.batch.push(&row);
        }
        let reach = frame.reach * row.probability(one.accepted.event()).unwrap_or(1.0);
        let (ply, past) = (frame.ply + 1, place.past_below(&self.timeline.subject.game));
        crate::code::push(&mut self.code, one.index);
        let [after] = after;
        self.enter(walker, (after, past), ply, reach)
    }

    /// Writes the moves of the open position, which are of the last ply, and leaves it.
    fn finish_leaf(&mut self, walker: &mut Walker<'_>) {
        let Frame { state, moves, code, ply, reach, past, .. } = &self.frames[self.open - 1];
        self.open -= 1;
        if self.is_only_counted(*ply) {
            walker.remember(past);
            return self.batch.count(walker.count(state));
        }
        if moves.is_empty() {
            return;
        }
        self.after.clear();
        if self.batch.needs_after() {
            self.after.extend(moves.iter().map(|one| walker.play(state, one.accepted)));
        }
        self.code.truncate(*code);
        let (root, code) = (self.root, &self.code[..]);
        let place = Place { state, root, code, ply: *ply, reach: *reach, past };
        self.batch.push(&family(&self.timeline, place, moves, &self.after, 1));
    }

    /// One step of the walk; false at its end.
    fn step(&mut self, walker: &mut Walker<'_>) -> Result<bool, Error> {
        if self.open == 0 {
            let Some(unit) = self.units.next() else { return Ok(false) };
            self.begin(walker, &unit)?;
            return Ok(true);
        }
        let frame = &mut self.frames[self.open - 1];
        if frame.ply == self.timeline.depth {
            self.finish_leaf(walker);
        } else if frame.next == frame.moves.len() {
            self.open -= 1;
        } else {
            frame.next += 1;
            let nth = frame.next - 1;
            self.descend(walker, nth, true)?;
        }
        Ok(true)
    }

    fn fill(&mut self) -> Result<Option<RecordBatch>, Error> {
        let timeline = self.timeline.clone();
        let mut walker = timeline.subject.game.walker();
        while self.batch.rows() < BATCH_ROWS {
            if !self.step(&mut walker)? {
                break;
            }
        }
        match self.batch.rows() {
            0 => Ok(None),
            _ => Ok(Some(self.batch.finish()?)),
        }
    }
}

impl Iterator for Walk {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.fill();
        self.failed = next.is_err();
        next.transpose()
    }
}
