//! Notations of backgammon and its variants: positions, moves, matches. The games themselves are
//! files.
//!
//! ```
//! let game = senet_backgammon::game();
//! let start = senet_backgammon::on_roll(&game);
//! let turns: usize = game
//!     .chances(&start)
//!     .iter()
//!     .map(|chance| game.apply(&start, chance.event).unwrap().state)
//!     .map(|rolled| game.turns(&rolled).unwrap().len())
//!     .sum();
//! assert_eq!(turns, 447);
//! ```
//!
//! **Players** are `white`, who moves from `p24` down to `p1`, and `black`, who moves up.
//!
//! **Tiles**, each holding any number: `p1` to `p24`, the points as white counts them (black's
//! point *n* is `p(25-n)`); `white-bar`, `black-bar`, `white-off`, `black-off`, of the player named.
//! The kind of piece is `checker`.
//!
//! **Dice** are `one`, `two`, `three` and `four`, the greatest first, spent ones last: a roll of
//! 3-1 shows 3 1 0 0, after the 3 is used 1 0 0 0; a double of 4 shows 4 4 4 4. All zero: the
//! player to move is on roll. The opening roll is thrown with the dice `white` and `black`, which
//! show nothing at any other time.
//!
//! **Events.** A checker moves by `Advance { from, to, pips }`, one event for each die used. Rolls
//! are `Roll`; the opening roll names white's die first and black's second, later rolls the greater
//! die first. Acts of play: `take`, `drop`, `beaver` (answers to a double), `accept`, `refuse`
//! (answers to a resignation), `pass` (by itself, when no die can be used), `settle` (by itself,
//! when a game of a match is over). Asides: `double` (before the roll), `resign-single`,
//! `resign-gammon`, `resign-backgammon`. While a double or a resignation is answered it is the turn
//! of the player who answers.
//!
//! **Variables** (what each player has is marked `*`): `length` of the match, 0 for money; `score`*;
//! `cube`, its number; `owns`*, 1 for the owner of the cube; `limit`, the highest number of the cube;
//! `offered`, 1 while a double is answered, 2 while a beaver is; `resigning`, 1 to 3 while a
//! resignation is answered; `wins`*, 1 to 3 for the winner of a game that is over; `crawford`, 1 in
//! the Crawford game; `jacoby`, `beavers`, 1 if agreed; `automatic`, how many equal opening rolls
//! of a game for money double the cube; `opening`, 1 until the opening roll decides who begins;
//! `ties`, how many equal opening rolls there have been until then.
//!
//! A game for money (`length` 0) ends as `single`, `gammon` or `backgammon` and is worth one,
//! two or three times the cube. In a match `settle` adds this to the score and, until the match is won, sets up
//! the next game.

mod drawing;
pub mod gnubg;
mod lexicon;
pub mod mat;
pub mod notation;
pub mod object;
pub mod play;
pub mod position;
pub mod terms;
mod turn;
pub mod xgid;

pub use notation::{Backgammon, NOTATION};
pub use terms::{Terms, on_roll};

use senet_core::{Definition, Game, Options};
use senet_lang::Shelf;

/// The files of backgammon and its variants, by the names of the games.
pub static FILES: &[(&str, &str)] = &[
    ("backgammon", include_str!("../../backgammon.senet")),
    ("nackgammon", include_str!("../../nackgammon.senet")),
    ("hypergammon", include_str!("../../hypergammon.senet")),
    ("longgammon", include_str!("../../longgammon.senet")),
];

/// Backgammon with cube and match.
pub fn definition() -> Definition {
    variant("backgammon")
}

/// The rules of one of the [`FILES`].
///
/// # Panics
///
/// Where there is no such game.
pub fn variant(name: &str) -> Definition {
    Shelf(FILES).game(name).definition
}

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
