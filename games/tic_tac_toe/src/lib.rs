//! Tic-tac-toe, all data.
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

pub mod definition;
pub mod notation;

pub use definition::definition;
pub use notation::NOTATION;

use senet_core::{Game, Options};

/// The compiled game.
pub fn game() -> Game {
    definition().compile(Options::default()).expect("the definition is tested")
}
