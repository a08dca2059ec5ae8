//! The games at hand, each compiled once.

use std::path::Path;
use std::sync::Arc;

use senet_core::{Definition, Game, Match, Notation, Options, State};
use serde_json::json;

use crate::failure::{Code, Failure};
use crate::file;
use crate::lettered::Lettered;

/// A compiled game and how it is written.
#[derive(Clone)]
pub(crate) struct Edition {
    pub(crate) game: Arc<Game>,
    pub(crate) notation: &'static dyn Notation,
    /// What it is, in a line; empty for a file.
    pub(crate) summary: &'static str,
    /// Where its trees are counted from unless a position is given.
    pub(crate) count_from: fn(&Game) -> State,
}

/// Editions by name.
#[derive(Default)]
pub(crate) struct Shelf {
    editions: Vec<Edition>,
    /// The names of those that came from files.
    added: Vec<String>,
}

impl Shelf {
    /// Adds the game of a definition file, which then goes before a registered one of its name.
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let edition = read_edition(path)?;
        let name = edition.game.name().to_owned();
        if self.added.contains(&name) {
            let message = format!("{}: a second definition of `{name}`", path.display());
            return Err(Failure::params(message));
        }
        self.added.push(name);
        self.editions.push(edition);
        Ok(())
    }

    /// The game of a name.
    pub(crate) fn find(&mut self, name: &str) -> Result<&Edition, Failure> {
        let known = |edition: &Edition| edition.game.name() == name;
        let at = match self.editions.iter().position(known) {
            Some(at) => at,
            None => {
                self.editions.push(registered(senet_registry::find(name)?));
                self.editions.len() - 1
            }
        };
        Ok(&self.editions[at])
    }

    /// Every game: those of files, then the registered ones.
    pub(crate) fn all(&mut self) -> Vec<Edition> {
        let registered = senet_registry::GAMES.iter().map(|entry| entry.name.to_owned());
        let mut names: Vec<String> = self.added.clone();
        names.extend(registered.filter(|name| !self.added.contains(name)));
        names.iter().filter_map(|name| self.find(name).ok().cloned()).collect()
    }
}

/// The game that an argument names: a registered name, or a definition file ending with `.json`.
pub(crate) fn open(name: &str) -> Result<Edition, Failure> {
    if name.ends_with(".json") {
        return read_edition(Path::new(name));
    }
    senet_registry::find(name).map(registered).map_err(|error| {
        let path = Path::new(name);
        let hint = match path.extension().filter(|_| path.is_file()) {
            Some(extension) if extension == "senet" => replay_hint(path),
            Some(extension) if extension == "pgn" => {
                let shown = path.display();
                format!("{shown} is a file of games: senet pgn check {shown}")
            }
            _ => return error.into(),
        };
        Failure { message: hint, ..error.into() }
    })
}

/// What to do with a saved match where a game is wanted.
fn replay_hint(path: &Path) -> String {
    let path = path.display();
    format!("{path} is a saved match, not a definition: senet replay {path}")
}

fn registered(entry: &senet_registry::Entry) -> Edition {
    Edition {
        game: entry.game(),
        notation: entry.notation,
        summary: entry.summary,
        count_from: entry.count_from,
    }
}

/// Reads and compiles a definition file. It is written in the plain notation.
pub(crate) fn read_edition(path: &Path) -> Result<Edition, Failure> {
    let bytes = file::read(path, file::DEFINITION)?;
    let definition: Definition = serde_json::from_slice(&bytes).map_err(|error| {
        let message = match Match::saved_game(&bytes) {
            Some(_) => replay_hint(path),
            None => format!("{}: no definition: {error}", path.display()),
        };
        let (line, column) = (error.line(), error.column());
        Failure::new(Code::InvalidDefinition, message, json!({ "line": line, "column": column }))
    })?;
    let game = definition.compile(Options::default()).map_err(|errors| {
        let count = errors.0.len();
        let failure = Failure::from(errors);
        let mistakes = if count == 1 { "mistake" } else { "mistakes" };
        let listed = failure.message.replace('\n', "\n  ");
        let message = format!("{}: {count} {mistakes}\n  {listed}", path.display());
        Failure { message, ..failure }
    })?;
    Ok(Edition { game: Arc::new(game), notation: &Lettered, summary: "", count_from: Game::start })
}
