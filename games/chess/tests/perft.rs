//! Published counts.

use senet_core::{Definition, Options};

fn counts(definition: Definition, depth: u32) -> Vec<u64> {
    let game = definition.compile(Options::default()).unwrap();
    (1..=depth).map(|depth| game.perft(&game.start(), depth)).collect()
}

#[test]
fn start() {
    assert_eq!(counts(senet_chess::definition(), 4), [20, 400, 8902, 197_281]);
}

#[test]
fn capablanca() {
    assert_eq!(counts(senet_chess::capablanca::definition(), 4), [28, 784, 25_228, 805_128]);
}

#[test]
fn atomic() {
    assert_eq!(counts(senet_chess::atomic::definition(), 4), [20, 400, 8902, 197_326]);
}

#[test]
fn three_check() {
    assert_eq!(counts(senet_chess::three_check::definition(), 4), [20, 400, 8902, 197_281]);
}

#[test]
fn king_of_the_hill() {
    assert_eq!(counts(senet_chess::king_of_the_hill::definition(), 4), [20, 400, 8902, 197_281]);
}
