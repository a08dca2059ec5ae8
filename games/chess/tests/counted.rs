//! Variants in plain notation are counted as python-chess counts them.

use senet_chess::variant;
use senet_core::{Options, Plain};
use senet_testkit::check_perft;

/// Compares the leaves below the positions of a file, each to the greatest depth in it.
fn check(name: &str, positions: &str) {
    let game = variant(name).compile(Options::default());
    let game = game.unwrap_or_else(|errors| panic!("{errors}"));
    check_perft(&game, &Plain, positions, 200_000);
}

#[test]
fn racing_kings_is_counted_as_by_python_chess() {
    check("racing-kings", include_str!("data/racing-kings.perft"));
}

#[test]
fn horde_is_counted_as_by_python_chess() {
    check("horde", include_str!("data/horde.perft"));
}
