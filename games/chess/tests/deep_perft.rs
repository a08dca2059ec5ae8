//! Published counts to depth five, shared among threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use senet_chess::{NOTATION, game, variant};
use senet_core::{Game, Notation, Options, State};

/// A position with the leaves below it, by depth from one.
struct Known {
    name: &'static str,
    state: State,
    nodes: Vec<u64>,
}

/// Reads a table of counts: a name, a position and the leaves by depth for each entry.
fn known(game: &Game, text: &'static str) -> Vec<Known> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(' ')).collect();
    let entry = |entry: &[(&str, &'static str)]| {
        let [("name", name), ("position", fen), ("nodes", nodes)] = entry else {
            panic!("an entry is a name, a position and its nodes: {entry:?}");
        };
        Known {
            name: name.trim(),
            state: NOTATION.parse_position(game, fen.trim()).unwrap(),
            nodes: nodes.split_whitespace().map(|count| count.parse().unwrap()).collect(),
        }
    };
    words.chunks(3).map(entry).collect()
}

/// A part of a count: the tree below a state of a position.
struct Part {
    position: usize,
    state: State,
    depth: u32,
}

/// The trees below the replies to every first move.
fn parts(game: &Game, position: usize, state: &State, depth: u32) -> Vec<Part> {
    let follow = |state: &State| -> Vec<State> {
        let legal = game.legal(state).into_iter();
        legal.map(|event| game.apply(state, event).unwrap().state).collect()
    };
    let replies = follow(state).into_iter().flat_map(|after| follow(&after));
    replies.map(|state| Part { position, state, depth: depth - 2 }).collect()
}

#[test]
fn published_counts_to_depth_five() {
    const DEPTH: u32 = 5;
    let game = game();
    let known = known(&game, include_str!("data/chess.perft"));
    let parts: Vec<Part> = (0..known.len())
        .flat_map(|position| parts(&game, position, &known[position].state, DEPTH))
        .collect();
    let nodes: Vec<AtomicU64> = known.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let count = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let counted = game.perft(&part.state, part.depth);
            nodes[part.position].fetch_add(counted, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(2, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(count)));
    });
    assert_eq!(known.len(), 6);
    for (known, nodes) in known.iter().zip(nodes) {
        assert_eq!(nodes.into_inner(), known.nodes[DEPTH as usize - 1], "{}", known.name);
    }
}

#[test]
fn published_counts_of_shallow_trees() {
    let three_check = variant("three-check").compile(Options::default()).unwrap();
    let hill = variant("king-of-the-hill").compile(Options::default()).unwrap();
    for (game, text) in [
        (&game(), include_str!("data/chess.perft")),
        (&three_check, include_str!("data/three-check.perft")),
        (&hill, include_str!("data/king-of-the-hill.perft")),
    ] {
        for known in known(game, text) {
            for (depth, &nodes) in (1..=4).zip(&known.nodes) {
                let counted = game.perft(&known.state, depth);
                assert_eq!(counted, nodes, "{}, {}, depth {depth}", game.name(), known.name);
            }
        }
    }
}
