//! Writing games: definitions, their vocabulary, and the builder.
//!
//! A [`Definition`] is plain data. Write one with the [`Builder`], or as JSON, and give it to
//! [`Game::compile`](crate::Game::compile).
//!
//! ```
//! use senet::Game;
//! use senet::define::Definition;
//!
//! let written = senet::load("tic-tac-toe")?.definition().clone();
//! let renamed = Definition { name: "noughts-and-crosses".into(), ..written };
//! let game = Game::compile(renamed)?;
//! assert_eq!(game.start().perft(3), 504);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use senet_core::builder::{self, Board, Builder, Grid, Hex, Track};
pub use senet_core::custom::{CustomCondition, CustomEffect, Customs, Draft};
pub use senet_core::fault::{Artifact, DefinitionError, Fault};
pub use senet_core::layers::PathOptions;
pub use senet_core::written::{
    Attribute, Binding, BoardTile, Capacity, Card, Comparison, Deed, Derived, Die, Domain, Drawing,
    Effect, Ending, Facing, Fate, Flag, Kind, Landing, Life, Listing, Lot, MAX_TILES, Mark,
    Movement, Number, Order, Pattern, Phase, Piece, Pile, Pips, Placement, Play, Player,
    Preprocessor, Putting, Reach, Region, Relation, Requirement, Rolling, Rule, Seat, Secret, Set,
    Share, Sight, Standing, Subject, Supply, Threat, Tile, Truth, Usage, Variable, Wanted, Way,
    Who,
};
pub use senet_core::{Definition, DefinitionErrors, EventKind, Options};
