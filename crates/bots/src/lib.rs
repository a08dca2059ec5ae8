//! Opponents for any game: one that plays at random, one that grows a tree by playouts, and one
//! that searches by alpha-beta, through dice where a game has them. In games with secrets the last
//! two play by information sets, over worlds that agree with what the player has seen.
//!
//! A [`Spec`] is an opponent as people write it, `search:3` or `mcts:1000`; [`Spec::bot`] makes a
//! [`Bot`] of it, and [`Bot::choose`] gives a [`Thought`]: the event it would play and why.

mod bot;
mod evaluation;
mod infoset;
mod mcts;
mod search;
mod spec;
mod table;
mod world;

pub use bot::{Bot, Limit, Moment, Random, Thought};
pub use evaluation::{Evaluation, WIN};
pub use infoset::InfosetMcts;
pub use mcts::Mcts;
pub use search::Search;
pub use spec::{Brain, Budget, LEVELS, Spec, SpecError};
