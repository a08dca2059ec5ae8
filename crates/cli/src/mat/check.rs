//! `senet mat check`: every game read, every play and cube action checked.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::Shelf;
use crate::failure::Failure;
use crate::input::Input;
use crate::output::{Output, counted};

const EXAMPLES: &str = "\
Examples:
  senet mat check evening.mat
  senet mat check *.mat --json
  zcat matches.mat.gz | senet mat check -

Each error is a line with file, line, game and move. With --json each is a line of JSON, and the
last line is the summary. Exit code 1 if there is any error.";

/// Reads every game and checks everything in it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of matches; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What was read.
#[derive(Default, Serialize)]
struct Summary {
    files: u64,
    matches: u64,
    games: u64,
    /// Rolls and cube actions of the games without an error.
    plays: u64,
    errors: u64,
}

pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let shelf = Shelf::new();
    let mut summary = Summary::default();
    let begin = Instant::now();
    for path in &args.files {
        summary.files += 1;
        check(&shelf, path, &mut summary, output)?;
    }
    show(&summary, begin.elapsed().as_secs_f64(), output)?;
    if summary.errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

fn check(
    shelf: &Shelf,
    path: &Path,
    summary: &mut Summary,
    output: &mut Output,
) -> Result<(), Failure> {
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(failure) => {
            summary.errors += 1;
            return output.tell_aside(&failure);
        }
    };
    let (mut reader, bar) = shelf.games(input);
    while let Some(read) = reader.next_game() {
        match read {
            Ok(record) => {
                summary.matches += u64::from(record.opens);
                summary.plays += record.game.entries.len() as u64;
            }
            Err(error) => {
                summary.errors += 1;
                bar.suspend(|| output.tell(&error.into()))?;
            }
        }
    }
    summary.games += reader.games() as u64;
    bar.finish_and_clear();
    Ok(())
}

fn show(summary: &Summary, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() {
        return Ok(output.json(summary)?);
    }
    let Summary { files, matches, games, plays, errors } = summary;
    let files = if *files == 1 { String::new() } else { format!("{}, ", counted(*files, "file")) };
    let matches = if *matches == 1 { "1 match".into() } else { format!("{matches} matches") };
    let (found, read) = (counted(*games, "game"), counted(*plays, "play"));
    let errors = if *errors == 0 { "no errors".into() } else { counted(*errors, "error") };
    let line = format!("{files}{matches}, {found}, {read}, {errors} in {seconds:.3} s");
    Ok(output.line(line)?)
}
