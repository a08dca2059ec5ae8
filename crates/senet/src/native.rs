//! Rules as machine code, where this crate is built with it.

use senet_core::Game;

/// Lets a game use machine code where there is enough to do.
#[cfg(feature = "native")]
pub(crate) fn attach(game: &Game) {
    use std::sync::{Arc, OnceLock};

    use senet_wasm::Wasmtime;

    static BACKEND: OnceLock<Arc<Wasmtime>> = OnceLock::new();
    game.attach(BACKEND.get_or_init(Arc::default).clone());
}

/// Without it, the interpreter does everything.
#[cfg(not(feature = "native"))]
pub(crate) fn attach(_: &Game) {}
