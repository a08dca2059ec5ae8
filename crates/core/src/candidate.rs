//! Candidates: events that satisfy their rule but for what it must ensure when all is done, and
//! what is left of them when that is asked.

use std::ops::ControlFlow;

use crate::deed;
use crate::event::{Event, Verdict};
use crate::game::Game;
use crate::id::{RuleId, TileId};
use crate::path::Path;
use crate::plan::Wanted;
use crate::rule::{EventKind, Listing};
use crate::scene::Scene;
use crate::state::State;

impl Game {
    /// Every event that some rule of the active phase would take if it asked nothing of the state
    /// after it, each once, in the order of the rules.
    pub fn candidates(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        if self.stops(state) {
            return events;
        }
        let Some(phase) = self.active_phase(state) else { return events };
        for &id in &self.leaves[phase.index()].rules {
            let rule = &self.rules[id.index()];
            if rule.written.listing != Listing::Play {
                continue;
            }
            let _ = self.each_candidate(state, rule, &mut |event| {
                if self.candidate_rule(state, event) == Some(id) && !events.contains(&event) {
                    events.push(event);
                }
                ControlFlow::Continue(())
            });
        }
        events
    }

    /// The state that a candidate leads to, whether or not what its rule must ensure holds there.
    pub fn simulate(&self, state: &State, event: Event) -> Option<State> {
        let rule = self.candidate_rule(state, event)?;
        let scene = Scene::of_event(self, state, event);
        Some(deed::carry_out(&scene, &self.rules[rule.index()], event))
    }

    /// The path by which a piece of the mover goes from tile to tile as a candidate: that of the
    /// first rule which takes the move, whatever it becomes on arrival. Beside the patterns of its
    /// kind, which [`Game::resolve_path`] follows, this knows the ways of the rules themselves.
    pub fn route(&self, state: &State, from: TileId, to: TileId) -> Option<Path<'_>> {
        if !self.knows(Event::step(from, to)) {
            return None;
        }
        let phase = self.active_phase(state).filter(|_| !self.stops(state))?;
        let rules = &self.leaves[phase.index()].by_kind[EventKind::Move as usize];
        rules.iter().find_map(|&id| {
            let Wanted::Move(movement) = &self.rules[id.index()].wants else { return None };
            let choice = movement.choice.first().copied();
            let event = Event::Move { from, to, choice };
            let scene = Scene::of_event(self, state, event);
            let kind = scene.moving_kind(movement, from)?;
            let taken = self.judge_candidate(&scene, id, event) == Verdict::Valid;
            taken.then(|| self.journey(&scene, movement, kind, (from, to)))?
        })
    }

    /// Those of several events that are legal.
    pub fn filter_legal(&self, state: &State, events: &[Event]) -> Vec<Event> {
        let legal = |event: &&Event| self.attempt(state, **event).is_some();
        events.iter().filter(legal).copied().collect()
    }

    /// The first rule that takes an event as a candidate.
    fn candidate_rule(&self, state: &State, event: Event) -> Option<RuleId> {
        if !self.knows(event) {
            return None;
        }
        let phase = self.active_phase(state)?;
        let scene = Scene::of_event(self, state, event);
        let rules = self.rules_for(phase, event).iter().copied();
        rules.into_iter().find(|&id| self.judge_candidate(&scene, id, event) == Verdict::Valid)
    }
}
