#![doc = include_str!("../README.md")]

mod apply;
#[cfg(feature = "bots")]
pub mod bots;
pub mod chance;
pub mod define;
mod explain;
mod files;
mod game;
mod history;
pub mod layers;
pub mod learn;
#[cfg(feature = "render")]
mod lettered;
mod native;
pub mod notation;
mod position;
mod record;
#[cfg(feature = "render")]
pub mod render;
mod walk;

pub use apply::{ApplyError, Proposal, Refused, Step};
pub use explain::Explanation;
pub use files::{Files, file_notation};
pub use game::{ForeignState, Game, GameError, OtherGame};
pub use history::{Match, ReplayError};
pub use position::{Position, Turn};
pub use senet_core::explain::{Attack, Check, RuleReport};
pub use senet_core::notation::{excerpt, nearest};
pub use senet_core::observe::{
    Glimpse, Memory, Observation, ObservationRecord, PieceRecord, Recall, Viewer,
};
pub use senet_core::save::{LoadError, LoadProblem, SaveForm, SaveMark};
pub use senet_core::setup::{Held, SetupError, SetupErrors, Stand};
pub use senet_core::{
    Accepted, ActionId, Budget, Chance, Change, DieId, DirectionId, EndingId, Event, EventKind,
    FlagId, KindId, Leaves, MarkId, NamedChange, Outcome, OutcomeId, PhaseId, PieceId, PieceState,
    Played, PlayerId, Probability, Reason, Rejection, RelationId, RuleId, Setup, State, Stopped,
    TileId, TileSet, VariableId, Verdict, View,
};
pub use senet_registry::UnknownGame;
pub use senet_registry::lang;
pub use senet_wasm::Unsupported;
pub use walk::Walk;

/// The shipped game of a name, such as `chess` or `backgammon`. [`games`] lists the names.
pub fn load(name: &str) -> Result<Game, UnknownGame> {
    senet_registry::find(name).map(Game::registered)
}

/// What the file of a shipped game says. [`load`] compiles it, too.
pub fn read(name: &str) -> Result<lang::GameFile, UnknownGame> {
    senet_registry::find(name).map(senet_registry::Entry::read)
}

/// What a shipped game is, in a line; nothing where no game has this name.
pub fn summary(name: &str) -> &'static str {
    senet_registry::find(name).map_or("", senet_registry::Entry::summary)
}

/// The names of the shipped games.
pub fn games() -> impl Iterator<Item = &'static str> + Clone {
    senet_registry::GAMES.iter().map(|entry| entry.name)
}

/// The Rust examples of the README and the book are tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/quick-start.md")]
    struct QuickStart;

    #[doc = include_str!("../../../docs/first-game.md")]
    struct FirstGame;

    #[doc = include_str!("../../../docs/opponents.md")]
    struct Opponents;

    #[doc = include_str!("../../../docs/concepts.md")]
    struct Concepts;
}
