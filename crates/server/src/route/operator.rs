//! What operators and programs ask: whether the server is well, its counts, and its description.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::route::{App, json as answer, text};

/// The server runs.
pub(super) async fn health() -> Response {
    answer(&json!({ "status": "ok" }))
}

/// The server can play: its database answers.
pub(super) async fn ready(State(app): State<App>) -> Result<Response, Problem> {
    match app.hall.store.is_ready().await {
        true => Ok(answer(&json!({ "status": "ready" }))),
        false => Err(Problem::unavailable()),
    }
}

/// Counts in the text form of Prometheus.
pub(super) async fn metrics(State(app): State<App>) -> Response {
    let metrics = &app.hall.metrics;
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let rows = [
        ("senet_requests_total", "counter", "Requests answered", count(&metrics.requests)),
        ("senet_moves_total", "counter", "Moves accepted", count(&metrics.moves)),
        ("senet_refused_total", "counter", "Commands refused", count(&metrics.refused)),
        ("senet_matches_total", "counter", "Matches arranged", count(&metrics.matches)),
        ("senet_limited_total", "counter", "Requests turned away", count(&metrics.limited)),
        ("senet_following", "gauge", "Connections that follow a match", count(&metrics.following)),
        ("senet_live_matches", "gauge", "Matches in memory", app.hall.live_count() as u64),
    ];
    let lines = rows.iter().map(|(name, kind, help, value)| {
        format!("# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}\n")
    });
    text("text/plain; version=0.0.4", lines.collect())
}

/// The description of the addresses, as OpenAPI.
pub(super) async fn openapi() -> Response {
    answer(&document())
}

fn document() -> Value {
    let id =
        json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } });
    let name =
        json!({ "name": "name", "in": "path", "required": true, "schema": { "type": "string" } });
    let problem = json!({ "description": "Why not", "content": { "application/problem+json": {
        "schema": { "$ref": "#/components/schemas/Problem" } } } });
    let done = json!({ "description": "Done", "content": { "application/json": { "schema": { "type": "object" } } } });
    let get = |summary: &str, parameters: Vec<&Value>| json!({ "summary": summary, "parameters": parameters, "responses": { "200": done, "default": problem } });
    let post = |summary: &str, parameters: Vec<&Value>, schema: &str, status: &str| {
        let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
        json!({
            "summary": summary,
            "parameters": parameters,
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": { status: done, "default": problem },
        })
    };
    let upload = json!({
        "summary": "Check and keep a game file",
        "requestBody": { "required": true, "content": { "text/plain": { "schema": { "type": "string" } } } },
        "responses": { "200": done, "default": problem },
    });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Senet", "version": env!("CARGO_PKG_VERSION") },
        "paths": {
            "/api/games": { "get": get("The shipped games", vec![]), "post": upload },
            "/api/games/{name}": { "get": get("What a page needs to draw a game", vec![&name]) },
            "/api/games/{name}/rules": { "get": get("The rules of a game in words", vec![&name]) },
            "/api/matches": {
                "get": get("The newest public matches", vec![]),
                "post": post("Arrange a match", vec![], "Arrangement", "201"),
            },
            "/api/matches/{id}": { "get": get("A match as the sender may see it", vec![&id]) },
            "/api/matches/{id}/join": { "post": post("Take a seat", vec![&id], "Join", "200") },
            "/api/matches/{id}/moves": { "post": post("Play a move", vec![&id], "Move", "200") },
            "/api/matches/{id}/actions": { "post": post("Offer, answer or resign", vec![&id], "Act", "200") },
            "/api/matches/{id}/stream": { "get": {
                "summary": "The match as lines of JSON, one after each change",
                "parameters": [id],
                "responses": { "200": { "description": "Lines", "content": { "application/x-ndjson": {} } }, "default": problem },
            } },
            "/api/analyse": { "post": post("The position after a line of moves", vec![], "Line", "200") },
            "/api/explain": { "post": post("Why a move is accepted or refused", vec![], "Line", "200") },
        },
        "components": {
            "securitySchemes": { "seat": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
        },
    })
}

fn schemas() -> Value {
    let text = json!({ "type": "string" });
    let whole = json!({ "type": "integer", "minimum": 0 });
    json!({
        "Problem": { "type": "object", "required": ["status", "code", "detail"], "properties": {
            "status": whole, "code": text, "detail": text, "explanation": { "type": "object" } } },
        "Arrangement": { "type": "object", "required": ["game"], "additionalProperties": false, "properties": {
            "game": text,
            "seats": { "type": "array", "items": { "oneOf": [
                { "enum": ["you", "invite", "anyone"] },
                { "type": "object", "required": ["bot"], "properties": { "bot": text } } ] } },
            "name": text,
            "clock": { "type": "object", "required": ["kind"], "properties": {
                "kind": { "enum": ["none", "fischer", "bronstein", "delay", "turn"] },
                "initial": whole, "increment": whole, "delay": whole, "time": whole } },
            "position": text, "public": { "type": "boolean" }, "salt": text } },
        "Join": { "type": "object", "additionalProperties": false, "properties": {
            "seat": whole, "name": text, "invitation": text, "salt": text } },
        "Move": { "type": "object", "required": ["ply"], "additionalProperties": false, "properties": {
            "ply": whole, "id": text, "event": text, "from": whole, "to": whole } },
        "Act": { "type": "object", "required": ["action"], "additionalProperties": false, "properties": {
            "action": { "enum": ["resign", "draw", "undo", "rematch", "decline", "takeback"] }, "seat": whole } },
        "Line": { "type": "object", "required": ["game"], "additionalProperties": false, "properties": {
            "game": text, "position": text, "moves": { "type": "array", "items": text },
            "hint": { "type": "boolean" }, "from": whole, "to": whole, "event": text } },
    })
}
