//! Whole turns, where a turn is several events.

use std::collections::BTreeSet;

use crate::backend::Purpose;
use crate::budget::{self, Budget, Stopped};
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

/// After this many positions, turns are counted by the game's backend, if it has one.
const FEW: u32 = 8;

/// The most nodes that it is asked to visit at once.
const MOST_NODES: u64 = 1 << 17;

/// A position within a turn: the events with which it goes on, and the next to follow.
struct Open {
    state: State,
    legal: Vec<Found>,
    next: usize,
    /// Whether what follows happens by itself.
    due: bool,
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
    /// At most how many bytes all that takes.
    bytes: usize,
}

impl Game {
    /// Every whole turn of the player to move, distinct by the resulting position, each with the
    /// first events in the order of [`Game::legal`] that lead there. A turn ends when the turn
    /// passes, its dice are used, chance is awaited, the game is over or nothing is left to do.
    /// Where chance is awaited now, every outcome is a turn of its own.
    ///
    /// What happens by itself ([`Game::due`]) is not among the events, but done in the state: a
    /// turn in which nothing can be played is one turn without events.
    ///
    /// # Errors
    /// If turns have no end, or more positions than can be kept.
    pub fn turns(&self, state: &State) -> Result<Vec<Turn>, Stopped> {
        self.turns_within(state, &mut Budget::unlimited())
    }

    /// The same within a budget.
    pub fn turns_within(
        &self,
        state: &State,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Turn>, Stopped> {
        self.turns_after(&[], state, budget)
    }

    pub(crate) fn turns_after(
        &self,
        past: &[u64],
        state: &State,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Turn>, Stopped> {
        let mut engine = self.engine_for(state).ok_or(Stopped::Foreign)?;
        engine.remember(past);
        let mover = self.view(state).seat();
        let phase = engine.active_phase(state);
        let phase = phase.filter(|phase| self.leaves[phase.index()].usage != Usage::Free);
        let (seen, turns) = (BTreeSet::new(), Vec::new());
        let known = Known::new();
        let mut search = Search { engine, mover, phase, known, seen, turns, bytes: 0 };
        search.follow(state, budget)?;
        Ok(search.turns)
    }

    /// How many sequences of this many whole turns there are. A turn is all that a player does from
    /// one outcome of chance on, and turns that lead to the same position are one. Sequences that
    /// end earlier because the game is over do not count. [`u64::MAX`] where they cannot be
    /// counted; [`Game::turn_perft_within`] says why.
    pub fn turn_perft(&self, state: &State, depth: u32) -> u64 {
        self.turn_perft_within(state, depth, &mut Budget::unlimited()).unwrap_or(u64::MAX)
    }

    /// The same within a budget, or why it could not be counted.
    pub fn turn_perft_within(
        &self,
        state: &State,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        self.turn_perft_after(&[], (state, depth), budget)
    }

    pub(crate) fn turn_perft_after(
        &self,
        past: &[u64],
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
    ) -> Result<u64, Stopped> {
        let mut engine = self.engine_for(state).ok_or(Stopped::Foreign)?;
        let mut count = 0u64;
        // States still to be opened at each level with what came before them, and how many turns are to
        // follow each.
        let mut levels = vec![(vec![(state.clone(), past.to_vec())], depth)];
        let (mut widest, mut opened) = (1, 0u32);
        let mut session = None;
        while let Some((states, rest)) = levels.last_mut() {
            let Some((state, past)) = states.pop() else {
                levels.pop();
                continue;
            };
            let rest = *rest;
            let Some(below) = rest.checked_sub(1) else {
                count = count.checked_add(1).ok_or(Stopped::TooMany)?;
                continue;
            };
            opened = opened.saturating_add(1);
            if opened == FEW && !budget.counts_nodes() {
                session = self.session(Purpose::Turns);
            }
            if let Some(session) = &mut session {
                budget.ask()?;
                let nodes = session.patience().min(MOST_NODES);
                if let Some(turns) = session.turn_perft(&state, rest, nodes) {
                    count = count.checked_add(turns).ok_or(Stopped::TooMany)?;
                    continue;
                }
            }
            engine.remember(&past);
            if engine.stops(&state) {
                continue;
            }
            let rolls = self.awaits_chance(&state);
            let after = self.turns_after(&past, &state, budget)?.into_iter().map(|turn| {
                let past = self.after(&past).past_of(&state, &turn.events);
                (turn.state, past)
            });
            if rolls {
                // Where chance decides nothing and is asked again, there is no turn.
                let decided = after.filter(|(after, _)| !self.awaits_chance(after));
                levels.push((decided.collect(), rest));
            } else if below == 0 {
                count = count.checked_add(after.len() as u64).ok_or(Stopped::TooMany)?;
            } else {
                levels.push((after.collect(), below));
            }
            widest = widest.max(levels.last().map_or(0, |(states, _)| states.len()));
            let allowed = budget::levels(widest * self.state_bytes());
            if levels.len() > allowed {
                return Err(Stopped::TooDeep { allowed: allowed as u64 });
            }
        }
        Ok(count)
    }

    /// How many bytes a state takes.
    fn state_bytes(&self) -> usize {
        size_of::<State>() + self.layout.words * 8
    }

    /// Whether a turn of this game is several moves by dice, so that people count its turns.
    pub fn plays_by_turns(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.usage != Usage::Free)
    }
}

impl Search<'_> {
    /// Follows every event of the turn, each position once, on a stack of its own.
    fn follow(&mut self, state: &State, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        let game = self.engine.game;
        let mut events: Vec<Event> = Vec::new();
        let root = self.open(state.clone());
        self.engine.push_past(state);
        let mut opened = vec![root];
        while let Some(open) = opened.last_mut() {
            let due = open.due;
            let found = open.legal.get(open.next).copied().filter(|_| !due || open.next == 0);
            let Some(found) = found else {
                opened.pop();
                self.engine.pop_past();
                events.pop();
                continue;
            };
            open.next += 1;
            budget.spend()?;
            let after = self.play(&opened[opened.len() - 1].state, found);
            if !self.seen.insert(game.view(&after).position().into()) {
                continue;
            }
            self.bytes += 2 * game.state_bytes() + events.len() * size_of::<Event>();
            if self.bytes > budget::MAX_BYTES {
                return Err(Stopped::Nodes { allowed: self.seen.len() as u64 });
            }
            if due {
                self.turns.push(Turn { events: events.clone(), state: after });
                continue;
            }
            events.push(found.event);
            if self.goes_on(&after, found.event) {
                let open = self.open(after);
                if !open.legal.is_empty() {
                    self.engine.push_past(&open.state);
                    opened.push(open);
                    continue;
                }
                self.turns.push(Turn { events: events.clone(), state: open.state });
            } else {
                self.turns.push(Turn { events: events.clone(), state: after });
            }
            events.pop();
        }
        Ok(())
    }

    /// A position with the events with which its turn goes on.
    fn open(&mut self, state: State) -> Open {
        let legal = self.legal(&state);
        let game = self.engine.game;
        // What happens by itself is done, but not told.
        let due = legal.first().is_some_and(|found| game.lists(found.rule, Listing::Otherwise));
        Open { state, legal, next: 0, due }
    }

    fn play(&mut self, state: &State, found: Found) -> State {
        if self.engine.game.has_preprocessors
            && let Some((_, after)) = self.engine.attempt_anyway(state, found.event)
        {
            return after;
        }
        self.engine.make_step(state, found.rule, found.event)
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

    /// Whether the turn may go on after an event.
    fn goes_on(&mut self, state: &State, event: Event) -> bool {
        let game = self.engine.game;
        let ends = matches!(event, Event::Roll(_))
            || game.view(state).seat() != self.mover
            || self.phase.is_some() && self.engine.active_phase(state) != self.phase
            || game.awaits_chance(state);
        !ends
    }
}
