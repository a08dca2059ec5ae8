//! A match in memory, and what its viewers are told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::catalog::Shown;
use crate::sight::Viewer;
use crate::table::Table;
use crate::view::{self, Scene};

/// How many bytes a message usually has beside its scene.
const BESIDE: usize = 256;

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

    /// What a viewer of a match is told, with what is the same for all who see the same.
    pub(super) fn new(live: &Live, table: &Table, viewer: &Viewer, scene: &Scene) -> Update {
        let mut text = Vec::with_capacity(scene.size() + BESIDE);
        text.extend(Update::OPEN.as_bytes());
        view::write_state(&mut text, table, (viewer, scene), &live.shown.phrases);
        text.extend(Update::CLOSE.as_bytes());
        let message = String::from_utf8(text).expect("JSON is UTF-8");
        Update { number: table.number_for(viewer), message: Utf8Bytes::from(message) }
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
    /// Its game.
    shown: Arc<Shown>,
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
    pub(super) fn new(table: Table, shown: Arc<Shown>) -> Arc<Live> {
        let (news, _) = watch::channel(table.number);
        let table = tokio::sync::Mutex::new(table);
        let (updates, timer) = (Mutex::default(), Mutex::default());
        Arc::new(Live { table, shown, news, updates, timer })
    }

    /// Tells of every change from now on.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}
