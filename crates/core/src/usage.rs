//! Looking ahead over a turn: how much of the dice can be used, and what must be.

use std::collections::BTreeMap;

use crate::engine::Engine;
use crate::event::{Event, Reason, Verdict};
use crate::id::{PhaseId, PlayerId, RuleId};
use crate::interpret::Found;
use crate::state::State;
use crate::typed::{Movement, Wanted, Way};
use crate::written::{EventKind, Usage};

/// How many dice and pips are used.
pub(crate) type Used = (u8, u8);

/// What is known of the positions of one turn.
pub(crate) type Known = BTreeMap<Box<[u64]>, Used>;

impl Engine<'_> {
    /// Leaves the moves by dice with which a turn uses as much of them as it can.
    pub(crate) fn keep_usage(
        &mut self,
        state: &State,
        phase: PhaseId,
        start: usize,
        list: &mut Vec<Found>,
    ) {
        self.keep_usage_known(state, phase, start, list, &mut Known::new());
    }

    /// The same where something is known of the turn already.
    pub(crate) fn keep_usage_known(
        &mut self,
        state: &State,
        phase: PhaseId,
        start: usize,
        list: &mut Vec<Found>,
        known: &mut Known,
    ) {
        let usage = self.game.leaves[phase.index()].usage;
        let found: Vec<Found> = list.drain(start..).collect();
        let used: Vec<Used> =
            found.iter().map(|found| self.used_by(state, *found, known)).collect();
        let by_dice = |found: &Found| matches!(found.event, Event::Advance { .. });
        let can =
            { found.iter().zip(&used) }.filter(|(one, _)| by_dice(one)).map(|(_, used)| *used);
        let can = can.max().unwrap_or((0, 0));
        for (found, would) in found.into_iter().zip(used) {
            if !by_dice(&found) || !falls_short(usage, would, can) {
                list.push(found);
            }
        }
    }

    /// Whether a turn that goes on with an event that a rule accepts can use as much of the dice
    /// as any turn.
    pub(crate) fn judge_usage(
        &mut self,
        state: &State,
        rule: RuleId,
        event: Event,
        usage: Usage,
    ) -> Verdict {
        let phase = self.game.rules[rule.index()].phase;
        let mut known = Known::new();
        let would = self.used_by(state, Found { event, rule }, &mut known);
        let can = match would == self.shown(state, phase) {
            true => would,
            false => self.usable(state, phase, &mut known),
        };
        match falls_short(usage, would, can) {
            true => Verdict::Invalid(Reason::Unused { can, would }),
            false => Verdict::Valid,
        }
    }

    /// Moves by which a turn uses as much of the dice as it can.
    pub(crate) fn fullest_line(&mut self, state: &State, phase: PhaseId) -> Vec<Event> {
        let mut line = Vec::new();
        let mut state = state.clone();
        let mut known = Known::new();
        while self.goes_on(&state, phase, None) {
            let can = self.usable(&state, phase, &mut known);
            let uses = self.uses(&state, phase);
            let full = |found: &&Found| self.used_by(&state, **found, &mut known) >= can;
            let Some(&Found { event, rule }) = uses.iter().find(full) else { break };
            line.push(event);
            state = self.make(&state, rule, event);
        }
        line
    }

    /// How much of the dice a turn can use in all from a state on.
    fn usable(&mut self, state: &State, phase: PhaseId, known: &mut Known) -> Used {
        let position = self.game.view(state).position();
        if let Some(&used) = known.get(position) {
            return used;
        }
        let all = self.shown(state, phase);
        let mut most = (0, 0);
        for found in self.uses(state, phase) {
            most = most.max(self.used_by(state, found, known));
            if most == all {
                break;
            }
        }
        known.insert(position.into(), most);
        most
    }

    /// How much a turn can use in all that goes on with this event.
    fn used_by(&mut self, state: &State, found: Found, known: &mut Known) -> Used {
        let Event::Advance { pips, .. } = found.event else { return (0, 0) };
        let phase = self.game.rules[found.rule.index()].phase;
        let mover = self.game.view(state).seat();
        let after = self.state_after(state, found);
        if !self.goes_on(&after, phase, Some(mover)) {
            return (1, pips);
        }
        let more = self.usable(&after, phase, known);
        (more.0 + 1, more.1.saturating_add(pips))
    }

    /// Whether a player's turn goes on in a phase.
    fn goes_on(&mut self, state: &State, phase: PhaseId, mover: Option<PlayerId>) -> bool {
        let player = self.game.view(state).seat();
        mover.is_none_or(|mover| mover == player)
            && !self.stops(state)
            && self.active_phase(state) == Some(phase)
    }

    /// Every move by dice that a rule of the phase accepts, whatever the turn must use.
    fn uses(&mut self, state: &State, phase: PhaseId) -> Vec<Found> {
        let mut list = Vec::new();
        self.list_moves(state, phase, &mut list);
        list.retain(|found| matches!(found.event, Event::Advance { .. }));
        list
    }

    /// How much the dice show that the moves of a phase may use.
    fn shown(&self, state: &State, phase: PhaseId) -> Used {
        let (game, view) = (self.game, self.game.view(state));
        let mut seen = 0u64;
        let mut used = (0, 0u8);
        for id in &game.leaves[phase.index()].by_kind[EventKind::Move as usize] {
            let Wanted::Move(Movement { way: Way::Dice(track), .. }) =
                &game.rules[id.index()].wants
            else {
                continue;
            };
            for &die in &track.dice {
                let known = seen >> die.index() & 1 == 1;
                seen |= 1 << die.index();
                if let Some(pips) = view.die(die).filter(|_| !known) {
                    used = (used.0 + 1, used.1.saturating_add(pips));
                }
            }
        }
        used
    }
}

fn falls_short(usage: Usage, would: Used, can: Used) -> bool {
    match usage {
        Usage::Free => false,
        Usage::Most => would.0 < can.0,
        Usage::MostThenGreatest => would < can,
    }
}
