//! Modules compiled to machine code and run in this process, each in a sandbox of its own.

mod kept;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use senet_core::backend::{
    Backend, Ending, PLACES, PackedEvent, PackedHints, Played, Purpose, Session,
};
use senet_core::{Game, Leaves, State, TileId};
use wasmtime::{Config, Engine, Global, Inlining, Instance, Memory, Module, Store, TypedFunc, Val};

use kept::Modules;

/// How long an answer about a tree may take before the next is to be shorter, and below which it may be
/// longer.
const LONG: Duration = Duration::from_millis(25);
const SHORT: Duration = Duration::from_millis(10);

/// How much code for trees is not inlined, and in how few places events are tried then.
const MUCH_CODE: usize = 64 << 10;
const FEW_TRIALS: usize = 6;

/// The most nodes that are visited at once, however fast.
const MOST_NODES: u64 = 1 << 20;

/// A backend that compiles modules with wasmtime. Each game is compiled once, whoever asks, as long as
/// its module is among those that were used last.
#[derive(Default)]
pub struct Wasmtime {
    /// One for trees, and one for everything else; then the same for a fork.
    engines: [OnceLock<Result<Engine, String>>; 4],
    /// The process that compiled first. Threads compile for it, and a fork has none of them.
    process: OnceLock<u32>,
    modules: Mutex<Modules>,
}

/// The module of a game as machine code. Threads share it; each runs it in a session of its own.
#[derive(Clone)]
pub struct Native {
    engine: Engine,
    module: Module,
    words: usize,
    /// Workers that nobody uses now.
    idle: Arc<Mutex<Vec<Worker>>>,
}

/// A module at work, with memory of its own.
struct Worker {
    store: Store<()>,
    memory: Memory,
    /// How many words of a state the module knows.
    words: usize,
    /// Where a state is written for the module, and where the room behind it begins.
    state: usize,
    room: usize,
    budget: Global,
    sum: Global,
    legal: Option<TypedFunc<(i32, i32, i32), i32>>,
    onto: Option<TypedFunc<(i32, i32, i64), i32>>,
    count: Option<TypedFunc<i32, i64>>,
    apply: Option<TypedFunc<(i32, i64), ()>>,
    attempt: Option<TypedFunc<(i32, i32, i64), i32>>,
    replay: Option<TypedFunc<(i32, i32, i32), i32>>,
    perft: Option<TypedFunc<(i32, i32), i64>>,
    perft_made: Option<TypedFunc<(i32, i32), i64>>,
    turns: Option<TypedFunc<(i32, i32), i32>>,
    turn_perft: Option<TypedFunc<(i32, i32, i32), i64>>,
    playout: Option<TypedFunc<(i32, i32, i32, i32), i64>>,
    advance: Option<TypedFunc<(i32, i32, i32), i32>>,
    /// Whether a call ended in its middle.
    failed: bool,
    /// How many nodes of trees it can visit at once.
    patience: u64,
}

impl Wasmtime {
    /// A backend that has compiled nothing yet.
    pub fn new() -> Wasmtime {
        Wasmtime::default()
    }

    fn engine(&self, purpose: Purpose, wasm: &crate::Wasm) -> Result<Engine, String> {
        // Calls cost little where events are played one by one, and inlining makes compiling a third
        // longer. So do they in trees of games with much code, unless much is tried.
        let inlining = match purpose {
            Purpose::Count | Purpose::Make
                if wasm.code > MUCH_CODE && wasm.trials <= FEW_TRIALS =>
            {
                Inlining::No
            }
            Purpose::Count | Purpose::Make | Purpose::Random => Inlining::Yes,
            Purpose::Turns | Purpose::Play => Inlining::No,
        };
        let process = std::process::id();
        let forked = *self.process.get_or_init(|| process) != process;
        let kept = &self.engines[usize::from(inlining == Inlining::Yes) + 2 * usize::from(forked)];
        kept.get_or_init(|| engine(inlining, forked)).clone()
    }

    /// The machine code of a game.
    ///
    /// # Errors
    /// Where the game has no module, or this host may not compile code.
    pub fn compile(&self, game: &Game, purpose: Purpose) -> Result<Native, String> {
        let key = (game.definition_hash(), purpose);
        let slot = {
            let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
            modules.slot(key)
        };
        let compile = || {
            let wasm = crate::emit_for(game, purpose).map_err(|error| error.to_string())?;
            Native::new(self.engine(purpose, &wasm)?, &wasm)
        };
        slot.get_or_init(compile).clone()
    }
}

impl Backend for Wasmtime {
    fn name(&self) -> &'static str {
        "wasmtime"
    }

    fn session(&self, game: &Game, purpose: Purpose) -> Result<Box<dyn Session>, String> {
        let native = self.compile(game, purpose)?;
        let idle = native.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let worker = match idle {
            Some(worker) => worker,
            None => native.worker()?,
        };
        Ok(Box::new(Lent { worker: Some(worker), home: native.idle }))
    }

    fn is_ready(&self, game: &Game, purpose: Purpose) -> bool {
        let modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        modules.is_compiled((game.definition_hash(), purpose))
    }
}

/// A worker that goes back to where idle ones wait, unless a call failed in its middle.
struct Lent {
    worker: Option<Worker>,
    home: Arc<Mutex<Vec<Worker>>>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            self.home.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        }
    }
}

impl Lent {
    /// Asks the worker. One whose call failed is not used again: its memory is as the call left it.
    fn ask<T>(&mut self, ask: impl FnOnce(&mut Worker) -> Option<T>) -> Option<T> {
        let worker = self.worker.as_mut()?;
        let answer = ask(worker);
        if worker.failed {
            self.worker = None;
        }
        answer
    }
}

impl Session for Lent {
    fn legal(&mut self, state: &State, into: &mut Vec<PackedEvent>) -> Option<()> {
        self.ask(|worker| worker.legal(state, into))
    }

    fn legal_onto(
        &mut self,
        state: &State,
        tile: TileId,
        into: &mut Vec<PackedEvent>,
    ) -> Option<()> {
        self.ask(|worker| worker.legal_onto(state, tile, into))
    }

    fn count(&mut self, state: &State) -> Option<u64> {
        self.ask(|worker| worker.count(state))
    }

    fn play(&mut self, state: &State, event: PackedEvent, words: &mut [u64]) -> Option<u128> {
        self.ask(|worker| worker.play(state, event, words))
    }

    fn attempt(
        &mut self,
        state: &State,
        event: PackedEvent,
        words: &mut [u64],
    ) -> Option<Option<(usize, u128)>> {
        self.ask(|worker| worker.attempt(state, event, words))
    }

    fn replay(
        &mut self,
        state: &State,
        hints: PackedHints<'_>,
        log: &mut Vec<u64>,
        words: &mut [u64],
    ) -> Option<u128> {
        self.ask(|worker| worker.replay(state, hints, log, words))
    }

    fn place(&mut self, at: usize, state: &State, event: PackedEvent) -> Option<()> {
        self.ask(|worker| worker.place(at, state, event))
    }

    fn advance(&mut self, places: usize) -> Option<usize> {
        self.ask(|worker| worker.advance(places))
    }

    fn placed(
        &mut self,
        at: usize,
        words: &mut [u64],
        into: &mut Vec<PackedEvent>,
    ) -> Option<(u128, Option<Ending>)> {
        self.ask(|worker| worker.placed(at, words, into))
    }

    fn patience(&self) -> u64 {
        self.worker.as_ref().map_or(1, |worker| worker.patience)
    }

    fn perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64> {
        self.ask(|worker| worker.perft(state, depth, nodes))
    }

    fn perft_made(&mut self, state: &State, depth: u32, nodes: u64) -> Option<Leaves> {
        self.ask(|worker| worker.perft_made(state, depth, nodes))
    }

    fn turns(&mut self, state: &State) -> Option<Vec<Box<[u64]>>> {
        self.ask(|worker| worker.turns(state))
    }

    fn turn_perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64> {
        self.ask(|worker| worker.turn_perft(state, depth, nodes))
    }

    fn playout(
        &mut self,
        position: &mut [u64],
        source: &mut [u64; 4],
        limit: u32,
    ) -> Option<Played> {
        self.ask(|worker| worker.playout(position, source, limit))
    }
}

/// The compiler, for the processor at hand.
fn engine(inlining: Inlining, forked: bool) -> Result<Engine, String> {
    let mut config = Config::new();
    // To wait for the threads of another process would be to wait for ever.
    config.parallel_compilation(!forked);
    config.cranelift_opt_level(wasmtime::OptLevel::Speed);
    config.compiler_inlining(inlining);
    config.generate_address_map(false);
    config.max_wasm_stack(1 << 20);
    Engine::new(&config).map_err(told)
}

/// The ending that an answer of a module stands for.
fn ending_of(found: usize) -> Option<Ending> {
    let (ending, player) = (found & crate::play::ENDINGS, found >> crate::play::ENDING_BITS);
    ending.checked_sub(1).map(|ending| (ending, player))
}

fn told(error: wasmtime::Error) -> String {
    format!("{error:#}")
}

impl Native {
    fn new(engine: Engine, wasm: &crate::Wasm) -> Result<Native, String> {
        let module = Module::new(&engine, &wasm.bytes).map_err(told)?;
        Ok(Native { engine, module, words: wasm.words, idle: Arc::default() })
    }

    /// How many bytes of machine code there are.
    pub fn code_bytes(&self) -> usize {
        self.module.text().len()
    }

    fn worker(&self) -> Result<Worker, String> {
        let mut store = Store::new(&self.engine, ());
        let instance = Instance::new(&mut store, &self.module, &[]).map_err(told)?;
        let init: TypedFunc<(), ()> = instance.get_typed_func(&mut store, "init").map_err(told)?;
        init.call(&mut store, ()).map_err(told)?;
        let missing = || "the module lacks a part".to_owned();
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(missing)?;
        let mut global = |name| instance.get_global(&mut store, name).ok_or_else(missing);
        let (work, budget, sum) = (global("work")?, global("budget")?, global("sum")?);
        let state = work.get(&mut store).i32().unwrap_or(0) as usize;
        let room = (state + (self.words + 2) * 8).next_multiple_of(64);
        Ok(Worker {
            legal: instance.get_typed_func(&mut store, "legal").ok(),
            onto: instance.get_typed_func(&mut store, "onto").ok(),
            count: instance.get_typed_func(&mut store, "count").ok(),
            apply: instance.get_typed_func(&mut store, "apply").ok(),
            attempt: instance.get_typed_func(&mut store, "attempt").ok(),
            replay: instance.get_typed_func(&mut store, "replay").ok(),
            perft: instance.get_typed_func(&mut store, "perft").ok(),
            perft_made: instance.get_typed_func(&mut store, "perft_made").ok(),
            turns: instance.get_typed_func(&mut store, "turns").ok(),
            turn_perft: instance.get_typed_func(&mut store, "turn_perft").ok(),
            playout: instance.get_typed_func(&mut store, "playout").ok(),
            advance: instance.get_typed_func(&mut store, "advance").ok(),
            failed: false,
            patience: 1,
            words: self.words,
            store,
            memory,
            state,
            room,
            budget,
            sum,
        })
    }
}

impl Worker {
    /// What a call gave; a call that fails is remembered.
    fn done<T>(&mut self, called: wasmtime::Result<T>) -> Option<T> {
        self.failed |= called.is_err();
        called.ok()
    }

    fn write(&mut self, state: &State) {
        self.write_at(self.state, state);
    }

    fn write_at(&mut self, at: usize, state: &State) {
        self.write_words(at, state.words(), state.hash128());
    }

    fn write_words(&mut self, at: usize, words: &[u64], hash: u128) {
        let data = &mut self.memory.data_mut(&mut self.store)[at..];
        let (places, rest) = data.split_at_mut(self.words * 8);
        let words = places.as_chunks_mut::<8>().0.iter_mut().zip(words);
        words.for_each(|(place, word)| *place = word.to_le_bytes());
        rest[..16].copy_from_slice(&hash.to_le_bytes());
    }

    /// The words from an address on.
    fn read(&self, at: usize) -> impl Iterator<Item = u64> + '_ {
        let chunks = self.memory.data(&self.store)[at..].as_chunks::<8>().0;
        chunks.iter().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Gives out the words of the state that a function has changed, and its hash.
    fn copy_to(&self, words: &mut [u64]) -> Option<u128> {
        self.copy_from(self.state, words)
    }

    fn copy_from(&self, at: usize, words: &mut [u64]) -> Option<u128> {
        let after = self.memory.data(&self.store).get(at..)?;
        let (after, hash) = after.split_at_checked(words.len() * 8)?;
        let after = after.as_chunks::<8>().0;
        words.iter_mut().zip(after).for_each(|(word, is)| *word = u64::from_le_bytes(*is));
        Some(u128::from_le_bytes(*hash.first_chunk()?))
    }

    /// Takes longer answers where one was short, and shorter ones where one was long.
    fn learn(&mut self, took: Duration) {
        if took < SHORT {
            self.patience = (self.patience * 2).min(MOST_NODES);
        } else if took > LONG {
            self.patience = (self.patience / 2).max(1);
        }
    }

    /// Counts a tree by a function within a number of nodes.
    fn tree(
        &mut self,
        state: &State,
        nodes: u64,
        count: impl FnOnce(&mut Store<()>, i32) -> wasmtime::Result<i64>,
    ) -> Option<u64> {
        self.write(state);
        let nodes = i64::try_from(nodes).unwrap_or(i64::MAX);
        self.budget.set(&mut self.store, Val::I64(nodes)).ok()?;
        let begin = Instant::now();
        let count = count(&mut self.store, self.state as i32);
        self.learn(begin.elapsed());
        let count = self.done(count)?;
        let left = self.budget.get(&mut self.store).i64()?;
        (left >= 0).then_some(count as u64)
    }

    /// Where a place begins; lists begin where the one after the last would.
    fn place_at(&self, place: usize) -> usize {
        self.room + place * crate::play::place_size(self.words)
    }

    fn place(&mut self, at: usize, state: &State, event: PackedEvent) -> Option<()> {
        let (at, words) = (self.place_at(at), state.words().get(..self.words)?);
        let data = self.memory.data_mut(&mut self.store).get_mut(at..)?.as_chunks_mut::<8>().0;
        let (places, rest) = data.split_at_mut_checked(words.len())?;
        places.iter_mut().zip(words).for_each(|(place, word)| *place = word.to_le_bytes());
        let [low, high, of_event, ..] = rest else { return None };
        let hash = state.hash128();
        (*low, *high) = ((hash as u64).to_le_bytes(), ((hash >> 64) as u64).to_le_bytes());
        *of_event = event.to_le_bytes();
        Some(())
    }

    fn advance(&mut self, places: usize) -> Option<usize> {
        let (first, lists) = (self.place_at(0), self.place_at(PLACES));
        let call = (first as i32, places as i32, lists as i32);
        let done = self.advance.as_ref()?.call(&mut self.store, call);
        Some(self.done(done)? as usize)
    }

    fn placed(
        &mut self,
        at: usize,
        words: &mut [u64],
        into: &mut Vec<PackedEvent>,
    ) -> Option<(u128, Option<Ending>)> {
        let (place, result) = (self.place_at(at), (self.words + 3) * 8);
        let data = self.memory.data(&self.store);
        let number = |address: usize| {
            Some(u32::from_le_bytes(*data.get(address..)?.first_chunk()?) as usize)
        };
        let first = match at {
            0 => self.place_at(PLACES),
            _ => number(self.place_at(at - 1) + result)?,
        };
        let (end, found) = (number(place + result)?, number(place + result + 4)?);
        if end > self.state + crate::module::HOST {
            return None;
        }
        let listed = data.get(first..end)?.as_chunks::<8>().0;
        into.clear();
        into.extend(listed.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        Some((self.copy_from(place, words)?, ending_of(found)))
    }

    /// Lists the legal events of a state. The list lies behind the state, and trials take their room
    /// behind the list.
    fn legal(&mut self, state: &State, into: &mut Vec<PackedEvent>) -> Option<()> {
        self.write(state);
        let call = (self.state as i32, self.room as i32, 1);
        let end = self.legal.as_ref()?.call(&mut self.store, call);
        self.read_list(end, into)
    }

    fn legal_onto(
        &mut self,
        state: &State,
        tile: TileId,
        into: &mut Vec<PackedEvent>,
    ) -> Option<()> {
        self.write(state);
        let call = (self.state as i32, self.room as i32, tile.index() as i64);
        let end = self.onto.as_ref()?.call(&mut self.store, call);
        self.read_list(end, into)
    }

    /// Reads the list that a function has written, up to the end that it gave.
    fn read_list(&mut self, end: wasmtime::Result<i32>, into: &mut Vec<PackedEvent>) -> Option<()> {
        let end = self.done(end)? as usize;
        if end > self.state + crate::module::HOST {
            return None;
        }
        into.clear();
        into.extend(self.read(self.room).take((end - self.room) / 8));
        Some(())
    }

    fn count(&mut self, state: &State) -> Option<u64> {
        self.write(state);
        let count = self.count.as_ref()?.call(&mut self.store, self.state as i32);
        Some(self.done(count)? as u64)
    }

    fn play(&mut self, state: &State, event: PackedEvent, words: &mut [u64]) -> Option<u128> {
        self.write(state);
        let applied = self.apply.as_ref()?.call(&mut self.store, (self.state as i32, event as i64));
        self.done(applied)?;
        self.copy_to(words)
    }

    fn attempt(
        &mut self,
        state: &State,
        event: PackedEvent,
        words: &mut [u64],
    ) -> Option<Option<(usize, u128)>> {
        self.write(state);
        let call = (self.state as i32, self.room as i32, event as i64);
        let rule = self.attempt.as_ref()?.call(&mut self.store, call);
        match self.done(rule)? {
            ..0 => None,
            0 => Some(None),
            rule => Some(Some((rule as usize - 1, self.copy_to(words)?))),
        }
    }

    fn replay(
        &mut self,
        state: &State,
        hints: PackedHints<'_>,
        log: &mut Vec<u64>,
        words: &mut [u64],
    ) -> Option<u128> {
        self.write(state);
        let data = self.memory.data_mut(&mut self.store).get_mut(self.room..)?;
        let places = data.as_chunks_mut::<8>().0.get_mut(..hints.words.len())?;
        places.iter_mut().zip(hints.words).for_each(|(place, word)| *place = word.to_le_bytes());
        let call = (self.state as i32, self.room as i32, hints.count as i32);
        let played = self.replay.as_ref()?.call(&mut self.store, call);
        let played = self.done(played)? as usize;
        log.clear();
        log.extend(self.read(self.room + hints.words.len() * 8).take(played * hints.logged));
        self.copy_to(words)
    }

    fn perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64> {
        let perft = self.perft.clone()?;
        self.tree(state, nodes, |store, at| perft.call(store, (at, depth as i32)))
    }

    fn perft_made(&mut self, state: &State, depth: u32, nodes: u64) -> Option<Leaves> {
        self.sum.set(&mut self.store, Val::I64(0)).ok()?;
        let perft = self.perft_made.clone()?;
        let nodes = self.tree(state, nodes, |store, at| perft.call(store, (at, depth as i32)))?;
        let sum = self.sum.get(&mut self.store).i64()? as u64;
        Some(Leaves { nodes, sum })
    }

    fn turns(&mut self, state: &State) -> Option<Vec<Box<[u64]>>> {
        self.write(state);
        let call = (self.state as i32, self.room as i32);
        let end = self.turns.as_ref()?.call(&mut self.store, call);
        let end = self.done(end)? as usize;
        let ends = self.memory.data(&self.store).get(self.room..end)?.as_chunks::<4>().0;
        let read = |at: &[u8; 4]| self.read(u32::from_le_bytes(*at) as usize);
        Some(ends.iter().map(|at| read(at).take(self.words).collect()).collect())
    }

    fn turn_perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64> {
        let (perft, room) = (self.turn_perft.clone()?, self.room as i32);
        self.tree(state, nodes, |store, at| perft.call(store, (at, depth as i32, room)))
    }

    fn playout(&mut self, words: &mut [u64], source: &mut [u64; 4], limit: u32) -> Option<Played> {
        let (at, room) = (self.state, self.room);
        // Random play does not keep the hash.
        self.write_words(at, words, 0);
        let places = self.memory.data_mut(&mut self.store)[room..].as_chunks_mut::<8>().0;
        places.iter_mut().zip(&*source).for_each(|(place, word)| *place = word.to_le_bytes());
        let call = (at as i32, room as i32, limit as i32, room as i32 + 64);
        let played = self.playout.as_ref()?.call(&mut self.store, call);
        let played = self.done(played)? as u64;
        self.copy_to(words)?;
        source.iter_mut().zip(self.read(room)).for_each(|(word, is)| *word = is);
        Some(Played { events: played as u32, ending: ending_of((played >> 32) as usize) })
    }
}
