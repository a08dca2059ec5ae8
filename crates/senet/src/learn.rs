//! Games for programs that learn: fixed action ids, observation tensors, and batches of games.
//!
//! [`Actions`] numbers every event that players can ever propose, so that a policy can be a vector
//! of fixed length. [`Planes`] writes a position as a tensor, as a player sees it, and
//! [`InformationTensor`] also what the player remembers of the match.
//! [`Batch`] plays many games at once on threads and writes observations, masks of legal actions
//! and rewards into buffers of the caller. [`Tree`] is Monte Carlo tree search whose evaluations
//! come from outside, many positions at a time.
//!
//! ```
//! use senet::learn::{Actions, Planes};
//!
//! let game = senet::load("tic-tac-toe")?;
//! let actions = Actions::of(&game);
//! assert_eq!(actions.len(), 9);
//! let start = game.start();
//! let ids = actions.legal(&start);
//! assert_eq!(actions.event(ids[4]), Some(start.parse_event("b2")?));
//!
//! let planes = Planes::of(&game, 1);
//! let mut tensor = vec![0.0; planes.len()];
//! planes.write(&[start], &mut tensor);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Positions know nothing of the moves before them, so that endings by repetition, which a
//! [`Match`](crate::Match) finds, do not occur in batches and trees. A limit of moves ends games
//! that go in circles.

mod action;
mod batch;
mod buffer;
mod information;
mod plane;
mod pool;
mod tree;

pub use action::Actions;
pub use batch::{Batch, BatchOptions, IllegalAction};
pub use buffer::Buffers;
pub use information::InformationTensor;
pub use plane::{Plane, Planes};
pub use tree::{Evaluation, Leaf, Tree, TreeOptions};
