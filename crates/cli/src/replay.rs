//! `senet replay`: a saved match, played again and checked step by step.

use std::path::{Path, PathBuf};

use senet::define::Definition;
use senet::notation::sgf;
use senet::{Game, Match};
use serde::Serialize;

use crate::answer::{self, Outcome};
use crate::context::Context;
use crate::export::Form;
use crate::failure::{Code, Failure};
use crate::output::{Output, columns};
use crate::shelf::{self, Shelf};
use crate::{file, picture};

const EXAMPLES: &str = "\
Examples:
  senet replay match.json
  senet replay match.senet --json
  senet replay match.json --game my-game.json
  senet replay match.json --out game.pgn
  senet replay game.sgf

Both forms of a saved match are read, JSON and compact, and the first game of an SGF file of go,
gomoku, hex, othello or lines-of-action. A file in which any byte was changed
is refused, with the step at which it fails.";

/// Replays a saved match, checks every step, and shows it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The saved match, or an SGF file.
    file: PathBuf,
    /// The game, where the match is of a definition file.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Write the match to this file as well; the file name ending chooses the format: .json, .senet, and .pgn for chess,
    /// .mat for backgammon or .sgf for go.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists.
    #[arg(long, requires = "out")]
    force: bool,
    /// The file is what a server exports with `form=draws`: make every roll of dice again and compare
    /// it with what the server committed itself to.
    #[arg(long, conflicts_with = "out")]
    verify: bool,
}

#[derive(Serialize)]
struct Answer<'g> {
    game: &'g str,
    definition: String,
    start: String,
    events: Vec<Played>,
    /// How many of the events are played; those after were taken back.
    now: usize,
    position: String,
    hash: String,
    outcome: Option<Outcome>,
}

#[derive(Serialize)]
struct Played {
    player: String,
    event: String,
    notation: String,
    position: String,
    hash: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if args.verify {
        return verify(args, output);
    }
    let replay = open(&args.file, args.game.as_deref())?;
    if let Some(path) = &args.out {
        return export(args, path, &replay, output);
    }
    let game = replay.game();
    let context = Context { position: replay.position() };
    let answer = Answer {
        game: game.name(),
        definition: format!("{:032x}", game.definition_hash()),
        start: replay.start().to_string(),
        events: played(&replay),
        now: replay.ply(),
        position: context.position.to_string(),
        hash: answer::hash(&context.position),
        outcome: Outcome::of(&context.position),
    };
    if output.is_json() {
        return Ok(output.json(&answer)?);
    }
    show(&answer, &context, output)
}

/// Makes every roll of a match again.
#[cfg(feature = "serve")]
fn verify(args: &Args, output: &mut Output) -> Result<(), Failure> {
    use senet_server::draw::Draws;
    let (path, bytes) = (args.file.display(), file::read(&args.file, file::MATCH)?);
    let wrong = |message: String| {
        let message = format!("{path}: {message}");
        Failure::new(Code::InvalidMatch, message, serde_json::Value::Null)
    };
    let draws: Draws = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    let named = args.game.clone().or_else(|| Match::saved_game(draws.saved.as_bytes()));
    let named = named.ok_or_else(|| wrong("the match names no game: use --game".to_owned()))?;
    let game = shelf::open(&named)?;
    let count = draws.verify(&game).map_err(|broken| wrong(broken.to_string()))?;
    if output.is_json() {
        let answer = serde_json::json!({ "game": game.name(), "draws": count, "verified": true });
        return Ok(output.json(&answer)?);
    }
    Ok(output.line(format!("{}: {count} draws, all as committed to", game.name()))?)
}

#[cfg(not(feature = "serve"))]
fn verify(_: &Args, _: &mut Output) -> Result<(), Failure> {
    Err(crate::feature::missing("senet replay --verify", "serve"))
}

/// Writes a match to a file in the form of its ending.
fn export(args: &Args, path: &Path, replay: &Match, output: &mut Output) -> Result<(), Failure> {
    let game = replay.game();
    let form = Form::of(path, game)?;
    if path.is_file() && !args.force {
        let message = format!("{} exists: use --force to replace it", path.display());
        return Err(Failure::params(message));
    }
    let names = game.players().map(|player| game.player_name(player).to_owned());
    file::write(path, &form.write(replay, &names.collect::<Vec<_>>()))?;
    picture::said(path, output)
}

/// Reads a saved match and checks every step of it.
pub(crate) fn open(path: &Path, game: Option<&str>) -> Result<Match, Failure> {
    let bytes = file::read(path, file::MATCH)?;
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| sgf::is_sgf(text)) {
        let wrong = |message: String| {
            let message = format!("{}: {message}", path.display());
            Failure::new(Code::InvalidMatch, message, serde_json::Value::Null)
        };
        let first = sgf::Reader::new(text).next().ok_or_else(|| wrong("no game".to_owned()))?;
        return first.map(|record| record.played).map_err(|error| wrong(error.to_string()));
    }
    let named = game.map(shelf::open).transpose()?;
    load(named, &bytes).map_err(|failure| {
        if let Some(hint) = hint(path, &bytes) {
            return Failure { code: Code::InvalidMatch, message: hint, ..failure };
        }
        // A damaged file is not a wrong command line, whatever is damaged in it.
        let message = format!("{}: {}", path.display(), failure.message);
        Failure { code: Code::InvalidMatch, message, ..failure }
    })
}

fn load(named: Option<Game>, bytes: &[u8]) -> Result<Match, Failure> {
    let game = match (named, Match::saved_game(bytes)) {
        (Some(game), _) => game,
        (None, Some(name)) => Shelf::default().find(&name)?.clone(),
        (None, None) => return Err(no_head(bytes)),
    };
    Ok(Match::load(&game, bytes)?)
}

/// What to do with a file that is something else.
fn hint(path: &Path, bytes: &[u8]) -> Option<String> {
    let shown = path.display();
    if serde_json::from_slice::<Definition>(bytes).is_ok() {
        return Some(format!("{shown} is a definition, not a saved match: senet play {shown}"));
    }
    let is_pgn = path.extension().is_some_and(|extension| extension == "pgn");
    is_pgn.then(|| format!("{shown} is a file of games: senet pgn check {shown}"))
}

/// Why a file names no game: what reading it as any game says.
fn no_head(bytes: &[u8]) -> Failure {
    let any = senet::games().next().and_then(|name| senet::load(name).ok());
    match any.map(|game| Match::load(&game, bytes)) {
        Some(Err(error)) => error.into(),
        _ => Failure::new(Code::InvalidMatch, "not a saved match", serde_json::Value::Null),
    }
}

fn played(replay: &Match) -> Vec<Played> {
    let mut before = replay.start();
    let steps = replay.steps().into_iter().map(|(step, after)| {
        let played = Played {
            player: replay.game().player_name(before.player()).to_owned(),
            event: before.format(step.event),
            notation: before.notate(step.event),
            position: after.to_string(),
            hash: answer::hash(&after),
        };
        before = after;
        played
    });
    steps.collect()
}

fn show(answer: &Answer<'_>, context: &Context, output: &mut Output) -> Result<(), Failure> {
    let count = answer.events.len();
    let events = if count == 1 { "event" } else { "events" };
    output.line(format!("{}: {count} {events}, every step checked", answer.game))?;
    let rows = answer.events.iter().enumerate().map(|(index, played)| {
        let back = if index >= answer.now { "taken back" } else { "" };
        let number = format!("{:>1$}.", index + 1, count.to_string().len());
        [number, played.player.clone(), played.notation.clone(), back.to_owned()]
    });
    for line in columns(&rows.collect::<Vec<_>>()) {
        output.line(line)?;
    }
    output.line("")?;
    output.line(context.drawing())?;
    match &answer.outcome {
        Some(outcome) => output.line(outcome.text())?,
        None => output.line(format!("{} to move", context.player()))?,
    }
    Ok(())
}
