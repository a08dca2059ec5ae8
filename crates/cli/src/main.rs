//! The senet command.

use std::process::ExitCode;

/// Messages to thousands of clients are made and dropped on several threads at once.
#[cfg(feature = "serve")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    senet_cli::run(std::env::args_os().collect())
}
