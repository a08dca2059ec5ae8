//! `senet mat`: files of backgammon matches.

mod check;
mod convert;
mod stats;

use std::io::BufRead;
use std::sync::Arc;

use clap::Subcommand;
use indicatif::ProgressBar;
use senet_core::Game;
use senet_registry::backgammon::mat::Reader;

use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet mat check evening.mat more.mat
  senet mat convert evening.mat --to jsonl --out evening.jsonl
  senet mat stats evening.mat
  zcat matches.mat.gz | senet mat check -

A file may be of any size: one game at a time is in memory. Every roll, play and cube action is
replayed and checked, and so are points and winners. A comment such as
; [Variation \"Hypergammon\"] says which game is played, backgammon when left out.
After an error reading goes on with the next game.";

/// Checks, converts and counts the games of .mat files.
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

/// The games that a file may contain.
struct Shelf(Vec<Arc<Game>>);

impl Shelf {
    fn new() -> Shelf {
        let game = |name: &&str| {
            senet_registry::find(name).expect("what a file may contain is registered").game()
        };
        Shelf(senet_registry::MAT.iter().map(game).collect())
    }

    /// The game of a name that the reader gave.
    fn find(&self, name: &str) -> &Game {
        let found = self.0.iter().find(|game| game.name() == name);
        found.expect("the reader knows only these games")
    }

    /// The games of an input, and its bar.
    fn games(&self, input: Input) -> (Reader<'_, Box<dyn BufRead>>, ProgressBar) {
        let games: Vec<&Game> = self.0.iter().map(|game| &**game).collect();
        (Reader::new(input.from, input.name, &games), input.bar)
    }
}
