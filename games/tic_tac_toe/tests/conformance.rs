//! Tic-tac-toe obeys every law, and the naive oracle plays it the same.

use senet_testkit::{Case, check_perft, conformance, oracle};
use senet_tic_tac_toe::{NOTATION, game};

conformance!(tic_tac_toe, game(), &NOTATION);

#[test]
fn oracle_and_engine_agree() {
    oracle::agree(&Case::new(game(), &NOTATION));
}

#[test]
fn perft_is_the_published_one() {
    check_perft(&game(), &NOTATION, include_str!("data/tree.perft"), 200_000);
}
