//! Where a match is kept while it is played: in the file that was asked for, or else in one that
//! is there only until the match is left, so that a crash loses nothing.

use std::fs;
use std::path::{Path, PathBuf};

use senet::{Game, Match};

use crate::export::Form;
use crate::failure::Failure;
use crate::file;

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Stays,
    Replaced,
}

/// Keeps one match.
pub(super) struct Keeper {
    game: Game,
    /// Who plays, in the order of play.
    names: Vec<String>,
    /// The file that was asked for.
    path: Option<(PathBuf, Form)>,
    /// The file that is there until the match is left.
    unsaved: Option<PathBuf>,
    /// The files that this match was written to before.
    written: Vec<PathBuf>,
}

impl Keeper {
    /// Keeps a match nowhere.
    pub(super) fn new(game: &Game, names: Vec<String>) -> Keeper {
        let game = game.clone();
        Keeper { game, names, path: None, unsaved: None, written: Vec::new() }
    }

    /// Keeps the match in a file from now on.
    pub(super) fn keep_in(&mut self, path: &Path, existing: Existing) -> Result<(), Failure> {
        let form = Form::of(path, &self.game)?;
        self.check(path, existing)?;
        self.path = Some((path.to_owned(), form));
        Ok(())
    }

    /// Keeps the match, where no other file was asked for, until it is left.
    pub(super) fn keep_unsaved(&mut self) {
        let process = std::process::id();
        let name = format!("{}-{process}.senet", self.game.name());
        self.unsaved = folder().filter(|_| self.path.is_none()).map(|folder| folder.join(name));
    }

    /// Writes the match where it is kept.
    pub(super) fn keep(&mut self, played: &Match) -> Result<(), Failure> {
        if played.is_empty() {
            return Ok(());
        }
        if let Some((path, form)) = self.path.clone() {
            file::write(&path, &form.write(played, &self.names))?;
            self.written.push(path);
            self.written.dedup();
        } else if let Some(path) = &self.unsaved {
            // That a match could not be kept for a crash is nothing to disturb a player with.
            let folder = path.parent().map(fs::create_dir_all);
            let _ = folder.map(|_| file::write(path, &played.save()));
        }
        Ok(())
    }

    /// Writes the match to another file.
    pub(super) fn save_as(
        &mut self,
        path: &Path,
        played: &Match,
        existing: Existing,
    ) -> Result<(), Failure> {
        let form = Form::of(path, &self.game)?;
        self.check(path, existing)?;
        file::write(path, &form.write(played, &self.names))?;
        self.written.push(path.to_owned());
        Ok(())
    }

    /// The file that the match is in, once it is there.
    pub(super) fn file(&self) -> Option<&Path> {
        self.path.as_ref().map(|(path, _)| path.as_path()).filter(|path| path.exists())
    }

    /// Lets go of the match: it was left, and not lost.
    pub(super) fn close(&mut self) {
        if let Some(path) = self.unsaved.take() {
            let _ = fs::remove_file(path);
        }
    }

    /// The files of this game that a crash left, the newest first.
    pub(super) fn lost(&self) -> Vec<PathBuf> {
        let prefix = format!("{}-", self.game.name());
        let entries = folder().and_then(|folder| fs::read_dir(folder).ok());
        let mut found: Vec<_> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                let process = name.to_str().and_then(|name| {
                    name.strip_prefix(&prefix)?.strip_suffix(".senet")?.parse::<u32>().ok()
                });
                process.is_some_and(|process| !file::is_alive(process))
            })
            .map(|entry| (entry.metadata().and_then(|about| about.modified()).ok(), entry.path()))
            .collect();
        found.sort();
        found.into_iter().rev().map(|(_, path)| path).collect()
    }

    fn check(&self, path: &Path, existing: Existing) -> Result<(), Failure> {
        let mine = self.written.iter().any(|written| written == path);
        let ordinary = fs::metadata(path).is_ok_and(|about| about.is_file());
        if existing == Existing::Stays && ordinary && !mine {
            let path = path.display();
            let message = format!("{path} is there already: use --force to replace it");
            return Err(Failure::params(message));
        }
        Ok(())
    }
}

/// The folder of matches that are being played.
fn folder() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    Some(state.or_else(home)?.join("senet/unfinished"))
}
