//! Counting the leaves of a game tree: the proof that the rules are right.

use crate::event::Event;
use crate::game::Game;
use crate::id::RuleId;
use crate::rule::Listing;
use crate::state::State;

/// The leaves of a tree in which every one was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// How many there are.
    pub nodes: u64,
    /// The sum of their hashes, which does not depend on the order of moves.
    pub sum: u64,
}

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

    /// The leaves that [`Game::perft`] counts, each made and its hash taken: what a search pays
    /// for a tree, where `perft` counts the last moves without making them.
    pub fn perft_made(&self, state: &State, depth: u32) -> Leaves {
        let Some(rest) = depth.checked_sub(1) else {
            return Leaves { nodes: 1, sum: state.hash() };
        };
        let mut events: Vec<(Event, Option<RuleId>)> = Vec::new();
        let _ = self.each_event(state, Listing::Play, &mut events);
        let after = |(event, rule)| self.follow(state, event, rule);
        let below = events.into_iter().filter_map(after).map(|after| self.perft_made(&after, rest));
        below.fold(Leaves::default(), |all, one| Leaves {
            nodes: all.nodes + one.nodes,
            sum: all.sum.wrapping_add(one.sum),
        })
    }
}
