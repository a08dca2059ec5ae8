//! No question about a path allocates, whoever answers it and however large the board is.

use std::hint::black_box;

use senet_core::builder::{EAST, EIGHT, FOUR, NORTH, SOUTH, WEST};
use senet_core::builder::{Grid, Track};
use senet_core::layers::{Layer, Metrics, Path};
use senet_core::written::{Kind, Pattern, Phase, Rule};
use senet_core::{Builder, Game, Options, PieceId, State};

/// How often some work asks for memory.
fn allocations(work: impl FnOnce()) -> u64 {
    senet_testkit::allocation::allocations(work).1
}

/// A game of pieces of one kind among stones, about one tile in four occupied.
fn game(board: impl Into<senet_core::builder::Board>, patterns: Vec<Pattern>) -> (Game, State) {
    let board = board.into();
    let names: Vec<String> = board.tiles.iter().map(|tile| tile.name.clone()).collect();
    let every = |start: usize| names.iter().skip(start).step_by(8).cloned();
    let definition = Builder::new("crowd")
        .players(["me", "foe"])
        .board(board)
        .kind(Kind { patterns, ..Kind::new("mover") })
        .kind("stone")
        .piece("mover", "me", "mover")
        .pieces_on("me", "stone", every(3))
        .pieces_on("foe", "stone", every(6))
        .action("pass")
        .phase(Phase::leaf("play").rule(Rule::acts("rest", "pass")))
        .build();
    let game = definition.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let start = game.start();
    (game, start)
}

fn leaper() -> Vec<Pattern> {
    let turns = [(NORTH, EAST), (NORTH, WEST), (SOUTH, EAST), (SOUTH, WEST)];
    let turns = turns.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
    turns.map(|(long, aside)| Pattern::leap(&[long, long, aside])).collect()
}

/// Asks from many tiles to every tile; returns how many paths were found.
fn ask_all<'g>(
    game: &'g Game,
    mut ask: impl FnMut(senet_core::TileId, senet_core::TileId) -> Option<Path<'g>>,
) -> usize {
    let mut found = 0;
    for from in game.tiles().step_by(3) {
        for to in game.tiles() {
            if let Some(path) = black_box(ask(from, to)) {
                let read = path.relations().count() + path.tiles().count();
                assert_eq!(black_box(read), 2 * path.len() + 1);
                found += usize::from(black_box(path.distance()) > 0);
            }
        }
    }
    found
}

/// Checks every door of the resolver, and that reading what it finds allocates nothing either.
fn allocates_nothing((game, state): &(Game, State)) {
    let piece: PieceId = game.piece("mover").expect("every game here has a mover");
    let paths = game.paths();
    let mut found = [0; 5];
    let asked = allocations(|| {
        found[0] = ask_all(game, |from, to| game.resolve_path(state, piece, from, to));
        let mut metrics = Metrics::default();
        found[1] =
            ask_all(game, |from, to| paths.resolve_observed(state, piece, from, to, &mut metrics));
        for (index, layer) in Layer::ALL.into_iter().enumerate() {
            let alone = |from, to| paths.resolve_by(layer, state, piece, from, to).ok().flatten();
            found[index + 2] = ask_all(game, alone);
        }
    });
    assert_eq!(asked, 0);
    assert!(found[0] > 50 && found[0] == found[1] && found[0] == found[4], "{found:?}");
    let reached = allocations(|| {
        for from in game.tiles() {
            let targets = black_box(paths.targets(state, piece, from));
            for to in targets.iter().chain(game.tiles().take(2)) {
                black_box(paths.blocker(state, piece, from, to));
            }
        }
    });
    assert_eq!(reached, 0);
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| drop(black_box([1, 2, 3].repeat(2)))), 1);
    assert_eq!(allocations(|| ()), 0);
}

#[test]
fn steady_state_queries_allocate_nothing() {
    for (columns, rows) in [(8, 8), (13, 5), (43, 3), (19, 19)] {
        for patterns in [vec![Pattern::slides(&EIGHT)], vec![Pattern::steps(&FOUR)], leaper()] {
            allocates_nothing(&game(Grid::new(columns, rows).eight(), patterns));
        }
    }
}

#[test]
fn sliders_on_64_tiles_allocate_nothing() {
    for directions in [&EIGHT[..], &FOUR[..]] {
        allocates_nothing(&game(Grid::new(8, 8).eight(), vec![Pattern::slides(directions)]));
    }
}

#[test]
fn sliders_on_500_tiles_allocate_nothing() {
    allocates_nothing(&game(Grid::new(25, 20).eight(), vec![Pattern::slides(&EIGHT)]));
}

#[test]
fn leapers_and_walkers_on_64_tiles_allocate_nothing() {
    allocates_nothing(&game(Grid::new(8, 8).eight(), leaper()));
    allocates_nothing(&game(Grid::new(8, 8).eight(), vec![Pattern::steps(&EIGHT)]));
}

#[test]
fn leapers_on_500_tiles_allocate_nothing() {
    allocates_nothing(&game(Grid::new(25, 20).eight(), leaper()));
}

#[test]
fn pieces_of_several_patterns_allocate_nothing() {
    let several = [leaper(), vec![Pattern::Any, Pattern::slides(&FOUR), Pattern::Null]].concat();
    allocates_nothing(&game(Grid::new(8, 8).eight(), several));
}

#[test]
fn rays_round_a_ring_allocate_nothing() {
    let both = vec![Pattern::slides(&["clockwise", "counter-clockwise"])];
    allocates_nothing(&game(Track::ring(500), both));
}
