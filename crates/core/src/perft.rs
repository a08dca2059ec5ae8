//! Counting the leaves of a game tree: the proof that the rules are right.

use crate::event::Event;
use crate::game::Game;
use crate::id::RuleId;
use crate::rule::Listing;
use crate::state::State;

/// What becomes of the last event of each sequence that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// It is counted without being carried out.
    Counted,
    /// It is carried out, and the state after it is thrown away.
    Made,
}

/// What one level of the tree needs, kept from node to node.
struct Level {
    events: Vec<(Event, Option<RuleId>)>,
    state: State,
}

impl Game {
    /// How many sequences of so many legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        self.perft_by(state, depth, Leaf::Counted)
    }

    /// The same count, with a choice of what becomes of the last events.
    pub fn perft_by(&self, state: &State, depth: u32, leaf: Leaf) -> u64 {
        let level = || Level { events: Vec::new(), state: state.clone() };
        let mut levels: Vec<Level> = (0..depth).map(|_| level()).collect();
        self.descend(state, &mut levels, leaf)
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

    fn descend(&self, state: &State, levels: &mut [Level], leaf: Leaf) -> u64 {
        let Some((level, below)) = levels.split_first_mut() else { return 1 };
        if below.is_empty() && leaf == Leaf::Counted {
            return self.legal_count(state);
        }
        level.events.clear();
        let _ = self.each_event(state, Listing::Play, &mut level.events);
        let mut count = 0;
        for &(event, rule) in &level.events {
            if self.follow_into(state, event, rule, &mut level.state) {
                count += self.descend(&level.state, below, leaf);
            }
        }
        count
    }
}
