//! Published counts.

use senet_chess::game;

#[test]
fn start() {
    let game = game();
    for (depth, nodes) in [(1, 20), (2, 400), (3, 8902), (4, 197_281)] {
        assert_eq!(game.perft(&game.start(), depth), nodes, "depth {depth}");
    }
}
