//! Candidates: events that satisfy their rule but for what it must ensure when all is done, and
//! what is left of them when that is asked.

use crate::engine::Journey;
use crate::event::{Event, Verdict};
use crate::game::Game;
use crate::id::{RuleId, TileId};
use crate::path::Path;
use crate::state::State;
use crate::typed::Wanted;
use crate::written::{EventKind, Listing};

impl Game {
    /// Every event that some rule of the active phase would take if it asked nothing of the state
    /// after it, each once, in the order of the rules.
    pub fn candidates(&self, state: &State) -> Vec<Event> {
        let Some(mut engine) = self.engine_for(state) else { return Vec::new() };
        let mut events: Vec<(RuleId, Event)> = Vec::new();
        if engine.stops(state) {
            return Vec::new();
        }
        let Some(phase) = engine.active_phase(state) else { return Vec::new() };
        for kind in EventKind::ALL {
            if self.leaves[phase.index()].by_kind[kind as usize].is_empty() {
                continue;
            }
            self.each_possible(kind, &mut |event| {
                if let Some(rule) = self.candidate_rule_in(&mut engine, state, phase, event)
                    && self.lists(rule, Listing::Play)
                {
                    events.push((rule, event));
                }
            });
        }
        events.sort();
        events.into_iter().map(|(_, event)| event).collect()
    }

    /// The state that a candidate leads to, whether or not what its rule must ensure holds there.
    pub fn simulate(&self, state: &State, event: Event) -> Option<State> {
        let mut engine = self.engine();
        if !self.knows(event) || !self.owns(state) {
            return None;
        }
        let phase = engine.active_phase(state)?;
        let rule = self.candidate_rule_in(&mut engine, state, phase, event)?;
        Some(engine.make(state, rule, event))
    }

    /// The path by which a piece of the mover goes from tile to tile as a candidate: that of the
    /// first rule which takes the move, whatever it becomes on arrival. Beside the patterns of its
    /// kind, which [`Game::resolve_path`] follows, this knows the ways of the rules themselves.
    pub fn route(&self, state: &State, from: TileId, to: TileId) -> Option<Path<'_>> {
        if !self.knows(Event::step(from, to)) || !self.owns(state) {
            return None;
        }
        let mut engine = self.engine();
        if engine.stops(state) {
            return None;
        }
        let phase = engine.active_phase(state)?;
        let view = self.view(state);
        let rules = &self.leaves[phase.index()].by_kind[EventKind::Move as usize];
        rules.iter().find_map(|&id| {
            let Wanted::Move(movement) = &self.rules[id.index()].wants else { return None };
            let choice = movement.choice.first().copied();
            let event = Event::Move { from, to, choice };
            let kind = self.moving_kind(view, view.seat(), movement, from)?;
            let taken = engine.judge_candidate(state, id, event) == Verdict::Valid;
            match taken.then(|| engine.journey(state, id, movement, kind, event))?? {
                Journey::Along(path) => Some(path),
                Journey::Direct => None,
            }
        })
    }

    /// Those of several events that are legal.
    pub fn filter_legal(&self, state: &State, events: &[Event]) -> Vec<Event> {
        self.after(&[]).filter_legal(state, events)
    }

    /// The first rule that takes an event as a candidate.
    fn candidate_rule_in(
        &self,
        engine: &mut crate::engine::Engine<'_>,
        state: &State,
        phase: crate::PhaseId,
        event: Event,
    ) -> Option<RuleId> {
        let rules = self.rules_for(phase, event).iter().copied();
        rules.into_iter().find(|&id| engine.judge_candidate(state, id, event) == Verdict::Valid)
    }
}
