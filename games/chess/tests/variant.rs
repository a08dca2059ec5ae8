//! Variants: published counts of their trees.

use senet_core::{Definition, Options};

fn counts(definition: Definition, depth: u32) -> Vec<u64> {
    let game = definition.compile(Options::default()).unwrap();
    (1..=depth).map(|depth| game.perft(&game.start(), depth)).collect()
}

#[test]
fn capablanca_has_805128_lines_of_four_moves() {
    assert_eq!(counts(senet_chess::variant("capablanca"), 4), [28, 784, 25_228, 805_128]);
}

#[test]
fn atomic_has_4864979_lines_of_five_moves() {
    let counted = counts(senet_chess::variant("atomic"), 5);
    assert_eq!(counted, [20, 400, 8902, 197_326, 4_864_979]);
}

#[test]
fn variants_that_only_end_earlier_begin_like_chess() {
    for definition in
        [senet_chess::variant("three-check"), senet_chess::variant("king-of-the-hill")]
    {
        assert_eq!(counts(definition, 4), [20, 400, 8902, 197_281]);
    }
}
