//! Facts about the whole game tree.

use std::collections::BTreeSet;

use senet_core::State;
use senet_tic_tac_toe::game;

#[test]
fn distinct_positions_by_ply_are_the_published_ones() {
    let game = game();
    let mut level: Vec<State> = vec![game.start()];
    let mut counts = Vec::new();
    while !level.is_empty() {
        counts.push(level.len());
        let mut seen = BTreeSet::new();
        let mut next = Vec::new();
        for state in &level {
            for event in game.legal(state) {
                let after = game.apply(state, event).unwrap().state;
                if seen.insert(after.hash128()) {
                    next.push(after);
                }
            }
        }
        level = next;
    }
    assert_eq!(counts, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
}

#[test]
fn there_are_255168_games() {
    fn games(game: &senet_core::Game, state: &State) -> u64 {
        let events = game.legal(state);
        if events.is_empty() {
            assert!(game.outcome(state).is_some());
            return 1;
        }
        events.iter().map(|&event| games(game, &game.apply(state, event).unwrap().state)).sum()
    }
    let game = game();
    assert_eq!(games(&game, &game.start()), 255_168);
}

#[test]
fn perft_counts_every_sequence() {
    let game = game();
    let counts: Vec<u64> = (0..=9).map(|depth| game.perft(&game.start(), depth)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
}
