//! Backgammon and its variants, all data.
//!
//! ```
//! let game = senet_backgammon::game();
//! let start = senet_backgammon::on_roll(&game);
//! let turns: usize = game
//!     .chances(&start)
//!     .iter()
//!     .map(|chance| game.turns(&game.apply(&start, chance.event).unwrap().state).len())
//!     .sum();
//! assert_eq!(turns, 447);
//! ```

pub mod definition;
mod drawing;
pub mod gnubg;
pub mod hypergammon;
mod lexicon;
pub mod longgammon;
pub mod mat;
pub mod nackgammon;
pub mod notation;
pub mod object;
pub mod play;
pub mod position;
pub mod terms;
mod turn;
pub mod xgid;

pub use definition::definition;
pub use notation::{Backgammon, NOTATION};
pub use terms::{Terms, on_roll};

use senet_core::{Game, Options};

/// What a position of backgammon looks to be worth, as data for opponents: pips, checkers alone
/// and points made, in parts of a won game.
pub static WEIGHTS: &str = include_str!("weights.json");

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
