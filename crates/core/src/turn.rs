//! Whole turns, where a turn is several events.

use std::collections::BTreeSet;

use crate::engine::Engine;
use crate::event::Event;
use crate::game::Game;
use crate::id::{PhaseId, PlayerId};
use crate::interpret::Found;
use crate::state::State;
use crate::usage::Known;
use crate::written::{EventKind, Listing, Usage};

/// One whole turn: its events and the state after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The state after them.
    pub state: State,
}

struct Search<'g> {
    engine: Engine<'g>,
    mover: PlayerId,
    /// The phase in which a turn by dice is played.
    phase: Option<PhaseId>,
    /// What is known of the turn's positions.
    known: Known,
    /// Positions met within the turn and at its end.
    seen: BTreeSet<Box<[u64]>>,
    turns: Vec<Turn>,
}

impl Game {
    /// Every whole turn of the player to move, distinct by the resulting position, each with the
    /// first events in the order of [`Game::legal`] that lead there. A turn ends when the turn
    /// passes, its dice are used, chance is awaited, the game is over or nothing is left to do.
    /// Where chance is awaited now, every outcome is a turn of its own.
    ///
    /// What happens by itself ([`Game::due`]) is not among the events, but done in the state: a
    /// turn in which nothing can be played is one turn without events.
    pub fn turns(&self, state: &State) -> Vec<Turn> {
        let mover = self.view(state).player();
        let phase = self.active_phase(state);
        let phase = phase.filter(|phase| self.leaves[phase.index()].usage != Usage::Free);
        let (engine, known) = (self.engine(), Known::new());
        let (seen, turns) = (BTreeSet::new(), Vec::new());
        let mut search = Search { engine, mover, phase, known, seen, turns };
        let legal = search.legal(state);
        search.follow(state, &legal, &mut Vec::new());
        search.turns
    }

    /// How many sequences of this many whole turns there are. A turn is all that a player does from
    /// one outcome of chance on, and turns that lead to the same position are one. Sequences that
    /// end earlier because the game is over do not count.
    pub fn turn_perft(&self, state: &State, depth: u32) -> u64 {
        let Some(rest) = depth.checked_sub(1) else { return 1 };
        if self.engine().stops(state) {
            return 0;
        }
        if self.awaits_chance(state) {
            let count = |outcome: &Turn| match self.awaits_chance(&outcome.state) {
                // Chance decides nothing and is asked again.
                true => 0,
                false => self.turn_perft(&outcome.state, depth),
            };
            return self.turns(state).iter().map(count).sum();
        }
        let turns = self.turns(state);
        match rest {
            0 => turns.len() as u64,
            _ => turns.iter().map(|turn| self.turn_perft(&turn.state, rest)).sum(),
        }
    }

    /// Whether a turn of this game is several moves by dice, so that people count its turns.
    pub fn plays_by_turns(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.usage != Usage::Free)
    }
}

impl Search<'_> {
    fn follow(&mut self, state: &State, legal: &[Found], events: &mut Vec<Event>) {
        let game = self.engine.game;
        // What happens by itself is done, but not told.
        let due = legal.first().is_some_and(|found| game.lists(found.rule, Listing::Otherwise));
        for &found in if due { &legal[..1] } else { legal } {
            let after = self.play(state, found);
            if !self.seen.insert(game.view(&after).position().into()) {
                continue;
            }
            if due {
                self.turns.push(Turn { events: events.clone(), state: after });
                continue;
            }
            events.push(found.event);
            match self.goes_on(&after, found.event) {
                None => self.turns.push(Turn { events: events.clone(), state: after }),
                Some(legal) => self.follow(&after, &legal, events),
            }
            events.pop();
        }
    }

    fn play(&mut self, state: &State, found: Found) -> State {
        if self.engine.game.has_preprocessors
            && let Some((_, after)) = self.engine.attempt_anyway(state, found.event)
        {
            return after;
        }
        let mut after = self.engine.make(state, found.rule, found.event);
        self.engine.clear_idle_flags(&mut after);
        after
    }

    /// The legal events of a state, from what is known of the turn.
    fn legal(&mut self, state: &State) -> Vec<Found> {
        let mut list = Vec::new();
        if let Some(phase) = self.phase
            && !self.engine.stops(state)
            && self.engine.active_phase(state) == Some(phase)
        {
            self.engine.list_moves(state, phase, &mut list);
            self.engine.keep_usage_known(state, phase, 0, &mut list, &mut self.known);
            for kind in &EventKind::ALL[1..] {
                self.engine.list_kind(state, phase, Listing::Play, *kind, &mut list);
            }
            if !list.is_empty() {
                return list;
            }
        }
        self.engine.legal(state, &mut list);
        list
    }

    /// The events with which a turn goes on after an event; none where it has ended.
    fn goes_on(&mut self, state: &State, event: Event) -> Option<Vec<Found>> {
        let game = self.engine.game;
        let ends = matches!(event, Event::Roll(_))
            || game.view(state).player() != self.mover
            || self.phase.is_some() && self.engine.active_phase(state) != self.phase
            || game.awaits_chance(state);
        let legal = if ends { Vec::new() } else { self.legal(state) };
        (!legal.is_empty()).then_some(legal)
    }
}
