//! `senet pgn convert`: the games of a file in another form.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;

use clap::ValueEnum;
use senet::notation::pgn::{Error, Line, Problem, Reader, Record, Rules, Tags, Termination};
use senet::{Event, Game, Position};
use serde::Serialize;
use serde_json::json;

use super::shelf::{Shelf, position};
use crate::answer::Outcome;
use crate::failure::{Code, Failure};
use crate::file::Part;
use crate::input::Input;
use crate::note;
use crate::output::{Output, counted};

const EXAMPLES: &str = "\
Examples:
  senet pgn convert games.pgn --to pgn --out tidy.pgn
  senet pgn convert games.pgn --to uci | head
  senet pgn convert - --to jsonl < games.pgn

A game with an error is reported on standard error and skipped, and the exit code is 1. The file of
--out appears only when it is complete. With --json and --out, the report is JSON on standard output.";

/// Writes the games of a file in another form.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A PGN file; - is standard input.
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
    /// PGN in export format, with comments and variations.
    Pgn,
    /// A line of UCI moves.
    Uci,
    /// A line with the FEN of the last position.
    Fen,
    /// A line of JSON: tags, moves, result.
    Jsonl,
}

type Write = fn(&Game, &Line) -> String;

impl Form {
    /// How a game is written, where that is a line of its moves alone.
    fn line(self) -> Option<Write> {
        match self {
            Form::Pgn => None,
            Form::Uci => Some(uci),
            Form::Fen => Some(fen),
            Form::Jsonl => Some(jsonl),
        }
    }
}

/// The seven tags that every game in export format has, and what they are when not said.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let shelf = Shelf::new();
    let rules = shelf.rules();
    let (mut reader, bar) = Input::open(&args.file)?.games(&rules);
    let mut part = args.out.as_deref().map(Part::create).transpose()?;
    let (mut written, mut errors) = (0, 0);
    while let Some(text) = next(&mut reader, (&shelf, &rules), args.to) {
        match text {
            Ok(text) => {
                written += 1;
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
                bar.suspend(|| tell(&failure, args, output))?;
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
    if errors == 0 {
        return Ok(());
    }
    if !output.is_json() {
        output.flush()?;
        note(&format!("error: {} left out", counted(errors, "game")));
    }
    Err(Failure::told())
}

/// The next game of a file, written.
fn next<R: BufRead>(
    reader: &mut Reader<'_, '_, R>,
    (shelf, rules): (&Shelf, &Rules<'_>),
    form: Form,
) -> Option<Result<String, Error>> {
    let Some(write) = form.line() else {
        let record = reader.next_record()?;
        return Some(record.map(|record| exported(shelf, rules, record)));
    };
    let line = reader.next_line()?;
    Some(line.map(|line| write(shelf.find(&line.game), line) + "\n"))
}

/// Tells of a game that is left out, beside the games.
fn tell(failure: &Failure, args: &Args, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() && args.out.is_some() {
        return Ok(output.json(&failure.envelope())?);
    }
    note(&failure.message);
    Ok(())
}

/// A game in export format, with an empty line after it.
fn exported(shelf: &Shelf, rules: &Rules<'_>, mut record: Record) -> String {
    let game = shelf.find(&record.game);
    if record.result == Termination::Unknown {
        let said = record.tags.get("Result");
        let said = said.and_then(|text| Termination::parse(text.as_bytes()));
        record.result = said.unwrap_or_default();
    }
    if record.tags.get("FEN").is_some() {
        record.tags.set("FEN", position(game, &record.start).to_string());
        record.tags.set("SetUp", "1");
    }
    record.tags.set("Result", record.result.text());
    record.tags = roster_first(&record.tags);
    record.format(rules).expect("what was read can be written") + "\n"
}

/// The tags in the order of the export format: the roster, then the others by name. Of a tag that
/// is there twice the first counts.
fn roster_first(tags: &Tags) -> Tags {
    let said = |(name, unsaid): (&str, &str)| {
        (name.to_owned(), tags.get(name).unwrap_or(unsaid).to_owned())
    };
    let mut all: Vec<(String, String)> = ROSTER.map(said).into();
    let mut others = BTreeMap::new();
    for (name, value) in &tags.0 {
        if !ROSTER.iter().any(|(known, _)| known == name) {
            others.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    all.extend(others);
    Tags(all)
}

/// A game as a line.
#[derive(Serialize)]
struct Written<'l> {
    game: &'l str,
    tags: BTreeMap<&'l str, &'l str>,
    start: String,
    moves: Vec<Move>,
    result: &'static str,
    position: String,
    /// How it ended on the board.
    outcome: Option<Outcome>,
}

#[derive(Serialize)]
struct Move {
    uci: String,
    san: String,
}

/// The moves of a game, each written in the position it is played in.
fn moves<T>(game: &Game, line: &Line, write: impl Fn(&Position, Event) -> T) -> Vec<T> {
    let steps = position(game, &line.start).line(&line.events);
    steps.map(|(before, step)| write(&before, step.event)).collect()
}

fn uci(game: &Game, line: &Line) -> String {
    moves(game, line, Position::format).join(" ")
}

fn fen(game: &Game, line: &Line) -> String {
    position(game, &line.state).to_string()
}

fn jsonl(game: &Game, line: &Line) -> String {
    let mut tags = BTreeMap::new();
    for (name, value) in &line.tags.0 {
        tags.entry(name.as_str()).or_insert(value.as_str());
    }
    let moves = moves(game, line, |position, event| Move {
        uci: position.format(event),
        san: position.notate(event),
    });
    let written = Written {
        game: &line.game,
        tags,
        start: position(game, &line.start).to_string(),
        moves,
        result: line.result.text(),
        position: fen(game, line),
        outcome: Outcome::of(&position(game, &line.state)),
    };
    serde_json::to_string(&written).expect("every part of it is JSON")
}
