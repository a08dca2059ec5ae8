//! Judging an event: what a rule says of it, with the reason of a refusal.

use crate::event::{Event, Reason, Verdict};
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::interpret::{Found, Proposal};
use crate::ir::FunctionId;
use crate::state::State;
use crate::typed::{Closing, Movement, Wanted, Way};
use crate::written::Listing;

use super::{Engine, Journey};

impl<'g> Engine<'g> {
    /// What a rule says of an event.
    pub(crate) fn judge(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        match self.judge_closing(state, id, event) {
            Verdict::Valid => self.judge_most(state, Found { event, rule: id }),
            verdict => verdict,
        }
    }

    /// The same, whatever a turn must reach.
    pub(super) fn judge_closing(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        match (self.judge_alone(state, id, event), self.game.rules[id.index()].closing) {
            (Verdict::Valid, Closing::Usage(usage)) => self.judge_usage(state, id, event, usage),
            (Verdict::Valid, Closing::Rank) => self.judge_rank(state, id),
            (Verdict::Valid, Closing::Otherwise) => self.judge_otherwise(state, id),
            (verdict, _) => verdict,
        }
    }

    /// What a rule says of an event, whatever else the phase allows.
    pub(crate) fn judge_alone(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let verdict = self.judge_candidate(state, id, event);
        if verdict != Verdict::Valid || self.ensures(state, id, event) {
            return verdict;
        }
        let number = self.game.rules[id.index()].ensures.as_ref().map_or(0, |one| one.number);
        Verdict::Invalid(Reason::Aftermath(id, number))
    }

    /// What a rule says of an event, leaving out what must hold when all is done.
    pub(crate) fn judge_candidate(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let rule = &self.game.rules[id.index()];
        let refusal = match (&rule.wants, event) {
            (Wanted::Move(Movement { way: Way::Dice(_), .. }), Event::Move { .. }) => {
                Verdict::Invalid(Reason::DieMissing)
            }
            (Wanted::Move(movement), Event::Advance { .. }) => {
                self.judge_advance(state, id, movement, event)
            }
            (Wanted::Move(movement), Event::Move { .. }) => {
                self.judge_move(state, id, movement, event)
            }
            (Wanted::Put { .. }, Event::Put { kind, to }) => self.judge_put(state, id, kind, to),
            (Wanted::Roll { first, last }, Event::Roll(outcome)) => {
                match refuse_unless((*first..=*last).contains(&outcome), Reason::OtherDice) {
                    Verdict::Valid => refuse_unless(
                        self.is_possible(state, id, outcome),
                        Reason::Impossible(outcome),
                    ),
                    verdict => verdict,
                }
            }
            (Wanted::Pick { action, .. }, Event::Pick { action: other, to }) => {
                if *action == other {
                    let mover = self.mover(state);
                    let onto = self.rule_code(id, mover).onto;
                    let allowed = self.holds(onto, Proposal::of(event), state);
                    refuse_unless(allowed, Reason::Onto(to))
                } else {
                    Verdict::Invalid(Reason::OtherAct(*action))
                }
            }
            (Wanted::Act(action), Event::Act(other)) => {
                refuse_unless(*action == other, Reason::OtherAct(*action))
            }
            _ => return Verdict::Ignore,
        };
        match refusal {
            Verdict::Valid => self.judge_when(state, id, event),
            other => other,
        }
    }

    /// What the conditions of a rule say of an event.
    fn judge_when(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let mover = self.mover(state);
        let code = self.rule_code(id, mover);
        let proposal = Proposal::of(event);
        if self.holds(code.when, proposal, state) {
            return Verdict::Valid;
        }
        let when = &self.game.rules[id.index()].when;
        match self.verdict(when, &code.conditions, proposal, state) {
            Verdict::Invalid(Reason::Condition(_, number)) => {
                Verdict::Invalid(Reason::Condition(id, number))
            }
            verdict => verdict,
        }
    }

    /// What a condition answers, from the answers of those it is made of.
    fn verdict(
        &mut self,
        condition: &crate::typed::Condition,
        codes: &[(u16, FunctionId)],
        proposal: Proposal,
        state: &State,
    ) -> Verdict {
        use crate::typed::Truth;
        let refused = Verdict::Invalid(Reason::Condition(RuleId(0), condition.number));
        let mut inner = |one| self.verdict(one, codes, proposal, state);
        match &condition.test {
            // What is inside a loop that was written out refuses as a whole.
            Truth::All(all) | Truth::Any(all)
                if all.iter().any(|one| one.number == crate::typed::UNNUMBERED) => {}
            Truth::All(all) => {
                let mut answers = all.iter().map(inner);
                return answers.find(|one| *one != Verdict::Valid).unwrap_or(Verdict::Valid);
            }
            Truth::Any(any) => {
                let mut answer = Verdict::Ignore;
                for one in any {
                    match inner(one) {
                        Verdict::Valid => return Verdict::Valid,
                        Verdict::Invalid(_) => answer = refused,
                        Verdict::Ignore => {}
                    }
                }
                return answer;
            }
            Truth::Called(one) => {
                return match inner(one) {
                    Verdict::Invalid(_) => refused,
                    answer => answer,
                };
            }
            _ => {}
        }
        let code = codes.iter().find(|(number, _)| *number == condition.number);
        let holds = code.is_none_or(|(_, code)| self.holds(*code, proposal, state));
        match (holds, &condition.test) {
            (true, _) => Verdict::Valid,
            (false, Truth::Relevant(_)) => Verdict::Ignore,
            (false, _) => refused,
        }
    }

    fn judge_move(
        &mut self,
        state: &State,
        id: RuleId,
        movement: &'g Movement,
        event: Event,
    ) -> Verdict {
        let Event::Move { from, to, choice } = event else { return Verdict::Ignore };
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        if !view.is_owned(from, mover) {
            return Verdict::Invalid(Reason::NoPiece(from, mover));
        }
        let Some(kind) = game.moving_kind(view, mover, movement, from) else {
            return Verdict::Ignore;
        };
        let (code, proposal) = (self.rule_code(id, mover), Proposal::of(event));
        if !self.holds(code.source, proposal, state) {
            return Verdict::Invalid(Reason::Source(from));
        }
        let Some(journey) = self.journey(state, id, movement, kind, event) else {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        };
        if let Journey::Along(path) = journey
            && path.len() > 1
        {
            let through = self.find(code.through, proposal, state);
            let mut between = path.tiles().skip(1).take(path.len() - 1);
            if let Some(tile) = between.find(|&tile| !through.contains(tile)) {
                return Verdict::Invalid(Reason::Through(tile));
            }
        }
        if !self.holds(code.onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        match choice {
            None => refuse_unless(movement.choice.is_empty(), Reason::ChoiceMissing),
            Some(kind) => {
                refuse_unless(movement.choice.contains(&kind), Reason::ChoiceRefused(kind))
            }
        }
    }

    fn judge_advance(
        &mut self,
        state: &State,
        id: RuleId,
        movement: &Movement,
        event: Event,
    ) -> Verdict {
        let Event::Advance { from, to, pips } = event else { return Verdict::Ignore };
        let Way::Dice(track) = &movement.way else { return Verdict::Ignore };
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        if !view.is_owned(from, mover) {
            return Verdict::Invalid(Reason::NoPiece(from, mover));
        }
        if game.moving_kind(view, mover, movement, from).is_none() {
            return Verdict::Ignore;
        }
        if !track.dice.iter().any(|&die| view.die(die) == Some(pips)) {
            return Verdict::Invalid(Reason::NoDie(pips));
        }
        let (code, proposal) = (self.rule_code(id, mover), Proposal::of(event));
        if !self.holds(code.source, proposal, state) {
            return Verdict::Invalid(Reason::Source(from));
        }
        if track.target(mover, from, pips) != Some(to) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        }
        let friend = |owner: PlayerId| game.spared(mover) >> owner.index() & 1 == 1;
        if !game.stacks(to) && view.owner_at(to).is_some_and(friend) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: Some(to) });
        }
        let through = self.find(code.through, proposal, state);
        let next = |tile| game.topology().next(tile, track.along[mover.index()]);
        let way = std::iter::successors(next(from), |&tile| next(tile));
        let mut between = way.take(usize::from(pips)).take_while(|&tile| tile != to);
        if let Some(tile) = between.find(|&tile| !through.contains(tile)) {
            return Verdict::Invalid(Reason::Through(tile));
        }
        if !self.holds(code.onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        refuse_unless(movement.choice.is_empty(), Reason::ChoiceMissing)
    }

    fn judge_put(&mut self, state: &State, id: RuleId, kind: KindId, to: TileId) -> Verdict {
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        let Wanted::Put { kinds, .. } = &game.rules[id.index()].wants else {
            return Verdict::Ignore;
        };
        if !kinds.contains(kind) {
            return Verdict::Ignore;
        }
        if !game.stacks(to) && view.owner_at(to).is_some() {
            return Verdict::Invalid(Reason::Taken(to));
        }
        let proposal = Proposal::of(Event::Put { kind, to });
        if !self.holds(self.rule_code(id, mover).onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        let left = game.supplies(view, kind) || view.hand(mover, kind) > 0;
        refuse_unless(left, Reason::NoneLeft(kind))
    }

    /// Whether no rule of a lower rank has an event.
    fn judge_rank(&mut self, state: &State, id: RuleId) -> Verdict {
        let rule = &self.game.rules[id.index()];
        let mut list = Vec::new();
        self.list_candidates(state, rule.phase, Listing::Play, &mut list);
        let rank = |found: &Found| self.game.rules[found.rule.index()].written.rank;
        let lower = list.iter().any(|found| rank(found) < rule.written.rank);
        refuse_unless(!lower, Reason::Outranked)
    }

    /// Whether the phase has no other event than those of a rule for that case.
    fn judge_otherwise(&mut self, state: &State, id: RuleId) -> Verdict {
        let phase = self.game.rules[id.index()].phase;
        let mut list = Vec::new();
        self.list_candidates(state, phase, Listing::Play, &mut list);
        refuse_unless(list.is_empty(), Reason::Avoidable)
    }
}

pub(super) fn refuse_unless(holds: bool, reason: Reason) -> Verdict {
    if holds { Verdict::Valid } else { Verdict::Invalid(reason) }
}
