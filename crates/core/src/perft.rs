//! Counting the leaves of a game tree: the proof that the rules are right.

use std::ops::AddAssign;

use crate::event::Event;
use crate::game::Game;
use crate::generate::Generator;
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

impl AddAssign for Leaves {
    fn add_assign(&mut self, other: Leaves) {
        self.nodes += other.nodes;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// What one level of the tree needs, kept from node to node.
struct Level {
    events: Vec<(Event, Option<RuleId>)>,
    state: State,
}

/// What becomes of the leaves.
trait Harvest {
    /// Takes the events of a state, without carrying them out, if it can.
    fn count(&mut self, game: &Game, state: &State) -> bool;

    /// Takes a leaf.
    fn leaf(&mut self, state: &State);
}

impl Harvest for u64 {
    #[inline]
    fn count(&mut self, game: &Game, state: &State) -> bool {
        *self += game.legal_count(state);
        true
    }

    fn leaf(&mut self, _: &State) {
        *self += 1;
    }
}

impl Harvest for Leaves {
    #[inline]
    fn count(&mut self, _: &Game, _: &State) -> bool {
        false
    }

    #[inline]
    fn leaf(&mut self, state: &State) {
        self.nodes += 1;
        self.sum = self.sum.wrapping_add(state.hash());
    }
}

impl Game {
    /// How many sequences of so many legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        if let Some(count) = self
            .tables_below(state)
            .filter(|_| depth > 0)
            .and_then(|tables| tables.perft(self, state, depth))
        {
            return count;
        }
        let mut count = 0;
        self.descend(state, &mut levels(state, depth), &mut count);
        count
    }

    /// The leaves that [`Game::perft`] counts, each made and its hash taken: what a search pays
    /// for a tree, where `perft` counts the last moves without making them.
    pub fn perft_made(&self, state: &State, depth: u32) -> Leaves {
        if let Some(leaves) = self
            .tables_below(state)
            .filter(|_| depth > 0)
            .and_then(|tables| tables.perft_made(self, state, depth))
        {
            return leaves;
        }
        let mut leaves = Leaves::default();
        self.descend(state, &mut levels(state, depth), &mut leaves);
        leaves
    }

    /// The tables, where nothing but moves happens below a state.
    pub(crate) fn tables_below(&self, state: &State) -> Option<&Generator> {
        self.generator.as_ref().filter(|_| self.is_quiet(state))
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

    fn descend(&self, state: &State, levels: &mut [Level], harvest: &mut impl Harvest) {
        let Some((level, below)) = levels.split_first_mut() else { return harvest.leaf(state) };
        if below.is_empty() && harvest.count(self, state) {
            return;
        }
        level.events.clear();
        let _ = self.each_event(state, Listing::Play, &mut level.events);
        for &(event, rule) in &level.events {
            if self.follow_into(state, event, rule, &mut level.state) {
                self.descend(&level.state, below, harvest);
            }
        }
    }
}

fn levels(state: &State, depth: u32) -> Vec<Level> {
    (0..depth).map(|_| Level { events: Vec::new(), state: state.clone() }).collect()
}
