//! Refusals and explanations in words, with tiles as the player to move calls them.

use senet::notation::{backgammon, is_mat_game};
use senet::{Event, Explanation, Reason, RuleReport, TileId, Verdict};

use crate::context::Context;

/// The most rules that are named where they refuse for one reason; more are counted.
const NAMED: usize = 4;

impl Context {
    /// A text of the engine with the labels of tiles in place of their names.
    fn relabel(&self, text: String) -> String {
        let game = self.game();
        let differs = game
            .tiles()
            .next()
            .is_some_and(|tile| self.position.label(tile) != game.tile_name(tile));
        if !differs {
            return text;
        }
        let inside = |letter: char| letter.is_alphanumeric() || letter == '-';
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|letter| !inside(letter)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match game.tile(word) {
                Some(tile) => out.push_str(&self.position.label(tile)),
                None => out.push_str(word),
            }
            let between = after.find(inside).unwrap_or(after.len());
            out.push_str(&after[..between]);
            rest = &after[between..];
        }
        out
    }

    /// One reason for a refusal.
    pub(crate) fn reason_text(&self, reason: Reason) -> String {
        let game = self.game();
        let view = self.position.view();
        match reason {
            Reason::NoPiece(at, player) => {
                let (tile, player) = (self.position.label(at), game.player_name(player));
                match (view.owner_at(at), view.kind_at(at)) {
                    (Some(owner), Some(kind)) => {
                        let (owner, kind) = (game.player_name(owner), game.kind_name(kind));
                        format!("it is {player}'s turn, and the {kind} on {tile} is {owner}'s")
                    }
                    _ => format!("{player} has no piece on {tile}"),
                }
            }
            Reason::NoPath { from, to, blocker: Some(by) } if by == to => {
                let kind = |tile: TileId| view.kind_at(tile).map(|kind| game.kind_name(kind));
                let mine = view.is_owned(to, view.player());
                match (kind(from), kind(to)) {
                    (Some(mover), Some(other)) if mine => {
                        let (from, to) = (self.position.label(from), self.position.label(to));
                        format!(
                            "the {mover} on {from} cannot go to {to} because your own {other} stands there"
                        )
                    }
                    _ => self.relabel(game.reason_text(reason)),
                }
            }
            _ => self.relabel(game.reason_text(reason)),
        }
    }

    /// Why an event is refused: the reason that matters most, in a sentence.
    pub(crate) fn because(&self, told: &Explanation) -> String {
        let game = self.game();
        if let Some(attacks) = game.rules().attack_text(told) {
            return self.relabel(attacks);
        }
        let custom = || {
            let notation = is_mat_game(game).then_some(backgammon::NOTATION)?;
            notation.reason(game.rules(), self.position.state(), told.event, &told.reasons)
        };
        match told.reasons.first() {
            Some(Reason::Over(_) | Reason::NoPhase | Reason::Unwanted(_)) | None => {}
            Some(_) if !matches!(told.event, Event::Advance { .. }) => {}
            Some(_) => {
                if let Some(words) = custom() {
                    return self.relabel(words);
                }
            }
        }
        told.reasons.first().map_or(String::new(), |reason| self.reason_text(*reason))
    }

    /// An explanation in words, the event as its notation writes it.
    pub(crate) fn explanation_text(&self, told: &Explanation, event: &str) -> String {
        let game = self.game();
        let mut lines = vec![match told.accepted_by {
            Some(rule) => format!("{event} is accepted by rule `{}`", game.rule_name(rule)),
            None => format!("{event} is refused: {}", self.because(told)),
        }];
        let phase = told.phase.map_or("none", |phase| game.phase_name(phase));
        lines.push(format!("phase: {phase}"));
        if !told.path.is_empty() {
            let tiles: Vec<String> =
                told.path.iter().map(|tile| self.position.label(*tile)).collect();
            let blocked =
                told.blocker.map(|tile| format!(", blocked on {}", self.position.label(tile)));
            lines.push(format!("path: {}{}", tiles.join(" "), blocked.unwrap_or_default()));
        }
        let speaks = |report: &&RuleReport| report.verdict != Verdict::Ignore;
        // Where one rule leads there, of those that lead elsewhere only the names are worth a line.
        let (elsewhere, there): (Vec<&RuleReport>, Vec<&RuleReport>) =
            told.rules.iter().filter(speaks).partition(|report| {
                matches!(report.verdict, Verdict::Invalid(Reason::NoPath { blocker: None, .. }))
            });
        let (shown, named) =
            if there.is_empty() { (elsewhere, Vec::new()) } else { (there, elsewhere) };
        for group in grouped(&shown) {
            self.tell_rules(&group, group.len() == shown.len(), &mut lines);
        }
        if !named.is_empty() {
            lines.push(format!("other rules do not lead there: {}", self.rule_names(&named)));
        }
        lines.join("\n")
    }

    fn rule_names(&self, reports: &[&RuleReport]) -> String {
        let game = self.game();
        let names = reports.iter().map(|report| format!("`{}`", game.rule_name(report.rule)));
        names.collect::<Vec<_>>().join(", ")
    }

    /// What rules say that all say the same, and each condition of one that speaks alone.
    fn tell_rules(&self, reports: &[&RuleReport], all: bool, lines: &mut Vec<String>) {
        let [report, ..] = reports else { return };
        let answer = self.answer(report);
        if reports.len() > 1 {
            let names = self.rule_names(reports);
            let answer = answer.strip_prefix("refuses").unwrap_or(&answer);
            lines.push(match (reports.len(), all) {
                (NAMED.., true) => {
                    format!("all {} rules of this phase refuse{answer}", reports.len())
                }
                (NAMED.., false) => format!("{} rules refuse{answer}", reports.len()),
                _ => format!("rules {names} refuse{answer}"),
            });
            return;
        }
        lines.push(format!("rule `{}` {answer}", self.game().rule_name(report.rule)));
        for check in &report.checks {
            let sign = if check.holds { "holds" } else { "does not hold" };
            lines.push(format!("  {sign}: {}", self.relabel(check.condition.clone())));
        }
    }

    fn answer(&self, report: &RuleReport) -> String {
        let game = self.game();
        match report.verdict {
            Verdict::Valid => "accepts".to_owned(),
            Verdict::Ignore => "does not apply".to_owned(),
            // Its conditions are listed below, so which of them refused need not be said twice.
            Verdict::Invalid(Reason::Condition(..)) => "refuses".to_owned(),
            Verdict::Invalid(reason @ Reason::Aftermath(rule, _)) => {
                let text = self.relabel(game.reason_text(reason));
                let prefix = format!("after rule `{}` ", game.rule_name(rule));
                format!("refuses: afterwards {}", text.strip_prefix(&prefix).unwrap_or(&text))
            }
            Verdict::Invalid(reason) => format!("refuses: {}", self.reason_text(reason)),
        }
    }
}

/// Neighbouring rules that refuse for one reason, without conditions of their own.
fn grouped<'r>(reports: &[&'r RuleReport]) -> Vec<Vec<&'r RuleReport>> {
    let alike = |one: &&RuleReport, two: &&RuleReport| {
        one.verdict == two.verdict
            && matches!(one.verdict, Verdict::Invalid(_))
            && one.checks.is_empty()
            && two.checks.is_empty()
    };
    reports.chunk_by(alike).map(<[&RuleReport]>::to_vec).collect()
}
