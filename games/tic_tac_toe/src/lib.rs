//! Tic-tac-toe, all data.

pub mod definition;
