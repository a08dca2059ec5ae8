//! What lies below [`Game::legal`], each layer with its door.
//!
//! | layer | door |
//! |---|---|
//! | foundation | [`Game::view`]: tiles, pieces, dice and variables by id; [`Game::diff`] of two states |
//! | perspectives | [`Game::perspective`], [`Game::perspectives`]: what a tile is to a player |
//! | simulation | [`Game::simulate`]: the state after an event, legal or not |
//! | patterns | [`Game::capabilities`]: [`Topology`], [`PathResolver`] and [`Acceleration`]; [`Game::resolve_path`] |
//! | threats | [`Game::threats`], [`Game::attackers`], [`Game::threatened_royals`] |
//! | sequences | [`Game::route`]: the way by which a rule leads from tile to tile |
//! | candidates | [`Game::candidates`]: events before the checks of the state after them |
//! | legality | [`Game::filter_legal`], [`Game::legal`] |
//! | trees | [`Game::perft`], [`Game::divide`] |
//!
//! A [`Path`] is resolved by one of three resolvers that agree; [`Metrics`] count which of them
//! answered, and [`CompiledPattern`] is what the middle one runs. [`Game::inspect`] says how a rule is
//! carried out.
//!
//! ```
//! use senet_core::builder::{FOUR, Grid};
//! use senet_core::layers::{Layer, Metrics};
//! use senet_core::written::{Kind, Movement, Pattern, Phase, Rule};
//! use senet_core::{Builder, Options};
//!
//! let game = Builder::new("walk")
//!     .players(["white", "black"])
//!     .board(Grid::new(8, 8))
//!     .kind(Kind::new("runner").travels(Pattern::slides(&FOUR)))
//!     .pieces_on("white", "runner", ["a1", "a4"])
//!     .phase(Phase::leaf("play").rule(Rule::moves("run", Movement::default())))
//!     .build()
//!     .compile(Options::default())?;
//! let (start, tile) = (game.start(), |name: &str| game.tile(name).expect("a tile"));
//! let runner = game.piece("white-runner-1").expect("a piece");
//!
//! // A runner goes up to its fellow, and not beyond.
//! let (paths, mut metrics) = (game.capabilities().paths, Metrics::default());
//! let mut to = |name| paths.resolve_observed(&start, runner, tile("a1"), tile(name), &mut metrics);
//! assert_eq!(to("a3").expect("a path").len(), 2);
//! assert!(to("a8").is_none());
//! assert_eq!(paths.blocker(&start, runner, tile("a1"), tile("a8")), Some(tile("a4")));
//! assert_eq!(metrics.of(Layer::Sliding).attempts, 2);
//! # Ok::<(), senet_core::DefinitionErrors>(())
//! ```
//!
//! [`Game::legal`]: crate::Game::legal

#[cfg(doc)]
use crate::Game;

pub use crate::capability::{Acceleration, Capabilities, PathResolver};
pub use crate::inspect::{Frequency, Inspection, Method};
pub use crate::path::{
    Capture, CompiledPattern, Layer, Metrics, Observer, Path, PathOptions, Report, Skip, Skips,
    Tally,
};
pub use crate::perspective::Perspective;
pub use crate::topology::{Link, Topology, TopologyClass};
