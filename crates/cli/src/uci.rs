//! `senet uci`: the chess engine protocol, so that any chess program can play against Senet.

mod clock;
mod command;
mod engine;
mod job;

use std::io;

use crate::failure::Failure;
use crate::line::{Line, Lines};
use command::Command;
use engine::Engine;

/// No line is longer than this; a match of ten thousand moves fits.
const LIMIT: usize = 256 << 10;

const EXAMPLES: &str = "\
Examples:
  senet uci                                   for a chess program to start
  printf 'go depth 6\\n' | senet uci
  printf 'position startpos moves e2e4\\ngo perft 4\\n' | senet uci

Options: Hash, Threads, MultiPV, Ponder, Move Overhead, UCI_LimitStrength, UCI_Elo, UCI_Chess960,
UCI_Variant. UCI_Elo chooses the strongest level of the search that is rated no higher. The ratings
are estimates from games with Stockfish; without UCI_LimitStrength the search is stronger than all of them.
The end of input stops a search, unless it goes to a depth or a count, which is awaited.";

/// Plays chess by the UCI protocol.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

/// Whether a line is a command.
pub(crate) fn is_command(line: &str) -> bool {
    Command::read(line).is_some()
}

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    let mut engine = Engine::new()?;
    let mut lines = Lines::new(io::stdin().lock(), LIMIT);
    loop {
        let line = match lines.next()? {
            None => return engine.close(),
            Some(Line::TooLong(_)) => {
                engine.say("info string the line is too long; nothing was done")?;
                continue;
            }
            Some(Line::Whole(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        };
        match Command::read(&line) {
            None => {}
            Some(Command::Quit) => return engine.quit(),
            Some(command) => engine.obey(command)?,
        }
    }
}
