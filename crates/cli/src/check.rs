//! `senet check`: what is wrong with game files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use senet::Game;
use senet::lang::Problems;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::{shelf, source};

const EXAMPLES: &str = "\
Examples:
  senet check my-game.senet
  senet check games/*.senet --json";

/// Lists every mistake of game files, each with its place and what to write instead.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game files, or definitions that end with .json.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut answers = Vec::new();
    let mut wrong = false;
    for path in &args.files {
        let shown = path.display().to_string();
        match checked(path) {
            Ok((game, warnings)) => {
                if output.is_json() {
                    let hash = format!("{:032x}", game.definition_hash());
                    let found = source::answers(&warnings);
                    answers.push(json!({ "file": shown, "game": game.name(), "valid": true, "definition": hash, "diagnostics": found }));
                    continue;
                }
                if !warnings.diagnostics.is_empty() {
                    output.line(source::shown(&warnings))?;
                }
                output.line(format!("{shown}: ok, the game is {}", game.name()))?;
            }
            Err(failure) => {
                wrong = true;
                if output.is_json() {
                    let listed = failure.details.get("errors").cloned().unwrap_or(Value::Null);
                    answers.push(json!({ "file": shown, "valid": false, "message": failure.message, "diagnostics": listed }));
                } else {
                    output.line(&failure.message)?;
                }
            }
        }
    }
    if output.is_json() {
        output.json(&answers)?;
    }
    if wrong { Err(Failure::told()) } else { Ok(()) }
}

/// The game of a file, and doubts about it.
fn checked(path: &std::path::Path) -> Result<(Game, Problems), Failure> {
    let doubts = |diagnostics, sources| Problems { diagnostics, sources };
    if path.extension().is_some_and(|extension| extension == "json") {
        return Ok((shelf::read_game(path)?, doubts(Vec::new(), Vec::new())));
    }
    let text = source::load(path)?;
    let files = source::files(Some(path));
    let file = source::read(&text, &files, BTreeMap::new());
    let file = file.map_err(|problems| source::failure(&problems))?;
    let game = Game::of_file(&file).map_err(|problems| source::failure(&problems))?;
    let warnings = senet::lang::lint(&file);
    Ok((game, doubts(warnings, file.sources)))
}
