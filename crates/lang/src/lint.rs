//! Doubts about a game that compiles.

use std::collections::BTreeSet;

use senet_core::{Effect, Rule, Truth, Wanted};

use crate::diagnostic::Diagnostic;
use crate::file::GameFile;

/// What is probably not meant: a game that never ends, a turn that never passes, a kind of piece
/// that no rule is about, a condition asked twice. Names that are never used are told when a file is read.
pub fn lint(file: &GameFile) -> Vec<Diagnostic> {
    let mut doubts = file.warnings.clone();
    let definition = &file.definition;
    let warn =
        |code, place: &str, message: String| Diagnostic::warning(code, file.place(place), message);
    if definition.endings.is_empty() {
        let doubt = warn("no-ending", "", "the game has no ending".into());
        doubts.push(doubt.help("write `win \"why\" when …`, `lose` or `draw`"));
    }
    let rules = || definition.phases.iter().flat_map(|phase| &phase.rules);
    let passes = rules().any(|rule| rule.before.iter().chain(&rule.after).any(passes));
    if definition.players.len() > 1 && !passes {
        let doubt = warn("no-turn", "", "the turn never passes to another player".into());
        doubts.push(doubt.help("leave out `again`, or write `then turn next`"));
    }
    for phase in &definition.phases {
        for rule in &phase.rules {
            let place = format!("phases/{}/rules/{}", phase.name, rule.name);
            if let Some(twice) = repeated(rule) {
                let message = format!("the rule asks twice whether {twice}");
                doubts.push(warn("asked-twice", &place, message));
            }
        }
    }
    let used: BTreeSet<&str> = rules().flat_map(kinds).collect();
    let any = rules().any(|rule| match &rule.wants {
        Wanted::Move(movement) => movement.kinds.is_empty(),
        Wanted::Put(putting) => putting.kinds.is_empty(),
        _ => false,
    });
    let any = any || rules().flat_map(|rule| rule.before.iter().chain(&rule.after)).any(sows);
    for kind in definition.kinds.iter().filter(|kind| !any && !used.contains(kind.name.as_str())) {
        let message = format!("no rule moves or puts a {}", kind.name);
        doubts.push(warn("idle-piece", &format!("kinds/{}", kind.name), message));
    }
    doubts
}

/// The kinds that a rule names.
fn kinds(rule: &Rule) -> Vec<&str> {
    match &rule.wants {
        Wanted::Move(movement) => {
            movement.kinds.iter().chain(&movement.choice).map(String::as_str).collect()
        }
        Wanted::Put(putting) => putting.kinds.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether an effect may give the turn to somebody.
fn passes(effect: &Effect) -> bool {
    match effect {
        Effect::Turn(_) | Effect::TurnWhere(_) | Effect::Again { .. } => true,
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).any(passes),
        Effect::Each(_, effects) | Effect::Repeat(_, effects) => effects.iter().any(passes),
        _ => false,
    }
}

/// Whether an effect moves pieces of any kind.
fn sows(effect: &Effect) -> bool {
    matches!(effect, Effect::Sow { .. } | Effect::Carry { .. } | Effect::Place { .. })
}

/// A condition that stands twice among those of a rule.
fn repeated(rule: &Rule) -> Option<&Truth> {
    let Truth::All(all) = &rule.when else { return None };
    let plain = |truth: &'_ Truth| match truth {
        Truth::Called(_, one) => (**one).clone(),
        other => other.clone(),
    };
    let pairs = all.iter().enumerate();
    { pairs }
        .find(|(at, one)| all[..*at].iter().any(|other| plain(other) == plain(one)))
        .map(|(_, one)| one)
}
