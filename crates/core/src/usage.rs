//! Looking ahead over a turn: how much of the dice can be used, and what must be.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::deed;
use crate::event::{Event, Reason, Verdict};
use crate::game::Game;
use crate::id::{PhaseId, RuleId, TileId};
use crate::legal::Exists;
use crate::plan::{Movement, Track, Wanted, Way};
use crate::rule::{EventKind, Listing, Usage};
use crate::scene::Scene;
use crate::state::State;

/// How many dice, and how many pips.
type Used = (u8, u8);

/// What is known of the positions of one look ahead: how much can still be used.
type Known = BTreeMap<Box<[u64]>, Used>;

impl Game {
    /// What a rule about dice says of a move before it asks its conditions.
    pub(crate) fn judge_advance(
        &self,
        scene: &Scene<'_>,
        movement: &Movement,
        (from, to): (TileId, TileId),
        pips: u8,
    ) -> Verdict {
        let Way::Dice(track) = &movement.way else { return Verdict::Ignore };
        let view = scene.view();
        if !view.is_owned(from, scene.mover) {
            return Verdict::Invalid(Reason::NoPiece(from, scene.mover));
        }
        if scene.moving_kind(movement, from).is_none() {
            return Verdict::Ignore;
        }
        if !track.dice.iter().any(|&die| view.die(die) == Some(pips)) {
            return Verdict::Invalid(Reason::NoDie(pips));
        }
        if !scene.passes(&movement.source, from) {
            return Verdict::Invalid(Reason::Source(from));
        }
        if track.target(scene.mover, from, pips) != Some(to) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        }
        let friend = |owner| self.are_allied(scene.mover, owner);
        if !self.layout.stacks(to) && view.owner_at(to).is_some_and(friend) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: Some(to) });
        }
        let next = |tile| self.topology().next(tile, track.along[scene.mover.index()]);
        let way = std::iter::successors(next(from), |&tile| next(tile));
        let mut between = way.take(usize::from(pips)).take_while(|&tile| tile != to);
        if let Some(tile) = between.find(|&tile| !scene.passes(&movement.through, tile)) {
            return Verdict::Invalid(Reason::Through(tile));
        }
        if !scene.passes(&movement.onto, to) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        match movement.choice.is_empty() {
            true => Verdict::Valid,
            false => Verdict::Invalid(Reason::ChoiceMissing),
        }
    }

    /// The moves of a piece by each number that the dice show.
    pub(crate) fn each_advance(
        &self,
        scene: &Scene<'_>,
        track: &Track,
        from: TileId,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let shown = |index: usize| scene.view().die(track.dice[index]);
        for index in 0..track.dice.len() {
            let Some(pips) = shown(index) else { continue };
            if (0..index).any(|earlier| shown(earlier) == Some(pips)) {
                continue;
            }
            if let Some(to) = track.target(scene.mover, from, pips) {
                sink(Event::Advance { from, to, pips })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a turn that goes on with an event that a rule accepts can use as much of the dice
    /// as any turn.
    pub(crate) fn judge_usage(
        &self,
        scene: &Scene<'_>,
        id: RuleId,
        event: Event,
        usage: Usage,
    ) -> Verdict {
        let phase = self.rules[id.index()].phase;
        let tables = self.race(phase).and_then(|race| match event {
            Event::Advance { from, pips, .. } => {
                self.usage_from_tables(race, scene.state, (from, pips))
            }
            _ => None,
        });
        let (can, would) = tables.unwrap_or_else(|| {
            let mut known = Known::new();
            let would = self.used_by(scene, id, event, &mut known);
            if would == shown(scene, self, phase) {
                return (would, would);
            }
            (self.usable(scene.state, phase, &mut known), would)
        });
        let falls_short = match usage {
            Usage::Free => false,
            Usage::Most => would.0 < can.0,
            Usage::MostThenGreatest => would < can,
        };
        match falls_short {
            true => Verdict::Invalid(Reason::Unused { can, would }),
            false => Verdict::Valid,
        }
    }

    /// Whether the phase has no other event than those of a rule for that case.
    pub(crate) fn judge_otherwise(&self, scene: &Scene<'_>, id: RuleId) -> Verdict {
        let phase = self.rules[id.index()].phase;
        match self.each_listed(scene.state, phase, Listing::Play, &mut Exists) {
            ControlFlow::Break(()) => Verdict::Invalid(Reason::Avoidable),
            ControlFlow::Continue(()) => Verdict::Valid,
        }
    }

    /// The event that happens by itself in a state, because its phase has no other.
    pub fn due(&self, state: &State) -> Option<Event> {
        if self.stops(state) {
            return None;
        }
        let phase = self.active_phase(state).filter(|p| self.leaves[p.index()].has_otherwise)?;
        let others = self.each_listed(state, phase, Listing::Play, &mut Exists);
        let mut due = Vec::new();
        if others.is_continue() {
            let _ = self.each_listed(state, phase, Listing::Otherwise, &mut due);
        }
        due.first().copied()
    }

    /// Moves by which a turn uses as much of the dice as it can.
    pub(crate) fn fullest_line(&self, state: &State, phase: PhaseId) -> Vec<Event> {
        let mut line = Vec::new();
        let mut state = state.clone();
        let mut known = Known::new();
        while self.goes_on(&state, phase, None) {
            let can = self.usable(&state, phase, &mut known);
            let scene = Scene::of_state(self, &state);
            let mut next = None;
            let _ = self.each_use(&state, phase, &mut |id, event| {
                let scene = Scene::of_event(self, scene.state, event);
                if self.used_by(&scene, id, event, &mut known) < can {
                    return ControlFlow::Continue(());
                }
                next = Some((event, deed::carry_out(&scene, &self.rules[id.index()], event)));
                ControlFlow::Break(())
            });
            let Some((event, after)) = next else { break };
            line.push(event);
            state = after;
        }
        line
    }

    /// How much of the dice a turn can use in all from a state on.
    fn usable(&self, state: &State, phase: PhaseId, known: &mut Known) -> Used {
        let position = self.view(state).position();
        if let Some(&used) = known.get(position) {
            return used;
        }
        let scene = Scene::of_state(self, state);
        let all = shown(&scene, self, phase);
        let mut most = (0, 0);
        let _ = self.each_use(state, phase, &mut |id, event| {
            let scene = Scene::of_event(self, state, event);
            most = most.max(self.used_by(&scene, id, event, known));
            if most == all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        known.insert(position.into(), most);
        most
    }

    /// How much a turn can use in all that goes on with this event.
    fn used_by(&self, scene: &Scene<'_>, id: RuleId, event: Event, known: &mut Known) -> Used {
        let Event::Advance { pips, .. } = event else { return (0, 0) };
        let phase = self.rules[id.index()].phase;
        let after = deed::carry_out(scene, &self.rules[id.index()], event);
        if !self.goes_on(&after, phase, Some(scene)) {
            return (1, pips);
        }
        let more = self.usable(&after, phase, known);
        (more.0 + 1, more.1.saturating_add(pips))
    }

    /// Whether the turn goes on in a phase, after the scene before it.
    fn goes_on(&self, state: &State, phase: PhaseId, before: Option<&Scene<'_>>) -> bool {
        let player = self.view(state).player();
        before.is_none_or(|before| before.mover == player)
            && !self.stops(state)
            && self.active_phase(state) == Some(phase)
    }

    /// Every move by dice that a rule of the phase accepts, whatever the turn must use.
    fn each_use(
        &self,
        state: &State,
        phase: PhaseId,
        sink: &mut dyn FnMut(RuleId, Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rules = &self.leaves[phase.index()].by_kind[EventKind::Move as usize];
        for (index, &id) in rules.iter().enumerate() {
            let rule = &self.rules[id.index()];
            if rule.written.listing != Listing::Play {
                continue;
            }
            self.each_candidate(state, rule, &mut |event| {
                let scene = Scene::of_event(self, state, event);
                let accepts = |id: RuleId| self.judge_alone(&scene, id, event) == Verdict::Valid;
                match accepts(id) && !rules[..index].iter().any(|&earlier| accepts(earlier)) {
                    true => sink(id, event),
                    false => ControlFlow::Continue(()),
                }
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// How much the dice show that the moves of a phase may use.
fn shown(scene: &Scene<'_>, game: &Game, phase: PhaseId) -> Used {
    let mut seen = 0u64;
    let mut used = (0, 0u8);
    for id in &game.leaves[phase.index()].by_kind[EventKind::Move as usize] {
        let Wanted::Move(Movement { way: Way::Dice(track), .. }) = &game.rules[id.index()].wants
        else {
            continue;
        };
        for &die in &track.dice {
            let known = seen >> die.index() & 1 == 1;
            seen |= 1 << die.index();
            if let Some(pips) = scene.view().die(die).filter(|_| !known) {
                used = (used.0 + 1, used.1.saturating_add(pips));
            }
        }
    }
    used
}
