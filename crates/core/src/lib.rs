//! Temporary.
pub mod builder;
mod id;
mod name;
mod written;
pub use builder::{Board, Builder, Grid, Hex, Track};
pub use written::*;
