//! Definitions: each is a game in which all doors agree and every state keeps its laws, or a list
//! of mistakes.

use senet_chance::Source;
use senet_core::{Definition, Options};
use senet_testkit::law::{Effort, every_state_is_sound};
use senet_testkit::{mutate_json, node, nodes, random, sample};
use serde_json::Value;

use super::Target;

pub(super) const TARGET: Target = Target {
    name: "definition",
    law: "a definition is a game in which all doors agree, or a list of mistakes",
    fresh,
    check,
    smaller,
};

fn fresh(source: &mut Source, corpus: &[Vec<u8>]) -> Vec<u8> {
    let made = |source: &mut Source| {
        let definition = random::definition(&mut |bound| source.below(bound));
        serde_json::to_value(definition).expect("a definition is data")
    };
    let known = |source: &mut Source| {
        let samples = [
            sample::skirmish_definition,
            sample::dash_definition,
            sample::league_definition,
            sample::errand_definition,
            sample::hurdle_definition,
        ];
        let at = source.below((samples.len() + corpus.len()) as u64) as usize;
        match samples.get(at) {
            Some(sample) => serde_json::to_value(sample()).expect("a definition is data"),
            None => serde_json::from_slice(&corpus[at - samples.len()]).unwrap_or_default(),
        }
    };
    let value = match source.below(4) {
        0 => made(source),
        1 => {
            let (one, other) = (made(source), made(source));
            mutate_json(source, &one, &other)
        }
        2 => {
            let (one, other) = (known(source), made(source));
            mutate_json(source, &one, &other)
        }
        _ => {
            let (one, other) = (known(source), known(source));
            mutate_json(source, &one, &other)
        }
    };
    serde_json::to_vec(&value).expect("JSON is text")
}

fn check(case: &[u8]) {
    let Ok(definition) = serde_json::from_slice::<Definition>(case) else { return };
    let hash = definition.hash();
    match definition.compile(Options::default()) {
        Err(errors) => {
            assert!(!errors.0.is_empty(), "refused without a mistake");
            for error in &errors.0 {
                assert!(!error.place.is_empty() && !error.to_string().is_empty(), "{error:?}");
            }
        }
        Ok(game) => {
            assert_eq!(game.definition_hash(), hash);
            every_state_is_sound(&game, hash as u64, Effort::SMALL);
        }
    }
}

/// The definition without one of its parts.
fn smaller(case: &[u8]) -> Vec<Vec<u8>> {
    let Ok(value) = serde_json::from_slice::<Value>(case) else { return super::shorter(case) };
    let mut cases = Vec::new();
    for at in 0..nodes(&value) {
        let inside = match node(&mut value.clone(), at) {
            Some(Value::Array(list)) => list.len(),
            Some(Value::Object(map)) => map.len(),
            _ => 0,
        };
        for part in 0..inside {
            let mut less = value.clone();
            match node(&mut less, at) {
                Some(Value::Array(list)) => drop(list.remove(part)),
                Some(Value::Object(map)) => {
                    let key = map.keys().nth(part).cloned().unwrap_or_default();
                    map.remove(&key);
                }
                _ => {}
            }
            cases.push(serde_json::to_vec(&less).expect("JSON is text"));
        }
        // A part in the place of the whole.
        for part in 0..inside {
            let mut less = value.clone();
            let Some(target) = node(&mut less, at) else { continue };
            let found = match &*target {
                Value::Array(list) => list.get(part).cloned(),
                Value::Object(map) => map.values().nth(part).cloned(),
                _ => None,
            };
            *target = found.unwrap_or_default();
            cases.push(serde_json::to_vec(&less).expect("JSON is text"));
        }
    }
    cases
}
