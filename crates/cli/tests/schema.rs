//! The JSON Schema of definitions: what fits it is read, and what does not is refused.

use std::path::Path;

use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use senet::define::Definition;
use senet::lang::read_json;
use serde_json::{Map, Value, json};

fn validator() -> Validator {
    jsonschema::validator_for(&Definition::schema()).expect("the schema is one")
}

fn shipped(name: &str) -> Value {
    let game = senet::load(name).expect("a shipped game");
    serde_json::to_value(game.definition()).expect("definitions are written as JSON")
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/definition.schema.json");
    let schema = serde_json::to_string_pretty(&Definition::schema()).unwrap() + "\n";
    if std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, schema).unwrap();
        return;
    }
    let published = std::fs::read_to_string(&path).unwrap();
    assert!(published == schema, "{} is stale; SENET_BLESS=1 writes it anew", path.display());
}

#[test]
fn every_shipped_game_fits_the_schema() {
    let validator = validator();
    for name in senet::games() {
        let definition = shipped(name);
        let errors: Vec<_> = validator.iter_errors(&definition).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn slips_fit_neither_the_schema_nor_the_reader() {
    let validator = validator();
    let slips: [(&str, Value); 6] = [
        ("/players/0", json!({ "nmae": "x" })),
        ("/tiles/0/name", json!(7)),
        ("/tiles/0/holds", json!("mnay")),
        ("/phases/0/rules", json!({})),
        ("/phases/0/rules/0/wants", json!({ "putt": {} })),
        ("/endings/0/when", json!({ "some": { "in": "own", "of": "foe" } })),
    ];
    for (place, slip) in slips {
        let mut definition = shipped("connect-four");
        let (around, last) = place.rsplit_once('/').unwrap();
        match definition.pointer_mut(around) {
            Some(Value::Object(fields)) => drop(fields.insert(last.into(), slip)),
            Some(Value::Array(items)) => items[last.parse::<usize>().unwrap()] = slip,
            other => panic!("{place}: {other:?}"),
        }
        assert!(!validator.is_valid(&definition), "{place}");
        assert!(read_json(definition.to_string().as_bytes()).is_err(), "{place}");
    }
}

/// What is done to one value of a definition.
#[derive(Clone, Copy, Debug)]
enum Slip {
    Drop,
    Add,
    Rename,
    Replace(usize),
}

/// Values of every type.
fn strangers() -> [Value; 6] {
    [json!(null), json!(true), json!(-3), json!("own"), json!([]), json!({})]
}

/// The pointers of all values of a definition.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                places(value, format!("{here}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, format!("{here}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(here);
}

fn slipped(value: &Value, slip: Slip) -> Value {
    match (slip, value) {
        (Slip::Replace(index), _) => strangers()[index].clone(),
        (Slip::Add, Value::Object(fields)) => {
            let mut fields = fields.clone();
            fields.insert("colour".into(), json!("red"));
            Value::Object(fields)
        }
        (Slip::Drop, Value::Object(fields)) => fields.clone().into_iter().skip(1).collect(),
        (Slip::Rename, Value::Object(fields)) => {
            let renamed = fields.iter().map(|(name, value)| (format!("{name}s"), value.clone()));
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        (Slip::Drop, Value::Array(items)) => items.iter().skip(1).cloned().collect(),
        (_, Value::String(word)) => json!(format!("{word}s")),
        (_, value) => json!([value]),
    }
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        Just(Slip::Drop),
        Just(Slip::Add),
        Just(Slip::Rename),
        (0..strangers().len()).prop_map(Slip::Replace),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn schema_and_reader_agree_about_random_slips(
        game in any::<Index>(), place in any::<Index>(), slip in slip()
    ) {
        thread_local!(static SCHEMA: Validator = validator());
        let names: Vec<_> = senet::games().filter(|name| !name.contains("gammon")).collect();
        let mut definition = shipped(names[game.index(names.len())]);
        // Tiles, relations and pieces are many and all alike.
        for list in ["tiles", "relations", "pieces", "setup"] {
            if let Some(Value::Array(items)) = definition.get_mut(list) {
                items.truncate(2);
            }
        }
        let mut found = Vec::new();
        places(&definition, String::new(), &mut found);
        let place = &found[place.index(found.len())];
        let value = definition.pointer_mut(place).unwrap();
        *value = slipped(value, slip);
        // The reader also takes a list of its fields for an object, which the schema does not offer.
        let is_list = value.is_array();
        let fits = SCHEMA.with(|schema| schema.is_valid(&definition));
        let read = read_json(definition.to_string().as_bytes());
        prop_assert!(read.is_ok() || !fits, "{} {:?}: {:?}", place, slip, read.err());
        prop_assert!(fits || is_list || read.is_err(), "{} {:?} is read", place, slip);
    }
}
