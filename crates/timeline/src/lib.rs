//! Game trees as tables: a row for each move, in Arrow record batches.
//!
//! A [`Request`] says below which positions, how deep and which columns; a [`Timeline`] is a
//! request that makes sense. Its rows come as record batches from [`Timeline::batches`] or go to a
//! file with [`Timeline::write`]; the tree is walked depth first in little memory, by any number
//! of threads with the same rows in the same order. Only the columns that are asked for are
//! computed.

mod batch;
pub mod binary;
mod code;
mod column;
mod distinct;
mod error;
mod expand;
mod family;
mod file;
mod order;
mod predicate;
mod timeline;
mod unit;
mod walk;

pub use column::Column;
pub use distinct::Distinct;
pub use error::Error;
pub use file::{Batches, Flow, Format, Progress};
pub use timeline::{BATCH_ROWS, MAX_DEPTH, Record, Request, Root, Shape, Subject, Timeline};
pub use unit::{Unit, Units};
pub use walk::Walk;
