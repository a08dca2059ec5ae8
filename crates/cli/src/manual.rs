//! `senet man`: the manual pages, made from the same words as `--help`.

use std::fs;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::{Man, generate_to};
use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet man | man -l -
  senet man --out ~/.local/share/man/man1";

/// Prints the manual page, or writes one for every command.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write the page of every command into this folder, which is made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let command = crate::Cli::command();
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        let page = String::from_utf8_lossy(&page);
        if output.is_json() {
            return Ok(output.json(&json!({ "page": page }))?);
        }
        return Ok(output.text(&page)?);
    };
    let written = fs::create_dir_all(folder).and_then(|()| generate_to(command, folder));
    written.map_err(|error| {
        let failure = Failure::from(error);
        let message = format!("cannot write to {}: {}", folder.display(), failure.message);
        Failure { message, ..failure }
    })?;
    let shown = folder.display().to_string();
    if output.is_json() {
        return Ok(output.json(&json!({ "folder": shown }))?);
    }
    Ok(output.line(format!("a page for every command is in {shown}"))?)
}
