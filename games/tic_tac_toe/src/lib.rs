//! Tic-tac-toe, all data.
