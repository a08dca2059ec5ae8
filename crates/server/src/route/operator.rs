//! What operators and programs ask: whether the server is well, its counts, and its description.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::json;

use crate::problem::Problem;
use crate::route::{App, endpoint, is_local, json as answer, text};

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

/// Counts in the text form of Prometheus, for operators alone: they count also what players of games
/// with secrets may not know.
pub(super) async fn metrics(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    if !is_local(&request) {
        let detail = "ask from the machine of the server or its network, not through a proxy";
        return Err(Problem::forbidden(detail));
    }
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
    Ok(text("text/plain; version=0.0.4", lines.collect()))
}

/// The description of the addresses, as OpenAPI.
pub(super) async fn openapi() -> Response {
    answer(&endpoint::document())
}
