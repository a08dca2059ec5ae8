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

/// Record batches of the positions of a timeline, ply by ply.
pub struct Distinct {
    timeline: Arc<Timeline>,
    expander: Expander,
    batch: Batch,
    /// The positions of the ply before, and those of this ply.
    before: Vec<Node>,
    now: Vec<Node>,
    ply: u32,
    /// How many positions of this ply have been written.
    written: usize,
}

/// A position, by the first path that leads to it.
struct Node {
    state: State,
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
            ply: 0,
            written: timeline.roots.len(),
            timeline: timeline.clone(),
        }
    }

    /// Finds the positions of the next ply. Positions below different roots stay apart.
    fn deepen(&mut self) -> Result<(), Error> {
        self.before = std::mem::take(&mut self.now);
        (self.ply, self.written) = (self.ply + 1, 0);
        let game = &self.timeline.subject.game;
        let mut found: HashMap<(usize, u128), usize> = HashMap::new();
        let mut moves = Vec::new();
        for (parent, node) in self.before.iter().enumerate() {
            let place = node.place(self.ply);
            self.expander.moves(place, &mut moves)?;
            for &one in &moves {
                let Some(state) = game.choose(&node.state, one.choice) else { continue };
                let known = found.entry((node.root, state.hash128())).or_insert(self.now.len());
                if let Some(other) = self.now.get_mut(*known) {
                    other.paths = other.paths.saturating_add(node.paths);
                    continue;
                }
                let single = [one];
                let row = family(&self.timeline, place, &single, &[], 1);
                let probability = row.probability(one.choice.event()).unwrap_or(1.0);
                let mut code = node.code.clone();
                crate::code::push(&mut code, one.index);
                self.now.push(Node {
                    state,
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

    fn fill(&mut self) -> Result<Option<RecordBatch>, Error> {
        while self.batch.rows() < BATCH_ROWS {
            let Some(node) = self.now.get(self.written) else {
                if self.ply == self.timeline.depth || self.now.is_empty() {
                    break;
                }
                self.deepen()?;
                continue;
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
        let Node { state, root, code, reach, .. } = self;
        Place { state, root: *root, code, ply, reach: *reach }
    }
}

impl Iterator for Distinct {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fill().transpose()
    }
}
