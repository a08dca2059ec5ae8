//! Counting the leaves of a game tree: the proof that the rules are right.

use std::ops::AddAssign;

use crate::engine::Engine;
use crate::event::Event;
use crate::game::Game;
use crate::interpret::Found;
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

/// One level of a tree walk: a state and the events still to follow.
struct Level {
    state: State,
    events: Vec<Found>,
    next: usize,
}

impl Game {
    /// How many sequences of this many legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        let mut engine = self.engine();
        let Some(inner) = depth.checked_sub(1) else { return 1 };
        let mut count = 0;
        self.walk(&mut engine, state, inner, |engine, state| count += engine.count(state));
        count
    }

    /// The leaves that [`Game::perft`] counts, each made and its hash taken: what a search pays
    /// for a tree, where `perft` counts the last moves without making them.
    pub fn perft_made(&self, state: &State, depth: u32) -> Leaves {
        let mut engine = self.engine();
        let mut leaves = Leaves::default();
        self.walk(&mut engine, state, depth, |_, state| {
            leaves += Leaves { nodes: 1, sum: state.hash() };
        });
        leaves
    }

    /// The same count for each first event.
    pub fn divide(&self, state: &State, depth: u32) -> Vec<(Event, u64)> {
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        let mut engine = self.engine();
        let mut events = Vec::new();
        engine.legal(state, &mut events);
        let mut after = state.clone();
        let count = |found: Found| {
            let nodes = match rest {
                0 => 1,
                _ => {
                    self.follow(&mut engine, state, found, &mut after);
                    self.perft(&after, rest)
                }
            };
            (found.event, nodes)
        };
        events.into_iter().map(count).collect()
    }

    /// Makes the state after a listed event. Where preprocessors are at work, all they derive.
    fn follow(&self, engine: &mut Engine<'_>, state: &State, found: Found, into: &mut State) {
        if self.has_preprocessors
            && let Some((_, after)) = engine.attempt_anyway(state, found.event)
        {
            *into = after;
            return;
        }
        engine.make_into(state, found, into);
    }

    /// Visits every state a number of events away. The tree is walked on a stack of its own that
    /// grows with the tree's actual depth, so that no depth that is asked for overflows anything.
    fn walk<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        start: &State,
        depth: u32,
        mut visit: impl FnMut(&mut Engine<'g>, &State),
    ) {
        if depth == 0 {
            return visit(engine, start);
        }
        let mut levels: Vec<Level> = Vec::new();
        let mut spare: Vec<Level> = Vec::new();
        let open = |engine: &mut Engine<'g>, state: &State, mut level: Level| {
            engine.legal(state, &mut level.events);
            level.next = 0;
            level
        };
        let fresh = || Level { state: start.clone(), events: Vec::new(), next: 0 };
        levels.push(open(engine, start, fresh()));
        while let Some(level) = levels.last_mut() {
            let Some(&found) = level.events.get(level.next) else {
                spare.extend(levels.pop());
                continue;
            };
            level.next += 1;
            let mut below = spare.pop().unwrap_or_else(fresh);
            self.follow(engine, &levels[levels.len() - 1].state, found, &mut below.state);
            if levels.len() as u32 == depth {
                visit(engine, &below.state);
                spare.push(below);
                continue;
            }
            let mut events = std::mem::take(&mut below.events);
            engine.legal(&below.state, &mut events);
            (below.events, below.next) = (events, 0);
            levels.push(below);
        }
    }
}
