//! Positions that nobody plays for: what is legal, why something is not, and what a search thinks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use senet::bots::{Limit, Spec};
use senet::{Event, Match, Position, TileId};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::catalog::{Shown, definition};
use crate::opening;
use crate::problem::Problem;
use crate::proposal::between;
use crate::route::{App, body, json as answer};
use crate::table::hash_of;
use crate::told;
use crate::view::{self, Extent};

/// How many moves a line may have.
const MOST: usize = 2_000;

/// How long a line may take to be played.
const REPLAYING: Duration = Duration::from_secs(5);

/// How long a hint may take.
const THINKING: Duration = Duration::from_millis(1_500);

/// A line of moves from a position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    game: String,
    position: Option<String>,
    /// The moves, in the notation of the game.
    #[serde(default)]
    moves: Vec<String>,
    /// Whether a search says what it would play.
    #[serde(default)]
    hint: bool,
    /// A move to explain, by the numbers of its tiles or as it is written.
    from: Option<usize>,
    to: Option<usize>,
    event: Option<String>,
}

/// The position after a line, with everything that is legal there.
pub(super) async fn analyse(State(app): State<App>, bytes: Bytes) -> Result<Response, Problem> {
    let line: Line = body(&bytes)?;
    let shown = app.hall.game(&line.game).await?;
    let game = shown.game.clone();
    // Who wants a hint waits for those who think already, so that not all threads think.
    let _turn = match line.hint {
        true => Some(app.hall.hints.acquire().await.map_err(|_| Problem::unavailable())?),
        false => None,
    };
    let done = tokio::task::spawn_blocking(move || analysed(&shown, &line));
    let (mut told, position) = done.await.map_err(|_| Problem::unavailable())??;
    if !game.has_secrets() {
        let rows = app.hall.store.opening(&definition(&game), &hash_of(&position)).await?;
        told["opening"] = json!(opening::table(&position, rows));
    }
    Ok(answer(&told))
}

/// Why a move after a line is accepted or refused.
pub(super) async fn explain(State(app): State<App>, bytes: Bytes) -> Result<Response, Problem> {
    let line: Line = body(&bytes)?;
    let shown = app.hall.game(&line.game).await?;
    let done = tokio::task::spawn_blocking(move || explained(&shown, &line));
    Ok(answer(&done.await.map_err(|_| Problem::unavailable())??))
}

fn replayed(shown: &Arc<Shown>, line: &Line) -> Result<Match, Problem> {
    let start = match &line.position {
        None => shown.game.start(),
        Some(text) => shown
            .game
            .position(text)
            .map_err(|error| Problem::new(422, "invalid_position", error.to_string()))?,
    };
    if line.moves.len() > MOST {
        return Err(Problem::invalid(format!("a line has {MOST} moves at most")));
    }
    let (mut played, begun) = (Match::at(start), Instant::now());
    for (at, text) in line.moves.iter().enumerate() {
        if begun.elapsed() > REPLAYING {
            let detail = format!("only {at} moves of the line could be played in time");
            return Err(Problem::new(422, "too_slow", detail));
        }
        played
            .apply(text)
            .map_err(|error| Problem::new(422, "refused", error.to_string()).with("at", at))?;
    }
    Ok(played)
}

fn analysed(shown: &Arc<Shown>, line: &Line) -> Result<(Value, Position), Problem> {
    let played = replayed(shown, line)?;
    let position = played.position();
    let outcome = played.outcome();
    let mut before = played.start();
    let mut notations = Vec::new();
    for (step, after) in played.steps() {
        let event = step.event;
        notations.push(json!({
            "player": before.player().index(),
            "notation": before.notate(event),
            "event": before.format(event),
        }));
        before = after;
    }
    let last = played.last().map(|last| match last.event {
        Event::Move { from, to, .. } | Event::Advance { from, to, .. } => {
            json!({ "from": from.index(), "to": to.index() })
        }
        Event::Put { to, .. } => json!({ "from": null, "to": to.index() }),
        _ => Value::Null,
    });
    let chances = position.chances().into_iter().map(|chance| {
        json!({ "event": position.format(chance.event), "notation": position.notate(chance.event) })
    });
    let mut told = json!({
        "position": view::position(&position, Extent::Whole),
        "legal": if outcome.is_some() { Vec::new() } else { view::legal(&position) },
        "chances": chances.collect::<Vec<Value>>(),
        "moves": notations,
        "last": last,
        "result": outcome.map(|outcome| shown.game.outcome_text(&outcome)),
    });
    if line.hint {
        told["hint"] = hint(&played);
    }
    Ok((told, position))
}

/// What a search would play.
fn hint(played: &Match) -> Value {
    let position = played.position();
    if position.awaits_chance() || played.outcome().is_some() {
        return Value::Null;
    }
    let until = Instant::now() + THINKING;
    let stop = move || Instant::now() >= until;
    let limit = Limit { stop: &stop, ..Limit::NONE };
    let thought = "search".parse::<Spec>().ok().and_then(|spec| {
        let mut bot = played.game().bot(spec, 1);
        bot.choose(played, &limit).ok()?
    });
    thought.map_or(Value::Null, |thought| {
        let from = match thought.event {
            Event::Move { from, .. } | Event::Advance { from, .. } => Some(from.index()),
            _ => None,
        };
        json!({
            "notation": position.notate(thought.event),
            "event": position.format(thought.event),
            "from": from,
            "to": position.landing(thought.event).map(TileId::index),
        })
    })
}

fn explained(shown: &Arc<Shown>, line: &Line) -> Result<Value, Problem> {
    let position = replayed(shown, line)?.position();
    let event = match (&line.event, line.from, line.to) {
        (Some(text), None, None) => {
            let read = position.parse_event(text);
            read.map_err(|error| Problem::new(422, "invalid_event", error.to_string()))?
        }
        (None, Some(from), Some(to)) => between(&position, from, to)?,
        _ => return Err(Problem::invalid("say which move: `event`, or `from` and `to`")),
    };
    Ok(told::explanation(&position.explain_event(event)))
}
