//! `senet completions`: what a shell needs to complete a half-written command.

use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet completions bash > ~/.local/share/bash-completion/completions/senet
  senet completions fish > ~/.config/fish/completions/senet.fish
  senet completions zsh > ~/.zfunc/_senet";

/// Prints the completions for a shell.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "senet", &mut script);
    let script = String::from_utf8_lossy(&script);
    if output.is_json() {
        return Ok(output.json(&json!({ "shell": args.shell.to_string(), "script": script }))?);
    }
    Ok(output.text(&script)?)
}
