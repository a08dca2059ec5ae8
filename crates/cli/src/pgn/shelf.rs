//! The files that are read, and the games that may be in them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use senet_core::{Event, Game, State};
use senet_registry::chess::Chess;
use senet_registry::chess::pgn::{Reader, Rules};

use crate::failure::Failure;
use crate::{file, progress};

/// How much of a file is read at once.
const CHUNK: usize = 1 << 16;

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

/// A file or standard input, with a bar of how much of it is read.
pub(crate) struct Input {
    name: String,
    from: Box<dyn BufRead>,
    bar: ProgressBar,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
        if path.as_os_str() == "-" {
            let bar = progress::bytes(None);
            let from = Box::new(BufReader::with_capacity(CHUNK, bar.wrap_read(io::stdin())));
            return Ok(Input { name: "-".into(), from, bar });
        }
        let opened = File::open(path).map_err(|error| file::trouble("read", path, &error))?;
        let about = opened.metadata().map_err(|error| file::trouble("read", path, &error))?;
        if about.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(file::trouble("read", path, &error));
        }
        let bar = progress::bytes(Some(about.len()).filter(|_| about.is_file()));
        let from = Box::new(BufReader::with_capacity(CHUNK, bar.wrap_read(opened)));
        Ok(Input { name: path.display().to_string(), from, bar })
    }

    /// The games of the input, and the bar.
    pub(crate) fn games<'r, 'g>(
        self,
        rules: &'r Rules<'g>,
    ) -> (Reader<'r, 'g, Box<dyn BufRead>>, ProgressBar) {
        (Reader::new(self.from, self.name, rules), self.bar)
    }
}
