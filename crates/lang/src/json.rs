//! Definitions in JSON: everything that is wrong with their structure at once, each mistake with its
//! JSON path, its line and what was probably meant.

mod expand;

use std::fmt;

use senet_core::Definition;
use senet_core::notation::nearest;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// How many mistakes are told.
const MOST: usize = 50;

/// Something in a JSON text that no definition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where it is, such as `/phases/0/rules/2/wants`; empty for the whole text.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What was found, and what is allowed.
    pub message: String,
    /// The name that was probably meant.
    pub near: Option<String>,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misfit { path, line, column, message, near } = self;
        let path = if path.is_empty() { "/" } else { path };
        write!(f, "{path} (line {line}, column {column}): {message}")?;
        match near {
            Some(near) => write!(f, ", did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

/// One step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Name(String),
    Index(usize),
}

/// Reads a definition, or tells everything that does not fit.
pub fn read_json(text: &[u8]) -> Result<Definition, Vec<Misfit>> {
    let mut value: Value = serde_json::from_slice(text).map_err(|error| {
        let message = error.to_string();
        // The place is told beside the message.
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        let (line, column) = (error.line().max(1), error.column().max(1));
        vec![Misfit { path: String::new(), line, column, message, near: None }]
    })?;
    value = expand::write_out(text, value)?;
    let mut found = Vec::new();
    let mut removed = Removed::default();
    // What does not fit is told and taken out, until the rest fits. What is missing only because it
    // was taken out is taken out with what it belongs to, and not told.
    loop {
        let error = match serde_path_to_error::deserialize::<_, Definition>(value.clone()) {
            Ok(definition) if found.is_empty() => return Ok(definition),
            Ok(_) => return Err(sorted(found)),
            Err(error) => error,
        };
        let mut keys = keys(error.path());
        let message = error.inner().to_string();
        if let Some(name) = quoted_after(&message, "unknown field ")
            && keys.last() != Some(&Key::Name(name.clone()))
        {
            keys.push(Key::Name(name));
        }
        let missing = quoted_after(&message, "missing field ").is_some_and(|field| {
            let mut place = removed.written(&keys);
            place.push(Key::Name(field));
            removed.places.contains(&place)
        });
        if !missing {
            found.push(misfit(text, &removed.written(&keys), message));
        }
        if found.len() >= MOST || !removed.take(&mut value, &keys) {
            return Err(sorted(found));
        }
    }
}

/// Mistakes in the order of the text.
fn sorted(mut found: Vec<Misfit>) -> Vec<Misfit> {
    found.sort_by_key(|one| (one.line, one.column));
    found
}

/// What was taken out of a value, by where it was written.
#[derive(Default)]
struct Removed {
    places: Vec<Vec<Key>>,
}

impl Removed {
    /// Where something was written that is now found by these steps: items of a list move up when
    /// one before them is taken out.
    fn written(&self, keys: &[Key]) -> Vec<Key> {
        let mut written: Vec<Key> = Vec::new();
        for key in keys {
            let Key::Index(index) = key else {
                written.push(key.clone());
                continue;
            };
            let gone = self.places.iter().filter_map(|place| match place.split_last() {
                Some((Key::Index(index), around)) if *around == written[..] => Some(*index),
                _ => None,
            });
            let mut gone: Vec<usize> = gone.collect();
            gone.sort_unstable();
            let mut index = *index;
            for before in gone {
                index += usize::from(before <= index);
            }
            written.push(Key::Index(index));
        }
        written
    }

    /// Takes a value out of another, with what around it is left empty by that; the nearest one
    /// around it where it is not there. False where nothing is left to take out.
    fn take(&mut self, value: &mut Value, keys: &[Key]) -> bool {
        let mut taken = false;
        for length in (1..=keys.len()).rev() {
            let place = self.written(&keys[..length]);
            let (around, last) = (&keys[..length - 1], &keys[length - 1]);
            let around = around.iter().try_fold(&mut *value, |value, key| match key {
                Key::Name(name) => value.get_mut(name),
                Key::Index(index) => value.get_mut(*index),
            });
            let empty = match (around, last) {
                (Some(Value::Object(fields)), Key::Name(name)) if fields.contains_key(name) => {
                    fields.remove(name);
                    fields.is_empty()
                }
                (Some(Value::Array(items)), Key::Index(index)) if *index < items.len() => {
                    items.remove(*index);
                    false
                }
                _ => continue,
            };
            taken = true;
            self.places.push(place);
            if !empty {
                break;
            }
        }
        taken
    }
}

/// The steps of a path; those inside an enum name its word.
fn keys(path: &Path) -> Vec<Key> {
    let keys = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(Key::Index(*index)),
        Segment::Map { key } => Some(Key::Name(key.clone())),
        Segment::Enum { variant } => Some(Key::Name(variant.clone())),
        Segment::Unknown => None,
    });
    keys.collect()
}

/// The name in backticks after some words at the start of a message.
fn quoted_after(message: &str, words: &str) -> Option<String> {
    message.strip_prefix(words)?.split('`').nth(1).map(str::to_owned)
}

fn misfit(text: &[u8], keys: &[Key], message: String) -> Misfit {
    let mut parts = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown");
    let wrong = parts.next().filter(|_| unknown);
    let near = wrong.and_then(|wrong| nearest(wrong, parts));
    let byte = locate(text, keys);
    let before = &text[..byte.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let path = keys.iter().map(|key| match key {
        Key::Name(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
        Key::Index(index) => format!("/{index}"),
    });
    Misfit { path: path.collect(), line, column, message: plain(&message), near }
}

/// A message of the deserializer in words of JSON instead of those of Rust.
fn plain(message: &str) -> String {
    let (found, expected) = match message.rsplit_once(", expected ") {
        Some((found, expected)) if !expected.contains('`') => (found, expected),
        _ => return message.replacen("unknown variant", "unknown word", 1),
    };
    let kinds = ["invalid type: ", "invalid value: ", "invalid "];
    let Some(found) = kinds.iter().find_map(|kind| found.strip_prefix(kind)) else {
        return message.to_owned();
    };
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        "unit value" => "null",
        "unit variant" => "a word alone",
        other => other,
    };
    let expected = match expected.split(' ').next().unwrap_or_default() {
        "i64" | "u64" => "a whole number",
        "u32" | "usize" => "a whole number, 0 or more",
        "u8" => "a whole number from 0 to 255",
        "map" => "an object with one key",
        "struct" => "an object",
        "unit" => "the word alone",
        "newtype" => "an object with this word as its key",
        "tuple" => "a list",
        "string" => "a word, or an object with one key",
        _ => match expected {
            "a sequence" => "a list",
            "a boolean" => "true or false",
            other => other,
        },
    };
    format!("found {found}, expected {expected}")
}

/// The byte at which the value of a path starts in a JSON text that is known to be sound; that of
/// the nearest value around it where it is not there.
fn locate(text: &[u8], keys: &[Key]) -> usize {
    let mut at = skip_space(text, 0);
    for key in keys {
        let found = match key {
            Key::Name(name) => member(text, at, |found| found == name),
            Key::Index(index) => item(text, at, *index),
        };
        match found {
            Some(found) => at = found,
            None => return at,
        }
    }
    at
}

fn skip_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// One past a value.
fn skip_value(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => {
            let mut end = at + 1;
            while let Some(byte) = text.get(end) {
                match byte {
                    b'"' => return end + 1,
                    b'\\' => end += 2,
                    _ => end += 1,
                }
            }
            end
        }
        Some(b'{' | b'[') => {
            let (mut depth, mut end) = (0usize, at);
            while let Some(byte) = text.get(end) {
                match byte {
                    b'"' => {
                        end = skip_value(text, end);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                end += 1;
                if depth == 0 {
                    return end;
                }
            }
            end
        }
        _ => {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| b",]} \t\r\n".contains(byte));
            at + length.unwrap_or(rest.len())
        }
    }
}

fn member(text: &[u8], at: usize, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let mut at = skip_space(text, text.get(at).filter(|byte| **byte == b'{').map(|_| at + 1)?);
    while text.get(at) == Some(&b'"') {
        let end = skip_value(text, at);
        let name: String = serde_json::from_slice(text.get(at..end)?).ok()?;
        let value = skip_space(text, skip_space(text, end) + 1);
        if fits(&name) {
            return Some(value);
        }
        at = skip_space(text, skip_space(text, skip_value(text, value)) + 1);
    }
    None
}

fn item(text: &[u8], at: usize, index: usize) -> Option<usize> {
    let mut at = skip_space(text, text.get(at).filter(|byte| **byte == b'[').map(|_| at + 1)?);
    for _ in 0..index {
        at = skip_space(text, skip_space(text, skip_value(text, at)) + 1);
    }
    text.get(at).filter(|byte| **byte != b']').map(|_| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Source, read};

    fn sound() -> Value {
        let file = read(&Source::new("stage.senet", crate::word::STAGE)).unwrap();
        serde_json::to_value(file.definition).unwrap()
    }

    fn told(value: &Value) -> Vec<String> {
        let text = serde_json::to_vec_pretty(value).unwrap();
        let found = read_json(&text).unwrap_err();
        found
            .iter()
            .map(|one| format!("{}: {}", one.path, one.near.clone().unwrap_or_default()))
            .collect()
    }

    #[test]
    fn a_sound_definition_is_read() {
        let value = sound();
        let read = read_json(value.to_string().as_bytes()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), value);
    }

    #[test]
    fn every_misfit_is_told_at_once_with_its_path() {
        let mut value = sound();
        value["players"][1]["nmae"] = "x".into();
        value["tiles"][3]["name"] = 7.into();
        value["tiles"][5] = serde_json::json!({ "name": "f1", "holds": "mnay" });
        value["endings"][0]["winner"] = "moover".into();
        value["kinds"][0]["patterns"][0] =
            serde_json::json!({ "multi_directoin": [["north"], "once"] });
        value.as_object_mut().unwrap().remove("phases");
        assert_eq!(
            told(&value),
            [
                ": ",
                "/endings/0/winner: mover",
                "/kinds/0/patterns/0: multi_direction",
                "/players/1/nmae: name",
                "/tiles/3/name: ",
                "/tiles/5/holds: many",
            ]
        );
    }

    #[test]
    fn misfits_are_told_in_words_of_json() {
        let mut value = sound();
        value["players"] = 3.into();
        value["tiles"] = serde_json::json!([[]]);
        value["dice"] = serde_json::json!([{ "name": "d", "sides": 300 }]);
        value["variables"] = serde_json::json!([{ "name": "v", "max": "7" }, { "name": "w" }]);
        value["endings"] = serde_json::json!([
            { "name": "e", "when": { "any": "own", "none": "own" } },
            { "name": "f", "when": { "anny": "own" } },
            { "name": "g", "when": 3 },
            { "name": "h", "when": { "always": 3 } },
            { "name": "i", "when": "any" },
        ]);
        let text = serde_json::to_vec_pretty(&value).unwrap();
        let found = read_json(&text).unwrap_err();
        let told = found.iter().map(|one| format!("{}: {}", one.path, one.message));
        let told: Vec<_> = told.filter(|line| !line.contains("expected one of")).collect();
        assert_eq!(
            told,
            [
                "/dice/0/sides: found integer `300`, expected a whole number from 0 to 255",
                "/endings/0/when: found an object, expected an object with one key",
                "/endings/2/when: found integer `3`, expected a word, or an object with one key",
                "/endings/3/when/always: found integer `3`, expected the word alone",
                "/endings/4/when/any: found a word alone, expected an object with this word as its key",
                "/players: found integer `3`, expected a list",
                "/tiles/0: found length 0, expected an object",
                "/variables/0/max: found string \"7\", expected a whole number",
                "/variables/1: missing field `max`",
            ]
        );
    }

    /// A sound definition whose first ending is told by names.
    fn named(lets: Value, when: Value) -> Vec<u8> {
        let mut value = sound();
        value["lets"] = lets;
        value["endings"][0]["when"] = when;
        serde_json::to_vec_pretty(&value).unwrap()
    }

    #[test]
    fn names_with_parameters_stand_for_what_they_are_given() {
        use serde_json::json;
        let lets = json!([
            { "name": "many", "parameters": ["s", "n"], "is":
                { "compare": { "left": { "count": { "let": "s" } }, "is": "at_least", "right": { "let": "n" } } } },
            { "name": "three", "is": { "is": 3 } },
            { "name": "crowd", "parameters": ["s"], "is":
                { "let": "many", "with": [{ "let": "s" }, { "let": "three" }] } },
        ]);
        let read =
            read_json(&named(lets, json!({ "let": "crowd", "with": [{ "owned": "mover" }] })))
                .unwrap();
        let mut written = sound();
        written["endings"][0]["when"] = json!({ "compare": { "left": { "count": { "owned": "mover" } }, "is": "at_least", "right": { "is": 3 } } });
        assert_eq!(serde_json::to_value(&read).unwrap(), written);
        let same = read_json(written.to_string().as_bytes()).unwrap();
        let hash = |game: Definition| {
            game.compile(senet_core::Options::default()).unwrap().definition_hash()
        };
        assert_eq!(hash(read), hash(same));
    }

    #[test]
    fn names_that_mean_nothing_are_told_with_their_place() {
        use serde_json::json;
        let told = |lets: Value, when: Value| -> Vec<String> {
            let found = read_json(&named(lets, when)).unwrap_err();
            let near = |one: &Misfit| one.near.clone().unwrap_or_default();
            found
                .iter()
                .map(|one| format!("{}: {} [{}]", one.path, one.message, near(one)))
                .collect()
        };
        let one = json!([{ "name": "mine", "parameters": ["s"], "is": { "any": { "let": "s" } } }]);
        assert_eq!(
            told(one.clone(), json!({ "let": "mien", "with": ["own"] })),
            ["/endings/0/when: unknown name `mien`, `lets` gives `mine` [mine]"]
        );
        assert_eq!(
            told(one.clone(), json!({ "let": "mine" })),
            ["/endings/0/when: `mine` takes 1 arguments, found 0 []"]
        );
        assert_eq!(
            told(one, json!({ "let": 3 })),
            ["/endings/0/when: expected `let` with a name, and `with` with a list of arguments []"]
        );
        let endless = json!([{ "name": "on", "is": { "not": { "let": "on" } } }]);
        assert_eq!(
            told(endless, json!({ "let": "on" })),
            [
                "/lets/0/is/not: `on` stands for itself, or for more than 64 names inside one another []"
            ]
        );
        let twice = json!([{ "name": "a", "is": "always" }, { "name": "a", "is": "never" }]);
        assert_eq!(told(twice, json!({ "let": "a" })), ["/lets/1: the name `a` is given twice []"]);
        let shape = json!([{ "name": "a", "iss": "always" }]);
        assert_eq!(told(shape, json!("always")).len(), 1);
    }

    #[test]
    fn names_that_stand_for_too_much_are_refused() {
        use serde_json::json;
        // Each name stands for the one before twice: 2^40 words, or a chain 2^40 deep.
        let doubled = |body: fn(&str) -> Value| -> Value {
            let first =
                json!({ "name": "n0", "parameters": ["t"], "is": { "not": { "let": "t" } } });
            let others = (1..41).map(|n| {
                json!({ "name": format!("n{n}"), "parameters": ["t"], "is": body(&format!("n{}", n - 1)) })
            });
            std::iter::once(first).chain(others).collect()
        };
        let wide = |name: &str| {
            let one = json!({ "let": name, "with": [{ "let": "t" }] });
            json!({ "all": [one, one] })
        };
        let deep = |name: &str| {
            let one = json!({ "let": name, "with": [{ "let": "t" }] });
            json!({ "let": name, "with": [one] })
        };
        let when = json!({ "let": "n40", "with": ["always"] });
        for (lets, told) in [
            (doubled(wide), "the definition has more than 1000000 values, written out"),
            (doubled(deep), "values lie more than 127 deep inside one another, written out"),
        ] {
            let found = read_json(&named(lets, when.clone())).unwrap_err();
            assert!(found.iter().any(|one| one.message == told), "{found:?}");
        }
    }

    #[test]
    fn a_misfit_has_its_line() {
        let text = b"{\n \"name\": \"x\",\n \"players\": [\n  {\"name\": \"a\"},\n  {\"nme\": \"b\"}\n ],\n \"tiles\": [], \"phases\": []\n}";
        let found = read_json(text).unwrap_err();
        let lines: Vec<_> = found.iter().map(|one| (one.line, one.near.as_deref())).collect();
        assert_eq!(lines, [(5, Some("name"))]);
        let broken = read_json(b"{\n \"name\": }").unwrap_err();
        assert_eq!((broken.len(), broken[0].line), (1, 2));
    }

    #[test]
    fn any_bytes_are_answered() {
        for text in [
            &b""[..],
            b"[]",
            b"7",
            b"{\"players\": 3}",
            b"\xff",
            b"{\"name\": {\"a\": [1, {}]}}",
            &[b'['; 10_000],
        ] {
            assert!(read_json(text).is_err());
        }
    }
}
