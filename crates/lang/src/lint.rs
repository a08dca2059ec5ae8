//! Doubts about a game that compiles.

use std::collections::BTreeSet;

use senet_core::Definition;
use senet_core::written::{Effect, Fate, Phase, Rule, Share, Truth, Wanted, Way};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::file::GameFile;

/// What is probably not meant: a game that never ends, a turn that never passes, a phase that never
/// closes, a tile that no piece can reach, a kind of piece that no rule is about, a condition asked
/// twice. A rule or phase that can never come up is a mistake, which compiling tells. Names that are never used are told when a file is read.
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
    if let Some(last) = unreached(definition).last() {
        let all = unreached(definition);
        let message = match &all[..] {
            [one] => format!("no piece can come to {one}"),
            all => format!("no piece can come to {} tiles, such as {last}", all.len()),
        };
        doubts.push(warn("unreached-tile", "tiles", message));
    }
    for phase in definition.phases.iter().filter(|phase| never_closes(definition, phase)) {
        let place = format!("phases/{}", phase.name);
        let message = format!(
            "the phase `{}` never closes: its condition, {}, never changes",
            phase.name, phase.when
        );
        doubts
            .push(warn("no-exit", &place, message).help("change what it asks in one of its rules"));
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
    // A game that this one is based on answers for itself.
    doubts.retain(|doubt| doubt.span.file == 0);
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

/// Tiles that no piece can come to: where pieces only move, those that no steps lead to from where
/// pieces stand at the start.
fn unreached(definition: &Definition) -> Vec<&str> {
    let rules = || definition.phases.iter().flat_map(|phase| &phase.rules);
    let enters = rules().any(|rule| match &rule.wants {
        Wanted::Put(_) => true,
        Wanted::Move(movement) => movement.way == Way::Anywhere,
        _ => false,
    });
    let effects = || rules().flat_map(|rule| rule.before.iter().chain(&rule.after));
    if enters
        || effects().any(lands)
        || !definition.phases.iter().all(|phase| phase.phases.is_empty())
    {
        return Vec::new();
    }
    let mut reached: BTreeSet<&str> =
        definition.setup.iter().map(|placement| placement.tile.as_str()).collect();
    let mut next: Vec<&str> = reached.iter().copied().collect();
    while let Some(tile) = next.pop() {
        let steps = definition.relations.iter().filter(|relation| relation.from == tile);
        for to in steps.map(|relation| relation.to.as_str()) {
            if reached.insert(to) {
                next.push(to);
            }
        }
    }
    let names = definition.tiles.iter().map(|tile| tile.name.as_str());
    names.filter(|tile| !reached.contains(tile)).collect()
}

/// Whether an effect may bring a piece to a tile other than by steps of it.
fn lands(effect: &Effect) -> bool {
    match effect {
        Effect::Capture { to, .. } => matches!(to, Fate::Tile(_)),
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).any(lands),
        Effect::Each(_, effects) | Effect::Repeat(_, effects) => effects.iter().any(lands),
        Effect::Together(_) | Effect::Custom { .. } => true,
        effect => sows(effect),
    }
}

/// What a phase asks that its rules could change, by sort and name.
#[derive(Default)]
struct Facts {
    known: BTreeSet<(&'static str, String)>,
    /// Whether something else is asked or changed, such as where pieces stand.
    others: bool,
}

/// Whether a phase, once open, stays open: its rules change nothing of what its condition asks.
fn never_closes(definition: &Definition, phase: &Phase) -> bool {
    if phase.when == Truth::Always || phase.rules.is_empty() {
        return false;
    }
    let asked = asked(&phase.when);
    let own = |name: &String| {
        let variable = definition.variables.iter().find(|variable| variable.name == *name);
        variable.is_none_or(|variable| {
            variable.share == Share::PerPlayer || variable.repetitions_within.is_some()
        })
    };
    if asked.others || asked.known.iter().any(|(sort, name)| *sort == "variable" && own(name)) {
        return false;
    }
    let mut changed = Facts::default();
    for rule in &phase.rules {
        match &rule.wants {
            Wanted::Roll(_) => changed.others = true,
            Wanted::Move(movement) => changed.others |= matches!(movement.way, Way::Dice(_)),
            _ => {}
        }
        for effect in rule.before.iter().chain(&rule.after) {
            changes(effect, &mut changed);
        }
    }
    // A phase before it may open in its place.
    let earlier = definition.phases.iter().take_while(|other| other.name != phase.name);
    let mut asked = vec![asked];
    asked.extend(earlier.map(|other| self::asked(&other.when)));
    let changes = |asked: &Facts| asked.others || !changed.known.is_disjoint(&asked.known);
    !changed.others && !asked.iter().any(changes)
}

fn asked(when: &Truth) -> Facts {
    let mut facts = Facts::default();
    asks(&serde_json::to_value(when).unwrap_or_default(), &mut facts);
    facts
}

/// Adds what a condition asks.
fn asks(value: &Value, facts: &mut Facts) {
    match value {
        Value::Object(fields) => {
            for (word, inside) in fields {
                let name = |inside: &Value| {
                    let named = inside.get("name").or(Some(inside)).and_then(Value::as_str);
                    named.unwrap_or_default().to_owned()
                };
                match word.as_str() {
                    "variable" => drop(facts.known.insert(("variable", name(inside)))),
                    "die" => drop(facts.known.insert(("die", name(inside)))),
                    "compare" | "left" | "right" | "all" | "any" | "not" | "called" | "sum"
                    | "minus" | "times" | "min" | "max" | "relevant" => asks(inside, facts),
                    "is" => {}
                    _ => facts.others = true,
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| asks(item, facts)),
        // The words of the author, a comparison, a number, or a word that asks something else.
        Value::String(word) => facts.others |= matches!(word.as_str(), "stuck"),
        _ => {}
    }
}

/// Adds what an effect changes.
fn changes(effect: &Effect, facts: &mut Facts) {
    match effect {
        Effect::Set { variable, .. } | Effect::Add { variable, .. } => {
            facts.known.insert(("variable", variable.clone()));
        }
        Effect::Unroll(dice) | Effect::Show { dice, .. } => {
            facts.known.extend(dice.iter().map(|die| ("die", die.clone())));
        }
        Effect::When { then, otherwise, .. } => {
            then.iter().chain(otherwise).for_each(|effect| changes(effect, facts));
        }
        Effect::Each(_, effects) | Effect::Repeat(_, effects) => {
            effects.iter().for_each(|effect| changes(effect, facts));
        }
        Effect::Sow { count, .. } => {
            facts.known.extend(count.iter().map(|count| ("variable", count.clone())));
        }
        Effect::Custom { .. } | Effect::Again { .. } | Effect::TurnWhere(_) => facts.others = true,
        _ => {}
    }
}
