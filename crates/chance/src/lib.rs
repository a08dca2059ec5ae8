//! A portable seeded source of chance, and random play with it.

mod playout;
mod source;

pub use playout::{Playout, finish, playout, playout_on};
pub use source::Source;
