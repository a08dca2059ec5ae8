//! Games as users run them: with machine code.

use std::sync::Arc;

use senet_core::Game;

/// A registered game whose long work is done by machine code.
pub(super) fn game(name: &str) -> Arc<Game> {
    attached(senet_registry::find(name).expect("a registered game").game())
}

/// A game with machine code.
pub(super) fn attached(game: Arc<Game>) -> Arc<Game> {
    #[cfg(feature = "native")]
    game.attach(Arc::new(senet_wasm::Wasmtime::new()));
    game
}
