//! Games as users run them: with machine code.

use std::sync::Arc;

use senet_core::{Game, Options};
use senet_registry::Shipped;
use senet_registry::lang::{Library, Reading, read_with};

/// A registered game whose long work is done by machine code.
pub(crate) fn game(name: &str) -> Arc<Game> {
    attached(senet_registry::find(name).expect("a registered game").game())
}

/// The same with a value for one of the options of its file.
///
/// # Panics
/// If the file has no such option.
pub(crate) fn game_with(name: &str, option: (&str, i64)) -> Arc<Game> {
    let source = Shipped.source(name).expect("a registered game");
    let settings = [(option.0.to_owned(), option.1)].into();
    let file = read_with(&source, &Reading { library: &Shipped, settings });
    let game = file.ok().and_then(|file| file.compile(Options::default()).ok());
    attached(Arc::new(game.expect("a sound file")))
}

/// A game with machine code.
pub(crate) fn attached(game: Arc<Game>) -> Arc<Game> {
    #[cfg(feature = "native")]
    game.attach(Arc::new(senet_wasm::Wasmtime::new()));
    game
}
