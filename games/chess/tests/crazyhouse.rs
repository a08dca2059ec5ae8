//! Crazyhouse, made from chess, is counted as elsewhere.

use senet_chess::variant;
use senet_core::{Options, Plain};
use senet_testkit::oracle::Oracle;
use senet_testkit::{check_perft, parse_perft};

const POSITIONS: &str = include_str!("data/crazyhouse.perft");

#[test]
fn the_oracle_counts_crazyhouse() {
    let definition = variant("crazyhouse");
    let oracle = Oracle::new(&definition);
    for line in parse_perft(POSITIONS).unwrap() {
        let (depth, count) = line.counts[0];
        assert_eq!(oracle.perft(&oracle.read(&line.position), depth), count, "{}", line.position);
    }
}

#[test]
fn the_engine_counts_crazyhouse() {
    let game = variant("crazyhouse").compile(Options::default());
    let game = game.unwrap_or_else(|errors| panic!("{errors}"));
    for (depth, count) in (1..=4).zip([20, 400, 8_902, 197_281]) {
        assert_eq!(game.perft(&game.start(), depth), count);
    }
    check_perft(&game, &Plain, POSITIONS, 200_000);
}

#[test]
fn a_promoted_piece_goes_to_the_hand_as_a_pawn() {
    let definition = variant("crazyhouse");
    let oracle = Oracle::new(&definition);
    let after = |text: &str, event: &str| {
        let legal = oracle.legal(&oracle.read(text)).into_iter();
        let mut after = legal.filter(|(one, _)| oracle.tell(one) == event);
        oracle.text(&after.next().expect("a legal event").1)
    };
    let queen = after(
        "white a1=white:king b7=white:pawn h8=black:king hand.white= hand.black=",
        "b7/b8=queen",
    );
    assert!(queen.contains("b8=white:queen+promoted"), "{queen}");
    let taken = |queen: &str| {
        let text = format!("black a1=white:king c8=black:king b8={queen} hand.white= hand.black=");
        after(&text, "c8/b8")
    };
    assert!(taken("white:queen+promoted").contains("hand.black=pawn"));
    assert!(taken("white:queen").contains("hand.black=queen"));
}
