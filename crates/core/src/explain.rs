//! Why an event is accepted or refused: which phase, rule and condition, and which tile blocks.

use serde::Serialize;

use crate::engine::{Engine, Journey};
use crate::event::{Event, Reason, Rejection, Verdict};
use crate::game::Game;
use crate::id::{DirectionId, KindId, PhaseId, PlayerId, RuleId, TileId};
use crate::interpret::Proposal;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{self, Movement, Wanted, Way};
use crate::written::Truth;

/// Why an event is accepted or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The event asked about.
    pub event: Event,
    /// The phase that is active.
    pub phase: Option<PhaseId>,
    /// What a preprocessor made of the event, where one did.
    pub derived: Vec<Event>,
    /// The rule that accepts it.
    pub accepted_by: Option<RuleId>,
    /// What each rule about such events says, in order.
    pub rules: Vec<RuleReport>,
    /// Every reason for a refusal, that of the nearest rule first.
    pub reasons: Vec<Reason>,
    /// The path that was tried, from the source on; where something blocks it, the way through.
    pub path: Vec<TileId>,
    /// The tile that blocks the path.
    pub blocker: Option<TileId>,
    /// The attacks because of which it is refused.
    pub attacks: Vec<Attack>,
    /// What the turn could do instead, where it must use more of the dice.
    pub instead: Vec<Event>,
}

/// A piece that attacks a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Where the attacker stands.
    pub from: TileId,
    /// What kind it is.
    pub kind: KindId,
    /// The tile it attacks.
    pub on: TileId,
}

/// What one rule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleReport {
    /// The rule.
    pub rule: RuleId,
    /// Its answer.
    pub verdict: Verdict,
    /// Its conditions, each with its answer, from the outside in; empty where it did not get there.
    pub checks: Vec<Check>,
}

/// One condition and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The condition in words.
    pub condition: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Explanation {
    /// The refusal that this explains.
    pub(crate) fn rejection(self) -> Rejection {
        let nearest = self.reasons.first().copied();
        let gave = |report: &&RuleReport| nearest.map(Verdict::Invalid) == Some(report.verdict);
        let rule = self.rules.iter().find(gave).map(|report| report.rule);
        Rejection {
            event: self.event,
            phase: self.phase,
            rule,
            reasons: self.reasons,
            instead: self.instead,
        }
    }
}

impl Game {
    /// Explains what becomes of an event in a state.
    pub fn explain(&self, state: &State, event: Event) -> Explanation {
        self.explain_after(&[], state, event)
    }

    /// The same where the positions before this one are known, by their hashes.
    pub(crate) fn explain_after(&self, past: &[u64], state: &State, event: Event) -> Explanation {
        let mut explanation = Explanation {
            event,
            phase: None,
            derived: Vec::new(),
            accepted_by: None,
            rules: Vec::new(),
            reasons: Vec::new(),
            path: Vec::new(),
            blocker: None,
            attacks: Vec::new(),
            instead: Vec::new(),
        };
        if !self.knows(event) || !self.owns(state) {
            explanation.reasons.push(Reason::Foreign);
            return explanation;
        }
        let goes_on = || !self.after(past).legal(state).is_empty();
        if let Some(outcome) = self.after(past).outcome(state).filter(|_| !goes_on()) {
            explanation.reasons.push(Reason::Over(outcome.ending));
            return explanation;
        }
        let known = self.engine().known(state).into_owned();
        let state = &known;
        explanation.phase = self.active_phase(state);
        let Some(phase) = explanation.phase else {
            explanation.reasons.push(Reason::NoPhase);
            return explanation;
        };
        let engine = &mut self.engine_after(past);
        match engine.preprocessor(state, phase, event) {
            None => self.report(engine, &mut explanation, state, phase, event),
            Some(pre) => match engine.derive(state, phase, pre, event) {
                None => explanation.reasons.push(Reason::Indivisible),
                Some(events) => self.report_derived(engine, &mut explanation, state, events),
            },
        }
        self.find_blocker(&mut explanation, state);
        if let (Some(&reason), true) = (explanation.reasons.first(), explanation.derived.is_empty())
        {
            explanation.attacks = self.attacks_behind(engine, state, event, reason);
            if matches!(reason, Reason::Unused { .. }) {
                explanation.instead = engine.fullest_line(state, phase);
            }
        }
        explanation
    }

    /// The attacks on the tiles that a refusal is about.
    fn attacks_behind<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        state: &State,
        event: Event,
        reason: Reason,
    ) -> Vec<Attack> {
        let mover = self.view(state).seat();
        let after;
        let mut state = state;
        let tiles = match reason {
            Reason::Aftermath(rule, _) => {
                after = engine.make(state, rule, event);
                state = &after;
                self.threatened_royals(&after, mover)
            }
            Reason::Condition(rule, number) => {
                let attacked = &engine.rule_code(rule, mover).attacked;
                let found = attacked.iter().find(|(one, _)| *one == number);
                found.map_or(TileSet::EMPTY, |(_, code)| {
                    engine.find(*code, Proposal::of(event), state)
                })
            }
            Reason::Source(tile) | Reason::Through(tile) | Reason::Onto(tile) => {
                std::iter::once(tile).collect()
            }
            _ => TileSet::EMPTY,
        };
        let foes = self.seats().filter(|&foe| self.are_foes(mover, foe));
        let attacks = foes.flat_map(|foe| {
            let attackers = move |on: TileId| {
                let from = self.attackers(state, on, foe).iter();
                from.map(move |from| (from, on))
            };
            tiles.iter().flat_map(attackers)
        });
        let kind = |tile| self.view(state).kind_at(tile);
        attacks.filter_map(|(from, on)| Some(Attack { from, kind: kind(from)?, on })).collect()
    }

    /// Follows derived events to the first that is refused. Where all are accepted, the rule that
    /// carries out the first counts, as it does in the step.
    fn report_derived<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        explanation: &mut Explanation,
        state: &State,
        events: Vec<Event>,
    ) {
        let mut state = state.clone();
        let mut first = None;
        for &event in &events {
            explanation.rules.clear();
            explanation.accepted_by = None;
            if let Some(outcome) = self.outcome(&state).filter(|_| engine.stops(&state)) {
                explanation.reasons.push(Reason::Over(outcome.ending));
                break;
            }
            explanation.phase = engine.active_phase(&state);
            let Some(phase) = explanation.phase else {
                explanation.reasons.push(Reason::NoPhase);
                break;
            };
            self.report(engine, explanation, &state, phase, event);
            let Some(rule) = explanation.accepted_by else { break };
            first = first.or(Some(rule));
            state = engine.make(&state, rule, event);
        }
        explanation.accepted_by = explanation.accepted_by.and(first);
        explanation.derived = events;
    }

    /// What every rule of the phase says of an event.
    fn report<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        into: &mut Explanation,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) {
        let about = |rule: &&RuleId| self.rules[rule.index()].wants.kind() == event.kind();
        let rules = self.leaves[phase.index()].rules.iter().filter(about);
        into.rules = rules.map(|&rule| self.report_rule(engine, state, rule, event)).collect();
        let valid = into.rules.iter().find(|report| report.verdict == Verdict::Valid);
        into.accepted_by = valid.map(|report| report.rule);
        if into.accepted_by.is_some() {
            return;
        }
        let reasons = into.rules.iter().filter_map(|report| match report.verdict {
            Verdict::Invalid(reason) => Some(reason),
            Verdict::Valid | Verdict::Ignore => None,
        });
        let mut reasons: Vec<Reason> = reasons.collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.progress()));
        reasons.dedup();
        if reasons.is_empty() {
            reasons.push(Reason::Unwanted(event.kind()));
        }
        into.reasons = reasons;
    }

    fn report_rule<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        state: &State,
        id: RuleId,
        event: Event,
    ) -> RuleReport {
        let rule = &self.rules[id.index()];
        let verdict = self.judge_with_blocker(engine, state, id, event);
        let mut checks = Vec::new();
        if matches!(verdict, Verdict::Valid | Verdict::Invalid(Reason::Condition(..))) {
            let codes = &engine.rule_code(id, self.view(state).seat()).conditions;
            let mut holds = |condition: &typed::Condition| {
                let code = codes.iter().find(|(number, _)| *number == condition.number);
                code.is_none_or(|(_, code)| engine.holds(*code, Proposal::of(event), state))
            };
            list_checks(&mut holds, &rule.when, &rule.written.when, &mut checks);
        }
        RuleReport { rule: id, verdict, checks }
    }

    /// A rule's answer, where a path is blocked with the tile that blocks it.
    fn judge_with_blocker<'g>(
        &'g self,
        engine: &mut Engine<'g>,
        state: &State,
        id: RuleId,
        event: Event,
    ) -> Verdict {
        let verdict = engine.judge(state, id, event);
        let Verdict::Invalid(Reason::NoPath { from, to, .. }) = verdict else { return verdict };
        let Wanted::Move(movement) = &self.rules[id.index()].wants else { return verdict };
        let view = self.view(state);
        let Some(kind) = self.moving_kind(view, view.seat(), movement, from) else {
            return verdict;
        };
        let blocked = self.blocked_way(state, view.seat(), movement, kind, (from, to));
        let blocker = blocked.map(|(_, tile)| tile);
        Verdict::Invalid(Reason::NoPath { from, to, blocker })
    }

    /// The path of the mover's own patterns, or the way that is blocked.
    fn find_blocker(&self, explanation: &mut Explanation, state: &State) {
        let (Event::Move { from, to, .. } | Event::Advance { from, to, .. }) = explanation.event
        else {
            return;
        };
        let (view, mover) = (self.view(state), self.view(state).seat());
        let rule = explanation.accepted_by.or_else(|| {
            let nearest = explanation.reasons.first().copied().map(Verdict::Invalid);
            let gave = |report: &&RuleReport| Some(report.verdict) == nearest;
            explanation.rules.iter().find(gave).map(|report| report.rule)
        });
        let Some(rule) = rule else { return };
        let Wanted::Move(movement) = &self.rules[rule.index()].wants else { return };
        let Some(kind) = self.moving_kind(view, mover, movement, from) else { return };
        match self.engine().journey(state, rule, movement, kind, Event::step(from, to)) {
            Some(Journey::Along(path)) => explanation.path = path.tiles().collect(),
            Some(Journey::Direct) => explanation.path = vec![from, to],
            None => {}
        }
        if !explanation.path.is_empty() {
            return;
        }
        let blocked = self.blocked_way(state, mover, movement, kind, (from, to));
        if let Some((path, blocker)) = blocked {
            (explanation.path, explanation.blocker) = (path, Some(blocker));
        }
    }

    /// The way that a movement rule would take on an empty board, and the first tile on it whose
    /// occupant stops it now.
    fn blocked_way(
        &self,
        state: &State,
        player: PlayerId,
        movement: &Movement,
        kind: KindId,
        (from, to): (TileId, TileId),
    ) -> Option<(Vec<TileId>, TileId)> {
        if let Way::First(headings) = &movement.way {
            let along = |heading: &typed::Heading| {
                let line = self.line(from, to, heading[player.index()])?;
                let taken = |tile: &&TileId| self.view(state).owner_at(**tile).is_some();
                let blocker = *line[1..line.len() - 1].iter().find(taken)?;
                Some((line, blocker))
            };
            return headings.iter().find_map(along);
        }
        let mobility = self.way(movement, player, kind)?;
        let (mover, occupancy) = (self.travel_of(player), self.occupancy(state));
        let blocked = self.resolver.blocker(mobility, mover, occupancy, from, to)?;
        Some((blocked.path.tiles().collect(), blocked.tile))
    }

    /// The tiles from one to another in a straight line, both included.
    fn line(&self, from: TileId, to: TileId, direction: DirectionId) -> Option<Vec<TileId>> {
        let next = |tile: &TileId| self.topology().next(*tile, direction);
        let mut line: Vec<TileId> =
            std::iter::successors(Some(from), next).take(self.tile_count()).collect();
        let end = line.iter().skip(1).position(|tile| *tile == to)? + 1;
        line.truncate(end + 1);
        Some(line)
    }

    /// The attacks behind a refusal, in words.
    pub fn attack_text(&self, explanation: &Explanation) -> Option<String> {
        let attacks = explanation.attacks.iter().map(|attack| {
            let [on, from] = [attack.on, attack.from].map(|tile| self.tile_name(tile));
            format!("{on} is attacked by the {} on {from}", self.kind_name(attack.kind))
        });
        let attacks: Vec<String> = attacks.collect();
        (!attacks.is_empty()).then(|| attacks.join(", "))
    }

    /// An explanation in words, the event as its notation writes it.
    pub fn explanation_text(&self, explanation: &Explanation, event: &str) -> String {
        let phase = explanation.phase.map_or("none", |phase| self.phase_name(phase));
        let mut lines = match explanation.accepted_by {
            Some(rule) => vec![format!("{event} is accepted by rule `{}`", self.rule_name(rule))],
            None => {
                let because = explanation.reasons.first();
                let because = because.map_or(String::new(), |reason| self.reason_text(*reason));
                let because = self.attack_text(explanation).unwrap_or(because);
                vec![format!("{event} is refused: {because}")]
            }
        };
        lines.push(format!("phase: {phase}"));
        if !explanation.path.is_empty() {
            let tiles: Vec<&str> =
                explanation.path.iter().map(|&tile| self.tile_name(tile)).collect();
            let blocked = explanation
                .blocker
                .map_or(String::new(), |tile| format!(", blocked on {}", self.tile_name(tile)));
            lines.push(format!("path: {}{blocked}", tiles.join(" ")));
        }
        let speaks = |report: &&RuleReport| report.verdict != Verdict::Ignore;
        // Where one rule leads there, of those that lead elsewhere only the names are worth a line.
        let (elsewhere, there): (Vec<&RuleReport>, Vec<&RuleReport>) =
            explanation.rules.iter().filter(speaks).partition(|report| {
                matches!(report.verdict, Verdict::Invalid(Reason::NoPath { blocker: None, .. }))
            });
        let (told, named) =
            if there.is_empty() { (elsewhere, Vec::new()) } else { (there, elsewhere) };
        told.iter().for_each(|report| self.tell_rule(report, &mut lines));
        if !named.is_empty() {
            let names = named.iter().map(|report| format!("`{}`", self.rule_name(report.rule)));
            let names = names.collect::<Vec<_>>().join(", ");
            lines.push(format!("other rules do not lead there: {names}"));
        }
        lines.join("\n")
    }

    /// What a rule says, and each of its conditions.
    fn tell_rule(&self, report: &RuleReport, lines: &mut Vec<String>) {
        let answer = match report.verdict {
            Verdict::Valid => "accepts".to_owned(),
            Verdict::Ignore => "does not apply".to_owned(),
            // Its conditions are listed below, so which of them refused need not be said twice.
            Verdict::Invalid(Reason::Condition(..)) => "refuses".to_owned(),
            Verdict::Invalid(Reason::Aftermath(rule, _)) => {
                let ensures = &self.rules[rule.index()].written.ensures;
                format!("refuses: afterwards it must hold that {ensures}")
            }
            Verdict::Invalid(reason) => format!("refuses: {}", self.reason_text(reason)),
        };
        lines.push(format!("rule `{}` {answer}", self.rule_name(report.rule)));
        for check in &report.checks {
            let sign = if check.holds { "holds" } else { "does not hold" };
            lines.push(format!("  {sign}: {}", check.condition));
        }
    }

    /// The condition of a rule by its number, counted from the outside in.
    pub(crate) fn written_condition(&self, rule: RuleId, number: u16) -> Option<&Truth> {
        fn find<'c>(condition: &'c Truth, left: &mut u16) -> Option<&'c Truth> {
            if *left == 0 {
                return Some(condition);
            }
            *left -= 1;
            match condition {
                Truth::All(all) | Truth::Any(all) => all.iter().find_map(|one| find(one, left)),
                Truth::Not(one) | Truth::Called(_, one) | Truth::Relevant(one) => find(one, left),
                _ => None,
            }
        }
        find(&self.rules.get(rule.index())?.written.when, &mut { number })
    }
}

/// Lists the parts of a condition with their answers; what asks nothing is left out.
fn list_checks(
    holds: &mut dyn FnMut(&typed::Condition) -> bool,
    condition: &typed::Condition,
    written: &Truth,
    into: &mut Vec<Check>,
) {
    match (&condition.test, written) {
        (typed::Truth::Always, _) => {}
        (typed::Truth::All(parts), Truth::All(words)) => {
            let parts = parts.iter().zip(words);
            parts.for_each(|(part, words)| list_checks(holds, part, words, into));
        }
        _ => into.push(Check { condition: written.to_string(), holds: holds(condition) }),
    }
}
