//! The games that a file may contain, and how they are read from one.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use senet_core::{Event, Game, State};
use senet_registry::chess::Chess;
use senet_registry::chess::pgn::{Reader, Rules};

use crate::failure::Failure;
use crate::input::Input;

/// The games that a file may contain.
pub(crate) struct Shelf(Vec<Volume>);

/// A game that a file may contain.
pub(crate) struct Volume {
    pub(crate) game: Arc<Game>,
    pub(crate) notation: &'static Chess,
}

impl Shelf {
    pub(crate) fn new() -> Shelf {
        let volume = |(name, notation): &(&str, &'static Chess)| {
            let entry = senet_registry::find(name).expect("what a file may contain is registered");
            Volume { game: entry.game(), notation }
        };
        Shelf(senet_registry::PGN.iter().map(volume).collect())
    }

    /// The games as the reader wants them.
    pub(crate) fn rules(&self) -> Rules<'_> {
        let (first, others) = self.0.split_first().expect("chess is registered");
        let rules = Rules::new(&first.game, first.notation);
        others.iter().fold(rules, |rules, volume| rules.with(&volume.game, volume.notation))
    }

    /// The game of a name that the reader gave.
    pub(crate) fn find(&self, name: &str) -> &Volume {
        let found = self.0.iter().find(|volume| volume.game.name() == name);
        found.expect("the reader knows only these games")
    }
}

/// One game of a file: which game it is of, how it is written, its start and its moves.
pub(crate) struct Record {
    pub(crate) game: Arc<Game>,
    pub(crate) notation: &'static Chess,
    pub(crate) start: State,
    pub(crate) events: Vec<Event>,
}

/// The game of a file by its number, counted from 1.
pub(crate) fn nth(path: &Path, number: usize) -> Result<Record, Failure> {
    let shelf = Shelf::new();
    let rules = shelf.rules();
    let (mut reader, bar) = Input::open(path)?.games(&rules);
    let mut seen = 0;
    while let Some(line) = reader.next_line() {
        seen += 1;
        if seen < number {
            continue;
        }
        bar.finish_and_clear();
        let line = line?;
        let Volume { game, notation } = shelf.find(&line.game);
        let (start, events) = (line.start.clone(), line.events.clone());
        return Ok(Record { game: game.clone(), notation, start, events });
    }
    bar.finish_and_clear();
    let message = format!("{}: no game {number}, the file has {seen}", path.display());
    Err(Failure::params(message))
}

impl Input {
    /// The games of the input, and the bar.
    pub(crate) fn games<'r, 'g>(
        self,
        rules: &'r Rules<'g>,
    ) -> (Reader<'r, 'g, Box<dyn BufRead>>, ProgressBar) {
        (Reader::new(self.from, self.name, rules), self.bar)
    }
}
