//! `senet test`: the tests inside game files.

use std::collections::BTreeMap;

use senet::lang::{Trial, line_column, run_tests};
use senet::{Game, file_notation};
use serde_json::json;

use crate::coverage::{self, Coverage, OneSided};
use crate::failure::Failure;
use crate::output::{Output, counted};
use crate::source;

const EXAMPLES: &str = "\
Examples:
  senet test my-game.senet
  senet test chess othello
  senet test my-game.senet --coverage --games 200";

/// Runs the tests inside game files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game files, or games by name.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Also play at random, and list the rules, phases and endings that never came up and the
    /// conditions that never held or always did.
    #[arg(long)]
    coverage: bool,
    /// How many games are played for that.
    #[arg(long = "games", value_name = "N", default_value_t = 100, requires = "coverage")]
    playouts: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut answers = Vec::new();
    let mut failed = 0;
    for name in &args.games {
        let (text, files) = source::find(name)?;
        let file = source::read(&text, &files, BTreeMap::new());
        let file = file.map_err(|problems| source::failure(&problems))?;
        let trials = run_tests(&file, &files, file_notation(&file));
        failed += trials.iter().filter(|trial| trial.failure.is_some()).count();
        let game = Game::of_file(&file).map_err(|problems| source::failure(&problems))?;
        let coverage = args.coverage.then(|| coverage::measure(&game, args.playouts));
        if output.is_json() {
            let tests: Vec<_> = trials.iter().map(|trial| answer(&text.text, trial)).collect();
            let mut found = json!({ "game": game.name(), "file": text.name, "tests": tests });
            if let Some(Coverage { unused, conditions }) = coverage {
                found["unused"] = json!(unused);
                found["conditions"] = json!(conditions);
            }
            answers.push(found);
            continue;
        }
        for trial in &trials {
            let (line, _) = line_column(&text.text, trial.span.start);
            match &trial.failure {
                None => output.line(format!("ok      {}:{line}: {}", text.name, trial.what))?,
                Some(why) => {
                    output.line(format!("FAILED  {}:{line}: {}: {why}", text.name, trial.what))?;
                }
            }
        }
        if trials.is_empty() {
            output.line(format!("{}: no tests", text.name))?;
        }
        if let Some(coverage) = &coverage {
            tell(&game, coverage, args.playouts, output)?;
        }
    }
    if output.is_json() {
        output.json(&answers)?;
    }
    if failed > 0 { Err(Failure::told()) } else { Ok(()) }
}

fn answer(text: &str, trial: &Trial) -> serde_json::Value {
    let (line, _) = line_column(text, trial.span.start);
    json!({ "line": line, "test": trial.what, "passed": trial.failure.is_none(), "failure": trial.failure })
}

fn tell(game: &Game, found: &Coverage, playouts: u64, output: &mut Output) -> Result<(), Failure> {
    let (name, played) = (game.name(), counted(playouts, "game"));
    if found.unused.is_empty() && found.conditions.is_empty() {
        return Ok(output.line(format!("{name}: everything came up in {played}"))?);
    }
    for one in &found.unused {
        output.line(format!("{name}: never in {played}: {one}"))?;
    }
    for OneSided { place, condition, never } in &found.conditions {
        output.line(format!("{name}: never {never} in {played}: {place}: {condition}"))?;
    }
    Ok(())
}
