//! Counting the leaves of a game tree: the proof that the rules are right.

use std::ops::AddAssign;

use crate::backend::Purpose;
use crate::budget::{self, Budget, Stopped};
use crate::draft::Draft;
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
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// One level of a tree walk: a state, in the draft it was made in, and the events still to follow.
struct Level<'g> {
    draft: Draft<'g>,
    events: Vec<Found>,
    next: usize,
}

impl Game {
    /// How many sequences of this many legal events there are. Sequences that end earlier because
    /// the game is over do not count. [`u64::MAX`] where they cannot be counted, because there are
    /// too many or they are too long; [`Game::perft_within`] says which.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        self.perft_within(state, depth, &mut Budget::unlimited()).unwrap_or(u64::MAX)
    }

    /// The same within a budget, or why it could not be counted.
    pub fn perft_within(
        &self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        self.perft_after(&[], (state, depth), budget)
    }

    pub(crate) fn perft_after(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        let mut total = 0u64;
        let small = |budget: &mut Budget<'_>| self.count_leaves(past, (state, depth), budget);
        let (purpose, tree) = (Purpose::Count, (state, depth));
        let done = self.by_session(purpose, tree, budget, small, |session, state, depth, nodes| {
            total = total.checked_add(session.perft(state, depth, nodes)?)?;
            Some(())
        });
        match done {
            None => self.count_leaves(past, (state, depth), budget),
            Some(done) => Ok(done?.unwrap_or(total)),
        }
    }

    fn count_leaves(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        let mut engine = self.engine_for(state).ok_or(Stopped::Foreign)?;
        engine.remember(past);
        let Some(inner) = depth.checked_sub(1) else { return Ok(1) };
        let mut count = 0u64;
        self.walk(&mut engine, state, inner, budget, |engine, state| {
            count = count.checked_add(engine.count(state)).ok_or(Stopped::TooMany)?;
            Ok(())
        })?;
        Ok(count)
    }

    /// The leaves that [`Game::perft`] counts, each made and its hash taken: what a search pays
    /// for a tree, where `perft` counts the last moves without making them.
    pub fn perft_made(&self, state: &State, depth: u32) -> Leaves {
        let unknown = Leaves { nodes: u64::MAX, sum: 0 };
        self.perft_made_within(state, depth, &mut Budget::unlimited()).unwrap_or(unknown)
    }

    /// The same within a budget, or why the leaves could not be made.
    pub fn perft_made_within(
        &self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Leaves, Stopped> {
        self.perft_made_after(&[], (state, depth), budget)
    }

    pub(crate) fn perft_made_after(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Leaves, Stopped> {
        let mut total = Leaves::default();
        let small = |budget: &mut Budget<'_>| self.make_leaves(past, (state, depth), budget);
        let (purpose, tree) = (Purpose::Make, (state, depth));
        let done = self.by_session(purpose, tree, budget, small, |session, state, depth, nodes| {
            total += session.perft_made(state, depth, nodes)?;
            Some(())
        });
        match done {
            None => self.make_leaves(past, (state, depth), budget),
            Some(done) => Ok(done?.unwrap_or(total)),
        }
    }

    fn make_leaves(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Leaves, Stopped> {
        let mut engine = self.engine_for(state).ok_or(Stopped::Foreign)?;
        engine.remember(past);
        let mut leaves = Leaves::default();
        self.walk(&mut engine, state, depth, budget, |_, state| {
            leaves += Leaves { nodes: 1, sum: state.hash() };
            Ok(())
        })?;
        Ok(leaves)
    }

    /// The count of [`Game::perft`] for each first event.
    pub fn divide(&self, state: &State, depth: u32) -> Vec<(Event, u64)> {
        self.divide_within(state, depth, &mut Budget::unlimited()).unwrap_or_default()
    }

    /// The same within a budget, or why the events could not be counted.
    pub fn divide_within(
        &self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Event, u64)>, Stopped> {
        self.divide_after(&[], (state, depth), budget)
    }

    pub(crate) fn divide_after(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Event, u64)>, Stopped> {
        let mut engine = self.engine_for(state).ok_or(Stopped::Foreign)?;
        engine.remember(past);
        let Some(rest) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let mut events = Vec::new();
        engine.legal(state, &mut events);
        let past: Vec<u64> = past.iter().copied().chain([state.hash()]).collect();
        let mut after = Draft::without_identity(self, state.clone());
        let count = |found: Found| {
            let nodes = match rest {
                0 => 1,
                _ => {
                    self.follow(&mut engine, state, found, &mut after);
                    self.perft_after(&past, (&after.state, rest), budget)?
                }
            };
            Ok((found.event, nodes))
        };
        events.into_iter().map(count).collect()
    }

    /// Makes the state after a listed event. Where preprocessors are at work, all they derive.
    fn follow<'g>(
        &self,
        engine: &mut Engine<'g>,
        state: &State,
        found: Found,
        into: &mut Draft<'g>,
    ) {
        if self.has_preprocessors
            && let Some((_, after)) = engine.attempt_anyway(state, found.event)
        {
            into.state = after;
            return;
        }
        engine.make_into(state, found, into);
    }

    /// Visits every state a number of events away. The tree is walked on a stack of its own that
    /// grows with the tree's actual depth, as far as memory may be used for it.
    pub(crate) fn walk<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        start: &State,
        depth: u32,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(&mut Engine<'g>, &State) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        budget.spend()?;
        engine.stay_below(start);
        if depth == 0 {
            return visit(engine, start);
        }
        let draft = || Draft::without_identity(self, start.clone());
        let fresh = || Level { draft: draft(), events: Vec::new(), next: 0 };
        let mut levels: Vec<Level<'g>> = vec![fresh()];
        engine.legal(start, &mut levels[0].events);
        engine.push_past(start);
        // How many levels are open; those beyond are kept for later.
        let (mut open, mut widest) = (1, 0);
        while open > 0 {
            if levels.len() == open {
                levels.push(fresh());
            }
            let (above, below) = levels.split_at_mut(open);
            let (level, below) = (&mut above[open - 1], &mut below[0]);
            let Some(&found) = level.events.get(level.next) else {
                open -= 1;
                engine.pop_past();
                continue;
            };
            level.next += 1;
            self.follow(engine, &level.draft.state, found, &mut below.draft);
            budget.spend()?;
            if open as u64 == u64::from(depth) {
                visit(engine, &below.draft.state)?;
                continue;
            }
            below.next = 0;
            engine.legal(&below.draft.state, &mut below.events);
            widest = widest.max(below.events.capacity());
            let allowed = budget::levels(self.level_bytes(widest));
            if open >= allowed {
                return Err(Stopped::TooDeep { allowed: allowed as u64 });
            }
            engine.push_past(&below.draft.state);
            open += 1;
        }
        Ok(())
    }

    /// How many bytes a level of a walk takes where this many events are listed.
    fn level_bytes(&self, events: usize) -> usize {
        size_of::<Level<'_>>() + self.layout.words * 8 + events * size_of::<Found>()
    }
}
