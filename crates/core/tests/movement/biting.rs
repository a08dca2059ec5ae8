//! The suite bites: deliberately wrong resolvers are told from the engine.
//!
//! Each is the oracle with one flaw. A drawing shows the flaw, and the random games of the property
//! tests, no more of them and no others, must meet it as well.

use std::cell::Cell;

use senet_core::builder::Track;
use senet_core::builder::{CLOCKWISE, EAST, FORWARD, NORTH, NORTH_EAST};
use senet_core::written::Pattern;

use crate::case::{CASES, plans, runner};
use crate::engine::{compile, dispatch};
use crate::oracle::{Flaw, Oracle};
use crate::scene::{Scene, leaper, runner as line_runner};

/// Checks that a flaw shows in the drawing and in random games.
fn bites(flaw: Flaw, scene: &Scene, (from, to): (&str, &str)) {
    let wrong = Oracle::flawed(&scene.definition, Some(flaw)).resolve("mover", from, to);
    assert_ne!(scene.engine.ask(from, to), wrong, "the drawing shows {flaw:?}");
    let caught = caught(Some(flaw));
    assert!(caught >= 3, "{caught} of {CASES} random games tell {flaw:?} from the engine");
}

/// How many of the random games have a question that such a resolver answers otherwise than the
/// engine does.
fn caught(flaw: Option<Flaw>) -> u32 {
    let caught = Cell::new(0);
    let seen = runner(CASES).run(&plans(), |plan| {
        let definition = plan.definition();
        let game = compile(&definition, Default::default());
        let (state, wrong) = (game.start(), Oracle::flawed(&definition, flaw));
        let differs = plan.queries(&definition).into_iter().any(|(from, to)| {
            dispatch(&game, &state, from, to) != wrong.resolve("mover", from, to)
        });
        caught.set(caught.get() + u32::from(differs));
        Ok(())
    });
    seen.expect("nothing is refused here");
    caught.get()
}

#[test]
fn a_resolver_that_ignores_a_friendly_blocker_is_caught() {
    let scene = Scene::line("M . f . *", &line_runner());
    bites(Flaw::IgnoresFriendlyBlocker, &scene, ("1", "5"));
}

#[test]
fn a_resolver_that_passes_through_an_enemy_is_caught() {
    let scene = Scene::line("M . e . *", &line_runner());
    bites(Flaw::PassesThroughEnemy, &scene, ("1", "5"));
}

#[test]
fn a_resolver_that_takes_the_shortest_of_all_patterns_is_caught() {
    let patterns = [Pattern::leap(&[NORTH, EAST]), Pattern::step(NORTH_EAST)];
    let scene = Scene::grid(
        "
        . *
        M .",
        &patterns,
    );
    bites(Flaw::GlobalShortest, &scene, ("a1", "b2"));
}

#[test]
fn a_resolver_that_returns_part_of_a_path_is_caught() {
    let scene = Scene::line("M . e . *", &line_runner());
    bites(Flaw::PartialPrefix, &scene, ("1", "5"));
}

#[test]
fn a_resolver_that_selects_before_it_filters_is_caught() {
    let scene = Scene::line("M e *", &[Pattern::slide(FORWARD), Pattern::leap(&[FORWARD; 2])]);
    bites(Flaw::SelectsBeforeFiltering, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_settles_ties_otherwise_is_caught() {
    let scene = Scene::on(Track::ring(4), "M . * .", &[crate::pattern::both_ways()]);
    bites(Flaw::WrongTie, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_captures_a_friend_is_caught() {
    let scene = Scene::line("M . F", &line_runner());
    bites(Flaw::CapturesFriend, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_loops_past_its_source_is_caught() {
    let scene = Scene::on(Track::ring(5), "M . . . .", &[Pattern::slide(CLOCKWISE)]);
    bites(Flaw::LoopsPastSource, &scene, ("1", "1"));
}

#[test]
fn a_resolver_that_inspects_tiles_leapt_over_is_caught() {
    let scene = Scene::grid(
        "
        . *
        e .
        M e",
        &leaper(),
    );
    bites(Flaw::InspectsLeaptTiles, &scene, ("a1", "b3"));
}

#[test]
fn a_resolver_in_which_the_last_pattern_wins_is_caught() {
    let patterns = [Pattern::step(NORTH_EAST), Pattern::leap(&[NORTH, EAST])];
    let scene = Scene::grid(
        "
        . *
        M .",
        &patterns,
    );
    bites(Flaw::LastPatternWins, &scene, ("a1", "b2"));
}

#[test]
fn a_resolver_that_takes_an_ally_for_an_enemy_is_caught() {
    let scene = Scene::line("M . A", &line_runner());
    bites(Flaw::AllyIsEnemy, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_lets_stacks_block_is_caught() {
    let scene = Scene::line("M _ee *", &line_runner());
    bites(Flaw::StackBlocks, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_repeats_single_steps_is_caught() {
    let scene = Scene::line("M . *", &[Pattern::step(FORWARD)]);
    bites(Flaw::OnceRepeats, &scene, ("1", "3"));
}

#[test]
fn a_resolver_that_ends_a_leap_early_is_caught() {
    let scene = Scene::line("M . *", &[Pattern::leap(&[FORWARD; 4])]);
    bites(Flaw::LeapStopsShort, &scene, ("1", "3"));
}

#[test]
fn a_resolver_without_a_flaw_is_not_caught() {
    assert_eq!(caught(None), 0);
}
