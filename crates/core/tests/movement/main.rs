//! The movement charter, fact by fact: `docs/movement.md` names these tests.

mod biting;
mod board;
mod case;
mod engine;
mod law;
mod metrics;
mod oracle;
mod parity;
mod pattern;
mod scene;
mod sliding;
