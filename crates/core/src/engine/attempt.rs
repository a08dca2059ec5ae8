//! Attempting an event: which rule accepts it, what preprocessors make of it, and the state after.

use crate::event::{Event, Verdict};
use crate::id::{KindId, PhaseId, RuleId, TileId};
use crate::interpret::Proposal;
use crate::state::State;
use crate::written::Listing;

use super::Engine;

impl Engine<'_> {
    /// The rule that accepts an event and the state after it, if no ending stops play before it.
    pub(crate) fn attempt_anyway(
        &mut self,
        state: &State,
        event: Event,
    ) -> Option<(RuleId, State)> {
        if !self.game.knows(event) {
            return None;
        }
        if self.game.secrets.is_some() {
            return self.attempt_unseen(state, event);
        }
        let phase = self.active_phase(state)?;
        let (rule, mut after, turned) = match self.preprocessor(state, phase, event) {
            None => self.carry_out(state, phase, event)?,
            Some(pre) => {
                let events = self.derive(state, phase, pre, event)?;
                self.carry_out_all(state, &events)?
            }
        };
        self.end_turn(&mut after, turned);
        Some((rule, after))
    }

    /// The same unless the game is over.
    pub(crate) fn attempt(&mut self, state: &State, event: Event) -> Option<(RuleId, State)> {
        if self.stops(state) {
            return None;
        }
        let (rule, after) = self.attempt_anyway(state, event)?;
        let aside = self.game.lists(rule, Listing::Aside);
        (!aside || !self.is_decided(state)).then_some((rule, after))
    }

    /// Carries out an event by the first rule of the phase that accepts it, and says whether the
    /// turn was given to a player.
    fn carry_out(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<(RuleId, State, bool)> {
        let rule = self.accepting(state, phase, event)?;
        let (after, turned) = self.make_turning(state, rule, event);
        Some((rule, after, turned))
    }

    /// Carries out derived events one after another, each in the phase that is then active.
    fn carry_out_all(&mut self, state: &State, events: &[Event]) -> Option<(RuleId, State, bool)> {
        let (first, rest) = events.split_first()?;
        let phase = self.active_phase(state)?;
        let (rule, mut after, mut turned) = self.carry_out(state, phase, *first)?;
        for &event in rest {
            if self.stops(&after) {
                return None;
            }
            let phase = self.active_phase(&after)?;
            let (_, next, turns) = self.carry_out(&after, phase, event)?;
            (after, turned) = (next, turned || turns);
        }
        Some((rule, after, turned))
    }

    /// The first rule that accepts an event.
    pub(crate) fn accepting(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<RuleId> {
        let rules = self.game.rules_for(phase, event).iter().copied();
        rules.into_iter().find(|&rule| self.judge(state, rule, event) == Verdict::Valid)
    }

    /// The first rule that accepts an event by itself, among those that happen by themselves or
    /// among the others.
    pub(super) fn accepting_alone(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
        listing: Listing,
    ) -> Option<RuleId> {
        let game = self.game;
        let otherwise = listing == Listing::Otherwise;
        let rules = game.rules_for(phase, event).iter().copied();
        let mut rules = rules.filter(|&rule| game.lists(rule, Listing::Otherwise) == otherwise);
        rules.find(|&rule| self.judge_alone(state, rule, event) == Verdict::Valid)
    }

    /// The preprocessor that takes an event, by its number, if one does.
    pub(crate) fn preprocessor(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<usize> {
        let (game, mover) = (self.game, self.mover(state).index());
        let pre = &game.leaves[phase.index()].pre;
        (0..pre.len()).find(|&at| {
            let takes = game.entries.preprocessors[phase.index()][at][mover];
            pre[at].on == event.kind() && self.holds(takes, Proposal::of(event), state)
        })
    }

    /// The events that a preprocessor makes of one.
    pub(crate) fn derive(
        &mut self,
        state: &State,
        phase: PhaseId,
        pre: usize,
        event: Event,
    ) -> Option<Vec<Event>> {
        use crate::typed::Derived;
        let (game, mover) = (self.game, self.mover(state));
        let mut events = Vec::new();
        for derived in &game.leaves[phase.index()].pre[pre].derive {
            match derived {
                Derived::Itself => events.push(event),
                Derived::Act(action) => events.push(Event::Act(*action)),
                Derived::EachStep => {
                    let Event::Move { from, to, choice } = event else { return None };
                    let view = game.view(state);
                    let mine = |&kind: &KindId| view.count(from, mover, kind) > 0;
                    let kind = game.kinds().find(mine)?;
                    let path = game.travel(state, mover, game.mobility(mover, kind), from, to)?;
                    let tiles: Vec<TileId> = path.tiles().collect();
                    events.extend(tiles.windows(2).map(|pair| Event::Move {
                        from: pair[0],
                        to: pair[1],
                        choice: choice.filter(|_| pair[1] == to),
                    }));
                }
            }
        }
        Some(events)
    }

    /// Whether the state after an event is as its rule must ensure.
    pub(super) fn ensures(&mut self, state: &State, rule: RuleId, event: Event) -> bool {
        let mover = self.mover(state);
        let Some(ensures) = self.rule_code(rule, mover).ensures else { return true };
        let after = self.make(state, rule, event);
        self.push_past(state);
        let holds = self.holds(ensures, Proposal::of(event), &after);
        self.pop_past();
        holds
    }
}
