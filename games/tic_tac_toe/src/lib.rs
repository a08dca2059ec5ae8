//! The notation of tic-tac-toe. The game itself is a file.
//!
//! ```
//! use senet_core::Notation;
//! use senet_tic_tac_toe::{NOTATION, game};
//!
//! let game = game();
//! let start = game.start();
//! let centre = NOTATION.parse_event(&game, &start, "b2").unwrap();
//! let step = game.apply(&start, centre).unwrap();
//! assert_eq!(game.legal(&step.state).len(), 8);
//! assert_eq!(NOTATION.format_position(&game, &step.state), "3/1x1/3 o");
//! ```

pub mod notation;

pub use notation::NOTATION;

use senet_core::{Definition, Game, Options};
use senet_lang::Shelf;

/// The file of tic-tac-toe, by the name of the game.
pub static FILES: &[(&str, &str)] = &[("tic-tac-toe", include_str!("../../tic-tac-toe.senet"))];

/// The rules of tic-tac-toe.
pub fn definition() -> Definition {
    Shelf(FILES).game("tic-tac-toe").definition
}

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
