//! Fuzzing of every parser and door with a seeded generator, so that it runs on a stable toolchain
//! and a seed names a run.
//!
//! A [`Target`] is a named law: how a fresh case is made of chance, how a known one is changed, and
//! what must hold of every case. A case is bytes, as the door it is for would read them. Cases
//! worth keeping lie in `fuzz/corpus/TARGET`: all of them are replayed in CI, and fresh cases are
//! often made of them by small changes. `cargo xtask fuzz TARGET --minutes 60` looks for more.

mod hunt;
mod target;

pub use hunt::{Found, Hunt, Limits, breaks, corpus, folder, shrink};
pub use target::{CANARY, TARGETS, Target, find, is_answer, is_quick_request};
