//! `senet mat convert`: the games of a file in another form.

use std::path::PathBuf;

use clap::ValueEnum;
use senet::Game;
use senet::notation::backgammon::position::Win;
use senet::notation::mat::{Problem, Record, write_game, write_header};
use serde::Serialize;
use serde_json::json;

use super::{Shelf, position};
use crate::failure::{Code, Failure};
use crate::file::Part;
use crate::input::Input;
use crate::note;
use crate::output::{Output, counted};

const EXAMPLES: &str = "\
Examples:
  senet mat convert evening.mat --to mat --out tidy.mat
  senet mat convert evening.mat --to xgid | head
  senet mat convert - --to jsonl < evening.mat

A game with an error is reported on standard error and skipped, and the exit code is 1. The file of
--out appears only when it is complete. With --json and --out, the report is JSON on standard output.";

/// Writes the games of a file in another form.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file of matches; - is standard input.
    file: PathBuf,
    /// The form.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What a game is written as.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// The same file, tidy: single steps, every hit marked.
    Mat,
    /// A line for each event: the position before it, and the event.
    Xgid,
    /// A line of JSON: players, points, events, winner.
    Jsonl,
}

pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let shelf = Shelf::new();
    let (mut reader, bar) = shelf.games(Input::open(&args.file)?);
    let mut part = args.out.as_deref().map(Part::create).transpose()?;
    let (mut written, mut errors) = (0, 0);
    while let Some(record) = reader.next_game() {
        match record {
            Ok(record) => {
                written += 1;
                let text = args.to.write(&shelf, &record, written == 1);
                match &mut part {
                    Some(part) => part.write(text.as_bytes())?,
                    None => output.text(&text)?,
                }
            }
            // What comes after is not known, so the whole is not.
            Err(error) if matches!(error.problem, Problem::Unreadable(_)) => {
                return Err(Failure { code: Code::Io, ..error.into() });
            }
            Err(error) => {
                errors += 1;
                let failure = Failure::from(error);
                bar.suspend(|| match output.is_json() && args.out.is_some() {
                    true => output.tell(&failure),
                    false => {
                        note(&failure.message);
                        Ok(())
                    }
                })?;
            }
        }
    }
    bar.finish_and_clear();
    if let (Some(part), Some(path)) = (part, &args.out) {
        part.finish()?;
        let file = path.display().to_string();
        if output.is_json() {
            output.json(&json!({ "written": file, "games": written, "errors": errors }))?;
        } else {
            output.line(format!("{} written to {file}", counted(written, "game")))?;
        }
    }
    if errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

impl Form {
    fn write(self, shelf: &Shelf, record: &Record, first: bool) -> String {
        let game = shelf.find(&record.variant);
        match self {
            Form::Mat if record.opens || first => {
                let gap = if first { "" } else { "\n" };
                format!("{gap}{}{}", write_header(&record.header), write_game(&record.game))
            }
            Form::Mat => write_game(&record.game),
            Form::Xgid => {
                steps(game, record, |position, event| format!("{position}  {event}\n")).concat()
            }
            Form::Jsonl => jsonl(game, record) + "\n",
        }
    }
}

/// Every event of a game with the position before it.
fn steps<T>(game: &Game, record: &Record, write: impl Fn(String, String) -> T) -> Vec<T> {
    let line = position(game, &record.start).line(&record.events);
    line.map(|(before, step)| write(before.to_string(), before.notate(step.event))).collect()
}

/// A game as a line.
#[derive(Serialize)]
struct Written<'r> {
    game: &'r str,
    length: u16,
    number: u32,
    players: &'r [String; 2],
    score: [u16; 2],
    start: String,
    events: Vec<String>,
    position: String,
    winner: Option<&'r str>,
    points: Option<u32>,
    win: Option<&'static str>,
    awarded: bool,
}

fn jsonl(game: &Game, record: &Record) -> String {
    let winning = record.game.winning;
    let written = Written {
        game: &record.variant,
        length: record.header.length,
        number: record.game.number,
        players: &record.game.players,
        score: record.game.score,
        start: position(game, &record.start).to_string(),
        events: steps(game, record, |_, event| event),
        position: position(game, &record.state).to_string(),
        winner: winning.map(|winning| record.game.players[winning.side.index()].as_str()),
        points: winning.map(|winning| winning.points),
        win: record.win.map(Win::name),
        awarded: record.awarded,
    };
    serde_json::to_string(&written).expect("every part of it is JSON")
}
