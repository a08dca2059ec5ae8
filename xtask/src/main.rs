//! Checks and measurements of this workspace.

mod bench;
mod dist;
mod fuzz;
mod native;
mod notice;
mod oracle;
mod package;
mod page;
mod perft;
mod pipe;
mod progress;
mod python;
mod rating;
mod report;
mod soak;
mod strength;
mod tidy;
mod web;

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

/// Checks and measurements of this workspace
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        cargo xtask tidy                 check what the compiler cannot: arrows, names, lengths, docs\n  \
        cargo xtask bench                measure everything\n  \
        cargo xtask bench --peers        measure the programs of others beside it\n  \
        cargo xtask bench --filter perft measure what has this in its name\n  \
        cargo xtask dist                 build the release archive\n  \
        cargo xtask perft                count the trees that others have published\n  \
        cargo xtask oracle chess         compare thousands of positions with python-chess\n  \
        cargo xtask oracle uci           let python-chess play whole games with our engine\n  \
        cargo xtask strength             measure how strong the opponents are\n  \
        cargo xtask rating               measure the ratings of the levels of chess\n  \
        cargo xtask oracle backgammon    compare a thousand positions with gnubg\n  \
        cargo xtask oracle timeline      open our Parquet files in DuckDB, Polars and pandas\n  \
        cargo xtask fuzz definition      look for definitions that break a law
  \
        cargo xtask soak                 feed rpc, uci and the screen garbage for a while
  \
        cargo xtask python               build the Python package and test it in an environment of its own\n  \
        cargo xtask web                  try the pages of the server in Chromium\n  \
        cargo xtask api                  send the server requests that schemathesis makes up\n  \
        cargo xtask load                 measure how much the server carries, beside boardgame.io\n  \
        cargo xtask fault                break the server and its database under load\n  \
        cargo xtask help tidy            say what each check holds"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check arrows between crates, names, lengths and what the docs claim
    #[command(after_help = tidy::summary())]
    Tidy,
    /// Measure speed and memory; a table on stdout, or JSON
    Bench(bench::Args),
    /// Do one workload of `bench --instructions`
    #[command(hide = true)]
    Work(bench::Workload),
    /// Build the release archive: the command, manual pages, completions and licences
    Dist(dist::Args),
    /// Count game trees and compare with published numbers
    Perft(perft::Args),
    /// Compare a game with a program that others trust
    Oracle(oracle::Args),
    /// Measure how strong the opponents are
    Strength(strength::Args),
    /// Measures the ratings of the levels of the chess search, by games with Stockfish
    Rating(rating::Args),
    /// Look for input that breaks a law
    Fuzz(fuzz::Args),
    /// Feed the command random requests, sessions and keys, within bounds of memory and time
    Soak(soak::Args),
    /// Build the Python package into an environment of its own, check its types and test it
    Python(package::Args),
    /// Check the pages of the server and try them in Chromium
    Web(web::Args),
    /// Break the server, its disk and its database under load, and check that no acknowledged move is lost
    Fault(web::FaultArgs),
    /// Send made-up requests to every address of the server, with schemathesis
    Api(web::ApiArgs),
    /// Measure how many clients and moves the server carries, beside boardgame.io
    Load(web::LoadArgs),
}

fn main() -> ExitCode {
    match Cli::parse().task {
        Task::Tidy => tidy::run(&root()),
        Task::Bench(args) if !cfg!(feature = "native") && args.needs_machine_code() => {
            with_machine_code()
        }
        Task::Strength(_) if !cfg!(feature = "native") => with_machine_code(),
        Task::Bench(args) => bench::run(&args, &root()),
        Task::Work(args) => bench::work(&args),
        Task::Dist(args) => dist::run(&args, &root()),
        Task::Perft(args) => perft::run(&args, &root()),
        Task::Oracle(args) => oracle::run(&args, &root()),
        Task::Strength(args) => strength::run(&args, &root()),
        Task::Rating(args) => rating::run(&args, &root()),
        Task::Fuzz(args) => fuzz::run(&args, &root()),
        Task::Soak(args) => soak::run(&args, &root()),
        Task::Python(args) => package::run(&args, &root()),
        Task::Web(args) => web::run(&args, &root()),
        Task::Fault(args) => web::fault(&args, &root()),
        Task::Api(args) => web::api(&args, &root()),
        Task::Load(args) => web::load(&args, &root()),
    }
}

/// Runs the same command again, built with machine code.
fn with_machine_code() -> ExitCode {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--features", "native"]);
    let status = command.arg("--").args(env::args_os().skip(1)).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: cannot run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace: the folder above this crate when cargo runs it, else the current one.
fn root() -> PathBuf {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => PathBuf::from(folder).join(".."),
        None => PathBuf::from("."),
    }
}
