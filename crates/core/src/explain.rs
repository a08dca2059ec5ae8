//! Why an event is accepted or refused: which phase, rule and condition, and which tile blocks.

use serde::Serialize;

use crate::condition::Condition;
use crate::event::{Event, Reason, Rejection, Verdict};
use crate::game::Game;
use crate::id::{PhaseId, RuleId, TileId};
use crate::plan::{self, Wanted};
use crate::scene::Scene;
use crate::state::State;
use crate::text;

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
        Rejection { event: self.event, phase: self.phase, rule, reasons: self.reasons }
    }
}

impl Game {
    /// Explains what becomes of an event in a state.
    pub fn explain(&self, state: &State, event: Event) -> Explanation {
        let mut explanation = Explanation {
            event,
            phase: None,
            derived: Vec::new(),
            accepted_by: None,
            rules: Vec::new(),
            reasons: Vec::new(),
            path: Vec::new(),
            blocker: None,
        };
        if !self.knows(event) {
            explanation.reasons.push(Reason::Foreign);
            return explanation;
        }
        if let Some(outcome) = self.outcome(state).filter(|_| !self.has_legal(state)) {
            explanation.reasons.push(Reason::Over(outcome.ending));
            return explanation;
        }
        explanation.phase = self.active_phase(state);
        let Some(phase) = explanation.phase else {
            explanation.reasons.push(Reason::NoPhase);
            return explanation;
        };
        let scene = Scene::of_event(self, state, event);
        match self.preprocessor(&scene, phase, event) {
            None => self.report(&mut explanation, state, phase, event),
            Some(pre) => match self.derive(&scene, pre, event) {
                None => explanation.reasons.push(Reason::Indivisible),
                Some(events) => self.report_derived(&mut explanation, state, events),
            },
        }
        self.find_blocker(&mut explanation, state);
        explanation
    }

    /// Follows derived events to the first that is refused. Where all are accepted, the rule that
    /// carries out the first counts, as it does in the step.
    fn report_derived(&self, explanation: &mut Explanation, state: &State, events: Vec<Event>) {
        let mut state = state.clone();
        let mut first = None;
        for &event in &events {
            explanation.rules.clear();
            explanation.accepted_by = None;
            if let Some(outcome) = self.outcome(&state).filter(|_| self.stops(&state)) {
                explanation.reasons.push(Reason::Over(outcome.ending));
                break;
            }
            explanation.phase = self.active_phase(&state);
            let Some(phase) = explanation.phase else {
                explanation.reasons.push(Reason::NoPhase);
                break;
            };
            self.report(explanation, &state, phase, event);
            let Some(rule) = explanation.accepted_by else { break };
            first = first.or(Some(rule));
            let scene = Scene::of_event(self, &state, event);
            state = crate::deed::carry_out(&scene, &self.rules[rule.index()], event);
        }
        explanation.accepted_by = explanation.accepted_by.and(first);
        explanation.derived = events;
    }

    /// What every rule of the phase says of an event.
    fn report(&self, into: &mut Explanation, state: &State, phase: PhaseId, event: Event) {
        let scene = Scene::of_event(self, state, event);
        let about = |rule: &&RuleId| self.rules[rule.index()].wants.kind() == event.kind();
        let rules = self.leaves[phase.index()].rules.iter().filter(about);
        into.rules = rules.map(|&rule| self.report_rule(&scene, rule, event)).collect();
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

    fn report_rule(&self, scene: &Scene<'_>, id: RuleId, event: Event) -> RuleReport {
        let rule = &self.rules[id.index()];
        let verdict = self.judge_with_blocker(scene, id, event);
        let mut checks = Vec::new();
        if matches!(verdict, Verdict::Valid | Verdict::Invalid(Reason::Condition(..))) {
            list_checks(scene, &rule.when, &rule.written.when, &mut checks);
        }
        RuleReport { rule: id, verdict, checks }
    }

    /// A rule's answer, where a path is blocked with the tile that blocks it.
    fn judge_with_blocker(&self, scene: &Scene<'_>, id: RuleId, event: Event) -> Verdict {
        let verdict = self.judge(scene, id, event);
        let Verdict::Invalid(Reason::NoPath { from, to, .. }) = verdict else { return verdict };
        let Wanted::Move(movement) = &self.rules[id.index()].wants else { return verdict };
        let Some(kind) = scene.moving_kind(movement, from) else { return verdict };
        let mobility = self.way(movement, scene, kind);
        let (mover, occupancy) = (self.travel_of(scene.mover), self.occupancy(scene.state));
        let blocked = self.resolver.blocker(mobility, mover, occupancy, from, to);
        let blocker = blocked.map(|blocked| blocked.tile);
        Verdict::Invalid(Reason::NoPath { from, to, blocker })
    }

    /// The path of the mover's own patterns, or the way that is blocked.
    fn find_blocker(&self, explanation: &mut Explanation, state: &State) {
        let Event::Move { from, to, .. } = explanation.event else { return };
        let scene = Scene::of_state(self, state);
        let rule = explanation.accepted_by.or_else(|| {
            let path = |r: &&RuleReport| !matches!(r.verdict, Verdict::Ignore);
            explanation.rules.iter().filter(path).map(|report| report.rule).next()
        });
        let Some(rule) = rule else { return };
        let Wanted::Move(movement) = &self.rules[rule.index()].wants else { return };
        let Some(kind) = scene.moving_kind(movement, from) else { return };
        let mobility = self.way(movement, &scene, kind);
        let (mover, occupancy) = (self.travel_of(scene.mover), self.occupancy(state));
        if let Some(path) = self.resolver.resolve(mobility, mover, occupancy, from, to, &mut ()) {
            explanation.path = path.tiles().collect();
            return;
        }
        let occupancy = self.occupancy(state);
        if let Some(blocked) = self.resolver.blocker(mobility, mover, occupancy, from, to) {
            explanation.path = blocked.path.tiles().collect();
            explanation.blocker = Some(blocked.tile);
        }
    }

    /// An explanation in words.
    pub fn explanation_text(&self, explanation: &Explanation) -> String {
        let event = text::format_event(self, explanation.event);
        let phase = explanation.phase.map_or("none", |phase| self.phase_name(phase));
        let mut lines = match explanation.accepted_by {
            Some(rule) => vec![format!("{event} is accepted by rule `{}`", self.rule_name(rule))],
            None => {
                let because = explanation.reasons.first();
                let because = because.map_or(String::new(), |reason| self.reason_text(*reason));
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
        for report in &explanation.rules {
            let answer = match report.verdict {
                Verdict::Valid => "accepts".to_owned(),
                Verdict::Ignore => "has nothing to say".to_owned(),
                Verdict::Invalid(reason) => format!("refuses: {}", self.reason_text(reason)),
            };
            lines.push(format!("rule `{}` {answer}", self.rule_name(report.rule)));
            for check in &report.checks {
                let sign = if check.holds { "holds" } else { "does not hold" };
                lines.push(format!("  {sign}: {}", check.condition));
            }
        }
        lines.join("\n")
    }

    /// The condition of a rule by its number, counted from the outside in.
    pub(crate) fn written_condition(&self, rule: RuleId, number: u16) -> Option<&Condition> {
        fn find<'c>(condition: &'c Condition, left: &mut u16) -> Option<&'c Condition> {
            if *left == 0 {
                return Some(condition);
            }
            *left -= 1;
            match condition {
                Condition::All(all) | Condition::Any(all) => {
                    all.iter().find_map(|one| find(one, left))
                }
                Condition::Not(one) | Condition::Relevant(one) => find(one, left),
                _ => None,
            }
        }
        find(&self.rules.get(rule.index())?.written.when, &mut { number })
    }
}

/// Lists the parts of a condition with their answers; what asks nothing is left out.
fn list_checks(
    scene: &Scene<'_>,
    compiled: &plan::Condition,
    written: &Condition,
    into: &mut Vec<Check>,
) {
    match (&compiled.test, written) {
        (plan::Test::Always, _) => {}
        (plan::Test::All(parts), Condition::All(words)) => {
            let parts = parts.iter().zip(words);
            parts.for_each(|(part, words)| list_checks(scene, part, words, into));
        }
        _ => {
            let holds = scene.holds(compiled);
            into.push(Check { condition: written.to_string(), holds });
        }
    }
}
