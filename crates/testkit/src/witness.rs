//! Known games that no file of the library holds, written with the builder, whose trees are counted
//! elsewhere.

pub mod international_draughts;
pub mod ludo;
