//! A general board-game engine: a game is written as data, compiled once, and then played,
//! explained, replayed and counted, the same to the bit on every machine.
//!
//! A [`Definition`] is the game as written, best with a [`Builder`]; [`Definition::compile`] makes
//! a [`Game`] of it; [`Game::apply`] takes a [`State`] and an [`Event`] and gives a [`Step`] or a
//! [`Rejection`]; a [`Match`] is one playing with its history.

mod apply;
pub mod backend;
mod bitboard;
mod budget;
pub mod builder;
mod candidate;
mod capability;
mod chance;
mod change;
mod draft;
mod drawing;
mod engine;
mod event;
mod event_space;
mod explain;
mod fault;
mod game;
mod hash;
mod history;
mod id;
mod independence;
mod inspect;
mod interpret;
pub mod ir;
mod layout;
mod legal;
mod lower;
mod name;
mod notation;
mod observe;
mod outcome;
mod path;
mod perft;
mod perspective;
pub mod program;
mod recall;
mod resolve;
mod restore;
mod save;
mod setup;
mod state;
pub mod text;
mod threat;
mod tile_set;
mod topology;
mod turn;
mod typed;
mod usage;
mod verify;
mod view;
mod walker;
mod written;

pub use apply::Accepted;
pub use budget::{Budget, Stopped};
pub use builder::{Board, Builder, Grid, Hex, Track};
pub use capability::{Acceleration, Capabilities, PathResolver};
pub use chance::{Chance, Probability};
pub use change::{Change, NamedChange};
pub use draft::Draft;
pub use event::{Event, Outcome, Reason, Rejection, Step, Verdict};
pub use explain::{Attack, Check, Explanation, RuleReport};
pub use fault::{Artifact, DefinitionError, DefinitionErrors, Fault};
pub use game::{CustomCondition, CustomEffect, Customs, Game, Options};
pub use history::{Match, Played};
pub use id::*;
pub use inspect::{Frequency, Inspection, Method};
pub use name::nearest;
pub use notation::{
    EventError, Notation, Plain, PositionError, PositionReason, Refusal, TurnError, excerpt,
    expected,
};
pub use observe::{Glimpse, Observation, ObservationRecord, PieceRecord, Viewer};
pub use path::{
    Capture, CompiledPattern, Layer, Metrics, Observer, Path, PathOptions, Report, Skip, Skips,
    Tally,
};
pub use perft::Leaves;
pub use perspective::Perspective;
pub use recall::{Memory, Recall};
pub use save::{LoadError, LoadProblem, SaveForm, SaveMark};
pub use setup::{Held, Setup, SetupError, SetupErrors, Stand};
pub use state::State;
pub use tile_set::{MAX_TILES, TileSet};
pub use topology::{Link, Topology, TopologyClass};
pub use turn::Turn;
pub use verify::Law;
pub use view::{PieceState, View};
pub use walker::{Walker, WalkerCache};
pub use written::*;
