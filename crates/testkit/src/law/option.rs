//! Laws about compiling: no option and no writing down changes a game.

use senet_core::layers::PathOptions;
use senet_core::{Accepted, Definition, Game, Options, State};

use crate::case::Case;

/// Depths at which a game's tree is counted: as deep as some ten thousand sequences.
fn counts(game: &Game) -> Vec<u64> {
    let mut counts = vec![1];
    for depth in 1..=8 {
        counts.push(game.perft(&game.start(), depth));
        if *counts.last().expect("one is pushed") > 700 {
            break;
        }
    }
    counts
}

/// A definition written out and read back has the same hash and the same tree.
pub fn definition_written_and_read_back_is_the_same_game(case: &Case) {
    let game = &case.game;
    let written = serde_json::to_string(game.definition()).expect("a definition is data");
    let read: Definition = serde_json::from_str(&written).expect("what is written reads back");
    assert_eq!(&read, game.definition());
    assert_eq!(read.hash(), game.definition_hash());
    let pretty = serde_json::to_string_pretty(&read).expect("a definition is data");
    assert_eq!(serde_json::from_str::<Definition>(&pretty).expect("reads").hash(), read.hash());
    let again = read.compile(game.options().clone()).expect("what compiled compiles again");
    assert_eq!(again.definition_hash(), game.definition_hash());
    assert_eq!(again.start(), game.start());
    assert_eq!(counts(&again), counts(game));
}

/// Every combination of options gives the same phases, events, hashes and trees.
pub fn every_option_combination_agrees(case: &Case) {
    let game = &case.game;
    let states: Vec<State> = case.states(2_000);
    let expected = counts(game);
    for options in all_options(game.options()) {
        let other = game.definition().clone().compile(options.clone()).expect("compiles");
        assert_eq!(other.definition_hash(), game.definition_hash());
        assert_eq!(counts(&other), expected, "{options:?}");
        let mut walker = other.walker();
        for state in &states {
            let legal = game.legal(state);
            assert_eq!(other.legal(state), legal, "{options:?}");
            assert_eq!(other.legal_count(state), legal.len() as u64, "{options:?}");
            assert_eq!(other.active_phase(state), game.active_phase(state), "{options:?}");
            assert_eq!(other.outcome(state), game.outcome(state), "{options:?}");
            for &event in &legal {
                let (one, two) = (game.apply(state, event), other.apply(state, event));
                assert_eq!(one, two, "{options:?} {}", case.tell(state, event));
            }
            if let Some(at) = state.hash().checked_rem(legal.len() as u64) {
                let picked = walker.pick(state, |_| at);
                assert_eq!(picked.map(Accepted::event), legal.get(at as usize).copied());
                assert_eq!(picked, walker.accept(state, legal[at as usize]), "{options:?}");
            }
        }
    }
}

/// The 32 ways in which a game can be compiled.
fn all_options(from: &Options) -> impl Iterator<Item = Options> {
    let customs = from.customs.clone();
    (0..32u8).map(move |bits| Options {
        paths: PathOptions {
            compiled_patterns: bits & 1 == 0,
            bitboards: bits & 2 == 0,
            sliding_fast_path: bits & 4 == 0,
            adjacency_cache: bits & 8 == 0,
        },
        decision_plan: bits & 16 == 0,
        customs: customs.clone(),
        verify: false,
    })
}
