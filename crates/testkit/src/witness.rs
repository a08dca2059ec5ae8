//! Known games, written with the builder, whose trees are counted elsewhere.
//!
//! Each shows that the words of rules reach a game, and pins down what they mean: its `COUNTS` are
//! the numbers of sequences of 1, 2, 3 … events from the start, published or found by a program that
//! knows that game alone.

pub mod amazons;
pub mod breakthrough;
pub mod clobber;
pub mod connect_four;
pub mod crazyhouse;
pub mod draughts;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod international_draughts;
pub mod lines_of_action;
pub mod othello;
pub mod oware;
pub mod shogi;
pub mod xiangqi;

use senet_core::Definition;

/// A game and how many sequences of events there are, by their length from 1 on.
pub struct Witness {
    /// The game.
    pub definition: Definition,
    /// The counts.
    pub counts: &'static [u64],
}

/// Every witness that stands alone; [`crazyhouse`] is made from chess, and the look-ahead of
/// [`international_draughts`] is too much for the oracle.
pub fn all() -> Vec<Witness> {
    let witness = |definition, counts| Witness { definition, counts };
    vec![
        witness(amazons::definition(), amazons::COUNTS),
        witness(breakthrough::definition(), breakthrough::COUNTS),
        witness(clobber::definition(), clobber::COUNTS),
        witness(connect_four::definition(), connect_four::COUNTS),
        witness(draughts::definition(), draughts::COUNTS),
        witness(go::definition(9), go::COUNTS),
        witness(go::definition(3), go::SMALL),
        witness(go::with_superko(2), go::SUPERKO),
        witness(gomoku::definition(), gomoku::COUNTS),
        witness(hex::definition(11), hex::COUNTS),
        witness(lines_of_action::definition(), lines_of_action::COUNTS),
        witness(othello::definition(), othello::COUNTS),
        witness(oware::definition(), oware::COUNTS),
        witness(shogi::definition(), shogi::COUNTS),
        witness(xiangqi::definition(), xiangqi::COUNTS),
    ]
}
