//! A portable seeded source of chance, and random play with it.

mod playout;
mod source;

pub use playout::{Finish, Playout, finish, playout};
pub use source::Source;
