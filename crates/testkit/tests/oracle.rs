//! The naive oracle and the engine agree on every sample.

use proptest::prelude::*;
use senet_core::{Definition, Options, Plain};
use senet_testkit::oracle::Oracle;
use senet_testkit::{Case, Source, mangled_json, oracle, parse_perft, random, sample};

#[test]
fn oracle_and_engine_agree_on_skirmish() {
    oracle::agree(&Case::new(sample::skirmish(), &Plain));
}

#[test]
fn oracle_and_engine_agree_on_dash() {
    oracle::agree(&Case::new(sample::dash(), &Plain));
}

#[test]
fn oracle_and_engine_agree_on_league() {
    oracle::agree(&Case::new(sample::league(), &Plain));
}

#[test]
fn oracle_and_engine_agree_on_errand() {
    oracle::agree(&Case::new(sample::errand(), &Plain));
}

#[test]
fn oracle_and_engine_agree_on_hurdle() {
    oracle::agree(&Case::new(sample::hurdle(), &Plain));
}

#[test]
fn the_oracle_counts_the_perft_files() {
    let files = [
        (sample::skirmish(), include_str!("data/skirmish.perft")),
        (sample::dash(), include_str!("data/dash.perft")),
        (sample::league(), include_str!("data/league.perft")),
        (sample::errand(), include_str!("data/errand.perft")),
        (sample::hurdle(), include_str!("data/hurdle.perft")),
    ];
    for (game, text) in files {
        let oracle = Oracle::new(game.definition());
        for line in parse_perft(text).unwrap() {
            assert_eq!(line.position, "start");
            for (depth, nodes) in line.counts.into_iter().filter(|(_, nodes)| *nodes < 400) {
                assert_eq!(oracle.perft(&oracle.start(), depth), nodes, "{}", game.name());
            }
        }
    }
}

/// A definition that still is a game is played by both, a few plies far.
fn agree_on(value: serde_json::Value) {
    let Ok(definition) = serde_json::from_value::<Definition>(value) else { return };
    let Ok(game) = definition.compile(Options::default()) else { return };
    let case = Case::new(game, &Plain);
    if case.universe().len() > 5_000 {
        return;
    }
    for state in case.walk(5).states.iter().take(30).step_by(4) {
        oracle::agree_in(&case.game, state);
    }
}

#[test]
fn random_definitions_are_played_alike() {
    let mut played = 0;
    for seed in 0..400 {
        let mut source = Source::seeded(seed);
        let definition = random::definition(&mut |bound| source.below(bound));
        let Ok(game) = definition.compile(Options::default()) else { continue };
        let case = Case::new(game, &Plain);
        for state in case.walk(seed).states.iter().take(8) {
            oracle::agree_in(&case.game, state);
        }
        if case.game.looks_back() {
            let oracle = Oracle::new(case.game.definition());
            let (start, depth) = (case.game.start(), 3);
            assert_eq!(case.game.perft(&start, depth), oracle.perft(&oracle.start(), depth));
        }
        played += 1;
    }
    assert!(played > 100, "only {played} definitions compile");
}

#[test]
fn random_games_of_stones_are_played_alike() {
    for seed in 0..300 {
        let mut source = Source::seeded(seed);
        let definition = random::stones(&mut |bound| source.below(bound));
        let case = Case::new(definition.compile(Options::default()).expect("a game"), &Plain);
        for state in case.walk(seed).states.iter().take(12) {
            oracle::agree_in(&case.game, state);
        }
    }
}

fn written(definition: Definition) -> serde_json::Value {
    serde_json::to_value(definition).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn a_mangled_skirmish_is_played_alike(value in mangled_json(written(sample::skirmish_definition()))) {
        agree_on(value);
    }

    #[test]
    fn a_mangled_dash_is_played_alike(value in mangled_json(written(sample::dash_definition()))) {
        agree_on(value);
    }

    #[test]
    fn a_mangled_league_is_played_alike(value in mangled_json(written(sample::league_definition()))) {
        agree_on(value);
    }

    #[test]
    fn a_mangled_hurdle_is_played_alike(value in mangled_json(written(sample::hurdle_definition()))) {
        agree_on(value);
    }

    #[test]
    fn a_mangled_errand_is_played_alike(value in mangled_json(written(sample::errand_definition()))) {
        agree_on(value);
    }
}
