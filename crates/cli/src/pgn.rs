//! `senet pgn`: files of games in Portable Game Notation.

mod check;
mod convert;
mod shelf;
mod stats;

use clap::Subcommand;
#[cfg(feature = "timeline")]
pub(crate) use shelf::{Shelf, position};

pub(crate) use shelf::nth;

use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet pgn check games.pgn more.pgn
  senet pgn convert games.pgn --to uci --out games.txt
  senet pgn stats games.pgn --depth 6
  zcat games.pgn.gz | senet pgn check -

A file may be of any size: one game at a time is in memory. The Variant tag says which game is
played: chess by default, chess960, king-of-the-hill, three-check, capablanca or atomic.
After an error reading goes on with the next game.";

/// Checks, converts and counts the games of PGN files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Convert(convert::Args),
    Stats(stats::Args),
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        Command::Check(args) => check::run(args, output),
        Command::Convert(args) => convert::run(args, output),
        Command::Stats(args) => stats::run(args, output),
    }
}
