//! Games as users run them: with machine code.

use std::sync::Arc;

use senet_core::Game;

/// A registered game whose long work is done by machine code.
pub(super) fn game(name: &str) -> Arc<Game> {
    let game = senet_registry::find(name).expect("a registered game").game();
    #[cfg(feature = "native")]
    game.attach(Arc::new(senet_wasm::Wasmtime::new()));
    game
}
