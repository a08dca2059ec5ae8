//! A request as read from a line, in memory that does not grow with how it is nested.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use senet::bots::{Spec, SpecError};
use senet::{excerpt, nearest};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::{Service, method};
use crate::context::Context;
use crate::failure::{Code, Failure};

/// No position is longer than this. Read as JSON, it would take hundreds of times as much.
const POSITION: usize = 256 << 10;

/// A request that is well formed.
pub(super) struct Request<'l> {
    method: String,
    params: Params<'l>,
}

impl<'l> Request<'l> {
    /// Reads a request, and its id even where the rest is wrong.
    pub(super) fn read(line: &'l [u8]) -> (Option<&'l RawValue>, Result<Request<'l>, Failure>) {
        let mut fields = Fields::new(&["id", "method", "params"]);
        let read = fields.read(line);
        let id = fields.take("id");
        (id, read.and_then(|()| Request::of(&fields, line)))
    }

    fn of(fields: &Fields<'l>, line: &[u8]) -> Result<Request<'l>, Failure> {
        if let Err(error) = std::str::from_utf8(line) {
            let at = error.valid_up_to();
            let message = format!("at byte {at}: expected UTF-8 text, found other bytes");
            return Err(malformed(message, at));
        }
        let Some(method) = fields.take("method") else {
            return Err(malformed("`method` is missing: give the name of a method".into(), 0));
        };
        let method = text("method", method)
            .map_err(|failure| Failure { code: Code::ParseError, ..failure })?;
        let mut params = Fields::new(&method::PARAMS);
        if let Some(raw) = fields.take("params").filter(|raw| raw.get() != "null") {
            if !raw.get().starts_with('{') {
                let found = kind(raw);
                return Err(Failure::params(format!("params: expected an object, found {found}")));
            }
            params.read(raw.get().as_bytes())?;
        }
        Ok(Request { method, params: Params(params) })
    }

    /// Answers the request.
    pub(super) fn call(&self, service: &mut Service) -> Result<Box<RawValue>, Failure> {
        let known = method::METHODS.iter();
        match known.clone().find(|method| method.name == self.method) {
            Some(method) => {
                self.params.check_names()?;
                (method.answer)(service, &self.params)
            }
            None => {
                let names: Vec<&str> = known.map(|method| method.name).collect();
                let near = nearest(&self.method, names.iter().copied());
                let (found, listed) = (excerpt(&self.method), names.join(", "));
                let message = format!("there is no method `{found}`; the methods are {listed}");
                let details = json!({ "found": found, "near": near, "allowed": names });
                Err(Failure::new(Code::UnknownMethod, message, details))
            }
        }
    }
}

fn malformed(message: String, at: usize) -> Failure {
    Failure::new(Code::ParseError, message, json!({ "at": at }))
}

/// What was found where a text is not a JSON object, and what is expected there.
fn unreadable(json: &[u8], error: &serde_json::Error) -> Failure {
    if error.is_eof() {
        let (at, allowed) = (json.len(), "the rest of an object");
        return malformed(format!("at byte {at}: expected {allowed}, found the end"), at);
    }
    if error.is_data() {
        let first = json.trim_ascii_start();
        let (at, found) = (json.len() - first.len(), kind_of(first));
        return malformed(format!("at byte {at}: expected an object, found {found}"), at);
    }
    let at = error.column().saturating_sub(1).min(json.len());
    let found = String::from_utf8_lossy(&json[at..]).chars().next().unwrap_or(' ');
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    let allowed = match message {
        "expected value" => "a value",
        "key must be a string" => "a name in quotes",
        "trailing characters" => "nothing after the object",
        "trailing comma" => "a value after a comma",
        "expected `:`" => "`:`",
        "expected `,` or `}`" => "`,` or `}`",
        "expected `,` or `]`" => "`,` or `]`",
        "invalid escape" => "an escape of JSON",
        "invalid number" => "a number",
        "expected ident" => "true, false or null",
        other => other,
    };
    let found = excerpt(&found.to_string());
    malformed(format!("at byte {at}: expected {allowed}, found `{found}`"), at)
}

/// The parameters of a request, each as it was written.
pub(super) struct Params<'l>(Fields<'l>);

impl Params<'_> {
    fn check_names(&self) -> Result<(), Failure> {
        let Some(stray) = &self.0.stray else { return Ok(()) };
        let near = nearest(stray, method::PARAMS.into_iter());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the parameters are {}", method::PARAMS.join(", ")),
        };
        Err(Failure::params(format!("there is no parameter `{}`; {hint}", excerpt(stray))))
    }

    /// A text, or none where it is null or left out.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        self.value(name).map(|raw| text(name, raw)).transpose()
    }

    /// A text that must be there.
    pub(super) fn needed(&self, name: &str) -> Result<String, Failure> {
        let found = self.text(name)?;
        found.ok_or_else(|| Failure::params(format!("{name} is missing: give a string")))
    }

    /// A number, or none where it is null or left out.
    pub(super) fn maybe_number(&self, name: &str) -> Result<Option<u32>, Failure> {
        self.value(name).map(|_| self.number(name)).transpose()
    }

    /// A number that must be there.
    pub(super) fn number(&self, name: &str) -> Result<u32, Failure> {
        let found = self.value(name);
        let number = found.and_then(|raw| serde_json::from_str(raw.get()).ok());
        number.ok_or_else(|| {
            let found = found.map_or("nothing".into(), |raw| excerpt(raw.get()));
            Failure::params(format!(
                "{name}: expected a number from 0 to {}, found {found}",
                u32::MAX
            ))
        })
    }

    /// A number that must be there, of 64 bits.
    pub(super) fn wide(&self, name: &str) -> Result<Option<u64>, Failure> {
        let Some(raw) = self.value(name) else { return Ok(None) };
        serde_json::from_str(raw.get()).map(Some).map_err(|_| {
            let found = excerpt(raw.get());
            Failure::params(format!("{name}: `{found}` is not a number from 0 to {}", u64::MAX))
        })
    }

    /// The seed, or a new one where none is given.
    pub(super) fn seed(&self) -> Result<u64, Failure> {
        Ok(self.wide("seed")?.unwrap_or_else(|| RandomState::new().hash_one("seed")))
    }

    /// True or false; false where it is left out.
    pub(super) fn truth(&self, name: &str) -> Result<bool, Failure> {
        match self.value(name).map(RawValue::get) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(found) => {
                let found = excerpt(found);
                Err(Failure::params(format!("{name}: `{found}` is neither true nor false")))
            }
        }
    }

    /// An opponent.
    pub(super) fn bot(&self, name: &str) -> Result<Spec, Failure> {
        let spec = self.needed(name)?.parse();
        spec.map_err(|error: SpecError| Failure::params(format!("{name}: {error}")))
    }

    /// The game, and the position of it or its start. A position that is an object goes to the
    /// notation of the game as the JSON text it is.
    pub(super) fn context(&self, service: &mut Service) -> Result<Context, Failure> {
        let game = service.shelf.find(&self.needed("game")?)?;
        let position = match self.value("position") {
            None => None,
            Some(raw) if raw.get().len() > POSITION => {
                let message = format!("position: longer than the limit of {POSITION} bytes");
                let limit = json!({ "limit": POSITION });
                return Err(Failure::new(Code::InvalidPosition, message, limit));
            }
            Some(raw) if raw.get().starts_with('{') => Some(raw.get().to_owned()),
            Some(raw) if raw.get().starts_with('"') => Some(text("position", raw)?),
            Some(raw) => {
                let found = kind(raw);
                let message = format!("position: expected a string or an object, found {found}");
                return Err(Failure::params(message));
            }
        };
        Context::new(game, position.as_deref())
    }

    /// A parameter; none where it is null or left out.
    fn value(&self, name: &str) -> Option<&RawValue> {
        self.0.take(name).filter(|raw| raw.get() != "null")
    }
}

fn text(name: &str, raw: &RawValue) -> Result<String, Failure> {
    if !raw.get().starts_with('"') {
        return Err(Failure::params(format!("{name}: expected a string, found {}", kind(raw))));
    }
    let read = serde_json::from_str(raw.get());
    // The line was read as JSON before, so only an escape can be wrong.
    let message = format!("{name}: the string has an escape that is not a character");
    read.map_err(|_| Failure::params(message))
}

/// What kind of JSON value it is, in words.
fn kind(raw: &RawValue) -> &'static str {
    kind_of(raw.get().as_bytes())
}

fn kind_of(json: &[u8]) -> &'static str {
    match json.first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The fields of an object that have a meaning, each as it was written.
struct Fields<'l> {
    names: &'static [&'static str],
    found: Vec<Option<&'l RawValue>>,
    /// The first field without a meaning.
    stray: Option<String>,
}

impl<'l> Fields<'l> {
    fn new<const N: usize>(names: &'static [&'static str; N]) -> Fields<'l> {
        Fields { names, found: vec![None; N], stray: None }
    }

    /// Reads an object. What was read before a mistake stays.
    fn read(&mut self, json: &'l [u8]) -> Result<(), Failure> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let read = self.deserialize(&mut reader).and_then(|()| reader.end());
        read.map_err(|error| unreadable(json, &error))
    }

    fn take(&self, name: &str) -> Option<&'l RawValue> {
        let at = self.names.iter().position(|known| *known == name)?;
        self.found[at]
    }
}

impl<'l> DeserializeSeed<'l> for &mut Fields<'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for &mut Fields<'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match self.names.iter().position(|known| *known == name) {
                Some(at) => self.found[at] = Some(map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                    self.stray.get_or_insert(name);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(line: &[u8]) -> Option<&str> {
        Request::read(line).0.map(RawValue::get)
    }

    #[test]
    fn an_id_is_read_where_there_is_one() {
        assert_eq!(id(br#"{"id":[1, {"a":null}],"method":3}"#), Some(r#"[1, {"a":null}]"#));
        assert_eq!(id(br#"{"id":7,"method":"#), Some("7"));
        assert_eq!(id(b"{\"id\":7,\"x\":\"\xff\"}"), Some("7"));
        assert_eq!(id(br#"["id",7]"#), None);
        assert_eq!(id(b"{id:7}"), None);
    }

    #[test]
    fn a_deep_nest_is_no_deep_recursion() {
        let line = format!("{{\"id\":1,\"params\":{}", "[".repeat(1_000_000));
        let (id, request) = Request::read(line.as_bytes());
        assert_eq!(id.map(RawValue::get), Some("1"));
        assert_eq!(request.err().map(|failure| failure.code), Some(Code::ParseError));
    }
}
