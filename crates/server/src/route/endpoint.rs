//! The addresses of the server as a table. The router and the OpenAPI document are both made of it,
//! so that neither can say what the other does not.

use axum::routing::{MethodRouter, get, post};
use serde_json::{Map, Value, json};

use super::schema::{self, reference};
use super::{App, analyse, file, game, matches, operator};
use crate::socket;

/// What the body of a request is.
#[derive(Clone, Copy)]
enum Body {
    /// Nothing.
    Empty,
    /// A text of any kind.
    Text,
    /// JSON of the schema of this name.
    Json(&'static str),
}

/// What an answer is, where nothing is wrong.
#[derive(Clone, Copy)]
enum Gives {
    /// JSON of the schema of this name.
    Json(&'static str),
    /// The same about something new.
    Created(&'static str),
    /// Text of this media type.
    Text(&'static str),
    /// A WebSocket.
    Socket,
}

/// How long an answer lasts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// It is complete at once.
    Briefly,
    /// It goes on for as long as it is read.
    Long,
}

/// One address.
pub(super) struct Endpoint {
    method: &'static str,
    /// The path, with the names of its parts in braces.
    pub(super) path: &'static str,
    summary: &'static str,
    body: Body,
    gives: Gives,
    /// Parameters after the path, with the values that they may have; any text where there are none.
    query: &'static [(&'static str, &'static [&'static str])],
    /// Who answers.
    pub(super) handler: MethodRouter<App>,
    /// Whether the answer is a stream.
    pub(super) lasts: Lasts,
}

fn endpoint(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    handler: MethodRouter<App>,
) -> Endpoint {
    Endpoint {
        method,
        path,
        summary,
        body: Body::Empty,
        gives: Gives::Json("Status"),
        query: &[],
        handler,
        lasts: Lasts::Briefly,
    }
}

impl Endpoint {
    fn takes(self, body: Body) -> Endpoint {
        Endpoint { body, ..self }
    }

    fn gives(self, gives: Gives) -> Endpoint {
        Endpoint { gives, ..self }
    }

    fn stream(self, gives: Gives) -> Endpoint {
        Endpoint { gives, lasts: Lasts::Long, ..self }
    }

    /// The operation as OpenAPI describes it.
    fn operation(&self) -> Value {
        let parts =
            self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let text = json!({ "type": "string" });
        let mut parameters: Vec<Value> = parts
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": text }))
            .collect();
        parameters.extend(self.query.iter().map(|(name, values)| {
            let schema = if values.is_empty() { text.clone() } else { json!({ "enum": values }) };
            json!({ "name": name, "in": "query", "schema": schema })
        }));
        let content = |kind: &str, schema: Value| json!({ kind: { "schema": schema } });
        let (status, given) = match self.gives {
            Gives::Json(name) => ("200", Some(content("application/json", reference(name)))),
            Gives::Created(name) => ("201", Some(content("application/json", reference(name)))),
            Gives::Text(kind) => ("200", Some(content(kind, text.clone()))),
            Gives::Socket => ("101", None),
        };
        let mut done = json!({ "description": "Done" });
        if let Some(given) = given {
            done["content"] = given;
        }
        let problem = content("application/problem+json", reference("Problem"));
        let mut operation = json!({
            "summary": self.summary,
            "parameters": parameters,
            "responses": { status: done, "default": { "description": "Why not", "content": problem } },
            "security": [{}, { "seat": [] }],
        });
        let sent = match self.body {
            Body::Empty => return operation,
            Body::Text => content("text/plain", text),
            Body::Json(schema) => content("application/json", reference(schema)),
        };
        operation["requestBody"] = json!({ "required": true, "content": sent });
        operation
    }
}

/// Every address but those of pages.
pub(super) fn endpoints() -> Vec<Endpoint> {
    playing().into_iter().chain(operating()).collect()
}

/// What players, their programs and pages ask.
fn playing() -> Vec<Endpoint> {
    library().into_iter().chain(match_by_match()).chain(line_by_line()).collect()
}

fn library() -> [Endpoint; 5] {
    let named = "/api/games/{name}";
    [
        endpoint("get", "/api/games", "The shipped games", get(game::list))
            .gives(Gives::Json("Games")),
        endpoint("post", "/api/games", "Check a game file", post(game::upload))
            .takes(Body::Text)
            .gives(Gives::Json("Listing")),
        endpoint("get", named, "What a page needs to draw a game", get(game::show))
            .gives(Gives::Json("Game")),
        endpoint(
            "get",
            "/api/games/{name}/rules",
            "The rules of a game in words",
            get(game::rules),
        )
        .gives(Gives::Json("Rules")),
        endpoint("get", "/api/games/{name}/picture.svg", "The start of a game", get(game::picture))
            .gives(Gives::Text("image/svg+xml")),
    ]
}

fn match_by_match() -> [Endpoint; 10] {
    let one = "/api/matches/{id}";
    [
        Endpoint {
            query: &[("status", &["over"]), ("game", &[]), ("before", &[]), ("most", &[])],
            ..endpoint("get", "/api/matches", "The newest public matches", get(matches::list))
        }
        .gives(Gives::Json("Matches")),
        endpoint("post", "/api/matches", "Arrange a match", post(matches::create))
            .takes(Body::Json("Arrangement"))
            .gives(Gives::Created("Arranged")),
        endpoint("get", one, "A match as the sender may see it", get(matches::show))
            .gives(Gives::Json("State")),
        endpoint("post", "/api/matches/{id}/join", "Take a seat", post(matches::join))
            .takes(Body::Json("Join"))
            .gives(Gives::Json("Joined")),
        endpoint("post", "/api/matches/{id}/moves", "Play a move", post(matches::play))
            .takes(Body::Json("Move"))
            .gives(Gives::Json("Played")),
        endpoint(
            "post",
            "/api/matches/{id}/actions",
            "Offer, answer, resign",
            post(matches::action),
        )
        .takes(Body::Json("Act"))
        .gives(Gives::Json("Acted")),
        Endpoint {
            query: &[("form", &file::FORMS)],
            ..endpoint("get", "/api/matches/{id}/export", "The match as a file", get(file::export))
        }
        .gives(Gives::Text("*/*")),
        endpoint("get", "/api/matches/{id}/socket", "Follow and play", get(socket::upgrade))
            .stream(Gives::Socket),
        endpoint("get", "/api/matches/{id}/stream", "Follow as lines of JSON", get(socket::lines))
            .stream(Gives::Text("application/x-ndjson")),
        endpoint(
            "get",
            "/api/matches/{id}/events",
            "Follow by server-sent events",
            get(socket::events),
        )
        .stream(Gives::Text("text/event-stream")),
    ]
}

fn line_by_line() -> [Endpoint; 3] {
    [
        endpoint(
            "post",
            "/api/import",
            "The moves in a PGN, .mat, SGF or saved file",
            post(file::import),
        )
        .takes(Body::Text)
        .gives(Gives::Json("Import")),
        endpoint("post", "/api/analyse", "The position after a line", post(analyse::analyse))
            .takes(Body::Json("Line"))
            .gives(Gives::Json("Analysis")),
        endpoint(
            "post",
            "/api/explain",
            "Why a move is accepted or refused",
            post(analyse::explain),
        )
        .takes(Body::Json("Line"))
        .gives(Gives::Json("Explanation")),
    ]
}

/// What operators and tools ask.
fn operating() -> [Endpoint; 4] {
    [
        endpoint("get", "/api/openapi.json", "This document", get(operator::openapi))
            .gives(Gives::Json("Document")),
        endpoint("get", "/health", "Whether the server runs", get(operator::health)),
        endpoint("get", "/ready", "Whether the database answers", get(operator::ready)),
        endpoint("get", "/metrics", "Counts for Prometheus", get(operator::metrics))
            .gives(Gives::Text("text/plain")),
    ]
}

/// The OpenAPI document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints() {
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method] = endpoint.operation();
    }
    let mut schemas = schema::sent();
    schemas.extend(received().as_object().cloned().unwrap_or_default());
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Senet", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": {
            "securitySchemes": { "seat": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas,
        },
    })
}

/// What the bodies of requests are. A test compares their names with those that are read.
fn received() -> Value {
    let text = json!({ "type": "string" });
    let whole = json!({ "type": "integer", "minimum": 0 });
    let object = |required: &[&str], properties: Value| {
        json!({
            "type": "object",
            "required": required,
            "additionalProperties": false,
            "properties": properties,
        })
    };
    let clock = json!({ "type": "object", "required": ["kind"], "properties": {
        "kind": { "enum": ["none", "fischer", "bronstein", "delay", "turn"] },
        "initial": whole, "increment": whole, "delay": whole, "time": whole } });
    let bot = json!({ "type": "object", "required": ["bot"], "properties": { "bot": text } });
    let seat = json!({ "oneOf": [{ "enum": ["you", "invite", "anyone"] }, bot] });
    json!({
        "Arrangement": object(&["game"], json!({
            "game": text, "seats": { "type": "array", "items": seat }, "name": text, "clock": clock,
            "position": text, "public": { "type": "boolean" }, "salt": text })),
        "Join": object(&[], json!({
            "seat": whole, "name": text, "invitation": text, "salt": text, "token": text })),
        "Move": object(&["ply"], json!({
            "ply": whole, "id": text, "event": text, "from": whole, "to": whole })),
        "Act": object(&["action"], json!({
            "action": { "enum": matches::ACTIONS }, "seat": whole })),
        "Line": object(&["game"], json!({
            "game": text, "position": text, "moves": { "type": "array", "items": text },
            "hint": { "type": "boolean" }, "from": whole, "to": whole, "event": text })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use std::collections::BTreeSet;

    /// The names that a type reads, as its refusal of another name says them.
    fn read<T: DeserializeOwned>() -> BTreeSet<String> {
        let refused = serde_json::from_str::<T>("{\"?\":0}").err().map(|error| error.to_string());
        let told = refused.unwrap_or_default();
        let listed = told.split_once("expected").map_or("", |(_, names)| names);
        listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn schemas_name_what_is_read() {
        let schemas = received();
        let written = |name: &str| -> BTreeSet<String> {
            let properties = schemas[name]["properties"].as_object();
            properties.into_iter().flat_map(|all| all.keys().cloned()).collect()
        };
        assert_eq!(written("Arrangement"), read::<matches::Arrangement>());
        assert_eq!(written("Join"), read::<matches::Join>());
        assert_eq!(written("Move"), read::<matches::Sent>());
        assert_eq!(written("Act"), read::<matches::Act>());
        assert_eq!(written("Line"), read::<analyse::Line>());
        for action in matches::ACTIONS {
            let act = json!({ "action": action });
            assert!(serde_json::from_value::<matches::Act>(act).is_ok(), "{action}");
        }
    }
}
