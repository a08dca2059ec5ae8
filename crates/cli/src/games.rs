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
    /// Those of files, then the shipped ones, which are read and not compiled.
    pub(crate) fn new(shelf: &Shelf) -> Games {
        let added = shelf.added().map(|game| Listing::new(game.definition().clone(), ""));
        let shipped = senet::games().filter(|name| shelf.added().all(|game| game.name() != *name));
        let shipped = shipped.filter_map(|name| {
            let file = senet::read(name).ok()?;
            Some(Listing::new(file.definition, senet::summary(name)))
        });
        Games { games: added.chain(shipped).collect() }
    }
}

pub(crate) fn run(_: &Args, output: &mut Output) -> Result<(), Failure> {
    let games = Games::new(&Shelf::default());
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
