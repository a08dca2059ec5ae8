//! The files that are read, and the games that may be in them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use senet_core::Game;
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
