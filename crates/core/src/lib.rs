//! A general board-game engine: a game is written as data, compiled once, and then played,
//! explained, replayed and counted, the same to the bit on every machine.

pub mod builder;
pub mod condition;
pub mod definition;
pub mod effect;
pub mod id;
#[allow(dead_code, reason = "the compiled game is its only user")]
mod path;
pub mod pattern;
pub mod rule;
#[allow(dead_code, reason = "the compiled game is its only user")]
mod tile_set;
#[allow(dead_code, reason = "the compiled game is its only user")]
mod topology;

pub use builder::{Board, Builder, Grid, Hex, Track};
pub use condition::{Area, Comparison, Condition, Seat, Spot, TileTest, Trait, Value, Who};
pub use definition::{
    Attribute, Capacity, Definition, Die, Facing, Flag, Kind, Life, Piece, Placement, Player,
    Region, Relation, Requirement, Share, Standing, Tile, Variable,
};
pub use effect::Effect;
pub use id::*;
pub use path::{
    Capture, CompiledPattern, Layer, Metrics, Observer, Path, PathOptions, Report, Skip, Skips,
    Tally,
};
pub use pattern::{Pattern, Reach};
pub use rule::{
    Derived, Ending, EventKind, Movement, Order, Phase, Play, Preprocessor, Putting, Rolling, Rule,
    Subject, Wanted, Way,
};
pub use tile_set::{MAX_TILES, TileSet};
pub use topology::{Link, Topology, TopologyClass};
