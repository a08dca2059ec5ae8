//! Compiles the lowered rules of a game to a WebAssembly module, and runs it at native speed.
//!
//! [`emit`] translates what [`senet_core::program::Program`] says, operation by operation; nothing
//! is recognised and nothing is written for one game or one width of board. With the feature `host`,
//! [`Native`] compiles a module to machine code and runs it in a sandbox.

mod apart;
mod asm;
mod batch;
mod chance;
mod dice;
mod edit;
mod event;
mod factor;
mod flow;
mod function;
mod global;
#[cfg(feature = "host")]
mod host;
mod idle;
mod list;
mod made;
mod memory;
mod module;
mod note;
mod number;
mod order;
mod play;
mod range;
mod replay;
mod set;
mod sleep;
mod slide;
mod support;
mod tally;
mod template;
mod tree;
mod turn;
mod usage;

#[cfg(feature = "host")]
pub use host::{Native, Wasmtime};
pub use module::{Unsupported, Wasm};

use std::collections::BTreeMap;

use module::{Emitter, Hash, Key};
use senet_core::Game;
use senet_core::backend::Purpose;

/// The module of a game, with everything that a host may ask.
///
/// # Errors
/// Where a rule asks or does something that has no WebAssembly form, such as code in Rust.
pub fn emit(game: &Game) -> Result<Wasm, Unsupported> {
    check(game)?;
    let emitter = Emitter::new(game.program());
    let purposes = [Purpose::Play, Purpose::Random, Purpose::Count];
    let all: BTreeMap<_, _> = purposes.into_iter().flat_map(exports).copied().collect();
    emitter.finish(&all.into_iter().collect::<Vec<_>>())
}

/// The module of a game for one purpose.
///
/// # Errors
/// As [`emit`].
pub fn emit_for(game: &Game, purpose: Purpose) -> Result<Wasm, Unsupported> {
    check(game)?;
    let mut emitter = Emitter::new(game.program());
    emitter.trees = matches!(purpose, Purpose::Count | Purpose::Make | Purpose::Random);
    emitter.finish(exports(purpose))
}

/// Leaves games to the engine whose rules ask it more than their functions answer.
fn check(game: &Game) -> Result<(), Unsupported> {
    match game.asks_engine() {
        Some(what) => module::unsupported(what),
        None => Ok(()),
    }
}

/// The functions that a host may call, by name.
fn exports(purpose: Purpose) -> &'static [(&'static str, Key)] {
    match purpose {
        Purpose::Count => &[("perft", Key::Perft(Hash::Ignored))],
        Purpose::Make => &[("perft_made", Key::Perft(Hash::Kept))],
        Purpose::Turns => &[("turns", Key::Turns), ("turn_perft", Key::TurnPerft)],
        Purpose::Random => &[("playout", Key::Playout)],
        Purpose::Play => &[
            ("start", Key::Start),
            ("hash", Key::Digest),
            ("legal", Key::Legal),
            ("onto", Key::Onto),
            ("count", Key::Count(None)),
            ("apply", Key::Play(Hash::Kept)),
            ("attempt", Key::Attempt),
            ("replay", Key::Replay),
            ("outcome", Key::Outcome),
            ("ending", Key::Ending),
            ("advance", Key::Advance),
        ],
    }
}
