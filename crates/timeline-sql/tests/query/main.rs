//! Questions from outside.

mod fact;
mod fault;
mod layer;
mod save;
mod session;
mod state;
