//! A general board-game engine: a game is written as data, compiled once, and then played,
//! explained, replayed and counted, the same to the bit on every machine.
//!
//! A [`Definition`] is the game as written, best with a [`Builder`]; [`Definition::compile`] makes
//! a [`Game`] of it; [`Game::apply`] takes a [`State`] and an [`Event`] and gives a [`Step`] or a
//! [`Rejection`]; a [`Match`] is one playing with its history.
//!
//! What is needed to play is here. The rest lies by its subject:
//!
//! | module | has |
//! |---|---|
//! | [`written`], [`builder`], [`fault`], [`custom`] | writing games: the four types, rules, boards; what can be wrong; Rust functions as rules |
//! | [`layers`] | what lies below [`Game::legal`]: topology, paths with metrics, perspectives, threats, candidates, simulation |
//! | [`explain`], [`text`], [`notation`] | reasons; how events and positions are written, and errors about that |
//! | [`setup`], [`save`], [`observe`] | arrangements; saved matches; what a player knows |
//! | [`backend`], [`program`], [`ir`] | what those read who make machine code of a game |

mod apply;
pub mod backend;
mod bitboard;
mod budget;
pub mod builder;
mod bulk;
mod candidate;
mod capability;
mod chance;
mod change;
mod consequence;
pub mod custom;
mod draft;
mod drawing;
mod engine;
mod event;
mod event_space;
pub mod explain;
pub mod fault;
mod game;
mod hash;
mod history;
mod id;
mod independence;
mod inspect;
mod interpret;
pub mod ir;
pub mod layers;
mod layout;
mod legal;
mod lower;
mod name;
pub mod notation;
pub mod observe;
mod outcome;
mod past;
mod path;
mod perft;
mod perspective;
pub mod program;
mod recall;
mod resolve;
mod restore;
pub mod save;
pub mod setup;
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
pub mod written;

pub use apply::Accepted;
pub use budget::{Budget, Stopped};
pub use builder::Builder;
pub use chance::{Chance, Probability};
pub use change::{Change, NamedChange};
pub use event::{Event, Outcome, Reason, Rejection, Step, Verdict};
pub use explain::Explanation;
pub use fault::DefinitionErrors;
pub use game::{Game, Options};
pub use history::{Match, Played};
pub use id::*;
pub use notation::{Notation, Plain};
pub use past::After;
pub use perft::Leaves;
pub use setup::Setup;
pub use state::State;
pub use tile_set::TileSet;
pub use turn::Turn;
pub use verify::Law;
pub use view::{PieceState, View};
pub use walker::{Advance, Finish, Hint, Walker, WalkerCache};
pub use written::{Definition, EventKind};
