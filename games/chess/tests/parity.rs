//! However a game is compiled, and after it was written out and read back, it says the same.

use senet_chess::{CHESS960, NOTATION, chess960, definition, variant};
use senet_core::layers::PathOptions;
use senet_core::{Definition, Event, Game, Notation, Options, State};

/// The games that are compared, each with how many positions; boards of more than one word of
/// tiles and moves that explode are among them.
fn editions() -> [(Definition, usize); 5] {
    [
        (definition(), 40),
        (chess960::definition(), 20),
        (variant("three-check"), 20),
        (variant("atomic"), 20),
        (variant("capablanca"), 10),
    ]
}

fn accelerated(definition: Definition) -> Game {
    definition.compile(Options::default()).unwrap()
}

/// The plain engine: paths are walked by the visitor, phases and rules are asked as written.
fn plain(definition: Definition) -> Game {
    let paths = PathOptions {
        compiled_patterns: false,
        bitboards: false,
        sliding_fast_path: false,
        adjacency_cache: false,
    };
    let options = Options { paths, decision_plan: false, ..Options::default() };
    definition.compile(options).unwrap()
}

/// A start: of Chess960, one that neither king nor rooks have in chess.
fn start(game: &Game) -> State {
    if game.name() != "chess960" {
        return game.start();
    }
    let fen = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1";
    CHESS960.parse_position(game, fen).unwrap()
}

/// A number of a simple generator: the same positions in every run.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Positions of random games, a few moves apart.
fn positions(game: &Game, count: usize) -> Vec<State> {
    let mut seed = 3;
    let mut states = vec![start(game)];
    let mut state = start(game);
    while states.len() < count {
        let moves = 1 + next(&mut seed) % 12;
        for _ in 0..moves {
            let legal = game.legal(&state);
            let event = legal.get(next(&mut seed) % legal.len().max(1));
            state = match event.and_then(|&event| game.apply(&state, event).ok()) {
                Some(step) => step.state,
                None => start(game),
            };
        }
        states.push(state.clone());
    }
    states
}

/// Asserts that two engines list the same events in the same order, and that each leads to the
/// same state and the same hash.
fn agree(one: &Game, other: &Game, state: &State) -> Vec<Event> {
    let shown = || NOTATION.format_position(one, state);
    let legal = one.legal(state);
    assert_eq!(legal, other.legal(state), "{}", shown());
    assert_eq!(one.outcome(state), other.outcome(state), "{}", shown());
    assert_eq!(one.asides(state), other.asides(state), "{}", shown());
    for &event in &legal {
        let (after, same) =
            (one.apply(state, event).unwrap().state, other.apply(state, event).unwrap().state);
        assert_eq!(after, same, "{} {event:?}", shown());
        assert_eq!(after.hash128(), other.full_hash(&same), "{} {event:?}", shown());
    }
    legal
}

#[test]
fn the_plain_engine_and_the_accelerated_one_list_the_same_moves_and_hashes() {
    for (definition, count) in editions() {
        let (fast, slow) = (accelerated(definition.clone()), plain(definition));
        assert_eq!(fast.definition_hash(), slow.definition_hash());
        for state in positions(&fast, count) {
            agree(&fast, &slow, &state);
        }
    }
}

#[test]
fn the_plain_engine_and_the_accelerated_one_count_the_same_trees() {
    for (definition, _) in editions() {
        let (fast, slow) = (accelerated(definition.clone()), plain(definition));
        for state in positions(&fast, 3) {
            let shown = NOTATION.format_position(&fast, &state);
            assert_eq!(fast.divide(&state, 3), slow.divide(&state, 3), "{shown}");
        }
    }
}

#[test]
fn rules_written_out_and_read_back_are_the_same_game() {
    for (definition, _) in editions() {
        let text = serde_json::to_string(&definition).unwrap();
        let read: Definition = serde_json::from_str(&text).unwrap();
        let (written, read) = (accelerated(definition), accelerated(read));
        assert_eq!(read.definition_hash(), written.definition_hash(), "{}", written.name());
        for state in positions(&written, 20) {
            agree(&written, &read, &state);
            assert_eq!(written.perft(&state, 3), read.perft(&state, 3));
        }
    }
}
