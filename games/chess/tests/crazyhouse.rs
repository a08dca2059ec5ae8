//! Crazyhouse, made from chess, is counted as elsewhere.

use senet_chess::definition;
use senet_core::{Options, Plain};
use senet_testkit::oracle::Oracle;
use senet_testkit::{check_perft, parse_perft, witness};

const POSITIONS: &str = include_str!("data/crazyhouse.perft");

#[test]
fn the_oracle_counts_crazyhouse() {
    let definition = witness::crazyhouse::definition(definition());
    let oracle = Oracle::new(&definition);
    for line in parse_perft(POSITIONS).unwrap() {
        let (depth, count) = line.counts[0];
        assert_eq!(oracle.perft(&oracle.read(&line.position), depth), count, "{}", line.position);
    }
}

#[test]
fn the_engine_counts_crazyhouse() {
    let game = witness::crazyhouse::definition(definition()).compile(Options::default());
    let game = game.unwrap_or_else(|errors| panic!("{errors}"));
    for (depth, &count) in (1..=4).zip(witness::crazyhouse::COUNTS) {
        assert_eq!(game.perft(&game.start(), depth), count);
    }
    check_perft(&game, &Plain, POSITIONS, 200_000);
}
