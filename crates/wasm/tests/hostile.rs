//! Definitions made to hang, to grow or to overflow: each is refused when it is compiled, or its module
//! does what the interpreter does and can be stopped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpu_time::ProcessTime;
use senet_core::backend::{Backend, Purpose};
use senet_core::{Budget, Game, Options, Stopped};
use senet_registry::lang::{Source, read};
use senet_wasm::Wasmtime;

/// The game of a file, or what is wrong with it.
fn compiled(text: &str) -> Result<Game, String> {
    let file = read(&Source::new("hostile.senet", text)).map_err(|problems| {
        let messages = problems.diagnostics.into_iter().map(|one| one.message);
        messages.collect::<Vec<_>>().join("; ")
    })?;
    file.compile(Options::default()).map_err(|errors| errors.to_string())
}

/// Stones on a board, each with effects that take a time, and what must hold after them.
fn stones(effects: &str, ensure: &str) -> String {
    format!(
        "game slow\nplayers one, two\nboard grid 8 x 8\npiece stone\n\
         variable sum 0..1000000\nvariable far 0..4000000000000000000\n\
         rule place a stone: put stone on empty\n  then {effects}\n{ensure}\
         draw \"full\" none empty\n"
    )
}

/// Many thousand steps, which depend on each other.
fn steps(outer: u32) -> String {
    format!("repeat {outer}: repeat 200: sum += 1 if sum < 999999 else -1")
}

/// How long a tree goes on at most without a question whether to stop, in CPU time.
fn longest_silence(game: &Game, depth: u32) -> Duration {
    const WATCHED: Duration = Duration::from_secs(1);
    let (begin, asked) = (ProcessTime::now(), Mutex::new(vec![Duration::ZERO]));
    let stop = || {
        let mut asked = asked.lock().expect("one thread");
        asked.push(begin.elapsed());
        begin.elapsed() > WATCHED
    };
    let counted = game.perft_within(&game.start(), depth, &mut Budget::until(&stop));
    assert_eq!(counted, Err(Stopped::Asked), "the tree is too large to be counted");
    let mut asked = asked.into_inner().expect("one thread");
    asked.push(begin.elapsed());
    asked.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
}

#[test]
fn rules_that_take_long_can_be_stopped() {
    let backend = Arc::new(Wasmtime::new());
    // Between two questions there is at least a list, for which each of 64 tiles may be tried.
    for (outer, ensure) in [(120, ""), (10, "  ensure sum >= 0 \"a trial for each tile\"\n")] {
        let game = compiled(&stones(&steps(outer), ensure)).expect("allowed");
        game.attach(backend.clone());
        // Compiling is not asked whether to stop.
        backend.session(&game, Purpose::Count).expect("a module");
        let silence = longest_silence(&game, 5);
        assert!(silence < Duration::from_millis(400), "not asked for {silence:?}");
    }
}

#[test]
fn rules_that_take_too_long_are_refused() {
    for effects in [
        "repeat 4000000000000000000: sum += 1",
        "repeat far: sum += 1",
        "repeat 1000: repeat 1000: repeat 1000: sum += 1",
        "each a in board: each b in board: each c in board: each d in board: sum += 1",
    ] {
        let refused = compiled(&stones(effects, "")).err().unwrap_or_default();
        assert!(refused.contains("steps, but at most 1048576"), "{effects}: {refused}");
    }
}

/// Numbers that leave 64 bits are held at their bounds, by both ways of carrying rules out.
#[test]
fn numbers_beyond_all_bounds_are_held() {
    let far = "far = 4000000000000000000; far = far * 4000000000000000000 + far; \
               sum = 0 - far - far - far; sum += 7";
    let game = compiled(&stones(far, "")).expect("allowed");
    let mut session = Wasmtime::new().session(&game, Purpose::Play).expect("a module");
    let (start, mut packed) = (game.start(), Vec::new());
    session.legal(&start, &mut packed).expect("room for the list");
    let mut words = vec![0; game.program().tree_words()];
    let hash = session.play(&start, packed[0], &mut words).expect("room for a state");
    let after = game.apply(&start, game.unpacked(packed[0])).expect("a legal event").state;
    assert_eq!((&words[..], hash), (&after.words()[..words.len()], after.hash128()));
}
