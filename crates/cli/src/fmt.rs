//! `senet fmt`: game files written neatly.

use std::path::PathBuf;

use senet::lang::{Problems, format};
use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;
use crate::{file, source};

const EXAMPLES: &str = "\
Examples:
  senet fmt my-game.senet
  senet fmt --check games/*.senet";

/// Writes game files neatly: indentation, spaces and line ends. Comments stay.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; fail where something would be changed.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut changed = Vec::new();
    for path in &args.files {
        let text = source::load(path)?;
        let neat = format(&text.text).map_err(|diagnostics| {
            source::failure(&Problems { sources: vec![text.clone()], diagnostics })
        })?;
        if neat == text.text {
            continue;
        }
        if !args.check {
            file::write(path, neat.as_bytes())?;
        }
        changed.push(path.display().to_string());
    }
    if output.is_json() {
        output.json(&json!({ "changed": changed }))?;
    } else {
        let verb = if args.check { "would be changed" } else { "changed" };
        for path in &changed {
            output.line(format!("{path} {verb}"))?;
        }
    }
    if args.check && !changed.is_empty() { Err(Failure::told()) } else { Ok(()) }
}
