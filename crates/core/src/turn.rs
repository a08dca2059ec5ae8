//! Whole turns, where a turn is several events.

use std::collections::BTreeSet;

use crate::event::{Event, Step};
use crate::game::Game;
use crate::id::PlayerId;
use crate::state::State;

/// One whole turn: its events and the state after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The state after them.
    pub state: State,
}

struct Search<'g> {
    game: &'g Game,
    mover: PlayerId,
    /// Positions met within the turn and at its end.
    seen: BTreeSet<Box<[u64]>>,
    turns: Vec<Turn>,
}

impl Game {
    /// Every whole turn of the player to move, distinct by the resulting position. A turn ends
    /// when the turn passes, chance is awaited, the game is over or nothing is left to do. Where
    /// chance is awaited now, every outcome is a turn of its own.
    pub fn turns(&self, state: &State) -> Vec<Turn> {
        let mover = self.view(state).player();
        let mut search = Search { game: self, mover, seen: BTreeSet::new(), turns: Vec::new() };
        search.follow(state, &mut Vec::new());
        search.turns
    }
}

impl Search<'_> {
    fn follow(&mut self, state: &State, events: &mut Vec<Event>) {
        for event in self.game.legal(state) {
            let Some(Step { state, .. }) = self.game.attempt(state, event) else { continue };
            if !self.seen.insert(self.game.view(&state).position().into()) {
                continue;
            }
            events.push(event);
            if self.is_end(&state, event) {
                self.turns.push(Turn { events: events.clone(), state });
            } else {
                self.follow(&state, events);
            }
            events.pop();
        }
    }

    fn is_end(&self, state: &State, event: Event) -> bool {
        matches!(event, Event::Roll(_))
            || self.game.view(state).player() != self.mover
            || self.game.awaits_chance(state)
            || !self.game.has_legal(state)
    }
}
