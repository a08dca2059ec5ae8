//! Where in a match something was typed, so that what was typed at once is taken back at once.

use senet::Match;

/// The plies at which something was typed, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts(Vec<usize>);

impl Starts {
    /// Notes that something was typed at a ply. What was typed later is forgotten.
    pub(super) fn begin(&mut self, ply: usize) {
        self.0.retain(|start| *start < ply);
        self.0.push(ply);
    }

    /// Goes back to before what was typed last; whether there is anything to take back.
    pub(super) fn back(&self, played: &mut Match) -> bool {
        let ply = played.ply();
        let start = self.0.iter().rev().find(|start| **start < ply);
        match start {
            // What was played before anything was typed is taken back event by event.
            Some(start) if self.0.first().is_none_or(|first| ply > *first) => played.goto(*start),
            _ => played.undo(),
        }
    }

    /// Plays what was taken back last; whether there is anything.
    pub(super) fn forth(&self, played: &mut Match) -> bool {
        let ply = played.ply();
        if ply >= played.len() {
            return false;
        }
        match self.0.iter().find(|start| **start > ply) {
            Some(next) if self.0.contains(&ply) => played.goto(*next),
            None if self.0.contains(&ply) => played.goto(played.len()),
            _ => played.redo(),
        }
    }
}
