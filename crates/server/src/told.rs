//! Why an event is accepted or refused, as data for programs and pages.

use senet::{Event, Explanation, Position, Reason, TileId, Verdict};
use serde_json::{Value, json};

use crate::problem::Problem;

/// The whole explanation: phase, rules with their conditions, reasons, path, blocker and attackers.
pub fn explanation(told: &Explanation) -> Value {
    let position = told.position();
    let game = position.game();
    let name = |tile: TileId| position.label(tile);
    let rule = |report: &senet::RuleReport| {
        let (verdict, why) = match report.verdict {
            Verdict::Valid => ("valid", Value::Null),
            Verdict::Ignore => ("ignore", Value::Null),
            Verdict::Invalid(why) => ("invalid", reason(position, why)),
        };
        json!({
            "rule": game.rule_name(report.rule),
            "verdict": verdict,
            "reason": why,
            "checks": report.checks,
        })
    };
    let attack = |attack: &senet::Attack| {
        json!({
            "from": attack.from.index(),
            "kind": game.kind_name(attack.kind),
            "on": attack.on.index(),
        })
    };
    json!({
        "event": position.format(told.event),
        "accepted": told.is_accepted(),
        "phase": told.phase.map(|phase| game.phase_name(phase)),
        "rule": told.accepted_by.map(|rule| game.rule_name(rule)),
        "reasons": told.reasons.iter().map(|why| reason(position, *why)).collect::<Vec<_>>(),
        "rules": told.rules.iter().map(rule).collect::<Vec<_>>(),
        "path": told.path.iter().map(|tile| tile.index()).collect::<Vec<_>>(),
        "blocker": told.blocker.map(TileId::index),
        "attacks": told.attacks.iter().map(attack).collect::<Vec<_>>(),
        "tiles": told.path.iter().chain(&told.blocker).map(|tile| name(*tile)).collect::<Vec<_>>(),
        "text": told.to_string(),
    })
}

fn reason(position: &Position, reason: Reason) -> Value {
    json!({
        "code": reason.code(),
        "message": position.game().reason_text(reason),
        "tile": reason.tile().map(TileId::index),
    })
}

/// The refusal of an event, with everything that explains it.
pub fn refusal(position: &Position, event: Event) -> Problem {
    let told = position.explain_event(event);
    let text = told.to_string();
    let first = text.lines().next().unwrap_or_default().to_owned();
    Problem::new(422, "refused", first).with("explanation", explanation(&told))
}
