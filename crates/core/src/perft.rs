//! Counting the leaves of a game tree: the proof that the rules are right.

use crate::event::Event;
use crate::game::Game;
use crate::state::State;

impl Game {
    /// How many sequences of so many legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal(state).len() as u64,
            _ => self.divide(state, depth).into_iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// The same count for each first event.
    pub fn divide(&self, state: &State, depth: u32) -> Vec<(Event, u64)> {
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        let count = |event: Event| {
            let nodes = match (rest, self.attempt(state, event)) {
                (0, _) => 1,
                (_, Some(step)) => self.perft(&step.state, rest),
                (_, None) => 0,
            };
            (event, nodes)
        };
        self.legal(state).into_iter().map(count).collect()
    }
}
