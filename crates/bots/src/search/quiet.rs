//! Where the search ends: captures are played out before a position is judged by its looks.

use senet_core::{Accepted, Event, State};

use super::node::{Walk, Window};
use super::{INFINITE, MAX_PLY};

/// After this many captures an attacked royal piece no longer has every reply tried.
const EVASIONS: usize = 6;

/// What a capture that cannot raise the value by this more is not worth trying.
const MARGIN: i32 = 150;

impl Walk<'_> {
    /// The value of a position once nothing is to be captured, to the player to move.
    pub(super) fn calm(&mut self, state: &State, ply: usize, window: Window) -> i32 {
        self.capture(state, (ply, 0), window)
    }

    fn capture(&mut self, state: &State, (ply, deep): (usize, usize), window: Window) -> i32 {
        if self.enter() {
            return 0;
        }
        let game = &*self.search.game;
        let Window { mut alpha, beta } = window;
        let checked = deep < EVASIONS && self.is_checked(state);
        let mut events = Vec::new();
        self.walker.legal(state, &mut events);
        if events.is_empty() {
            let outcome = self.walker.outcome(state);
            return self.settle(state, outcome.as_ref(), ply);
        }
        let mut best = -INFINITE;
        if !checked || ply >= MAX_PLY {
            best = self.look(state);
            alpha = alpha.max(best);
            if best >= beta || self.search.traits.dice || ply >= MAX_PLY {
                return best;
            }
        }
        let stand = best;
        let mut tries: Vec<(i32, Accepted)> = Vec::new();
        for accepted in events {
            match self.gain(state, accepted.event()) {
                Some(gain) if checked || gain >= 0 => tries.push((gain, accepted)),
                _ if checked => tries.push((-1, accepted)),
                _ => {}
            }
        }
        tries.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
        for (gain, accepted) in tries {
            if !checked && stand + (gain >> 3) + MARGIN <= alpha {
                continue;
            }
            let after = self.walker.follow(state, accepted);
            let (mover, next) = (game.view(state).player(), game.view(&after).player());
            let below = (ply + 1, deep + 1);
            self.walker.push_past(state);
            let value = match self.is_ours(mover) == self.is_ours(next) {
                true => self.capture(&after, below, Window { alpha, beta }),
                false => -self.capture(&after, below, Window { alpha: -beta, beta: -alpha }),
            };
            self.walker.pop_past();
            if self.halted() {
                return best;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Eight times what an event wins at once, and a little for a cheap attacker: none if it wins
    /// nothing, and below zero if what it takes is guarded by something and worth less.
    pub(super) fn gain(&self, state: &State, event: Event) -> Option<i32> {
        let Event::Move { from, to, choice } = event else { return None };
        let game = &*self.search.game;
        let view = game.view(state);
        let worth = |kind| self.search.evaluation.worth(kind);
        let foe = view.owner_at(to).filter(|&owner| game.are_foes(owner, view.seat()));
        let taken = foe.and_then(|_| view.kind_at(to)).map(worth);
        let mover = view.kind_at(from).map_or(0, worth);
        let becomes = choice.map(|kind| worth(kind) - mover);
        if taken.is_none() && becomes.is_none_or(|gain| gain <= 0) {
            return None;
        }
        let gain = taken.unwrap_or(0) + becomes.unwrap_or(0);
        let guarded = |foe| mover > gain && game.is_threatened(state, to, foe);
        if self.search.traits.royal && foe.is_some_and(guarded) {
            return Some((gain - mover) * 8);
        }
        Some(gain * 8 + 7 - (mover / 128).min(7))
    }
}
