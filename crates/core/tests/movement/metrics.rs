//! What the layers report about themselves, and that reporting changes nothing.

use senet_core::builder::Track;
use senet_core::builder::{EIGHT, FORWARD};
use senet_core::layers::{Layer, Metrics, PathOptions, Skips, Tally};
use senet_core::written::Pattern;
use senet_core::{Game, State, TileId};

use crate::engine::{all_options, compile, write};
use crate::scene::{Scene, leaper, players, runner, slider, walker};

const ALL_ON: PathOptions = PathOptions {
    compiled_patterns: true,
    bitboards: true,
    sliding_fast_path: true,
    adjacency_cache: true,
};

/// What the layers of the first game of a scene report about one request.
fn report(scene: &Scene, from: &str, to: &str) -> Metrics {
    let (game, state) = scene.engine.game();
    observe(game, state, tile(game, from), tile(game, to))
}

fn tile(game: &Game, name: &str) -> TileId {
    game.tile(name).expect("a tile of the scene")
}

fn observe(game: &Game, state: &State, from: TileId, to: TileId) -> Metrics {
    let mut metrics = Metrics::default();
    let piece = game.piece("mover").expect("every scene has a mover");
    game.paths().resolve_observed(state, piece, from, to, &mut metrics);
    metrics
}

fn hit() -> Tally {
    Tally { attempts: 1, hits: 1, ..Tally::default() }
}

fn miss() -> Tally {
    Tally { attempts: 1, misses: 1, ..Tally::default() }
}

fn skip(skips: Skips) -> Tally {
    Tally { skips, ..Tally::default() }
}

fn not_sliding() -> Tally {
    skip(Skips { not_sliding: 1, ..Skips::default() })
}

#[test]
fn a_path_of_a_slider_is_a_hit_of_the_fast_path_alone() {
    let scene = Scene::line("M . . e", &runner());
    let expected = Metrics { sliding: hit(), ..Metrics::default() };
    assert_eq!(report(&scene, "1", "3"), expected);
    assert_eq!(report(&scene, "1", "4"), expected, "a capture is a hit too");
}

#[test]
fn a_blocked_slider_is_a_miss_of_the_fast_path_alone() {
    let scene = Scene::line("M . f . e", &runner());
    let expected = Metrics { sliding: miss(), ..Metrics::default() };
    for to in ["3", "4", "5"] {
        assert_eq!(report(&scene, "1", to), expected);
    }
    assert_eq!(report(&scene, "4", "1"), expected, "and one that leads nowhere");
}

#[test]
fn a_zero_length_request_is_a_skip_and_never_a_hit() {
    let zero = skip(Skips { zero_length: 1, ..Skips::default() });
    let expected = Metrics { sliding: zero, compiled: zero, visitor: zero };
    for patterns in [slider(), walker(), leaper(), vec![Pattern::Any], vec![]] {
        let scene = Scene::grid(". .\nM .", &patterns);
        assert_eq!(report(&scene, "a1", "a1"), expected);
        assert_eq!(report(&scene, "b2", "b2"), expected);
    }
}

#[test]
fn pieces_that_do_not_slide_are_skipped_by_the_fast_path() {
    let patterns = [
        leaper(),
        walker(),
        vec![Pattern::step("north")],
        vec![Pattern::steps(&["north"])],
        vec![Pattern::Null, Pattern::step("north")],
    ];
    for patterns in patterns {
        let scene = Scene::grid(". . .\n. . .\nM . .", &patterns);
        for (to, layer) in [("a2", "near"), ("b3", "far"), ("c1", "aside")] {
            let metrics = report(&scene, "a1", to);
            assert_eq!(metrics.sliding, not_sliding(), "{patterns:?} {layer}");
            assert_eq!(metrics.compiled.attempts, 1);
            assert_eq!(metrics.visitor, Tally::default(), "nobody asks further");
        }
    }
}

#[test]
fn a_slider_that_also_leaps_is_answered_by_the_fast_path() {
    let patterns = [slider(), leaper()].concat();
    let scene = Scene::grid(". . .\n. . .\nM . .", &patterns);
    let expected = Metrics { sliding: hit(), ..Metrics::default() };
    assert_eq!(report(&scene, "a1", "b3"), expected);
    assert_eq!(report(&scene, "a1", "c3"), expected);
}

#[test]
fn pieces_without_compiled_patterns_are_left_to_the_visitor() {
    let scene = Scene::line("M .", &[Pattern::Any, Pattern::Null]);
    let expected = Metrics {
        sliding: not_sliding(),
        compiled: skip(Skips { not_compiled: 1, ..Skips::default() }),
        visitor: miss(),
    };
    assert_eq!(report(&scene, "1", "2"), expected);
}

#[test]
fn layers_that_are_switched_off_say_so() {
    let board = Track::open(3).board();
    let definition = write(board, players(), &runner(), ("me", Some("1")), &[]);
    let off = skip(Skips { switched_off: 1, ..Skips::default() });
    let blind = skip(Skips { no_bitboards: 1, ..Skips::default() });
    let cases = [
        (
            PathOptions { sliding_fast_path: false, ..ALL_ON },
            Metrics { sliding: off, compiled: hit(), ..Metrics::default() },
        ),
        (
            PathOptions { bitboards: false, ..ALL_ON },
            Metrics { sliding: blind, compiled: hit(), ..Metrics::default() },
        ),
        (
            PathOptions { sliding_fast_path: false, compiled_patterns: false, ..ALL_ON },
            Metrics { sliding: off, compiled: off, visitor: hit() },
        ),
        (
            PathOptions { compiled_patterns: false, ..ALL_ON },
            Metrics { sliding: hit(), ..Metrics::default() },
        ),
    ];
    for (options, expected) in cases {
        let game = compile(&definition, options);
        let (from, to) = (tile(&game, "1"), tile(&game, "3"));
        assert_eq!(observe(&game, &game.start(), from, to), expected, "{options:?}");
        assert_eq!(game.capabilities().acceleration.options(), options);
    }
}

#[test]
fn a_tile_of_another_board_is_a_skip() {
    let scene = Scene::line("M . .", &runner());
    let far = Scene::line("M . . . .", &runner());
    let (game, state) = scene.engine.game();
    let (here, beyond) = (tile(game, "1"), tile(far.engine.game().0, "5"));
    let off = skip(Skips { off_board: 1, ..Skips::default() });
    let expected = Metrics { sliding: off, compiled: off, visitor: off };
    assert_eq!(observe(game, state, here, beyond), expected);
    assert_eq!(observe(game, state, beyond, here), expected);
    assert_eq!(observe(game, state, beyond, beyond), expected);
}

#[test]
fn counts_add_up_over_many_requests() {
    let scene = Scene::line("M . f . e", &runner());
    let (game, state) = scene.engine.game();
    let piece = game.piece("mover").expect("every scene has a mover");
    let mut metrics = Metrics::default();
    for from in game.tiles() {
        for to in game.tiles() {
            game.paths().resolve_observed(state, piece, from, to, &mut metrics);
        }
    }
    // 1 to 2; 2 to none; 3 to 4 and 5; 4 to 5.
    assert_eq!((metrics.sliding.hits, metrics.sliding.misses), (4, 16));
    assert_eq!(metrics.sliding.attempts, 20);
    assert_eq!(metrics.sliding.skips.total(), 5);
    assert_eq!(metrics.sliding.skips.zero_length, 5);
    assert_eq!(metrics.compiled, skip(Skips { zero_length: 5, ..Skips::default() }));
}

#[test]
fn the_same_request_is_always_reported_alike() {
    let patterns = [vec![Pattern::Any], leaper(), slider()].concat();
    let scene = Scene::grid(". e .\nf . .\nM . .", &patterns);
    let (game, state) = scene.engine.game();
    for from in game.tiles() {
        for to in game.tiles() {
            let first = observe(game, state, from, to);
            assert_eq!(first, observe(game, &state.clone(), from, to));
        }
    }
}

#[test]
fn metrics_change_no_answer_under_any_option() {
    let drawing = ". e . f\n. . . .\nf . M .\n. . e .";
    let scene = Scene::grid(drawing, &[Pattern::slides(&EIGHT)]);
    assert_eq!(all_options().count(), 16);
    for (game, state) in scene.engine.games() {
        let piece = game.piece("mover").expect("every scene has a mover");
        let mut metrics = Metrics::default();
        for from in game.tiles() {
            for to in game.tiles() {
                let silent = game.resolve_path(state, piece, from, to);
                let paths = game.paths();
                assert_eq!(silent, paths.resolve_observed(state, piece, from, to, &mut metrics));
            }
        }
        let hits: u64 = Layer::ALL.iter().map(|layer| metrics.of(*layer).hits).sum();
        assert!(hits > 30, "{hits}");
    }
}

#[test]
fn the_tiles_that_block_are_the_occupied_exclusive_ones() {
    let scene = Scene::line("M _ee e f _ .", &[Pattern::slide(FORWARD)]);
    let (game, state) = scene.engine.game();
    let blocking = game.capabilities().acceleration.blocking(state);
    let names: Vec<&str> = blocking.iter().map(|tile| game.tile_name(tile)).collect();
    assert_eq!(names, ["1", "3", "4"]);
}
