//! Properties of random games: every layer, every option and the oracle say the same.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use senet_core::layers::{Layer, Metrics};
use senet_core::{Definition, Game};

use crate::case::{CASES, Plan, plans, runner};
use crate::engine::{Engine, compile, dispatch, expected_skip};
use crate::oracle::Oracle;

/// Checks a law on random games, the same in every run; a game that breaks it is made small first.
fn check(cases: u32, law: impl Fn(&Plan, &Definition) -> Result<(), TestCaseError>) {
    let checked = runner(cases).run(&plans(), |plan| law(&plan, &plan.definition()));
    if let Err(broken) = checked {
        panic!("{broken}");
    }
}

#[test]
fn all_layers_under_all_options_agree_with_the_oracle() {
    let (paths, captures) = (Cell::new(0), Cell::new(0));
    check(CASES, |plan, definition| {
        let engine = Engine::new(definition);
        let oracle = Oracle::new(definition);
        for (from, to) in plan.queries(definition) {
            let answer = engine.ask(from, to);
            let takes = answer.as_ref().is_some_and(|journey| journey.capture.is_some());
            paths.set(paths.get() + u32::from(answer.is_some()));
            captures.set(captures.get() + u32::from(takes));
            prop_assert_eq!(answer, oracle.resolve("mover", from, to), "{} to {}", from, to);
        }
        Ok(())
    });
    let (paths, captures) = (paths.get(), captures.get());
    assert!(paths > 5 * CASES && captures > CASES / 2, "{paths} paths, {captures} captures");
}

#[test]
fn targets_are_the_tiles_with_a_path() {
    check(CASES / 2, |_, definition| {
        let game = compile(definition, Default::default());
        let (state, oracle) = (game.start(), Oracle::new(definition));
        let piece = game.piece("mover").expect("every case has a mover");
        for from in game.tiles() {
            let targets = game.paths().targets(&state, piece, from);
            let found: Vec<&str> = targets.iter().map(|tile| game.tile_name(tile)).collect();
            let source = game.tile_name(from);
            let names = definition.tiles.iter().map(|tile| tile.name.as_str());
            let expected: Vec<&str> =
                names.filter(|to| oracle.resolve("mover", source, to).is_some()).collect();
            prop_assert_eq!(found, expected, "from {}", source);
        }
        Ok(())
    });
}

#[test]
fn the_blocker_is_the_one_that_the_oracle_names() {
    check(CASES, |plan, definition| {
        let game = compile(definition, Default::default());
        let (state, oracle) = (game.start(), Oracle::new(definition));
        let piece = game.piece("mover").expect("every case has a mover");
        for (from, to) in plan.queries(definition) {
            let tile = |name: &str| game.tile(name).expect("a tile of the case");
            let blocker = game.paths().blocker(&state, piece, tile(from), tile(to));
            let name = blocker.map(|tile| game.tile_name(tile));
            prop_assert_eq!(name, oracle.blocker("mover", from, to), "{} to {}", from, to);
        }
        Ok(())
    });
}

#[test]
fn asking_again_in_any_order_gives_the_same_answer_and_the_same_report() {
    check(CASES / 2, |plan, definition| {
        let game = compile(definition, Default::default());
        let state = game.start();
        let queries = plan.queries(definition);
        let once: Vec<_> =
            queries.iter().map(|(from, to)| reported(&game, &state, from, to)).collect();
        let backwards: Vec<_> =
            queries.iter().rev().map(|(from, to)| reported(&game, &state, from, to)).collect();
        prop_assert!(once.iter().eq(backwards.iter().rev()));
        Ok(())
    });
}

fn reported(
    game: &Game,
    state: &senet_core::State,
    from: &str,
    to: &str,
) -> (Option<crate::engine::Journey>, Metrics) {
    let mut metrics = Metrics::default();
    let piece = game.piece("mover").expect("every case has a mover");
    let [source, target] = [from, to].map(|name| game.tile(name).expect("a tile of the case"));
    game.paths().resolve_observed(state, piece, source, target, &mut metrics);
    (dispatch(game, state, from, to), metrics)
}

#[test]
fn metrics_add_up_under_all_options() {
    check(CASES / 4, |plan, definition| {
        let engine = Engine::new(definition);
        for (game, state) in engine.games() {
            for (from, to) in plan.queries(definition) {
                let (answer, metrics) = reported(game, state, from, to);
                let mut answered = false;
                for layer in Layer::ALL {
                    let tally = metrics.of(layer);
                    let skipped = expected_skip(game, layer, from == to).is_some();
                    let asked = u64::from(!answered && !skipped);
                    let passed = u64::from(!answered && skipped);
                    prop_assert_eq!((tally.attempts, tally.skips.total()), (asked, passed));
                    let hit = asked * u64::from(answer.is_some());
                    prop_assert_eq!((tally.hits, tally.misses), (hit, asked - hit));
                    answered |= asked == 1;
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_state_is_the_same_after_any_question() {
    check(CASES / 4, |plan, definition| {
        let game = compile(definition, Default::default());
        let state = game.start();
        for (from, to) in plan.queries(definition) {
            dispatch(&game, &state, from, to);
        }
        prop_assert_eq!(&state, &game.start());
        prop_assert_eq!(game.full_hash(&state), state.hash128());
        Ok(())
    });
}
