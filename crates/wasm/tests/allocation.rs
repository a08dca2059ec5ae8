//! What a step of a match asks of memory where machine code carries it out.
#![cfg(feature = "host")]

use std::sync::Arc;

use senet_core::backend::Purpose;
use senet_core::{Game, Match, Options};
use senet_testkit::Source;
use senet_testkit::allocation::allocations;
use senet_wasm::Wasmtime;

/// Plays random games and gives the most that a step asked for memory, and whether two pieces moved at once.
fn play(game: &Arc<Game>) -> (u64, bool) {
    let (mut most, mut castled) = (0, false);
    for number in 0..20 {
        let mut source = Source::for_game(1, number);
        let mut played = Match::new(game.clone());
        for _ in 0..100 {
            let Some(event) = source.pick(&played.legal()) else { break };
            let (step, calls) = allocations(|| played.apply(event).expect("a legal event"));
            castled |= game.rule_name(step.rule).starts_with("castling");
            most = most.max(calls);
        }
    }
    (most, castled)
}

#[test]
fn a_step_of_a_match_asks_for_memory_once() {
    let entry = senet_registry::find("chess").expect("chess");
    let game = entry.definition().compile(Options::default()).expect("chess");
    let backend = Arc::new(Wasmtime::new());
    backend.compile(&game, Purpose::Play).expect("a module");
    game.attach(backend);
    let game = Arc::new(game);
    // The first steps make room for all that follow.
    play(&game);
    assert_eq!(play(&game), (1, true));
}
