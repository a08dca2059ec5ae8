//! A game has the same trees whatever is added to it that never happens, and in whatever words it is
//! written.
#![cfg(feature = "host")]

use senet_core::backend::{Backend, Purpose};
use senet_core::{Game, Options};
use senet_testkit::Source;
use senet_testkit::edit::EDITS;
use senet_wasm::Wasmtime;

/// Plays random games and the same games after each edit, and compares the trees on the way,
/// interpreted and as machine code; says how many edits applied.
fn agree(name: &str, games: u64, plies: usize, depth: u32) -> usize {
    let definition = senet_registry::find(name).expect("a registered game").definition();
    let original = definition.clone().compile(Options::default()).expect("a shipped game");
    let mut applied = 0;
    for edit in EDITS {
        let Some(edited) = (edit.apply)(&definition) else { continue };
        let edited = edited.compile(Options::default());
        let edited = edited.unwrap_or_else(|why| panic!("{name}, {}: {why}", edit.name));
        for game in 0..games {
            agree_along(&original, &edited, edit.name, (game, plies, depth));
        }
        applied += 1;
    }
    applied
}

fn agree_along(
    original: &Game,
    edited: &Game,
    edit: &str,
    (seed, plies, depth): (u64, usize, u32),
) {
    let place = format!("{}, {edit}", original.name());
    let session = Wasmtime::new().session(edited, Purpose::Count);
    let mut session = session.unwrap_or_else(|why| panic!("{place}: {why}"));
    let mut source = Source::for_game(11, seed);
    let (mut here, mut there) = (original.start(), edited.start());
    for ply in 0..plies {
        if ply % 8 == 0 {
            let nodes = original.perft(&here, depth);
            assert_eq!(edited.perft(&there, depth), nodes, "{place}, ply {ply}");
            let counted = session.perft(&there, depth, u64::MAX);
            assert_eq!(counted, Some(nodes), "{place}, ply {ply}, compiled");
        }
        let Some(event) = source.pick(&original.legal(&here)) else { break };
        here = original.apply(&here, event).expect("a legal event").state;
        let played = edited.apply(&there, event);
        there = played.unwrap_or_else(|why| panic!("{place}, ply {ply}: {why:?}")).state;
    }
}

#[test]
fn chess_is_the_same_game_after_every_edit() {
    assert_eq!(agree("chess", 2, 60, 2), EDITS.len());
}

#[test]
fn other_games_are_the_same_after_every_edit_that_applies() {
    let games = ["xiangqi", "shogi", "capablanca", "breakthrough", "draughts", "atomic", "clobber"];
    for name in games {
        let applied = agree(name, 1, 30, 2);
        assert!(applied * 2 > EDITS.len(), "{name}: {applied} edits");
    }
}
