//! All matches of a server: those somebody looks at are in memory, the others on disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use senet::Game;
use senet::bots::{Limit, Spec};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;

use crate::catalog::{self, Catalog, Shown};
use crate::clock::Control;
use crate::engine::{self, Engine};
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::{Entry, Header, Plan, Record};
use crate::sight::Viewer;
use crate::store::{Status, Store, Write, Written};
use crate::table::{Command, Decision, Table};
use crate::view::{self, Extent};

/// How long an opponent may think about an event.
const THINKING: Duration = Duration::from_secs(5);

/// How long an opponent waits at least, so that people see its moves.
const PAUSE: Duration = Duration::from_millis(250);

/// How often matches that nobody looks at are put away.
const SWEEP: Duration = Duration::from_secs(60);

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
    thinkers: Arc<Semaphore>,
    begun: (u64, Instant),
    /// When the server before this one was last known to run.
    stopped: Option<u64>,
}

/// A match in memory.
pub struct Live {
    /// The match.
    pub table: tokio::sync::Mutex<Table>,
    news: watch::Sender<u64>,
    updates: Mutex<BTreeMap<Viewer, (u64, Arc<str>)>>,
    timer: Mutex<Option<AbortHandle>>,
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.get_mut().ok().and_then(Option::take) {
            timer.abort();
        }
    }
}

impl Live {
    fn new(table: Table) -> Arc<Live> {
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

impl Hall {
    /// The hall of a database. Matches that go on by themselves go on.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn open(store: Store, engines: Vec<Engine>) -> Result<Arc<Hall>, Problem> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stopped = store.pulse().await?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let hall = Arc::new(Hall {
            catalog: Catalog::default(),
            store,
            engines,
            metrics: Metrics::default(),
            live: Mutex::default(),
            thinkers: Arc::new(Semaphore::new(threads)),
            begun: (since.as_millis() as u64, Instant::now()),
            stopped,
        });
        for id in hall.store.list(Status::Playing, false, u32::MAX).await? {
            if let Err(problem) = hall.live(&id).await {
                crate::note::error("resume", &format!("{id}: {}", problem.detail));
            }
        }
        tokio::spawn(hall.clone().keep());
        Ok(hall)
    }

    /// The time in milliseconds since 1970. It never jumps while the server runs.
    pub fn now(&self) -> u64 {
        self.begun.0 + self.begun.1.elapsed().as_millis() as u64
    }

    /// Says every second that the server runs, and puts away what nobody looks at.
    async fn keep(self: Arc<Hall>) {
        let mut swept = Instant::now();
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let lives: Vec<Arc<Live>> =
                self.live.lock().expect("no holder panics").values().cloned().collect();
            let runs = |live: &Arc<Live>| {
                live.table.try_lock().is_ok_and(|table| table.clock.due().is_some())
            };
            if lives.iter().any(runs) {
                let _ = self.store.write(Write::Pulse(self.now())).await;
            }
            drop(lives);
            if swept.elapsed() >= SWEEP {
                swept = Instant::now();
                self.sweep();
            }
        }
    }

    fn sweep(&self) {
        let mut live = self.live.lock().expect("no holder panics");
        live.retain(|_, one| {
            let quiet = Arc::strong_count(one) == 1 && one.news.receiver_count() == 0;
            let busy = one
                .table
                .try_lock()
                .map_or(true, |table| table.clock.due().is_some() || table.bot_to_play().is_some());
            !quiet || busy
        });
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
        let source = self.store.source(name).await?;
        let game = tokio::task::spawn_blocking(move || catalog::read(&source))
            .await
            .map_err(|_| Problem::new(500, "failed", "the game could not be compiled"))??;
        Ok(self.catalog.keep(game))
    }

    /// Arranges a match.
    ///
    /// # Errors
    /// Where the game has no such position, or the database cannot be written.
    pub async fn create(
        self: &Arc<Hall>,
        game: &Arc<Shown>,
        header: Header,
        sitting: Vec<Entry>,
    ) -> Result<(), Problem> {
        let mut table = Table::new(&game.game, header.clone())?;
        let now = self.now();
        let mut records = Vec::new();
        let mut take = |table: &mut Table, entry: Entry| {
            let record = Record { number: table.number, at: now, entry };
            table.fold(&record)?;
            records.push(record);
            Ok::<(), Problem>(())
        };
        for entry in sitting {
            take(&mut table, entry)?;
        }
        for entry in table.opening()? {
            take(&mut table, entry)?;
        }
        let write = Write::Create(Box::new(header.clone()), status(&table), records);
        if self.store.write(write).await? == Written::Conflict {
            return Err(Problem::conflict("known", "there is a match of this name"));
        }
        self.metrics.matches.fetch_add(1, Ordering::Relaxed);
        let live = Live::new(table);
        self.live.lock().expect("no holder panics").insert(header.id, live.clone());
        self.attend(&live).await;
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
        let (header, records) = self.store.load(id).await?;
        let game = match self.catalog.shipped(&header.game) {
            Ok(shown) if catalog::definition(&shown.game) == header.definition => shown,
            _ => self.game(&header.definition).await?,
        };
        let mut table = Table::new(&game.game, header)?;
        for record in &records {
            table.fold(record)?;
        }
        self.resume(&mut table).await?;
        let live = Live::new(table);
        let live = self.keep_live(id, live);
        self.attend(&live).await;
        Ok(live)
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
        let record = Record { number: table.number, at: self.now(), entry };
        let write = Write::Append(table.header.id.clone(), status(table), vec![record.clone()]);
        self.store.write(write).await?;
        table.fold(&record)
    }

    /// Carries out a command. When it returns, what happened is on the disk.
    ///
    /// # Errors
    /// Where the command is refused, or the database cannot be written.
    pub async fn act(self: &Arc<Hall>, id: &str, command: Command) -> Result<Decision, Problem> {
        let live = self.live(id).await?;
        let decision = self.carry_out(&live, &command).await;
        if decision.is_err() {
            self.metrics.refused.fetch_add(1, Ordering::Relaxed);
        }
        decision
    }

    async fn carry_out(
        self: &Arc<Hall>,
        live: &Arc<Live>,
        command: &Command,
    ) -> Result<Decision, Problem> {
        let mut table = live.table.lock().await;
        let now = self.now();
        let decision = table.decide(command, now)?;
        let Decision::Happens(entries) = &decision else { return Ok(decision) };
        let number = table.number;
        let numbered = entries.iter().zip(number..);
        let records: Vec<Record> = numbered
            .map(|(entry, number)| Record { number, at: now, entry: entry.clone() })
            .collect();
        let mut after = table.clone();
        for record in &records {
            after.fold(record)?;
        }
        if let Some(next) = after.next.clone().filter(|_| table.next.is_none()) {
            self.rematch(&after, next).await?;
        }
        let write = Write::Append(after.header.id.clone(), status(&after), records);
        if self.store.write(write).await? == Written::Conflict {
            // Another server was quicker; this one reads the match again.
            self.live.lock().expect("no holder panics").remove(&after.header.id);
            return Err(Problem::conflict("stale", "the match has changed in the meantime"));
        }
        *table = after;
        if matches!(command, Command::Play { .. }) {
            self.metrics.moves.fetch_add(1, Ordering::Relaxed);
        }
        live.news.send_replace(table.number);
        drop(table);
        self.attend(live).await;
        Ok(decision)
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
            ..table.header.clone()
        };
        let sitting = (0..count).filter_map(|seat| {
            let one = table.seats[from(seat)].clone()?;
            let (name, token, salt) = (one.name, one.token, one.salt);
            token.as_ref()?;
            Some(Entry::Sit { seat, name, token, salt })
        });
        let sitting = sitting.collect();
        let shown = self.game(&header.definition).await?;
        Box::pin(self.create(&shown, header, sitting)).await
    }

    /// Sees to what a match needs by itself: its clock, and opponents of the server.
    fn attend<'h>(
        self: &'h Arc<Hall>,
        live: &'h Arc<Live>,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'h>> {
        Box::pin(async move {
            let table = live.table.lock().await;
            let due = table.clock.due().filter(|_| !table.is_over());
            let bot = table.bot_to_play().map(|(seat, bot)| (seat, bot.to_owned()));
            let (hall, id) = (Arc::downgrade(self), table.header.id.clone());
            drop(table);
            let timer = due.map(|due| {
                let wait = Duration::from_millis(due.saturating_sub(self.now()) + 1);
                let (hall, id) = (hall.clone(), id.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    if let Some(hall) = hall.upgrade() {
                        // Who moved in time has another timer.
                        let _ = hall.act(&id, Command::Flag).await;
                    }
                })
                .abort_handle()
            });
            let before =
                std::mem::replace(&mut *live.timer.lock().expect("no holder panics"), timer);
            // A timer that went off is the one who calls this, and ends by itself.
            if let Some(before) = before.filter(|_| due.is_some()) {
                before.abort();
            }
            if let Some((seat, bot)) = bot {
                let (hall, live) = (self.clone(), live.clone());
                tokio::spawn(async move { hall.think(&live, seat, &bot).await });
            }
        })
    }

    /// Lets an opponent of the server play.
    async fn think(self: Arc<Hall>, live: &Arc<Live>, seat: usize, bot: &str) {
        let begun = Instant::now();
        let engine = engine::find(&self.engines, bot).cloned();
        let spec = bot.parse::<Spec>().ok();
        let table = live.table.lock().await;
        let (id, ply) = (table.header.id.clone(), table.played.ply());
        let rolls = table.awaits_roll();
        let played = table.played.clone();
        drop(table);
        let proposal = if rolls {
            Some("roll".to_owned())
        } else {
            let Ok(_permit) = self.thinkers.clone().acquire_owned().await else { return };
            let thought = tokio::task::spawn_blocking(move || match (engine, spec) {
                (Some(engine), _) => engine::choose(&engine, &played),
                (None, Some(spec)) => choose(&played, spec),
                (None, None) => None,
            });
            thought.await.ok().flatten()
        };
        tokio::time::sleep(PAUSE.saturating_sub(begun.elapsed())).await;
        let Some(text) = proposal else { return };
        let proposal = Proposal::Text(text);
        let play = Command::Play { seat, ply, id: None, proposal };
        if let Err(problem) = self.act(&id, play).await
            && problem.status >= 500
        {
            crate::note::error("bot", &format!("{id}: {}", problem.detail));
        }
    }

    /// What a viewer gets when something has changed: the same text for all who see the same.
    pub async fn update(&self, live: &Live, viewer: &Viewer) -> (u64, Arc<str>) {
        let table = live.table.lock().await;
        let number = table.number_for(viewer);
        let mut updates = live.updates.lock().expect("no holder panics");
        if let Some((_, text)) = updates.get(viewer).filter(|(known, _)| *known == number) {
            return (number, text.clone());
        }
        let state = view::state(&table, viewer, Extent::Tail, self.now());
        let text: Arc<str> = state.to_string().into();
        updates.insert(viewer.clone(), (number, text.clone()));
        (number, text)
    }

    /// Everything that a viewer may see of a match.
    pub async fn state(&self, live: &Live, viewer: &Viewer) -> Value {
        let table = live.table.lock().await;
        view::state(&table, viewer, Extent::Whole, self.now())
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
                let live = self.live(&id).await?;
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

fn status(table: &Table) -> Status {
    match (table.is_over(), table.is_full()) {
        (true, _) => Status::Over,
        (false, true) => Status::Playing,
        (false, false) => Status::Waiting,
    }
}

/// What an opponent plays, in the plain notation.
fn choose(played: &senet::Match, spec: Spec) -> Option<String> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).ok()?;
    let mut bot = played.game().bot(spec, u64::from_le_bytes(seed)).ok()?;
    let until = Instant::now() + THINKING;
    let stop = move || Instant::now() >= until;
    let limit = Limit { stop: &stop, ..Limit::NONE };
    let thought = bot.choose(played, &limit).ok()??;
    Some(played.position().plain().format(thought.event))
}

/// Whether a header is one that a server takes.
///
/// # Errors
/// Where a time or an opponent is not allowed, with what is.
pub fn check(
    engines: &[Engine],
    game: &Game,
    control: Control,
    seats: &[Plan],
) -> Result<(), Problem> {
    control.check().map_err(Problem::invalid)?;
    seats.iter().try_for_each(|plan| match plan {
        Plan::Bot { bot } if engine::is_engine(bot) => {
            let known = engine::find(engines, bot).filter(|_| engine::plays(game));
            let detail = || format!("no engine {bot} of this server plays {}", game.name());
            known.map(|_| ()).ok_or_else(|| Problem::invalid(detail()))
        }
        Plan::Bot { bot } => {
            let spec = bot.parse::<Spec>();
            spec.map(|_| ()).map_err(|error| Problem::invalid(error.to_string()))
        }
        _ => Ok(()),
    })
}
