//! The games that a file may contain, and how they are read from one.

use std::io::BufRead;
use std::path::Path;

use indicatif::ProgressBar;
use senet::notation::pgn::{Reader, Rules};
use senet::notation::{self, PgnGame};
use senet::{Event, Game, Position, State};

use crate::failure::Failure;
use crate::input::Input;

/// The games that a file may contain.
pub(crate) struct Shelf(Vec<PgnGame>);

impl Shelf {
    pub(crate) fn new() -> Shelf {
        Shelf(notation::pgn_games())
    }

    /// The games as the reader wants them.
    pub(crate) fn rules(&self) -> Rules<'_> {
        notation::pgn_rules(&self.0)
    }

    /// The game of a name that the reader gave.
    pub(crate) fn find(&self, name: &str) -> &Game {
        let found = self.0.iter().find(|(game, _)| game.name() == name);
        &found.expect("the reader knows only these games").0
    }
}

/// The position of a state that the reader gave for a game.
pub(crate) fn position(game: &Game, state: &State) -> Position {
    game.at(state).expect("the reader gives states of its games")
}

/// One game of a file: its start and its moves.
pub(crate) struct Record {
    pub(crate) start: Position,
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
        let start = position(shelf.find(&line.game), &line.start);
        return Ok(Record { start, events: line.events.clone() });
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
