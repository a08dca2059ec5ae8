//! All matches of a server: those somebody looks at are in memory, the others on disk.

mod attend;
mod away;
mod follower;
mod live;
mod opponent;
mod share;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use senet::Game;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::catalog::{self, Catalog, Shown, aside};
use crate::clock;
use crate::engine::Engine;
use crate::opening::Line;
use crate::problem::Problem;
use crate::record::{Entry, Header, Record};
use crate::sight::Viewer;
use crate::store::{Definition, Finished, Loaded, Status, Store, Write, Written};
use crate::table::{Command, Course, Decision, Seat, Table};
use crate::view;

pub(crate) use follower::Follower;
pub use live::{Live, Update};
pub use opponent::check;
use share::Duty;

/// How recently a server must have run to be taken for alive, in milliseconds.
const ALIVE: u64 = 3_000;

/// How often a command is tried while other servers are quicker.
const TRIES: u32 = 5;

/// Counts for operators.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Requests answered.
    pub requests: AtomicU64,
    /// Moves accepted.
    pub moves: AtomicU64,
    /// Commands refused.
    pub refused: AtomicU64,
    /// Matches arranged.
    pub matches: AtomicU64,
    /// Connections that follow a match now.
    pub following: AtomicU64,
    /// Requests turned away because they were too many.
    pub limited: AtomicU64,
}

/// All matches of a server.
pub struct Hall {
    /// The games.
    pub catalog: Catalog,
    /// The database.
    pub store: Store,
    /// Engines of others that may be opponents.
    pub engines: Vec<Engine>,
    /// Counts.
    pub metrics: Metrics,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// Who may think about a move for an opponent.
    thinkers: Semaphore,
    /// Who of them plays where no people do.
    shows: Semaphore,
    /// Who may think about a hint.
    pub(crate) hints: Semaphore,
    /// Whether the clock of any match runs that is put away.
    clocks_away: AtomicBool,
    begun: (u64, Instant),
    /// When the server before this one was last known to run.
    stopped: Option<u64>,
}

impl Hall {
    /// The hall of a database. Matches that go on by themselves go on.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn open(store: Store, engines: Vec<Engine>) -> Result<Arc<Hall>, Problem> {
        let pulse = store.pulse().await?;
        let since = clock::begin(store.time().await?, pulse);
        // Where another server runs, no clock has stood still.
        let alive = |at: u64| store.is_shared() && since.saturating_sub(at) < ALIVE;
        let stopped = pulse.filter(|at| !alive(*at));
        let notices = store.notices().await?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let hall = Arc::new(Hall {
            catalog: Catalog::default(),
            store,
            engines,
            metrics: Metrics::default(),
            live: Mutex::default(),
            thinkers: Semaphore::new(threads),
            shows: Semaphore::new(1),
            hints: Semaphore::new(threads),
            clocks_away: AtomicBool::new(false),
            begun: (since, Instant::now()),
            stopped,
        });
        for id in hall.store.attended().await? {
            if let Err(problem) = hall.live(&id).await {
                crate::note::error("resume", &format!("{id}: {}", problem.detail));
            }
        }
        // Last, for it says that this server runs: until then the next one would begin anew.
        if let Some(stopped) = stopped {
            hall.store.write(Write::Resume { stopped, now: since }).await?;
        }
        hall.sweep().await;
        tokio::spawn(Hall::keep(Arc::downgrade(&hall)));
        tokio::spawn(hall.clone().hear(notices));
        Ok(hall)
    }

    /// The time in milliseconds since 1970. It never jumps while the server runs.
    pub fn now(&self) -> u64 {
        self.begun.0 + self.begun.1.elapsed().as_millis() as u64
    }

    /// How many matches are in memory.
    pub fn live_count(&self) -> usize {
        self.live.lock().expect("no holder panics").len()
    }

    /// A game by its name or by the hash of its definition.
    ///
    /// # Errors
    /// Where there is no such game.
    pub async fn game(&self, name: &str) -> Result<Arc<Shown>, Problem> {
        let is_hash = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash {
            return self.catalog.shipped(name);
        }
        if let Some(shown) = self.catalog.kept(name) {
            return Ok(shown);
        }
        for shown in senet::games().filter_map(|name| self.catalog.shipped(name).ok()) {
            if catalog::definition(&shown.game) == name {
                return Ok(shown);
            }
        }
        let source: Arc<str> = self.store.source(name).await?.into();
        let game = self.catalog.compile(source.clone()).await?;
        self.catalog.keep(game, source)
    }

    /// Keeps an uploaded game for a while.
    ///
    /// # Errors
    /// Where there is no memory for it, or the database cannot be written.
    pub async fn draft(&self, game: Game, source: Arc<str>) -> Result<Arc<Shown>, Problem> {
        let (hash, name) = (catalog::definition(&game), game.name().to_owned());
        let definition = Definition { hash, name, source: source.clone() };
        let shown = self.catalog.keep(game, source)?;
        self.store.write(Write::Draft(definition, self.now())).await?;
        Ok(shown)
    }

    /// Arranges a match, to the end, also where nobody waits for the answer any more.
    ///
    /// # Errors
    /// Where the game has no such position, or the database cannot be written.
    pub async fn create(
        self: &Arc<Hall>,
        game: Arc<Shown>,
        header: Header,
        sitting: Vec<Entry>,
    ) -> Result<(), Problem> {
        let hall = self.clone();
        let done = tokio::spawn(async move { hall.arrange(&game, header, sitting).await });
        done.await.unwrap_or_else(|_| Err(Problem::broken()))
    }

    async fn arrange(
        self: &Arc<Hall>,
        game: &Arc<Shown>,
        header: Header,
        sitting: Vec<Entry>,
    ) -> Result<(), Problem> {
        let table = Table::new(&game.game, header.clone())?;
        let mut course = Course::new(table, self.now());
        for entry in sitting {
            course.note(entry)?;
        }
        course.open()?;
        let Course { table, records, .. } = course;
        if let Some(source) = game.source.clone() {
            let (hash, name) = (header.definition.clone(), header.game.clone());
            self.store.write(Write::Definition(Definition { hash, name, source })).await?;
        }
        let write = Write::Create(Box::new(header.clone()), status(&table), records);
        if self.store.write(write).await? == Written::Conflict {
            return Err(Problem::conflict("known", "there is a match of this name"));
        }
        self.metrics.matches.fetch_add(1, Ordering::Relaxed);
        let live = Live::new(table, game.clone(), false);
        self.live.lock().expect("no holder panics").insert(header.id, live.clone());
        self.attend(&live, Duty::Mine).await;
        Ok(())
    }

    /// A match, from memory or from disk.
    ///
    /// # Errors
    /// Where there is no such match, or the database cannot be read.
    pub async fn live(self: &Arc<Hall>, id: &str) -> Result<Arc<Live>, Problem> {
        let known = self.live.lock().expect("no holder panics").get(id).cloned();
        if let Some(live) = known {
            return Ok(live);
        }
        let (hall, id) = (self.clone(), id.to_owned());
        // To the end, also where nobody waits any more: a match in memory has its timer.
        let read = tokio::spawn(async move { hall.call_back(&id).await });
        read.await.unwrap_or_else(|_| Err(Problem::broken()))
    }

    /// Reads a match from the disk.
    async fn call_back(self: &Arc<Hall>, id: &str) -> Result<Arc<Live>, Problem> {
        let Loaded { header, records, away } = self.store.load(id).await?;
        let game = match self.catalog.shipped(&header.game) {
            Ok(shown) if catalog::definition(&shown.game) == header.definition => shown,
            _ => self.game(&header.definition).await?,
        };
        let mut table = aside(&game, || {
            let mut table = Table::new(&game.game, header)?;
            records.iter().try_for_each(|record| table.fold(record))?;
            Ok::<Table, Problem>(table)
        })?;
        // A clock that stood still has run again since this server began.
        if records.last().is_some_and(|last| last.at < self.begun.0) {
            self.resume(&mut table).await?;
        }
        let live = self.keep_live(id, Live::new(table, game, away));
        if self.store.is_shared() {
            // What another server wrote in the meantime was not told.
            self.refresh(&live).await;
        }
        self.attend(&live, self.duty()).await;
        Ok(live)
    }

    /// Who sees to a match that was read from the disk.
    fn duty(&self) -> Duty {
        if self.store.is_shared() && self.stopped.is_none() { Duty::Another } else { Duty::Mine }
    }

    /// Keeps a match in memory; somebody else may have been quicker.
    fn keep_live(&self, id: &str, live: Arc<Live>) -> Arc<Live> {
        let mut all = self.live.lock().expect("no holder panics");
        all.entry(id.to_owned()).or_insert(live).clone()
    }

    /// The clock of a match stood still while no server ran.
    async fn resume(&self, table: &mut Table) -> Result<(), Problem> {
        let (Some(_), Some(stopped)) = (table.clock.due(), self.stopped) else { return Ok(()) };
        let entry = Entry::Resume { stopped: stopped.min(self.begun.0) };
        let record = Record { number: table.number, at: self.begun.0, entry };
        let (id, records) = (table.header.id.clone(), vec![record.clone()]);
        let write = Write::Append { id, records, status: None, returns: true, finished: None };
        match self.store.write(write).await? {
            Written::Durable => table.fold(&record),
            Written::Conflict => self.catch_up(table).await.map(|_| ()),
        }
    }

    /// Carries out a command, and gives what happened; nothing where it was done before. When it
    /// returns, what happened is on the disk. A command that was begun is carried out to its end, also
    /// where nobody waits for the answer any more.
    ///
    /// # Errors
    /// Where the command is refused, or the database cannot be written.
    pub async fn act(self: &Arc<Hall>, id: &str, command: Command) -> Result<Vec<Record>, Problem> {
        let live = self.live(id).await?;
        let hall = self.clone();
        let done = tokio::spawn(async move { hall.carry_out(&live, &command).await });
        let done = done.await.unwrap_or_else(|_| Err(Problem::broken()));
        if done.is_err() {
            self.metrics.refused.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    async fn carry_out(
        self: &Arc<Hall>,
        live: &Arc<Live>,
        command: &Command,
    ) -> Result<Vec<Record>, Problem> {
        let mut table = live.table.lock().await;
        for _ in 0..TRIES {
            let decision = aside(&live.shown, || table.decide(command, self.now()))?;
            let Decision::Happens(course) = decision else {
                return Ok(Vec::new());
            };
            let Course { table: after, records, .. } = *course;
            if let Some(next) = after.next.clone().filter(|_| table.next.is_none()) {
                self.rematch(&after, next).await?;
            }
            let changed = Some(status(&after)).filter(|after| *after != status(&table));
            let write = Write::Append {
                id: after.header.id.clone(),
                records: records.clone(),
                status: changed,
                returns: live.away.may_be(),
                finished: (changed == Some(Status::Over) && after.header.public)
                    .then(|| Box::new(finished(&after, records.last()))),
            };
            if self.store.write(write).await? == Written::Conflict {
                // Another server was quicker: the command may still be right after that.
                self.catch_up(&mut table).await?;
                live.away.forget();
                self.tell(live, &table);
                continue;
            }
            live.away.returned();
            *table = after;
            if changed == Some(Status::Over)
                && let Some(line) = Line::of(&table)
            {
                // The log is what counts: a match that is missing in the table is no reason to fail.
                let _ = self.store.write(Write::Opening(line)).await;
            }
            if matches!(command, Command::Play { .. }) {
                self.metrics.moves.fetch_add(1, Ordering::Relaxed);
            }
            self.tell(live, &table);
            drop(table);
            self.attend(live, Duty::Mine).await;
            return Ok(records);
        }
        Err(Problem::conflict("stale", "the match has changed in the meantime"))
    }

    /// Arranges the match that follows: the same people, each on the next side.
    async fn rematch(self: &Arc<Hall>, table: &Table, id: String) -> Result<(), Problem> {
        let count = table.seats.len();
        let from = |seat: usize| (seat + 1) % count;
        let header = Header {
            id,
            created: self.now(),
            seed: crate::secret::seed(),
            seats: (0..count).map(|seat| table.header.seats[from(seat)].clone()).collect(),
            public: false,
            ..Header::clone(&table.header)
        };
        let sitting = (0..count).filter_map(|seat| {
            let Seat { name, token, salt } = Seat::clone(table.seats[from(seat)].as_ref()?);
            token.as_ref()?;
            Some(Entry::Sit { seat, name, token, salt })
        });
        let sitting = sitting.collect();
        let shown = self.game(&header.definition).await?;
        Box::pin(self.arrange(&shown, header, sitting)).await
    }

    /// The newest matches that wait for players, and those that go on.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn lobby(self: &Arc<Hall>) -> Result<Value, Problem> {
        let engines: Vec<String> = self.engines.iter().map(Engine::bot).collect();
        let mut listed = json!({ "engines": engines });
        for (name, status) in [("waiting", Status::Waiting), ("playing", Status::Playing)] {
            let mut matches = Vec::new();
            for id in self.store.list(status, true, 20).await? {
                // A match that cannot be read, or not now, hides no other.
                let Ok(live) = self.live(&id).await else { continue };
                let table = live.table.lock().await;
                matches.push(json!({
                    "match": id,
                    "game": table.header.game,
                    "control": table.header.control,
                    "ply": table.ply_for(&Viewer::Spectator),
                    "seats": view::seats(&table, self.now()),
                }));
            }
            listed[name] = json!(matches);
        }
        Ok(listed)
    }
}

/// What everybody may read about a match that has come to its end with a record.
fn finished(table: &Table, last: Option<&Record>) -> Finished {
    let at = last.map_or(0, |last| last.at);
    let definition = table.header.definition.clone();
    Finished { definition, at, summary: view::summary(table, at).to_string() }
}

fn status(table: &Table) -> Status {
    match (table.is_over(), table.is_full()) {
        (true, _) => Status::Over,
        (false, true) => Status::Playing,
        (false, false) => Status::Waiting,
    }
}
