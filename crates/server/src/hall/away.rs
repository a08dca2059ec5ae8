//! Matches that need no server are put away, so that only those are in memory that somebody looks at,
//! that an opponent of the server plays, or whose time is soon up.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::hall::{Hall, Live, status};
use crate::note;
use crate::problem::Problem;
use crate::store::{Status, Write};

/// How often matches are put away and called back.
const SWEEP: Duration = Duration::from_secs(60);

/// How long before its time is up a match is called back, in milliseconds.
const SOON: u64 = 3 * 60 * 1_000;

/// How long games are kept that nobody plays, in milliseconds.
const DRAFTS: u64 = 24 * 60 * 60 * 1_000;

/// Whether the database says of a match in memory that it is put away.
#[derive(Default)]
pub(super) struct Away(AtomicU8);

impl Away {
    const NO: u8 = 0;
    const PERHAPS: u8 = 1;
    const YES: u8 = 2;

    /// What was read with the match.
    pub(super) fn new(away: bool) -> Away {
        Away(AtomicU8::new(if away { Away::YES } else { Away::NO }))
    }

    /// Whether the database has to be told that the match returns.
    pub(super) fn may_be(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Away::NO
    }

    /// The database has been told that the match returns.
    pub(super) fn returned(&self) {
        self.0.store(Away::NO, Ordering::Relaxed);
    }

    /// Another server may have told the database something else.
    pub(super) fn forget(&self) {
        self.0.store(Away::PERHAPS, Ordering::Relaxed);
    }
}

impl Hall {
    /// Says every second that the server runs, and puts matches away.
    pub(super) async fn keep(hall: Weak<Hall>) {
        let mut swept = Instant::now();
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let Some(hall) = hall.upgrade() else { return };
            if hall.has_clocks() {
                let _ = hall.store.write(Write::Pulse(hall.now())).await;
            }
            if swept.elapsed() >= SWEEP {
                swept = Instant::now();
                hall.sweep().await;
            }
        }
    }

    /// Whether the clock of any match runs, as far as is known without waiting.
    fn has_clocks(&self) -> bool {
        let runs =
            |live: &Arc<Live>| live.table.try_lock().is_ok_and(|table| table.clock.due().is_some());
        self.clocks_away.load(Ordering::Relaxed)
            || self.live.lock().expect("no holder panics").values().any(runs)
    }

    /// Calls back the matches whose time is soon up, and puts those away that nobody needs.
    pub(super) async fn sweep(self: &Arc<Hall>) {
        if let Err(problem) = self.try_to_sweep().await {
            note::error("sweep", &problem.detail);
        }
    }

    async fn try_to_sweep(self: &Arc<Hall>) -> Result<(), Problem> {
        for id in self.store.due(self.now() + SOON).await? {
            if let Err(problem) = self.live(&id).await {
                note::error("clock", &format!("{id}: {}", problem.detail));
            }
        }
        let lives: Vec<(String, Arc<Live>)> = {
            let all = self.live.lock().expect("no holder panics");
            let quiet = all.iter().filter(|(_, live)| is_quiet(live, 1));
            quiet.map(|(id, live)| (id.clone(), live.clone())).collect()
        };
        for (id, live) in lives {
            self.put_away(&id, live).await?;
        }
        self.clocks_away.store(self.store.has_clocks().await?, Ordering::Relaxed);
        self.store.write(Write::Forget(self.now().saturating_sub(DRAFTS))).await?;
        Ok(())
    }

    /// Takes a match out of memory, unless it is needed.
    pub(super) async fn put_away(&self, id: &str, live: Arc<Live>) -> Result<(), Problem> {
        let write = {
            let Ok(table) = live.table.try_lock() else { return Ok(()) };
            let due = table.clock.due();
            if due.is_some_and(|due| due < self.now() + SOON) || table.bot_to_play().is_some() {
                return Ok(());
            }
            let known = live.away.0.load(Ordering::Relaxed) == Away::YES;
            // Set before the table is free, so that the next command says that the match returns.
            live.away.forget();
            let number = table.number;
            let writes = !known && status(&table) == Status::Playing;
            let id = id.to_owned();
            if due.is_some() {
                self.clocks_away.store(true, Ordering::Relaxed);
            }
            writes.then_some(Write::Away { id, number, due })
        };
        if let Some(write) = write {
            self.store.write(write).await?;
        }
        let (perhaps, yes) = (Away::PERHAPS, Away::YES);
        let _ = live.away.0.compare_exchange(perhaps, yes, Ordering::Relaxed, Ordering::Relaxed);
        let mut all = self.live.lock().expect("no holder panics");
        if is_quiet(&live, 2) {
            all.remove(id);
        }
        Ok(())
    }
}

/// Whether nobody but so many holders knows of a match in memory.
fn is_quiet(live: &Arc<Live>, holders: usize) -> bool {
    Arc::strong_count(live) == holders && live.news.receiver_count() == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::definition;
    use crate::clock::Control;
    use crate::hall::Status;
    use crate::record::{Entry, Header, Plan};
    use crate::store::{Database, Store};
    use crate::table::Command;

    struct File(std::path::PathBuf);

    impl File {
        fn new(name: &str) -> File {
            let name = format!("senet-{name}-{}.db", std::process::id());
            File(std::env::temp_dir().join(name))
        }

        async fn open(&self) -> Arc<Hall> {
            let store = Store::open(&Database::File(self.0.clone())).await.unwrap();
            Hall::open(store, Vec::new()).await.unwrap()
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
            }
        }
    }

    /// Arranges a match of two people with so much time for each turn, and plays in it.
    async fn arrange(hall: &Arc<Hall>, id: &str, time: u64) {
        let game = hall.catalog.shipped("tic-tac-toe").unwrap();
        let header = Header {
            id: id.to_owned(),
            game: "tic-tac-toe".to_owned(),
            definition: definition(&game.game),
            created: hall.now(),
            seats: vec![Plan::Anyone; 2],
            control: Control::Turn { time },
            seed: crate::secret::seed(),
            position: None,
            public: true,
        };
        let sit = |seat| Entry::Sit {
            seat,
            name: "Al".to_owned(),
            token: Some(format!("token {seat}")),
            salt: String::new(),
        };
        hall.create(game, header, vec![sit(0), sit(1)]).await.unwrap();
        play(hall, id, 0, "b2").await;
    }

    async fn play(hall: &Arc<Hall>, id: &str, ply: usize, event: &str) {
        let proposal = crate::proposal::Proposal::Text(event.to_owned());
        let play = Command::Play { seat: ply % 2, ply, id: None, proposal };
        hall.act(id, play).await.unwrap();
    }

    async fn left(hall: &Arc<Hall>, id: &str, seat: usize) -> u64 {
        let live = hall.live(id).await.unwrap();
        let table = live.table.lock().await;
        table.clock.left(seat, hall.now())
    }

    #[tokio::test]
    async fn only_matches_whose_time_is_soon_up_stay_in_memory() {
        let file = File::new("away");
        let hall = file.open().await;
        arrange(&hall, "soon", 60_000).await;
        arrange(&hall, "later", 300_000).await;
        assert_eq!(hall.live_count(), 2);
        hall.sweep().await;
        assert_eq!(hall.live_count(), 1);
        assert!(hall.has_clocks(), "the pulse goes on");
        // Whoever starts again has the same in memory, and no more.
        let again = file.open().await;
        assert_eq!(again.live_count(), 1);
        // A match that was put away goes on, and is in memory for as long as it has to be.
        play(&again, "later", 1, "a1").await;
        assert_eq!(again.store.due(u64::MAX).await.unwrap(), Vec::<String>::new());
        again.sweep().await;
        assert_eq!(again.store.due(u64::MAX).await.unwrap(), ["later"]);
    }

    #[tokio::test]
    async fn the_time_of_a_match_that_is_away_is_up_when_it_is_due() {
        let file = File::new("due");
        let hall = file.open().await;
        arrange(&hall, "later", 300_000).await;
        hall.sweep().await;
        assert_eq!(hall.live_count(), 0);
        // A server ran until the time was up.
        hall.store.write(Write::Pulse(hall.now() + 400_000)).await.unwrap();
        let hall = file.open().await;
        for _ in 0..100 {
            if hall.store.list(Status::Over, false, 9).await.unwrap() == ["later"] {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the flag does not fall");
    }

    #[tokio::test]
    async fn the_clock_of_a_match_that_is_away_stands_still_while_no_server_runs() {
        let file = File::new("still");
        let hall = file.open().await;
        arrange(&hall, "later", 300_000).await;
        hall.sweep().await;
        for _ in 0..2 {
            // The server was last known to run when the turn had just begun.
            hall.store.write(Write::Pulse(hall.now() - 50)).await.unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            let again = file.open().await;
            assert_eq!(again.live_count(), 0);
        }
        let again = file.open().await;
        let left = left(&again, "later", 1).await;
        assert!((299_000..=300_000).contains(&left), "{left}");
    }
}
