//! `senet pgn check`: every game read, every move checked.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::shelf::Shelf;
use crate::failure::Failure;
use crate::input::Input;
use crate::output::{Output, counted};

const EXAMPLES: &str = "\
Examples:
  senet pgn check games.pgn
  senet pgn check *.pgn --json
  zcat games.pgn.gz | senet pgn check -

Each error is a line with file, line, column, game and move. With --json each is a line of JSON,
and the last line is the summary. Exit code 1 if there is any error.";

/// Reads every game and checks every move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// PGN files; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What was read.
#[derive(Default, Serialize)]
struct Summary {
    files: u64,
    games: u64,
    /// Those of the games without an error, each player's counted.
    plies: u64,
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
    let seconds = begin.elapsed().as_secs_f64();
    show(&summary, seconds, output)?;
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
    let rules = shelf.rules();
    let (mut reader, bar) = input.games(&rules);
    // Variations are read too, for what they tell may be wrong as well.
    while let Some(read) = reader.next_record() {
        match read {
            Ok(record) => summary.plies += record.tree.main_line().len() as u64,
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

/// How many moves of one side were read.
pub(super) fn plies_of(plies: u64) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

fn show(summary: &Summary, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() {
        return Ok(output.json(summary)?);
    }
    let Summary { files, games, plies, errors } = summary;
    let files = if *files == 1 { String::new() } else { format!("{}, ", counted(*files, "file")) };
    let (found, read) = (counted(*games, "game"), plies_of(*plies));
    let errors = if *errors == 0 { "no errors".into() } else { counted(*errors, "error") };
    let speed = (*games as f64 / seconds.max(1e-9)) as u64;
    let line = format!("{files}{found}, {read}, {errors} in {seconds:.3} s, {speed} games/s");
    Ok(output.line(line)?)
}
