//! Counting the leaves of a game tree: the proof that the rules are right.

use crate::event::Event;
use crate::game::Game;
use crate::id::RuleId;
use crate::rule::Listing;
use crate::state::State;

impl Game {
    /// How many sequences of so many legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_count(state),
            _ => self.divide(state, depth).into_iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// The same count for each first event.
    pub fn divide(&self, state: &State, depth: u32) -> Vec<(Event, u64)> {
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        let mut events: Vec<(Event, Option<RuleId>)> = Vec::new();
        let _ = self.each_event(state, Listing::Play, &mut events);
        let count = |(event, rule): (Event, Option<RuleId>)| {
            let nodes = match rest {
                0 => 1,
                _ => self.follow(state, event, rule).map_or(0, |after| self.perft(&after, rest)),
            };
            (event, nodes)
        };
        events.into_iter().map(count).collect()
    }
}
