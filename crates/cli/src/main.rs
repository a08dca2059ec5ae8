//! The senet command.

use std::process::ExitCode;

fn main() -> ExitCode {
    senet_cli::run(std::env::args_os().collect())
}
