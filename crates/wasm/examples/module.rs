//! Measures modules of games by hand: `module GAME DEPTH [POSITION]`.

use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use senet_core::Options;
use senet_core::backend::{Backend, Purpose};
use senet_wasm::Wasmtime;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "chess".into());
    let depth: u32 = args.next().and_then(|depth| depth.parse().ok()).unwrap_or(5);
    let entry = senet_registry::find(&name).expect("a game of the registry");
    let game = entry.definition().compile(Options::default()).expect("a sound definition");
    let backend = Wasmtime::new();
    for purpose in [Purpose::Count, Purpose::Make, Purpose::Random, Purpose::Play, Purpose::Turns] {
        let begin = Instant::now();
        let wasm = senet_wasm::emit_for(&game, purpose).expect("a module");
        let emitted = begin.elapsed();
        let native = backend.compile(&game, purpose).expect("machine code");
        let compiled = begin.elapsed() - emitted;
        println!(
            "{purpose:?}: {} bytes of code, {} of machine code; {emitted:?} and {compiled:?}",
            wasm.code,
            native.code_bytes()
        );
    }
    let start = match args.next() {
        Some(text) => entry.notation.parse_position(&game, &text).expect("a position"),
        None => (entry.count_from)(&game),
    };
    let begin = Instant::now();
    let mut session = backend.session(&game, Purpose::Count).expect("a session");
    println!("session in {:?}", begin.elapsed());
    for depth in 1..=depth {
        let (nodes, seconds) = best(|| session.perft(&start, depth, u64::MAX).expect("room"));
        println!("perft {depth}: {nodes}, {:.1} M/s", nodes as f64 / seconds / 1e6);
    }
    let mut session = backend.session(&game, Purpose::Make).expect("a session");
    let (leaves, seconds) = best(|| session.perft_made(&start, depth - 1, u64::MAX).expect("room"));
    println!("made: {leaves:?}, {:.1} M/s", leaves.nodes as f64 / seconds / 1e6);
    let mut session = backend.session(&game, Purpose::Random).expect("a session");
    let mut words = vec![0; game.program().tree_words()];
    let (events, seconds) = best(|| {
        let mut source = [1, 2, 3, 4];
        let games = (0..1_000).map(|_| {
            words.copy_from_slice(&start.words()[..game.program().tree_words()]);
            session.playout(&mut words, &mut source, 10_000)
        });
        games.map(|game| u64::from(game.map_or(0, |game| game.events))).sum::<u64>()
    });
    println!("random games: {events} events, {:.2} M/s", events as f64 / seconds / 1e6);
    if depth < 6 {
        assert_eq!(leaves, game.perft_made(&start, depth - 1));
    }
    game.attach(Arc::new(backend));
    let begin = Instant::now();
    assert_eq!(game.perft(&start, depth), session_free(&game, &start, depth));
    println!("as the game counts: {:?}", begin.elapsed());
}

/// An answer, and the least CPU time in seconds that it took in a few rounds.
fn best<T>(mut answer: impl FnMut() -> T) -> (T, f64) {
    let mut round = || {
        let begin = ProcessTime::now();
        let answer = answer();
        (answer, begin.elapsed().as_secs_f64())
    };
    let rounds = [round(), round(), round(), round()];
    let least = |one: &(T, f64), other: &(T, f64)| one.1.total_cmp(&other.1);
    rounds.into_iter().min_by(least).expect("some rounds")
}

fn session_free(game: &senet_core::Game, start: &senet_core::State, depth: u32) -> u64 {
    game.divide(start, depth).iter().map(|(_, nodes)| nodes).sum()
}
