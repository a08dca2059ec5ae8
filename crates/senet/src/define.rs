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
pub use senet_core::{
    Area, Artifact, Attribute, Capacity, Comparison, Condition, CustomCondition, CustomEffect,
    Customs, Deed, Definition, DefinitionError, DefinitionErrors, Derived, Die, Draft, Effect,
    Ending, EventKind, Facing, Fault, Flag, Kind, Landing, Life, Listing, MAX_TILES, Movement,
    Options, Order, PathOptions, Pattern, Phase, Piece, Pips, Placement, Play, Player,
    Preprocessor, Putting, Reach, Region, Relation, Requirement, Rolling, Rule, Seat, Share, Spot,
    Standing, Subject, Threat, Tile, TileTest, Trait, Usage, Value, Variable, Wanted, Way, Who,
};
