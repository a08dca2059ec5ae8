//! Listing, counting and finding the events that the rules of a phase accept.

use std::collections::BTreeSet;

use crate::event::Event;
use crate::id::{OutcomeId, PhaseId, RuleId};
use crate::interpret::{Found, Proposal};
use crate::state::State;
use crate::typed::Wanted;
use crate::written::{EventKind, Listing, Usage};

use super::Engine;

impl Engine<'_> {
    /// Every event that the rules accept and list so, whatever the endings say.
    pub(crate) fn list(&mut self, state: &State, listing: Listing, list: &mut Vec<Found>) {
        list.clear();
        let state = &*self.known(state);
        let Some(phase) = self.active_phase(state) else { return };
        self.list_phase(state, phase, listing, list);
        let leaf = &self.game.leaves[phase.index()];
        if listing == Listing::Play && leaf.has_otherwise && list.is_empty() {
            self.list_phase(state, phase, Listing::Otherwise, list);
        }
    }

    /// The events of play, none where play has stopped.
    pub(crate) fn legal(&mut self, state: &State, list: &mut Vec<Found>) {
        list.clear();
        if !self.stops(state) {
            self.list(state, Listing::Play, list);
        }
    }

    /// How many events of play there are.
    pub(crate) fn count(&mut self, state: &State) -> u64 {
        if self.stops(state) {
            return 0;
        }
        let (game, state) = (self.game, &*self.known(state));
        let Some(phase) = self.active_phase(state) else { return 0 };
        let leaf = &game.leaves[phase.index()];
        if !leaf.counts {
            let mut list = Vec::new();
            self.list(state, Listing::Play, &mut list);
            return list.len() as u64;
        }
        let mover = self.mover(state).index();
        let mut count = 0;
        for (kind, functions) in [(0, &game.entries.moves), (1, &game.entries.puts)] {
            if !leaf.by_kind[kind].is_empty() {
                let function = functions[phase.index()][mover];
                count += self.count_of(function, state);
            }
        }
        count
    }

    /// Whether the rules accept any event of play, whatever the endings say.
    pub(crate) fn can_play(&mut self, state: &State) -> bool {
        let (game, state) = (self.game, &*self.known(state));
        let Some(phase) = self.active_phase(state) else { return false };
        let leaf = &game.leaves[phase.index()];
        if !leaf.counts {
            let mut list = Vec::new();
            self.list(state, Listing::Play, &mut list);
            return !list.is_empty();
        }
        let mover = self.mover(state).index();
        [&game.entries.moves, &game.entries.puts]
            .iter()
            .any(|functions| self.exists(functions[phase.index()][mover], state))
    }

    /// Adds every event of a phase that its rules accept and list so.
    pub(crate) fn list_phase(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        list: &mut Vec<Found>,
    ) {
        let start = list.len();
        self.list_candidates(state, phase, listing, list);
        if listing == Listing::Play {
            self.keep_most(state, phase, start, list);
        }
    }

    /// The same, whatever a turn must reach.
    pub(crate) fn list_candidates(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        list: &mut Vec<Found>,
    ) {
        if listing == Listing::Play && self.game.leaves[phase.index()].ranked {
            return self.list_lowest_rank(state, phase, list);
        }
        for kind in EventKind::ALL {
            self.list_kind(state, phase, listing, kind, list);
        }
    }

    /// Adds the events of the lowest rank that has any.
    fn list_lowest_rank(&mut self, state: &State, phase: PhaseId, list: &mut Vec<Found>) {
        let (game, start, mover) = (self.game, list.len(), self.mover(state));
        let rules = &game.leaves[phase.index()].by_kind;
        let plays = |rule: &&RuleId| game.lists(**rule, Listing::Play);
        let rank = |rule: &RuleId| game.rules[rule.index()].written.rank;
        let ranks: BTreeSet<u8> = rules.iter().flatten().filter(plays).map(rank).collect();
        for lowest in ranks {
            for rule in rules.iter().flatten().filter(plays).filter(|rule| rank(rule) == lowest) {
                match game.rules[rule.index()].wants {
                    Wanted::Move(_) | Wanted::Put { .. } | Wanted::Pick { .. } => {
                        self.list_into(self.rule_code(*rule, mover).generate, state, list);
                    }
                    Wanted::Roll { .. } | Wanted::Act(_) => self.list_by_asking(state, *rule, list),
                }
            }
            if list.len() > start {
                break;
            }
        }
        let found: Vec<Found> = list.drain(start..).collect();
        let mut seen = BTreeSet::new();
        list.extend(found.into_iter().filter(|found| seen.insert(found.event)));
        if game.leaves[phase.index()].usage != Usage::Free {
            let is_move = |found: &Found| found.event.kind() == EventKind::Move;
            let moves = list[start..].iter().take_while(|found| is_move(found)).count();
            let others = list.split_off(start + moves);
            self.keep_usage(state, phase, start, list);
            list.extend(others);
        }
    }

    pub(crate) fn list_kind(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        kind: EventKind,
        list: &mut Vec<Found>,
    ) {
        let game = self.game;
        let leaf = &game.leaves[phase.index()];
        let rules = &leaf.by_kind[kind as usize];
        if leaf.pre.iter().any(|pre| pre.on == kind) {
            if listing == Listing::Play {
                self.list_derived(state, kind, list);
            }
            return;
        }
        if rules.is_empty() {
            return;
        }
        let (mover, start) = (self.mover(state), list.len());
        match kind {
            EventKind::Move if listing == Listing::Play => {
                self.list_moves(state, phase, list);
                if leaf.usage != Usage::Free {
                    self.keep_usage(state, phase, start, list);
                }
                return;
            }
            EventKind::Put if listing == Listing::Play => {
                self.list_into(game.entries.puts[phase.index()][mover.index()], state, list);
            }
            EventKind::Move | EventKind::Put | EventKind::Pick => {
                for &rule in rules.iter().filter(|rule| game.lists(**rule, listing)) {
                    self.list_into(self.rule_code(rule, mover).generate, state, list);
                }
            }
            EventKind::Roll | EventKind::Act => {
                for &rule in rules.iter().filter(|rule| game.lists(**rule, listing)) {
                    self.list_by_asking(state, rule, list);
                }
            }
        }
        if leaf.overlaps[kind as usize] {
            self.keep_once(state, phase, listing, start, list);
        }
    }

    /// Adds every move that rules of play accept, whatever a turn must use.
    pub(crate) fn list_moves(&mut self, state: &State, phase: PhaseId, list: &mut Vec<Found>) {
        let (game, start) = (self.game, list.len());
        let mover = self.mover(state).index();
        self.list_into(game.entries.moves[phase.index()][mover], state, list);
        if game.leaves[phase.index()].overlaps[EventKind::Move as usize] {
            self.keep_once(state, phase, Listing::Play, start, list);
        }
    }

    /// The events of a roll or an act.
    fn list_by_asking(&mut self, state: &State, rule: RuleId, list: &mut Vec<Found>) {
        let mover = self.mover(state);
        let code = self.rule_code(rule, mover);
        if !self.holds(code.when, Proposal::NONE, state) {
            return;
        }
        let events: Vec<Event> = match self.game.rules[rule.index()].wants {
            Wanted::Roll { first, last } => {
                let outcomes = (first.0..=last.0).map(OutcomeId);
                let possible = |outcome: &OutcomeId| self.is_possible(state, rule, *outcome);
                outcomes.filter(possible).map(Event::Roll).collect()
            }
            Wanted::Act(action) => vec![Event::Act(action)],
            _ => Vec::new(),
        };
        for event in events {
            if self.ensures(state, rule, event) {
                list.push(Found { event, rule });
            }
        }
    }

    /// Events that preprocessors make others of: every event there is, tried one by one.
    fn list_derived(&mut self, state: &State, kind: EventKind, list: &mut Vec<Found>) {
        let mut events = Vec::new();
        self.game.each_possible(kind, &mut |event| events.push(event));
        for event in events {
            if let Some((rule, _)) = self.attempt_anyway(state, event) {
                list.push(Found { event, rule });
            }
        }
    }

    /// Of events that several rules may accept, leaves one each, with the rule that accepts it.
    fn keep_once(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        start: usize,
        list: &mut Vec<Found>,
    ) {
        let found: Vec<Found> = list.drain(start..).collect();
        let mut seen = BTreeSet::new();
        for Found { event, .. } in found {
            if !seen.insert(event) {
                continue;
            }
            let rule = self.accepting_alone(state, phase, event, listing);
            if let Some(rule) = rule.filter(|&rule| self.game.lists(rule, listing)) {
                list.push(Found { event, rule });
            }
        }
    }
}
