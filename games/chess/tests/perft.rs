//! Published counts, from positions read as FEN.

use senet_chess::{NOTATION, game};
use senet_core::Notation;

/// Positions with the counts to depth 3, from the Chess Programming Wiki's page of perft results.
const POSITIONS: [(&str, &str, [u64; 3]); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902]),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2039, 97862],
    ),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9467],
    ),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379]),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2079, 89890],
    ),
];

#[test]
fn published_counts_to_depth_three() {
    let game = game();
    for (name, fen, counts) in POSITIONS {
        let state = NOTATION.parse_position(&game, fen).unwrap();
        assert_eq!(NOTATION.format_position(&game, &state), fen, "{name}");
        for (depth, nodes) in (1..).zip(counts) {
            assert_eq!(game.perft(&state, depth), nodes, "{name}, depth {depth}");
        }
    }
}

#[test]
fn published_counts_to_depth_four() {
    let game = game();
    for (fen, nodes) in [(POSITIONS[0].1, 197_281), (POSITIONS[2].1, 43238)] {
        let state = NOTATION.parse_position(&game, fen).unwrap();
        assert_eq!(game.perft(&state, 4), nodes, "{fen}");
    }
}
