//! `senet lsp`: the language server of game files, for editors.

use std::path::PathBuf;

use senet::lang::{Library, server};
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::source;

const EXAMPLES: &str = "\
An editor starts it and speaks the Language Server Protocol over standard input and output.
The folder editors/ of the project has an extension for Visual Studio Code, and says how other
editors are set up.";

/// Serves editors: mistakes while typing, meanings, completion, renaming, formatting.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    let libraries =
        |path: Option<PathBuf>| -> Box<dyn Library> { Box::new(source::files(path.as_deref())) };
    server::serve_stdio(&libraries).map_err(|why| Failure::new(Code::Io, why, Value::Null))
}
