//! Moves of a rule are carried out one after another in one state.
#![cfg(feature = "host")]

use senet_core::backend::{Backend, Purpose};
use senet_core::{Game, Options};
use senet_testkit::Source;
use senet_wasm::Wasmtime;

fn compile(name: &str) -> Game {
    let definition = senet_registry::find(name).expect("a registered game").definition();
    definition.compile(Options::default()).expect("a shipped game")
}

/// How many functions of a module that makes leaves have a name that begins so.
fn functions(game: &Game, name: &str) -> usize {
    let wasm = senet_wasm::emit_for(game, Purpose::Make).expect("a module");
    wasm.functions.iter().filter(|(_, function)| function.starts_with(name)).count()
}

#[test]
fn rules_that_move_one_kind_of_piece_need_no_copy_of_the_state() {
    let chess = compile("chess");
    // Two players, each with the moves of five kinds and three of the pawn; pinned pawns move one by
    // one.
    assert!(functions(&chess, "Made(") >= 16);
    // Promotions, captures en passant and castling.
    assert!(functions(&chess, "Descend(") <= 10);
    assert!(functions(&compile("capablanca"), "Made(") >= 16, "a board of two words");
}

/// A tree of three moves has nodes below which every word counts, not only the hash.
#[test]
fn nothing_of_an_event_is_left_for_the_next() {
    for name in ["chess", "capablanca", "breakthrough", "three-check"] {
        let game = compile(name);
        let mut session = Wasmtime::new().session(&game, Purpose::Make).expect("a session");
        let mut source = Source::for_game(3, 1);
        let mut state = game.start();
        for ply in 0..40 {
            if ply % 10 == 9 {
                let made = session.perft_made(&state, 3, u64::MAX);
                assert_eq!(made, Some(game.perft_made(&state, 3)), "{name}, ply {ply}");
            }
            let Some(event) = source.pick(&game.legal(&state)) else { break };
            state = game.apply(&state, event).expect("a legal event").state;
        }
    }
}

/// Chess with more to do: pieces keep a flag that they got on the way, and what takes writes other
/// words than what does not.
fn laden_chess() -> Game {
    let text = senet_registry::find("chess").expect("a registered game").file;
    let laden = text
        .replace(
            "flag passing fades",
            "flag weary\nvariable spoils 0..200, walks 0..3\nflag passing fades",
        )
        .replace("move knight before tick", "move knight before tick then flag to as weary")
        .replace(
            "move bishop before tick",
            "move bishop before { tick; if to in empty: walks = 1 - walks else spoils += 1 }",
        )
        .replace(
            "move queen  before tick",
            "move queen before { tick; if to in light: walks = 2 }",
        );
    assert_ne!(laden, text);
    let source = senet_registry::lang::Source::new("laden.senet".to_owned(), laden);
    let file = senet_registry::lang::read(&source).unwrap_or_else(|problems| panic!("{problems}"));
    file.definition.compile(Options::default()).expect("a sound game")
}

#[test]
fn what_rules_do_besides_is_done_for_each_event() {
    let game = laden_chess();
    let backend = Wasmtime::new();
    let mut made = backend.session(&game, Purpose::Make).expect("a session");
    let mut counted = backend.session(&game, Purpose::Count).expect("a session");
    let mut source = Source::for_game(5, 2);
    for _ in 0..3 {
        let mut state = game.start();
        for ply in 0..60 {
            if ply % 6 == 5 {
                for depth in 1..=2 {
                    let leaves = game.perft_made(&state, depth);
                    let nodes = game.perft(&state, depth + 1);
                    assert_eq!(made.perft_made(&state, depth, u64::MAX), Some(leaves), "{ply}");
                    assert_eq!(counted.perft(&state, depth + 1, u64::MAX), Some(nodes), "{ply}");
                }
            }
            let Some(event) = source.pick(&game.legal(&state)) else { break };
            state = game.apply(&state, event).expect("a legal event").state;
        }
    }
}
