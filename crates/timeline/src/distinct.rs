//! The positions of each ply, each once: paths that meet are counted and followed together.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::record_batch::RecordBatch;
use senet_core::State;

use crate::batch::Batch;
use crate::error::Error;
use crate::expand::{Expander, Place, family};
use crate::family::Move;
use crate::timeline::{BATCH_ROWS, Timeline};

/// The number of positions that are followed at a time.
const FOLLOWED: usize = 1024;

/// Record batches of the positions of a timeline, ply by ply.
pub struct Distinct {
    timeline: Arc<Timeline>,
    expander: Expander,
    batch: Batch,
    /// The positions of the ply before, and those of this ply.
    before: Vec<Node>,
    now: Vec<Node>,
    /// Where the positions of this ply are among them, by their roots and hashes.
    found: HashMap<(usize, u128), usize>,
    ply: u32,
    /// How many positions of the ply before have been followed.
    followed: usize,
    /// How many positions of this ply have been written.
    written: usize,
}

/// A position, by the first path that leads to it: where a game asks what came before, that of this path
/// counts.
struct Node {
    state: State,
    past: Vec<u64>,
    code: String,
    root: usize,
    reach: f64,
    paths: i64,
    /// The position before it and the move from there; none for a given position.
    from: Option<(usize, Move)>,
}

impl Distinct {
    /// The positions of a timeline.
    pub fn new(timeline: &Arc<Timeline>) -> Distinct {
        let root = |(root, one): (usize, &crate::timeline::Root)| Node {
            state: one.state.clone(),
            past: Vec::new(),
            code: timeline.code(&[root as u32]),
            root,
            reach: 1.0,
            paths: 1,
            from: None,
        };
        Distinct {
            expander: Expander::new(timeline),
            batch: Batch::new(&timeline.subject, &timeline.columns),
            before: Vec::new(),
            now: timeline.roots.iter().enumerate().map(root).collect(),
            found: HashMap::new(),
            ply: 0,
            followed: 0,
            written: timeline.roots.len(),
            timeline: timeline.clone(),
        }
    }

    /// Goes on to the next ply, of which nothing is found yet; false after the last.
    fn deepen(&mut self) -> bool {
        if self.ply == self.timeline.depth || self.now.is_empty() {
            return false;
        }
        self.before = std::mem::take(&mut self.now);
        self.found.clear();
        (self.ply, self.followed, self.written) = (self.ply + 1, 0, 0);
        true
    }

    /// Follows some positions of the ply before. Positions below different roots stay apart.
    fn follow(&mut self) -> Result<(), Error> {
        let mut walker = self.timeline.subject.game.walker();
        let mut moves = Vec::new();
        let some = self.before.iter().enumerate().skip(self.followed).take(FOLLOWED);
        self.followed += some.len();
        for (parent, node) in some {
            let place = node.place(self.ply);
            self.expander.moves(&mut walker, place, &mut moves)?;
            for &one in &moves {
                let state = walker.play(&node.state, one.accepted);
                let key = (node.root, state.hash128());
                let known = self.found.entry(key).or_insert(self.now.len());
                if let Some(other) = self.now.get_mut(*known) {
                    other.paths = other.paths.saturating_add(node.paths);
                    continue;
                }
                let single = [one];
                let row = family(&self.timeline, place, &single, &[], 1);
                let probability = row.probability(one.accepted.event()).unwrap_or(1.0);
                let mut code = node.code.clone();
                crate::code::push(&mut code, one.index);
                self.now.push(Node {
                    state,
                    past: place.past_below(&self.timeline.subject.game),
                    code,
                    root: node.root,
                    reach: node.reach * probability,
                    paths: node.paths,
                    from: Some((parent, one)),
                });
            }
        }
        Ok(())
    }

    /// Works on for a while: rows, none as yet, or nothing at the end. Before the first row of a
    /// ply can be written, all of the ply must be found, which whoever waits may not want to wait
    /// for.
    pub fn step(&mut self) -> Option<Result<RecordBatch, Error>> {
        self.fill().transpose()
    }

    fn fill(&mut self) -> Result<Option<RecordBatch>, Error> {
        while self.batch.rows() < BATCH_ROWS {
            if self.followed < self.before.len() {
                self.follow()?;
                return Ok(Some(RecordBatch::new_empty(self.timeline.schema())));
            }
            let Some(node) = self.now.get(self.written) else {
                if self.deepen() {
                    continue;
                }
                break;
            };
            self.written += 1;
            if let Some((parent, one)) = node.from {
                let place = self.before[parent].place(self.ply);
                let (moves, after) = ([one], std::slice::from_ref(&node.state));
                self.batch.push(&family(&self.timeline, place, &moves, after, node.paths));
            }
        }
        match self.batch.rows() {
            0 => Ok(None),
            _ => Ok(Some(self.batch.finish()?)),
        }
    }
}

impl Node {
    fn place(&self, ply: u32) -> Place<'_> {
        let Node { state, past, root, code, reach, .. } = self;
        Place { state, root: *root, code, ply, reach: *reach, past }
    }
}

impl Iterator for Distinct {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let has_rows = |batch: &Self::Item| !batch.as_ref().is_ok_and(|rows| rows.num_rows() == 0);
        std::iter::from_fn(|| self.step()).find(has_rows)
    }
}
