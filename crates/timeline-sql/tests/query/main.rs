//! Questions from outside.

mod fact;
mod fault;
mod layer;
mod session;
mod state;
