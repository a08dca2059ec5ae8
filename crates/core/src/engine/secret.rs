//! Play where not everyone sees everything: rules judge what the player to move knows, and an
//! event that something unseen makes impossible is accepted and fails.

use std::borrow::Cow;

use crate::event::{Event, Verdict};
use crate::id::{OutcomeId, PlayerId, RuleId};
use crate::interpret::Proposal;
use crate::observe::Viewer;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::Wanted;
use crate::written::EventKind;

use super::Engine;

impl Engine<'_> {
    /// The state on which rules judge events: what the player to move knows, or all of it where
    /// chance is to act or nothing is hidden.
    pub(crate) fn known<'s>(&mut self, state: &'s State) -> Cow<'s, State> {
        if self.game.secrets.is_none() {
            return Cow::Borrowed(state);
        }
        let mover = self.mover(state);
        let known = self.observe(state, Viewer::Player(mover)).known;
        let game = self.game;
        let is_chance = |phase: crate::PhaseId| {
            !game.leaves[phase.index()].by_kind[EventKind::Roll as usize].is_empty()
        };
        match self.active_phase(&known).is_some_and(is_chance) {
            true => Cow::Borrowed(state),
            false => Cow::Owned(known),
        }
    }

    /// The tiles on which a player sees a secret of the board.
    pub(crate) fn sight(&mut self, secret: usize, player: PlayerId, state: &State) -> TileSet {
        let function = self.game.entries.sights[secret][player.index()];
        self.find(function, Proposal::NONE, state)
    }

    /// The rule that accepts an event by what the player to move knows, and the state after it.
    pub(super) fn attempt_unseen(
        &mut self,
        state: &State,
        event: Event,
    ) -> Option<(RuleId, State)> {
        let rule = self.rule_of(state, event)?;
        let (mut after, turned) = self.make_turning(state, rule, event);
        self.end_turn(&mut after, turned);
        Some((rule, after))
    }

    /// The rule that accepts an event by what the player to move knows.
    pub(crate) fn rule_of(&mut self, state: &State, event: Event) -> Option<RuleId> {
        let known = self.known(state);
        let phase = self.active_phase(&known)?;
        self.accepting(&known, phase, event)
    }

    /// Whether something that the player to move does not see makes an event impossible.
    pub(crate) fn fails(&mut self, state: &State, rule: RuleId, event: Event) -> bool {
        self.game.secrets.is_some()
            && event.kind() != EventKind::Roll
            && self.judge_alone(state, rule, event) != Verdict::Valid
    }

    /// How likely each outcome of a rule is that has a name.
    pub(crate) fn weights(&mut self, state: &State, rule: RuleId) -> Vec<u64> {
        let mover = self.mover(state);
        let functions = &self.rule_code(rule, mover).weights;
        let weight = |&id| u64::try_from(self.number(id, Proposal::NONE, state)).unwrap_or(0);
        functions.iter().map(weight).collect()
    }

    /// Whether an outcome can come up: one without a name always can.
    pub(super) fn is_possible(&mut self, state: &State, rule: RuleId, outcome: OutcomeId) -> bool {
        let Wanted::Roll { first, .. } = self.game.rules[rule.index()].wants else { return false };
        let at = outcome.index().wrapping_sub(first.index());
        let code = self.rule_code(rule, self.mover(state));
        code.weights.get(at).is_none_or(|&id| self.number(id, Proposal::NONE, state) > 0)
    }
}
