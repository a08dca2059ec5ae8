//! `senet games`: what can be played.

use serde::Serialize;

use crate::answer::Listing;
use crate::failure::Failure;
use crate::output::{Output, columns};
use crate::shelf::Shelf;

const EXAMPLES: &str = "\
Examples:
  senet games
  senet games --json";

/// Lists the games.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

/// Every game.
#[derive(Serialize)]
pub(crate) struct Games {
    games: Vec<Listing>,
}

impl Games {
    pub(crate) fn new(shelf: &mut Shelf) -> Games {
        Games { games: shelf.all().iter().map(Listing::new).collect() }
    }
}

pub(crate) fn run(_: &Args, output: &mut Output) -> Result<(), Failure> {
    let games = Games::new(&mut Shelf::default());
    if output.is_json() {
        return Ok(output.json(&games)?);
    }
    let row =
        |game: &Listing| [game.name.clone(), game.players.join(" and "), game.summary.to_owned()];
    for line in columns(&games.games.iter().map(row).collect::<Vec<_>>()) {
        output.line(line)?;
    }
    Ok(())
}
