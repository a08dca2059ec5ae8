//! The games at hand, each compiled once.

use std::collections::BTreeMap;
use std::path::Path;

use senet::lang::Source;
use senet::notation::Lettered;
use senet::{Game, GameError, Match};
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::{file, source};

/// Games by name.
#[derive(Default)]
pub(crate) struct Shelf {
    games: Vec<Game>,
    /// The names of those that came from files.
    added: Vec<String>,
}

impl Shelf {
    /// Adds the game of a definition file, which then goes before a shipped one of its name.
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let game = read_game(path)?;
        let name = game.name().to_owned();
        if self.added.contains(&name) {
            let message = format!("{}: a second definition of `{name}`", path.display());
            return Err(Failure::params(message));
        }
        self.added.push(name);
        self.games.push(game);
        Ok(())
    }

    /// The game of a name.
    pub(crate) fn find(&mut self, name: &str) -> Result<&Game, Failure> {
        let at = match self.games.iter().position(|game| game.name() == name) {
            Some(at) => at,
            None => {
                self.games.push(senet::load(name)?);
                self.games.len() - 1
            }
        };
        Ok(&self.games[at])
    }

    /// The games that came from files.
    pub(crate) fn added(&self) -> impl Iterator<Item = &Game> {
        let added = move |name: &String| self.games.iter().find(|game| game.name() == name);
        self.added.iter().filter_map(added)
    }
}

/// The game that an argument names: a shipped game, one of a folder of `SENET_PATH`, a game file
/// ending with `.senet`, or a definition file ending with `.json`.
pub(crate) fn open(name: &str) -> Result<Game, Failure> {
    if name.ends_with(".json") || source::is_file(name) {
        return read_game(Path::new(name));
    }
    if let Some(path) = source::files(None).path(name).filter(|_| senet::load(name).is_err()) {
        return read_game(&path);
    }
    senet::load(name).map_err(|error| {
        let path = Path::new(name);
        let hint = match path.extension().filter(|_| path.is_file()) {
            Some(extension) if extension == "pgn" => {
                let shown = path.display();
                format!("{shown} is a file of games: senet pgn check {shown}")
            }
            _ => return error.into(),
        };
        Failure { message: hint, ..error.into() }
    })
}

/// Reads and compiles a game file, which a saved match is not.
fn read_source(path: &Path, bytes: Vec<u8>) -> Result<Game, Failure> {
    if Match::saved_game(&bytes).is_some() {
        return Err(Failure::new(Code::InvalidDefinition, replay_hint(path), Value::Null));
    }
    let text = Source::from_bytes(path.display().to_string(), bytes);
    let text = text.map_err(|problems| source::failure(&problems))?;
    let game = Game::from_source(&text, &source::files(Some(path)), BTreeMap::new());
    game.map_err(|problems| source::failure(&problems))
}

/// What to do with a saved match where a game is wanted.
fn replay_hint(path: &Path) -> String {
    let path = path.display();
    format!("{path} is a saved match, not a definition: senet replay {path}")
}

/// Reads and compiles a game file or a definition file. Its board is drawn with a letter for each
/// kind.
pub(crate) fn read_game(path: &Path) -> Result<Game, Failure> {
    let bytes = file::read(path, file::DEFINITION)?;
    if path.extension().is_some_and(|extension| extension == "senet") {
        return read_source(path, bytes);
    }
    let game = Game::from_json(&bytes).map_err(|error| match error {
        GameError::Io { error, .. } => error.into(),
        GameError::Json { line, column, message } => {
            let message = match Match::saved_game(&bytes) {
                Some(_) => replay_hint(path),
                None => {
                    let listed = message.replace('\n', "\n  ");
                    format!("{}: not a definition\n  {listed}", path.display())
                }
            };
            let details = json!({ "line": line, "column": column });
            Failure::new(Code::InvalidDefinition, message, details)
        }
        GameError::File(problems) => source::failure(&problems),
        GameError::Definition(errors) => {
            let count = errors.0.len();
            let failure = Failure::from(errors);
            let mistakes = if count == 1 { "mistake" } else { "mistakes" };
            let listed = failure.message.replace('\n', "\n  ");
            let message = format!("{}: {count} {mistakes}\n  {listed}", path.display());
            Failure { message, ..failure }
        }
    })?;
    Ok(game.with_notation(&Lettered))
}
