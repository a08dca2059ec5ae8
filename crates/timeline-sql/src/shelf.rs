//! The games that questions may be about.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use datafusion::error::{DataFusionError, Result};
use senet_core::{Definition, Options, Plain, State};
use senet_registry::GAMES;
use senet_timeline::{Subject, binary};

/// Games by name: those of the registry, compiled when first asked for, and others.
#[derive(Default)]
pub struct Shelf {
    subjects: Mutex<BTreeMap<String, Subject>>,
}

/// Bytes that are no state of any game at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownState;

impl fmt::Display for UnknownState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are not a state of any loaded game")
    }
}

impl std::error::Error for UnknownState {}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl Shelf {
    /// Puts a game onto the shelf; it goes before a registered one of its name.
    pub fn add(&self, subject: Subject) {
        let name = subject.game.name().to_owned();
        self.subjects.lock().unwrap_or_else(PoisonError::into_inner).insert(name, subject);
    }

    /// The game of a name.
    pub fn find(&self, name: &str) -> Result<Subject> {
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subject) = subjects.get(name) {
            return Ok(subject.clone());
        }
        let entry = senet_registry::find(name).map_err(|error| plan(error.to_string()))?;
        let subject = Subject { game: entry.game(), notation: entry.notation };
        subjects.insert(name.to_owned(), subject.clone());
        Ok(subject)
    }

    /// The game of a name and a definition hash, which a definition is at hand for if it is not
    /// registered.
    pub fn find_or_compile(&self, name: &str, hash: u128, definition: &str) -> Result<Subject> {
        if let Ok(subject) = self.find(name)
            && subject.game.definition_hash() == hash
        {
            return Ok(subject);
        }
        let definition: Definition = serde_json::from_str(definition)
            .map_err(|error| plan(format!("{name}: not a definition: {error}")))?;
        let game = definition
            .compile(Options::default())
            .map_err(|errors| plan(format!("{name}: {errors}")))?;
        let subject = Subject { game: game.into(), notation: &Plain };
        self.add(subject.clone());
        Ok(subject)
    }

    /// The game and the state that bytes are.
    pub fn read(&self, bytes: &[u8]) -> Result<(Subject, State), UnknownState> {
        let tag = bytes.get(..8).ok_or(UnknownState)?;
        let subject = self.tagged(tag).ok_or(UnknownState)?;
        let state = binary::read(&subject.game, bytes).ok_or(UnknownState)?;
        Ok((subject, state))
    }

    fn tagged(&self, tag: &[u8]) -> Option<Subject> {
        let has = |subject: &&Subject| binary::tag(&subject.game) == tag;
        let known = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subject) = known.values().find(has) {
            return Some(subject.clone());
        }
        drop(known);
        let mut names = GAMES.iter().map(|entry| entry.name);
        names.find_map(|name| self.find(name).ok().filter(|subject| has(&subject)))
    }
}

/// That a question makes no sense.
pub(crate) fn plan(message: impl Into<String>) -> DataFusionError {
    DataFusionError::Plan(message.into())
}
