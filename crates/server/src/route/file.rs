//! Matches as files: in Senet's own form, as PGN, `.mat` and SGF, and with everything that checks draws.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use senet::notation::pgn::Termination;
use senet::notation::{self, pgn, sgf};
use senet::{Event, Game, Match, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::catalog;
use crate::draw::{self, Draws};
use crate::problem::Problem;
use crate::record::Closing;
use crate::route::{App, json as answer};
use crate::table::Table;

/// The forms in which a match is written.
pub(super) const FORMS: [&str; 5] = ["json", "pgn", "mat", "sgf", "draws"];

#[derive(Deserialize)]
pub(super) struct Wanted {
    form: Option<String>,
}

/// A match as a file.
pub(super) async fn export(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(Wanted { form }): Query<Wanted>,
) -> Result<Response, Problem> {
    let live = app.hall.live(&id).await?;
    let table = live.table.lock().await;
    if table.game().has_secrets() {
        let detail = "a file of this match would tell what players may not know";
        return Err(Problem::new(422, "secret_game", detail));
    }
    let form = form.as_deref().unwrap_or("json");
    let names = table.names();
    let unfit = || {
        let detail = format!("a match of {} cannot be written as {form}", table.game().name());
        Problem::new(422, "no_such_form", detail)
    };
    let (text, kind, ending) = match form {
        "json" => (table.played.to_json(), "application/json", "json"),
        "pgn" => {
            let text = notation::write_pgn(&table.played, &names, result(&table));
            (text.ok_or_else(unfit)?, "application/x-chess-pgn", "pgn")
        }
        "mat" => {
            let text = notation::write_mat(&table.played, &names);
            (text.ok_or_else(unfit)?, "text/plain; charset=utf-8", "mat")
        }
        "sgf" => {
            let text = sgf::write_sgf(&table.played, &names, closing(&table));
            (text.ok_or_else(unfit)?, "application/x-go-sgf", "sgf")
        }
        "draws" if table.is_over() => {
            (json!(draws(&table)).to_string(), "application/json", "json")
        }
        "draws" => {
            let detail = "draws can be checked when the match is over and the seed is shown";
            return Err(Problem::conflict("not_over", detail));
        }
        _ => return Err(Problem::invalid(format!("`form` is one of {}", FORMS.join(", ")))),
    };
    let name = format!("attachment; filename=\"{id}.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// How a match ended otherwise than by an event, as PGN says it.
fn result(table: &Table) -> Option<Termination> {
    let (_, winner) = table.closed?;
    Some(match winner {
        Some(0) => Termination::White,
        Some(_) => Termination::Black,
        None => Termination::Unknown,
    })
}

/// How a match ended otherwise than by an event, as SGF says it.
fn closing(table: &Table) -> Option<sgf::Closing> {
    let (reason, winner) = table.closed?;
    let winner = winner.and_then(|seat| table.game().players().nth(seat));
    Some(match (reason, winner) {
        (Closing::Time, Some(winner)) => sgf::Closing::Time(winner),
        (_, Some(winner)) => sgf::Closing::Resigned(winner),
        (_, None) => sgf::Closing::Void,
    })
}

/// Everything with which the draws of a match can be checked.
fn draws(table: &Table) -> Draws {
    let salts = table.seats.iter().map(|seat| seat.as_ref().map_or("", |seat| &seat.salt));
    Draws {
        id: table.header.id.clone(),
        seed: table.header.seed.clone(),
        commitment: draw::commitment(&table.header.seed),
        salts: salts.map(str::to_owned).collect(),
        saved: table.played.to_json(),
    }
}

/// Reads a file of a match and gives its line of moves, as `/api/analyse` takes it. Of a file with
/// several games it is the first.
pub(super) async fn import(State(app): State<App>, bytes: Bytes) -> Result<Response, Problem> {
    let read = tokio::task::spawn_blocking(move || read(&bytes));
    // The readers have no known input on which they panic; if one is found, the server goes on.
    let (played, mut line) = read.await.map_err(|_| unreadable("the file cannot be read"))??;
    // A board of another size is a game of its own, which pages know by its hash.
    if let Some(source) = sgf::source_of(played.game()) {
        let game = played.game().clone();
        line["game"] = json!(catalog::definition(&game));
        app.hall.draft(game, source.into()).await?;
    }
    Ok(answer(&line))
}

fn unreadable(why: impl Into<String>) -> Problem {
    Problem::new(422, "invalid_file", why)
}

/// What a file contains.
type Read = Result<(Match, Value), Problem>;

fn read(bytes: &[u8]) -> Read {
    if let Some(name) = Match::saved_game(bytes) {
        let game = senet::load(&name).map_err(|error| unreadable(error.to_string()))?;
        let played = Match::load(&game, bytes).map_err(|error| unreadable(error.to_string()))?;
        let events = played.steps().into_iter().map(|(step, _)| step.event);
        return line(&played.start(), events);
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| unreadable("the file is no text in UTF-8"))?;
    if sgf::is_sgf(text) {
        let first = sgf::Reader::new(text).next();
        let first = first.ok_or_else(|| unreadable("the file has no game"))?;
        let played = first.map_err(|error| unreadable(error.to_string()))?.played;
        let events = played.steps().into_iter().map(|(step, _)| step.event);
        return line(&played.start(), events);
    }
    match text.trim_start().starts_with(['[', '1', '*', '{']) {
        true => read_pgn(text),
        false => read_mat(text),
    }
}

fn read_pgn(text: &str) -> Read {
    let games = notation::pgn_games();
    let rules = notation::pgn_rules(&games);
    let mut reader = pgn::Reader::new(text.as_bytes(), "file", &rules);
    let first = reader.next_line().ok_or_else(|| unreadable("the file has no game"))?;
    let first = first.map_err(|error| unreadable(error.to_string()))?;
    let game = games.iter().map(|(game, _)| game).find(|game| game.name() == first.game);
    from_state(game, &first.start, first.events.clone())
}

fn read_mat(text: &str) -> Read {
    let games = notation::mat_games();
    let mut reader = notation::mat_reader(&games, text.as_bytes(), "file");
    let first = reader.next_game().ok_or_else(|| unreadable("the file has no game"))?;
    let first = first.map_err(|error| unreadable(error.to_string()))?;
    let game = games.iter().find(|game| game.name() == first.variant);
    from_state(game, &first.start, first.events)
}

fn from_state(game: Option<&Game>, start: &senet::State, events: Vec<Event>) -> Read {
    let game = game.ok_or_else(|| unreadable("the file is of a game that this server has not"))?;
    let start = game.at(start).map_err(|error| unreadable(error.to_string()))?;
    line(&start, events.into_iter())
}

/// A line of moves, as they are sent to `/api/analyse`.
fn line(start: &Position, events: impl Iterator<Item = Event>) -> Read {
    let mut played = Match::at(start.clone());
    let mut moves = Vec::new();
    for event in events {
        let before = played.position();
        let written = (before.format(event), before.notate(event));
        played.apply(event).map_err(|error| unreadable(error.to_string()))?;
        moves.push(json!({ "event": written.0, "notation": written.1 }));
    }
    let game = start.game();
    let usual = start.state() == game.start().state();
    let line = json!({
        "game": game.name(),
        "position": (!usual).then(|| start.to_string()),
        "moves": moves,
    });
    Ok((played, line))
}
