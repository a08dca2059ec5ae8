//! Long work is stopped soon, in every game.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpu_time::ProcessTime;
use senet_core::backend::{Backend, Purpose};
use senet_core::{Budget, Options};
use senet_wasm::Wasmtime;

/// How long work may go on unasked, in CPU time: a tenth of a second is promised, and the machine that
/// runs this test may be half as fast as one of today.
const LONGEST: Duration = Duration::from_millis(200);

/// How long the work of each game is watched.
const WATCHED: Duration = Duration::from_millis(400);

const DEPTH: u32 = 9;

#[test]
fn every_tree_is_stopped_within_a_tenth_of_a_second() {
    let backend = Arc::new(Wasmtime::new());
    for entry in senet_registry::GAMES {
        let game = entry.definition().compile(Options::default()).expect("a sound definition");
        game.attach(backend.clone());
        // Compiling is not asked whether to stop.
        let _ = backend.session(&game, Purpose::Count);
        let (begin, asked) = (ProcessTime::now(), Mutex::new(vec![Duration::ZERO]));
        let stop = || {
            let mut asked = asked.lock().expect("one thread");
            asked.push(begin.elapsed());
            begin.elapsed() > WATCHED
        };
        let counted =
            game.perft_within(&(entry.count_from)(&game), DEPTH, &mut Budget::until(&stop));
        let mut asked = asked.into_inner().expect("one thread");
        if counted.is_err() {
            asked.push(begin.elapsed());
        }
        let longest = asked.windows(2).map(|pair| pair[1] - pair[0]).max();
        let longest = longest.unwrap_or_default();
        assert!(longest < LONGEST, "{} is not asked for {longest:?}", game.name());
        println!("{}: {longest:?}", game.name());
    }
}
