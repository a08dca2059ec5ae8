//! Names given by `lets`, written out before a definition is read.
//!
//! `"lets": [{ "name": "beside", "parameters": ["t"], "is": { "around": … } }]` gives a part of the
//! definition a name, and `{ "let": "beside", "with": ["to"] }` stands for it wherever that part could
//! stand; `{ "let": "t" }` stands for an argument. What is read, printed and hashed is the definition
//! without them, as for `let` in game files.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Key, Misfit, misfit, sorted};

/// How many values a definition may have, written out.
const MAX_VALUES: usize = 1_000_000;

/// How deep values may lie inside one another, written out: as deep as in a JSON text.
const MAX_DEPTH: usize = 127;

/// How many names may lie inside one another; more are taken for a name that stands for itself.
const MAX_NAMES: usize = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    #[serde(default)]
    parameters: Vec<String>,
    is: Value,
}

/// A value without names, and how deep values lie in it.
#[derive(Clone)]
struct Written {
    value: Value,
    depth: usize,
    values: usize,
}

/// What the parameters stand for.
type Scope = BTreeMap<String, Written>;

/// The definition without names given by `lets`.
pub(super) fn write_out(text: &[u8], mut value: Value) -> Result<Value, Vec<Misfit>> {
    let Some(lets) = value.as_object_mut().and_then(|fields| fields.remove("lets")) else {
        return Ok(value);
    };
    let place = [Key::Name("lets".into())];
    let named: Vec<Named> = serde_path_to_error::deserialize(lets).map_err(|error| {
        let keys = [&place[..], &super::keys(error.path())].concat();
        vec![misfit(text, &keys, error.inner().to_string())]
    })?;
    let mut writer = Writer { text, named: &named, values: 0, names: 0, found: Vec::new() };
    for (index, one) in named.iter().enumerate() {
        if named[..index].iter().any(|other| other.name == one.name) {
            let keys = [&place[..], &[Key::Index(index)]].concat();
            writer.refuse(&keys, format!("the name `{}` is given twice", one.name));
        }
    }
    let written = writer.write(&value, &mut Vec::new(), &Scope::new());
    if writer.found.is_empty() { Ok(written.value) } else { Err(sorted(writer.found)) }
}

struct Writer<'a> {
    text: &'a [u8],
    named: &'a [Named],
    /// How many values were written.
    values: usize,
    /// How many names lie around the value being written.
    names: usize,
    found: Vec<Misfit>,
}

impl Writer<'_> {
    fn refuse(&mut self, place: &[Key], message: String) -> Written {
        // One value that is too large makes all around it too large.
        if !self.found.iter().any(|one| one.message == message) && self.found.len() < super::MOST {
            self.found.push(misfit(self.text, place, message));
        }
        Written { value: Value::Null, depth: 0, values: 0 }
    }

    /// Takes a value whose parts lie as deep as told, unless it is too large.
    fn take(&mut self, written: Written, place: &[Key]) -> Written {
        self.values += written.values;
        if self.values > MAX_VALUES {
            return self.refuse(
                place,
                format!("the definition has more than {MAX_VALUES} values, written out"),
            );
        }
        if written.depth > MAX_DEPTH {
            return self.refuse(
                place,
                format!("values lie more than {MAX_DEPTH} deep inside one another, written out"),
            );
        }
        written
    }

    fn write(&mut self, value: &Value, place: &mut Vec<Key>, scope: &Scope) -> Written {
        if self.values > MAX_VALUES {
            return Written { value: Value::Null, depth: 0, values: 0 };
        }
        let mut inside = |writer: &mut Self, key: Key, value: &Value| {
            place.push(key);
            let written = writer.write(value, place, scope);
            place.pop();
            written
        };
        let (mut depth, mut values) = (0, 1);
        let mut note = |written: Written| {
            depth = depth.max(written.depth + 1);
            values += written.values;
            written.value
        };
        let value = match value {
            Value::Object(fields) if is_use(fields) => return self.meaning(fields, place, scope),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| {
                    let written = inside(self, Key::Name(name.clone()), value);
                    (name.clone(), note(written))
                })
                .collect(),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.map(|(index, item)| note(inside(self, Key::Index(index), item))).collect()
            }
            other => other.clone(),
        };
        // The parts of this value have been counted when they were written.
        self.values += 1;
        let written = self.take(Written { value, depth, values: 0 }, place);
        Written { values, ..written }
    }

    /// What a name stands for.
    fn meaning(
        &mut self,
        fields: &Map<String, Value>,
        place: &mut Vec<Key>,
        scope: &Scope,
    ) -> Written {
        let none = Vec::new();
        let (name, arguments) = match (fields.get("let"), fields.get("with")) {
            (Some(Value::String(name)), None) => (name, &none),
            (Some(Value::String(name)), Some(Value::Array(arguments))) => (name, arguments),
            _ => {
                let message = "expected `let` with a name, and `with` with a list of arguments";
                return self.refuse(place, message.to_owned());
            }
        };
        if let Some(argument) = scope.get(name).filter(|_| arguments.is_empty()) {
            return self.take(argument.clone(), place);
        }
        let Some((index, one)) = self.named.iter().enumerate().find(|(_, one)| one.name == *name)
        else {
            let known: Vec<_> =
                scope.keys().chain(self.named.iter().map(|one| &one.name)).collect();
            let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("unknown name `{name}`, `lets` gives {}", known.join(", "));
            return self.refuse(place, message);
        };
        if one.parameters.len() != arguments.len() {
            let message = format!(
                "`{name}` takes {} arguments, found {}",
                one.parameters.len(),
                arguments.len()
            );
            return self.refuse(place, message);
        }
        if self.names >= MAX_NAMES {
            let message = format!(
                "`{name}` stands for itself, or for more than {MAX_NAMES} names inside one another"
            );
            return self.refuse(place, message);
        }
        let mut inner = Scope::new();
        for (at, (parameter, argument)) in one.parameters.iter().zip(arguments).enumerate() {
            place.extend([Key::Name("with".into()), Key::Index(at)]);
            let written = self.write(argument, place, scope);
            place.truncate(place.len() - 2);
            inner.insert(parameter.clone(), written);
        }
        self.names += 1;
        let mut body = vec![Key::Name("lets".into()), Key::Index(index), Key::Name("is".into())];
        let written = self.write(&one.is, &mut body, &inner);
        self.names -= 1;
        written
    }
}

/// Whether an object uses a name instead of saying what it stands for.
fn is_use(fields: &Map<String, Value>) -> bool {
    fields.contains_key("let") && fields.keys().all(|key| key == "let" || key == "with")
}
