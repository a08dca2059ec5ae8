//! A match in memory, and what its viewers are told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::sight::Viewer;
use crate::table::Table;
use crate::view::Scene;

/// What viewers of a match are told.
#[derive(Default)]
pub(super) struct Updates {
    /// What everybody sees of a match without secrets, and the number of its last record.
    pub(super) scene: Option<(u64, Arc<Scene>)>,
    pub(super) texts: BTreeMap<Viewer, Update>,
}

/// What a viewer is told.
#[derive(Clone)]
pub struct Update {
    /// How many records the viewer knows of.
    pub number: u64,
    /// The message of a WebSocket.
    message: Utf8Bytes,
}

impl Update {
    const OPEN: &str = "{\"type\":\"state\",\"state\":";
    const CLOSE: &str = "}";

    pub(super) fn new(number: u64, state: &str) -> Update {
        let message = [Update::OPEN, state, Update::CLOSE].concat();
        Update { number, message: Utf8Bytes::from(message) }
    }

    /// The message of a WebSocket.
    pub fn message(&self) -> Utf8Bytes {
        self.message.clone()
    }

    /// The state alone.
    pub fn state(&self) -> &str {
        let text = self.message.as_str();
        &text[Update::OPEN.len()..text.len() - Update::CLOSE.len()]
    }
}

/// A match in memory.
pub struct Live {
    /// The match.
    pub table: tokio::sync::Mutex<Table>,
    pub(super) news: watch::Sender<u64>,
    pub(super) updates: Mutex<Updates>,
    pub(super) timer: Mutex<Option<AbortHandle>>,
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.get_mut().ok().and_then(Option::take) {
            timer.abort();
        }
    }
}

impl Live {
    pub(super) fn new(table: Table) -> Arc<Live> {
        let (news, _) = watch::channel(table.number);
        let table = tokio::sync::Mutex::new(table);
        let (updates, timer) = (Mutex::default(), Mutex::default());
        Arc::new(Live { table, news, updates, timer })
    }

    /// Tells of every change from now on.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}
