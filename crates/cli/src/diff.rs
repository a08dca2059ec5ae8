//! `senet diff`: what two games differ in, by the names of their parts.

use std::collections::BTreeMap;

use senet::define::Definition;
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::shelf;

const EXAMPLES: &str = "\
Examples:
  senet diff chess atomic
  senet diff chess my-chess.senet --json";

/// Lists what differs between the rules of two games.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name or file.
    one: String,
    /// Another.
    other: String,
}

/// Parts of a definition by sort and name.
type Parts = BTreeMap<(&'static str, String), Value>;

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let (one, other) = (shelf::open(&args.one)?, shelf::open(&args.other)?);
    let (one, other) = (parts(one.definition()), parts(other.definition()));
    let mut found = Vec::new();
    for (key, value) in &one {
        match other.get(key) {
            None => found.push(("removed", key)),
            Some(now) if now != value => found.push(("changed", key)),
            Some(_) => {}
        }
    }
    found.extend(other.keys().filter(|key| !one.contains_key(key)).map(|key| ("added", key)));
    found.sort_by_key(|(_, key)| *key);
    if output.is_json() {
        let listed = found.iter().map(|(what, key)| {
            let (before, after) = (one.get(key), other.get(key));
            json!({ "change": what, "part": key.0, "name": key.1, "before": before, "after": after })
        });
        return Ok(output.json(&listed.collect::<Vec<Value>>())?);
    }
    if found.is_empty() {
        return Ok(output.line("the rules are the same")?);
    }
    for (what, (part, name)) in found {
        output.line(format!("{what:<8} {part} {name}").trim_end())?;
    }
    Ok(())
}

/// The parts of a definition that have names. The rest are each one part.
fn parts(definition: &Definition) -> Parts {
    let mut parts = Parts::new();
    let d = definition;
    add(&mut parts, "player", &d.players, |one| one.name.clone());
    add(&mut parts, "flag", &d.flags, |one| one.name.clone());
    add(&mut parts, "mark", &d.marks, |one| one.name.clone());
    add(&mut parts, "piece", &d.kinds, |one| one.name.clone());
    add(&mut parts, "die", &d.dice, |one| one.name.clone());
    add(&mut parts, "variable", &d.variables, |one| one.name.clone());
    add(&mut parts, "ending", &d.endings, |one| one.name.clone());
    add(&mut parts, "requirement", &d.requirements, |one| one.name.clone());
    add(&mut parts, "region", &d.regions, |one| match &one.player {
        Some(player) => format!("{} of {player}", one.name),
        None => one.name.clone(),
    });
    for phase in &d.phases {
        let conditions = (&phase.when, phase.usage);
        let all = d.phases.len() > 1;
        add(&mut parts, "phase", &[conditions], |_| phase.name.clone());
        add(&mut parts, "rule", &phase.rules, |rule| match all {
            true => format!("{} in {}", rule.name, phase.name),
            false => rule.name.clone(),
        });
    }
    add(&mut parts, "board", &[(&d.tiles, &d.directions, &d.relations)], |_| String::new());
    add(&mut parts, "setup", &[(&d.pieces, &d.setup)], |_| String::new());
    parts
}

fn add<T: Serialize>(
    parts: &mut Parts,
    sort: &'static str,
    all: &[T],
    name: impl Fn(&T) -> String,
) {
    for one in all {
        let value = serde_json::to_value(one).unwrap_or(Value::Null);
        parts.insert((sort, name(one)), value);
    }
}
