//! `senet mat`: files of backgammon matches.

mod check;
mod convert;
mod stats;

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use clap::Subcommand;
use indicatif::ProgressBar;
use senet_core::{Event, Game, State};
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

/// One game of a file: which game it is of, its start and what was done.
pub(crate) struct Record {
    pub(crate) game: Arc<Game>,
    pub(crate) players: [String; 2],
    pub(crate) start: State,
    pub(crate) events: Vec<Event>,
}

/// The game of a file by its number, counted from 1.
pub(crate) fn nth(path: &Path, number: usize) -> Result<Record, Failure> {
    let shelf = Shelf::new();
    let (mut reader, bar) = shelf.games(Input::open(path)?);
    let mut seen = 0;
    while let Some(read) = reader.next_game() {
        seen += 1;
        if seen < number {
            continue;
        }
        bar.finish_and_clear();
        let read = read?;
        let game = shelf.find(&read.variant).clone();
        let (players, start, events) = (read.game.players, read.start, read.events);
        return Ok(Record { game, players, start, events });
    }
    bar.finish_and_clear();
    Err(Failure::params(format!("{}: no game {number}, the file has {seen}", path.display())))
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
    fn find(&self, name: &str) -> &Arc<Game> {
        let found = self.0.iter().find(|game| game.name() == name);
        found.expect("the reader knows only these games")
    }

    /// The games of an input, and its bar.
    fn games(&self, input: Input) -> (Reader<'_, Box<dyn BufRead>>, ProgressBar) {
        let games: Vec<&Game> = self.0.iter().map(|game| &**game).collect();
        (Reader::new(input.from, input.name, &games), input.bar)
    }
}
