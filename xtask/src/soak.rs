//! `cargo xtask soak`: feeds the command random requests, sessions and keys.

use std::path::Path;
use std::process::ExitCode;

use crate::fuzz::pass_on;

/// What is passed on.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask soak                            a minute or two\n  \
    cargo xtask soak --requests 1000000 --sessions 10000 --screens 1000")]
pub(crate) struct Args {
    /// --requests N, --sessions N, --screens N and --seed S
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COUNTS")]
    arguments: Vec<String>,
}

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    pass_on("senet-soak", &args.arguments, root)
}
