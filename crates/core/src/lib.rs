//! A general board-game engine: a game is written as data, compiled once, and then played,
//! explained, replayed and counted, the same to the bit on every machine.
//!
//! A [`Definition`] is the game as written, best with a [`Builder`]; [`Definition::compile`] makes
//! a [`Game`] of it; [`Game::apply`] takes a [`State`] and an [`Event`] and gives a [`Step`] or a
//! [`Rejection`]; a [`Match`] is one playing with its history.

mod accept;
mod apply;
mod beside;
mod bits;
pub mod builder;
mod candidate;
mod capability;
mod chance;
mod change;
mod choice;
mod compile;
mod condition;
mod deed;
mod definition;
mod draft;
mod drawing;
mod effect;
mod event;
mod explain;
mod fault;
mod game;
mod gate;
mod generate;
mod hash;
mod history;
mod id;
mod layout;
mod legal;
mod make;
mod name;
mod notation;
mod outcome;
mod path;
mod pattern;
mod perft;
mod perspective;
mod plan;
mod race;
mod reckoning;
mod restore;
mod rule;
mod save;
mod scene;
mod setup;
mod state;
pub mod text;
mod threat;
mod tile_set;
mod topology;
mod turn;
mod usage;
mod view;

pub use accept::Accepted;
pub use builder::{Board, Builder, Grid, Hex, Track};
pub use capability::{Acceleration, Capabilities, PathResolver};
pub use chance::{Chance, Probability, Throw};
pub use change::{Change, NamedChange};
pub use choice::Choice;
pub use condition::{Area, Comparison, Condition, Seat, Spot, TileTest, Trait, Value, Who};
pub use definition::{
    Attribute, Capacity, Definition, Die, Facing, Flag, Kind, Life, Piece, Placement, Player,
    Region, Relation, Requirement, Share, Standing, Tile, Variable,
};
pub use draft::Draft;
pub use effect::Effect;
pub use event::{Event, Outcome, Reason, Rejection, Step, Verdict};
pub use explain::{Attack, Check, Explanation, RuleReport};
pub use fault::{Artifact, DefinitionError, DefinitionErrors, Fault};
pub use game::{CustomCondition, CustomEffect, Customs, Game, Options};
pub use history::{Match, Played};
pub use id::*;
pub use name::nearest;
pub use notation::{
    EventError, Notation, Plain, PositionError, PositionReason, Refusal, TurnError, excerpt,
};
pub use path::{
    Capture, CompiledPattern, Layer, Metrics, Observer, Path, PathOptions, Report, Skip, Skips,
    Tally,
};
pub use pattern::{Pattern, Reach};
pub use perft::Leaves;
pub use perspective::Perspective;
pub use rule::{
    Deed, Derived, Ending, EventKind, Landing, Listing, Movement, Order, Phase, Pips, Play,
    Preprocessor, Putting, Rolling, Rule, Subject, Threat, Usage, Wanted, Way,
};
pub use save::{LoadError, LoadProblem};
pub use setup::{Setup, SetupError, SetupErrors, Stand};
pub use state::State;
pub use tile_set::{MAX_TILES, TileSet};
pub use topology::{Link, Topology, TopologyClass};
pub use turn::Turn;
pub use view::{PieceState, View};
