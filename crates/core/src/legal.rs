//! Every event that would be accepted, from the same rules that accept it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::event::Event;
use crate::game::Game;
use crate::id::{ActionId, KindId, OutcomeId, PhaseId};
use crate::plan::{Rule, Wanted};
use crate::rule::EventKind;
use crate::scene::Scene;
use crate::state::State;

/// Takes events one by one, and may stop the listing.
type Sink<'s> = &'s mut dyn FnMut(Event) -> ControlFlow<()>;

impl Game {
    /// Every event that [`Game::apply`] accepts in a state, each once: by kind of event, then in
    /// the order of the rules, then of the tiles.
    pub fn legal(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        let _ = self.each_legal(state, &mut |event| {
            events.push(event);
            ControlFlow::Continue(())
        });
        events
    }

    /// Whether any event is legal.
    pub fn has_legal(&self, state: &State) -> bool {
        self.each_legal(state, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Whether the rules would accept any event if no ending stopped play.
    pub(crate) fn is_stuck(&self, state: &State) -> bool {
        self.each_allowed(state, &mut |_| ControlFlow::Break(())).is_continue()
    }

    fn each_legal(&self, state: &State, sink: Sink<'_>) -> ControlFlow<()> {
        if self.stops(state) { ControlFlow::Continue(()) } else { self.each_allowed(state, sink) }
    }

    /// Every event that the rules accept, whatever the endings say.
    fn each_allowed(&self, state: &State, sink: Sink<'_>) -> ControlFlow<()> {
        let Some(phase) = self.active_phase(state) else { return ControlFlow::Continue(()) };
        let leaf = &self.leaves[phase.index()];
        let mut seen = BTreeSet::new();
        for kind in EventKind::ALL {
            // An event that only one rule can take needs no memory of what was listed before.
            let once = leaf.by_kind[kind as usize].len() < 2;
            let preprocessed = leaf.pre.iter().any(|pre| pre.on == kind);
            let mut fresh = |event: Event| {
                if once && !preprocessed || seen.insert(event) {
                    sink(event)
                } else {
                    ControlFlow::Continue(())
                }
            };
            if preprocessed {
                self.each_possible(kind, &mut |event| match self.attempt_anyway(state, event) {
                    Some(_) => fresh(event),
                    None => ControlFlow::Continue(()),
                })?;
                continue;
            }
            for &id in &leaf.by_kind[kind as usize] {
                let rule = &self.rules[id.index()];
                self.each_candidate(state, rule, &mut |event| {
                    self.sift(state, phase, event, &mut fresh)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Passes on an event that some rule of the phase accepts.
    fn sift(
        &self,
        state: &State,
        phase: PhaseId,
        event: Event,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let scene = Scene::of_event(self, state, event);
        match self.accepting(&scene, phase, event) {
            Some(_) => sink(event),
            None => ControlFlow::Continue(()),
        }
    }

    /// Every event that a rule might accept, and perhaps more.
    fn each_candidate(&self, state: &State, rule: &Rule, sink: Sink<'_>) -> ControlFlow<()> {
        let scene = Scene::of_state(self, state);
        let view = scene.view();
        match &rule.wants {
            Wanted::Move(movement) => {
                for from in view.owned(scene.mover).iter() {
                    let Some(kind) = scene.moving_kind(movement, from) else { continue };
                    let mobility = self.way(movement, &scene, kind);
                    let (mover, occupancy) = (self.travel_of(scene.mover), self.occupancy(state));
                    for to in self.resolver.targets(mobility, mover, occupancy, from).iter() {
                        if movement.choice.is_empty() {
                            sink(Event::step(from, to))?;
                        }
                        for &kind in &movement.choice {
                            sink(Event::Move { from, to, choice: Some(kind) })?;
                        }
                    }
                }
            }
            Wanted::Put { kinds, area, onto } => {
                let free = scene.area(area).without(view.occupied() & self.exclusive);
                let targets = scene.select(onto, free);
                let mine = |&kind: &KindId| view.in_hand(scene.mover, kind).is_some();
                for kind in self.kinds().filter(|&kind| kinds.contains(kind)).filter(mine) {
                    for to in targets.iter() {
                        sink(Event::Put { kind, to })?;
                    }
                }
            }
            Wanted::Roll { first, last } => {
                for outcome in first.0..=last.0 {
                    sink(Event::Roll(OutcomeId(outcome)))?;
                }
            }
            Wanted::Act(action) => sink(Event::Act(*action))?,
        }
        ControlFlow::Continue(())
    }

    /// Every event of a kind that can be written down at all, legal or not.
    pub fn each_possible(
        &self,
        kind: EventKind,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match kind {
            EventKind::Move => {
                let choices = || std::iter::once(None).chain(self.kinds().map(Some));
                for from in self.tiles() {
                    for to in self.tiles() {
                        for choice in choices() {
                            sink(Event::Move { from, to, choice })?;
                        }
                    }
                }
            }
            EventKind::Put => {
                for kind in self.kinds() {
                    for to in self.tiles() {
                        sink(Event::Put { kind, to })?;
                    }
                }
            }
            EventKind::Roll => {
                for outcome in (0..self.outcomes.len()).map(OutcomeId::at) {
                    sink(Event::Roll(outcome))?;
                }
            }
            EventKind::Act => {
                for action in (0..self.definition.actions.len()).map(ActionId::at) {
                    sink(Event::Act(action))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
