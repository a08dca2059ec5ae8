//! Where a match is kept while it is played: in the file that was asked for, or else in one that
//! is there only until the match is left, so that a crash loses nothing.

use std::fs;
use std::path::{Path, PathBuf};

use senet::{Game, Match, SaveForm, SaveMark};

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
    /// How far the match is in its file.
    saved: Option<Saved>,
}

/// How far a match is in a file.
struct Saved {
    path: PathBuf,
    /// How many bytes the file has.
    length: u64,
    /// Where a saved match is continued; none in files that are written whole.
    mark: Option<SaveMark>,
    /// How many events it has.
    events: usize,
}

/// A file that is written whole is written again once one in this many events is missing from it,
/// so that a long match is not written again for every move.
const LACKING: usize = 32;

impl Keeper {
    /// Keeps a match nowhere.
    pub(super) fn new(game: &Game, names: Vec<String>) -> Keeper {
        let game = game.clone();
        Keeper { game, names, path: None, unsaved: None, written: Vec::new(), saved: None }
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
            match form.saved() {
                // What reads from a pipe wants one match, and that is written when it is left.
                _ if file::is_special(&path) => {}
                Some(form) => self.save(&path, form, played)?,
                None if self.lacks_little(played) => {}
                None => self.write_whole(&path, form, played)?,
            }
        } else if let Some(path) = self.unsaved.clone() {
            // That a match could not be kept for a crash is nothing to disturb a player with.
            let folder = path.parent().map(fs::create_dir_all);
            let _ = folder.map(|_| self.save(&path, SaveForm::Compact, played));
        }
        Ok(())
    }

    /// Writes all of the match where it is kept, before it is left.
    pub(super) fn complete(&mut self, played: &Match) -> Result<(), Failure> {
        self.keep(played)?;
        if let Some((path, form)) = self.path.clone().filter(|_| !played.is_empty())
            && (form.saved().is_none() || file::is_special(&path))
        {
            self.write_whole(&path, form, played)?;
        }
        self.saved = None;
        Ok(())
    }

    /// Saves the match: what was saved before stays, and only what is new is written.
    fn save(&mut self, path: &Path, form: SaveForm, played: &Match) -> Result<(), Failure> {
        let events = played.len();
        if let Some(saved) = self.saved.as_mut().filter(|saved| saved.path == path)
            && let Some(mark) = &saved.mark
            && let Some((bytes, next)) = played.save_after(mark)
        {
            let offset = mark.offset() as u64;
            if file::extend(path, saved.length, offset, &bytes)? {
                (saved.length, saved.mark) = (offset + bytes.len() as u64, Some(next));
                saved.events = events;
                return Ok(());
            }
        }
        let (bytes, mark) = played.save_as(form);
        self.replace(path, &bytes, Some(mark), events)
    }

    fn write_whole(&mut self, path: &Path, form: Form, played: &Match) -> Result<(), Failure> {
        self.replace(path, &form.write(played, &self.names), None, played.len())
    }

    fn replace(
        &mut self,
        path: &Path,
        bytes: &[u8],
        mark: Option<SaveMark>,
        events: usize,
    ) -> Result<(), Failure> {
        file::write(path, bytes)?;
        let length = bytes.len() as u64;
        self.saved = Some(Saved { path: path.to_owned(), length, mark, events });
        if !self.written.iter().any(|written| written == path) {
            self.written.push(path.to_owned());
        }
        Ok(())
    }

    /// Whether the file lacks so little of a match that goes on that it need not be written yet.
    fn lacks_little(&self, played: &Match) -> bool {
        let goes_on = played.ply() == played.len() && played.position().has_legal();
        let lacking = self.saved.as_ref().and_then(|saved| played.len().checked_sub(saved.events));
        goes_on
            && lacking.is_some_and(|lacking| (1..played.len().div_ceil(LACKING)).contains(&lacking))
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
        let about = fs::metadata(path);
        if about.as_ref().is_ok_and(fs::Metadata::is_dir) {
            let message = format!("cannot write {}: is a directory", path.display());
            return Err(Failure::params(message));
        }
        let ordinary = about.is_ok_and(|about| about.is_file());
        if existing == Existing::Stays && ordinary && !mine {
            let path = path.display();
            let message = format!("{path} exists: use --force to replace it");
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
