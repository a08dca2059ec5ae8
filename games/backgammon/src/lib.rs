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
pub mod hypergammon;
pub mod longgammon;
pub mod nackgammon;
pub mod notation;
pub mod terms;

pub use definition::definition;
pub use notation::NOTATION;
pub use terms::{Terms, on_roll};

use senet_core::{Game, Options};

/// What a position of backgammon looks to be worth, as data for opponents: pips, checkers alone
/// and points made, in parts of a won game.
pub static WEIGHTS: &str = include_str!("weights.json");

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
