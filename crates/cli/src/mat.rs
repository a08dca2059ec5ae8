//! `senet mat`: files of backgammon matches.

mod check;
mod convert;
mod stats;

use std::io::BufRead;
use std::path::Path;

use clap::Subcommand;
use indicatif::ProgressBar;
use senet::notation::mat::Reader;
use senet::{Event, Game, Position, notation};

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
; [Variation \"Hypergammon\"] names the game that is played; backgammon by default.
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

/// One game of a file: who plays, its start and what was done.
pub(crate) struct Record {
    pub(crate) players: [String; 2],
    pub(crate) start: Position,
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
        let start = position(shelf.find(&read.variant), &read.start);
        return Ok(Record { players: read.game.players, start, events: read.events });
    }
    bar.finish_and_clear();
    Err(Failure::params(format!("{}: no game {number}, the file has {seen}", path.display())))
}

/// The games that a file may contain.
struct Shelf(Vec<Game>);

/// The position of a state that the reader gave for a game.
fn position(game: &Game, state: &senet::State) -> Position {
    game.at(state).expect("the reader gives states of its games")
}

impl Shelf {
    fn new() -> Shelf {
        Shelf(notation::mat_games())
    }

    /// The game of a name that the reader gave.
    fn find(&self, name: &str) -> &Game {
        let found = self.0.iter().find(|game| game.name() == name);
        found.expect("the reader knows only these games")
    }

    /// The games of an input, and its bar.
    fn games(&self, input: Input) -> (Reader<'_, Box<dyn BufRead>>, ProgressBar) {
        (notation::mat_reader(&self.0, input.from, input.name), input.bar)
    }
}
