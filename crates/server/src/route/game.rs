//! The library: games, their rules in words, and files that people upload.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use senet::define::Listing;
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::route::{App, json as answer, text};

/// The shipped games that can be played here.
pub(super) async fn list(State(app): State<App>) -> Result<Response, Problem> {
    let games = tokio::task::spawn_blocking(move || {
        let shown = senet::games().filter_map(|name| app.hall.catalog.shipped(name).ok());
        shown.map(|shown| shown.listing()).collect::<Vec<Value>>()
    });
    let games = games.await.map_err(|_| Problem::unavailable())?;
    Ok(answer(&json!({ "games": games })))
}

/// Everything that a page needs to draw a game.
pub(super) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    Ok(text("application/json", app.hall.game(&name).await?.json.clone()))
}

/// The start of a game as a picture.
pub(super) async fn picture(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let shown = app.hall.game(&name).await?;
    Ok(text("image/svg+xml", shown.game.start().picture().svg()))
}

/// The rules of a game in words.
pub(super) async fn rules(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let shown = app.hall.game(&name).await?;
    let definition = shown.game.definition();
    let several = definition.phases.len() > 1;
    let phases = definition.phases.iter().map(|phase| {
        let rules = phase.rules.iter().map(|rule| {
            let aside = match rule.listing {
                Listing::Play => None,
                Listing::Aside => Some("beside play"),
                Listing::Otherwise => Some("where nothing else can be played"),
            };
            json!({
                "name": rule.name,
                "when": (rule.when != senet::define::Truth::Always).then(|| rule.when.to_string()),
                "ensures":
                    (rule.ensures != senet::define::Truth::Always).then(|| rule.ensures.to_string()),
                "aside": aside,
            })
        });
        json!({
            "name": several.then_some(&phase.name),
            "rules": rules.collect::<Vec<Value>>(),
        })
    });
    let endings = definition.endings.iter().map(|ending| {
        let winner = ending.winner.as_ref().map(|seat| format!("{seat} wins"));
        json!({ "name": ending.name, "winner": winner, "when": ending.when.to_string() })
    });
    Ok(answer(&json!({
        "phases": phases.collect::<Vec<Value>>(),
        "endings": endings.collect::<Vec<Value>>(),
        "start": shown.game.start().to_string(),
    })))
}

/// Takes a game file: checks it, keeps it for a while, and says what it is called. It is kept for good
/// when a match of it is arranged.
pub(super) async fn upload(State(app): State<App>, bytes: Bytes) -> Result<Response, Problem> {
    let Ok(source) = std::str::from_utf8(&bytes) else {
        return Err(Problem::new(422, "invalid_game", "a game file is text in UTF-8"));
    };
    if source.len() > 64 * 1024 {
        let detail = "a game file has 64 KiB at most";
        return Err(Problem::new(413, "too_large", detail));
    }
    let source: Arc<str> = source.into();
    let game = app.hall.catalog.check(source.clone()).await?;
    Ok(answer(&app.hall.draft(game, source).await?.listing()))
}
