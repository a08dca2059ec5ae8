//! A match in memory, and what its viewers are told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::catalog::{Shown, aside};
use crate::hall::away::Away;
use crate::hall::{Follower, Hall};
use crate::sight::Viewer;
use crate::table::Table;
use crate::view::{self, Extent, Scene};
use crate::wire::Frame;

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
    frame: Frame,
}

impl Update {
    const OPEN: &str = "{\"type\":\"state\",\"state\":";
    const CLOSE: &str = "}";

    /// What a viewer of a match is told, with what is the same for all who see the same.
    fn new(live: &Live, table: &Table, viewer: &Viewer, scene: &Scene) -> Update {
        let phrases = &live.shown.phrases;
        let size = view::usual_size(table, (viewer, scene), phrases);
        let frame = Frame::new(size, |text| {
            text.extend(Update::OPEN.as_bytes());
            view::write_state(text, table, (viewer, scene), phrases);
            text.extend(Update::CLOSE.as_bytes());
        });
        Update { number: table.number_for(viewer), frame }
    }

    /// The message of a WebSocket.
    pub(crate) fn frame(&self) -> Frame {
        self.frame.clone()
    }

    /// The state alone.
    pub fn state(&self) -> &str {
        let text = self.frame.text();
        &text[Update::OPEN.len()..text.len() - Update::CLOSE.len()]
    }
}

impl Hall {
    /// What a viewer gets when something has changed.
    pub async fn update(&self, live: &Live, viewer: &Viewer) -> Update {
        let table = live.table.lock().await;
        let mut updates = live.updates.lock().expect("no holder panics");
        self.update_of(live, &table, viewer, &mut updates)
    }

    /// What a viewer gets when something has changed: the same text for all who see the same.
    pub(super) fn update_of(
        &self,
        live: &Live,
        table: &Table,
        viewer: &Viewer,
        updates: &mut Updates,
    ) -> Update {
        let number = table.number_for(viewer);
        if let Some(update) = updates.texts.get(viewer).filter(|known| known.number == number) {
            return update.clone();
        }
        let known = updates.scene.take().filter(|(of, _)| *of == table.number);
        let known = known.filter(|_| !table.game().has_secrets()).map(|(_, scene)| scene);
        let (scene, update) = aside(&live.shown, || {
            let new = || Arc::new(Scene::new(table, viewer, Extent::Tail, self.now()));
            let scene = known.unwrap_or_else(new);
            let update = Update::new(live, table, viewer, &scene);
            (scene, update)
        });
        updates.scene = Some((table.number, scene));
        updates.texts.insert(viewer.clone(), update.clone());
        update
    }

    /// Everything that a viewer may see of a match.
    pub async fn state(&self, live: &Live, viewer: &Viewer) -> Update {
        let table = live.table.lock().await;
        self.whole(live, &table, viewer)
    }

    /// Everything that a viewer may see of a match.
    pub(super) fn whole(&self, live: &Live, table: &Table, viewer: &Viewer) -> Update {
        aside(&live.shown, || {
            let scene = Scene::new(table, viewer, Extent::Whole, self.now());
            Update::new(live, table, viewer, &scene)
        })
    }
}

/// A match in memory.
pub struct Live {
    /// The match.
    pub table: tokio::sync::Mutex<Table>,
    /// Its game.
    pub(super) shown: Arc<Shown>,
    pub(super) news: watch::Sender<u64>,
    pub(super) followers: Mutex<Vec<Arc<Follower>>>,
    pub(super) updates: Mutex<Updates>,
    pub(super) timer: Mutex<Option<AbortHandle>>,
    pub(super) away: Away,
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.get_mut().ok().and_then(Option::take) {
            timer.abort();
        }
    }
}

impl Live {
    pub(super) fn new(table: Table, shown: Arc<Shown>, away: bool) -> Arc<Live> {
        let (news, _) = watch::channel(table.number);
        let table = tokio::sync::Mutex::new(table);
        let (followers, updates) = (Mutex::default(), Mutex::default());
        let (timer, away) = (Mutex::default(), Away::new(away));
        Arc::new(Live { table, shown, news, followers, updates, timer, away })
    }

    /// Tells of every change from now on.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}
