//! Looking ahead over a turn for the highest number that it can reach.

use std::collections::BTreeSet;

use crate::event::{Event, Reason, Verdict};
use crate::id::{PhaseId, PlayerId, RuleId};
use crate::interpret::{Found, Proposal};
use crate::ir::FunctionId;
use crate::state::State;
use crate::written::Listing;

use super::Engine;
use super::judge::refuse_unless;

/// How many positions of one turn are looked at; what lies beyond them counts for nothing.
const MAX_POSITIONS: usize = 10_000;

impl Engine<'_> {
    /// Leaves the events with which a turn brings the number of its phase as high as it can.
    pub(super) fn keep_most(
        &mut self,
        state: &State,
        phase: PhaseId,
        start: usize,
        list: &mut Vec<Found>,
    ) {
        let Some(number) = self.number_of(state, phase) else { return };
        let found = self.with_later_rules(state, phase, list.drain(start..).collect());
        let best: Vec<i64> =
            found.iter().map(|&found| self.best_after(state, found, number)).collect();
        let most = best.iter().max().copied();
        let kept = found.into_iter().zip(best).filter(|(_, best)| Some(*best) == most);
        let mut seen = BTreeSet::new();
        list.extend(kept.map(|(found, _)| found).filter(|found| seen.insert(found.event)));
    }

    /// Every rule of play that accepts one of some events: where one falls short, a later rule may
    /// carry it out.
    fn with_later_rules(&mut self, state: &State, phase: PhaseId, list: Vec<Found>) -> Vec<Found> {
        let game = self.game;
        let mut all = Vec::with_capacity(list.len());
        for found in list {
            let kind = found.event.kind() as usize;
            let leaf = &game.leaves[phase.index()];
            all.push(found);
            if leaf.overlaps[kind] {
                let rules = leaf.by_kind[kind].iter().copied();
                let later =
                    rules.filter(|&rule| rule > found.rule && game.lists(rule, Listing::Play));
                let accepts =
                    |rule: &RuleId| self.judge_closing(state, *rule, found.event) == Verdict::Valid;
                let later: Vec<RuleId> = later.filter(accepts).collect();
                all.extend(later.into_iter().map(|rule| Found { rule, ..found }));
            }
        }
        all
    }

    /// Whether a turn that goes on with an event brings the number as high as any.
    pub(super) fn judge_most(&mut self, state: &State, found: Found) -> Verdict {
        let phase = self.game.rules[found.rule.index()].phase;
        if !self.game.lists(found.rule, Listing::Play) {
            return Verdict::Valid;
        }
        let Some(number) = self.number_of(state, phase) else { return Verdict::Valid };
        let would = self.best_after(state, found, number);
        let mut list = Vec::new();
        self.list_candidates(state, phase, Listing::Play, &mut list);
        let list = self.with_later_rules(state, phase, list);
        let more = list.into_iter().any(|other| self.best_after(state, other, number) > would);
        refuse_unless(!more, Reason::NotMost)
    }

    fn number_of(&self, state: &State, phase: PhaseId) -> Option<FunctionId> {
        let by_player = self.game.entries.most[phase.index()].as_ref()?;
        Some(by_player[self.mover(state).index()])
    }

    /// The highest that the number can be when the turn ends that goes on with an event.
    fn best_after(&mut self, state: &State, found: Found, number: FunctionId) -> i64 {
        let mover = self.mover(state);
        let after = self.state_after(state, found);
        let mut seen: BTreeSet<Box<[u64]>> = BTreeSet::new();
        let (mut left, mut best) = (vec![after], i64::MIN);
        while let Some(state) = left.pop() {
            let events = self.going_on(&state, mover);
            if events.is_empty() {
                best = best.max(self.number(number, Proposal::NONE, &state));
            }
            for found in events {
                let after = self.state_after(&state, found);
                let position = self.game.view(&after).position();
                if seen.len() < MAX_POSITIONS && seen.insert(position.into()) {
                    left.push(after);
                }
            }
        }
        best
    }

    /// The events with which a player's turn goes on, whatever it must reach; none where it ends.
    fn going_on(&mut self, state: &State, mover: PlayerId) -> Vec<Found> {
        let mut list = Vec::new();
        if self.mover(state) == mover
            && !self.stops(state)
            && let Some(phase) = self.active_phase(state)
        {
            self.list_candidates(state, phase, Listing::Play, &mut list);
            list = self.with_later_rules(state, phase, list);
        }
        if list.iter().any(|found| matches!(found.event, Event::Roll(_))) {
            list.clear();
        }
        list
    }
}
