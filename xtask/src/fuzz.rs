//! `cargo xtask fuzz`: looks for input that breaks a law. The targets are a crate of their own,
//! built with the checks of the dev profile for overflow.

use std::path::Path;
use std::process::{Command, ExitCode};

/// What is passed on to the crate of the targets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask fuzz                          list the targets\n  \
    cargo xtask fuzz definition               three minutes of definitions\n  \
    cargo xtask fuzz all --minutes 60         an hour of each\n  \
    cargo xtask fuzz fen --case FILE          check one case\n\n\
    A case that breaks a law is made small and kept in fuzz/corpus/TARGET, where the tests find it.")]
pub(crate) struct Args {
    /// The target, or `all`; then --minutes N, --seed S, --case FILE
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "TARGET")]
    arguments: Vec<String>,
}

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    pass_on("senet-fuzz", &args.arguments, root)
}

/// Runs a binary of the workspace, built by the dev profile.
pub(crate) fn pass_on(binary: &str, arguments: &[String], root: &Path) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--package", "senet-fuzz", "--bin", binary, "--"])
        .args(arguments)
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
