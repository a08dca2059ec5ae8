//! Connections that follow a match: who changes it tells them, in the order of the changes, without
//! waking their tasks. Who reads slowly misses updates in between; every update says everything that
//! matters.

use std::mem;
use std::sync::{Arc, Mutex};

use crate::hall::{Hall, Live};
use crate::sight::Viewer;
use crate::table::Table;
use crate::wire::{Frame, Wire};

/// How many are told by the one who changes a match. The others tell themselves, so that nobody
/// waits long for a match that many look at.
const TOLD_AT_ONCE: usize = 64;

/// A WebSocket that follows a match.
pub(crate) struct Follower {
    /// The hash of its token.
    holder: Option<String>,
    pub(crate) wire: Arc<Wire>,
    told: Mutex<Told>,
}

/// What a follower knows.
#[derive(Default)]
struct Told {
    /// As whom it was told last, and up to which number.
    last: Option<(Viewer, u64)>,
    pace: Pace,
}

/// What is done with news for a follower.
#[derive(Default)]
enum Pace {
    /// They are sent.
    #[default]
    Open,
    /// They wait for an answer, which goes first and together with them.
    Answering(Option<Frame>),
    /// There are some, and the follower gets them when it has read what came before.
    Behind,
}

impl Follower {
    pub(crate) fn new(holder: Option<String>, wire: Arc<Wire>) -> Arc<Follower> {
        Arc::new(Follower { holder, wire, told: Mutex::default() })
    }

    /// The hash of its token.
    pub(crate) fn holder(&self) -> Option<&str> {
        self.holder.as_deref()
    }

    /// Whether there are news that it was not told.
    pub(crate) fn is_behind(&self) -> bool {
        matches!(self.told.lock().expect("no holder panics").pace, Pace::Behind)
    }

    /// From now on news wait for an answer.
    pub(crate) fn hold(&self) {
        let mut told = self.told.lock().expect("no holder panics");
        if matches!(told.pace, Pace::Open) {
            told.pace = Pace::Answering(None);
        }
    }

    /// Sends an answer, together with the news that waited for it.
    pub(crate) fn answer(&self, text: String) {
        let mut told = self.told.lock().expect("no holder panics");
        let answer = Frame::from(text);
        match mem::take(&mut told.pace) {
            Pace::Answering(Some(news)) => self.wire.send(&[answer, news]),
            Pace::Answering(None) | Pace::Open => self.wire.send(&[answer]),
            Pace::Behind => {
                told.pace = Pace::Behind;
                self.wire.send(&[answer]);
            }
        }
    }

    /// Tells what has changed, if it is news: of what the viewer does not see, nothing is sent.
    fn tell(&self, table: &Table, at_once: bool, frame: impl FnOnce(&Viewer) -> Frame) {
        let viewer = table.viewer(self.holder());
        let number = table.number_for(&viewer);
        let mut told = self.told.lock().expect("no holder panics");
        if told.last.as_ref().is_some_and(|last| *last == (viewer.clone(), number)) {
            return;
        }
        match &mut told.pace {
            Pace::Behind => {}
            Pace::Open if !at_once || self.wire.is_stuck() => {
                told.pace = Pace::Behind;
                self.wire.call();
            }
            Pace::Open => {
                self.wire.send(&[frame(&viewer)]);
                told.last = Some((viewer, number));
            }
            Pace::Answering(waiting) => {
                *waiting = Some(frame(&viewer));
                told.last = Some((viewer, number));
            }
        }
    }
}

impl Hall {
    /// Tells everybody who follows a match that it has changed.
    pub(super) fn tell(&self, live: &Live, table: &Table) {
        live.news.send_replace(table.number);
        let followers = live.followers.lock().expect("no holder panics");
        // Players first.
        let [players, others] = [true, false]
            .map(|plays| followers.iter().filter(move |one| one.holder.is_some() == plays));
        let mut updates = live.updates.lock().expect("no holder panics");
        for (at, follower) in players.chain(others).enumerate() {
            follower.tell(table, at < TOLD_AT_ONCE, |viewer| {
                self.update_of(live, table, viewer, &mut updates).frame()
            });
        }
        // Nobody else asks for them.
        if live.news.receiver_count() == 0 && followers.len() <= TOLD_AT_ONCE {
            updates.texts.clear();
        }
    }

    /// Tells a follower everything.
    pub(crate) async fn tell_whole(&self, live: &Live, follower: &Follower) {
        let table = live.table.lock().await;
        self.tell_all(live, &table, follower);
    }

    /// Tells a new follower everything, and from then on what changes.
    pub(crate) async fn follow(&self, live: &Live, follower: &Arc<Follower>) {
        let table = live.table.lock().await;
        self.tell_all(live, &table, follower);
        live.followers.lock().expect("no holder panics").push(follower.clone());
    }

    fn tell_all(&self, live: &Live, table: &Table, follower: &Follower) {
        let viewer = table.viewer(follower.holder());
        let update = self.whole(live, table, &viewer);
        let mut told = follower.told.lock().expect("no holder panics");
        *told = Told { last: Some((viewer, update.number)), pace: Pace::Open };
        follower.wire.send(&[update.frame()]);
    }

    /// Tells a follower what it has missed.
    pub(crate) async fn catch_up_with(&self, live: &Live, follower: &Follower) {
        let table = live.table.lock().await;
        let mut updates = live.updates.lock().expect("no holder panics");
        follower.told.lock().expect("no holder panics").pace = Pace::Open;
        follower.tell(&table, true, |viewer| {
            self.update_of(live, &table, viewer, &mut updates).frame()
        });
    }
}

impl Live {
    /// A connection is closed.
    pub(crate) fn leave(&self, follower: &Arc<Follower>) {
        let mut followers = self.followers.lock().expect("no holder panics");
        if let Some(at) = followers.iter().position(|one| Arc::ptr_eq(one, follower)) {
            followers.swap_remove(at);
        }
    }
}
