//! `senet rpc`: the same answers for programs, a line of JSON for a line of JSON.

mod method;
mod request;
mod table;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::{Code, Failure};
use crate::line::{Line, Lines};
use crate::shelf::Shelf;
use request::Request;

/// No request is longer than this.
const LIMIT: usize = 16 << 20;

const EXAMPLES: &str = "\
Every line is a request {\"id\":…,\"method\":…,\"params\":{…}} and is answered by a line
{\"id\":…,\"result\":…} or {\"id\":…,\"error\":{\"code\":…,\"message\":…,\"details\":…}}.

Methods, and what they answer:
  games                          games: name, players
  position {game, position}      position, player, hash, outcome
  legal {game, position}         events: event, notation, position
  turns {game, position}         turns: notation, events, position, board
  apply {game, position, event}  position, hash, changes, outcome
  explain {game, position, event}
  path {game, position, piece or from, to}   path, or null and why
  perft {game, position, depth}  nodes; any depth, so mind the time it takes
  analyse {game, position, bot, lines}       moves: notation, value, line
  render {game, position, last, flip}        svg
  bots                           bots, levels
  choose {game, position, bot, seed}         event, notation, value, line
  simulate {game, position, games, seed}     wins, draws, endings, length
  duel {game, position, a, b, games, seed}   wins, draws, elo
  match.create {game, position}  match: its number, position, player, ply, outcome
  match.load {game, saved}       the same, of a match that match.save or a file gave
  match.apply {match, event}     what apply answers
  match.undo, match.redo, match.show, match.close {match}
  match.save {match, form}       saved: the text of a match, as json, pgn or mat

A position that is null or omitted is the start. Error codes: parse_error, unknown_method,
invalid_params, unknown_game, invalid_position, invalid_event, rejected.
Empty lines are skipped, lines above 16 MiB refused; only the end of input ends the service.

Examples:
  echo '{\"id\":1,\"method\":\"legal\",\"params\":{\"game\":\"tic-tac-toe\"}}' | senet rpc
  senet rpc --definition my-game.json < requests.jsonl";

/// Answers requests on standard input, one JSON object per line.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A definition file whose game is served too, under the name it gives itself.
    #[arg(long, value_name = "FILE")]
    definition: Vec<PathBuf>,
}

/// What the service keeps between requests.
#[derive(Default)]
struct Service {
    shelf: Shelf,
    matches: table::Matches,
}

/// The answer to a request.
#[derive(Serialize)]
struct Response<'l> {
    id: Option<&'l RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut service = Service::default();
    for path in &args.definition {
        service.shelf.add(path)?;
    }
    let mut lines = Lines::new(io::stdin().lock(), LIMIT);
    let mut into = BufWriter::new(io::stdout().lock());
    while let Some(line) = lines.next()? {
        if line.bytes().trim_ascii().is_empty() && !line.is_too_long() {
            continue;
        }
        serde_json::to_writer(&mut into, &answer(&mut service, line)).map_err(io::Error::from)?;
        into.write_all(b"\n")?;
        into.flush()?;
    }
    Ok(())
}

/// The answer to one line, by a service that knows the shipped games.
pub(crate) fn answer_line(line: &[u8]) -> String {
    let answer = answer(&mut Service::default(), Line::Whole(line));
    serde_json::to_string(&answer).unwrap_or_default()
}

fn answer<'l>(service: &mut Service, line: Line<'l>) -> Response<'l> {
    let (id, request) = Request::read(line.bytes());
    let result = match line {
        Line::Whole(_) => request.and_then(|request| request.call(service)),
        Line::TooLong(_) => {
            let message = format!("the line is longer than the limit of {LIMIT} bytes");
            Err(Failure::new(Code::ParseError, message, serde_json::json!({ "limit": LIMIT })))
        }
    };
    match result {
        Ok(result) => Response { id, result: Some(result), error: None },
        Err(failure) => Response { id, result: None, error: Some(failure) },
    }
}
