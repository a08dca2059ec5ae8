//! Which event to try first.

use senet_core::{Accepted, Event, State};

use super::node::Walk;
use crate::table::NO_MOVE;

/// How many places events share in the history.
const PLACES: usize = 1 << 14;

/// Which quiet events refuted something before.
pub(super) struct History {
    /// How often, by event.
    cuts: Vec<i32>,
    /// The last two by ply.
    killers: Vec<[Option<Event>; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History { cuts: vec![0; PLACES], killers: vec![[None; 2]; super::MAX_PLY + 2] }
    }

    /// Notes that an event was good enough to end the search of a position.
    pub(super) fn cut(&mut self, event: Event, quiet: bool, ply: usize, depth: u32) {
        if !quiet {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(event) {
            *killers = [Some(event), killers[0]];
        }
        let cuts = &mut self.cuts[place(event)];
        *cuts += (depth * depth).min(400) as i32;
        if *cuts > 1 << 20 {
            self.cuts.iter_mut().for_each(|cuts| *cuts /= 2);
        }
    }

    fn score(&self, event: Event, ply: usize) -> i32 {
        match self.killers[ply].iter().position(|killer| *killer == Some(event)) {
            Some(at) => (1 << 22) - at as i32,
            None => self.cuts[place(event)],
        }
    }
}

/// The place of an event in the history.
fn place(event: Event) -> usize {
    let mixed = match event {
        Event::Move { from, to, choice } => {
            from.index() << 9 | to.index() | choice.map_or(0, |kind| kind.index() + 1) << 18
        }
        Event::Advance { from, to, pips } => {
            from.index() << 9 | to.index() | usize::from(pips) << 18 | 1 << 29
        }
        Event::Put { kind, to } => to.index() | kind.index() << 18 | 1 << 30,
        Event::Roll(outcome) => outcome.index() | 2 << 30,
        Event::Act(action) => action.index() | 3 << 30,
        Event::Pick { action, to } => to.index() | action.index() << 18 | 4 << 30,
    };
    (mixed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> (usize::BITS - 14)
}

/// Events from the most promising down, each with whether it is quiet.
pub(super) struct Order {
    /// Scores and places in the list, the most promising last.
    left: Vec<(i32, u16, bool)>,
}

impl Order {
    pub(super) fn new(
        walk: &Walk<'_>,
        state: &State,
        events: &[Accepted],
        known: Option<u16>,
        ply: usize,
    ) -> Order {
        let known = known.filter(|known| *known != NO_MOVE);
        let score = |(at, accepted): (usize, &Accepted)| {
            let event = accepted.event();
            let gain = walk.gain(state, event);
            let score = match gain {
                _ if known == Some(at as u16) => i32::MAX,
                Some(gain) if gain >= 0 => (1 << 24) + gain,
                Some(gain) => gain - (1 << 20),
                None => walk.history.score(event, ply),
            };
            (score, at as u16, gain.is_none())
        };
        let mut left: Vec<(i32, u16, bool)> =
            events.iter().enumerate().take(usize::from(NO_MOVE)).map(score).collect();
        left.sort_unstable_by_key(|&(score, at, _)| (score, std::cmp::Reverse(at)));
        Order { left }
    }

    /// The next event by its place in the list, and whether it is quiet.
    pub(super) fn next(&mut self) -> Option<(usize, bool)> {
        self.left.pop().map(|(_, at, quiet)| (usize::from(at), quiet))
    }
}
