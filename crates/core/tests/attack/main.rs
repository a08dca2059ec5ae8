//! Definitions that were made to break the engine: each is refused with its place, answered with a
//! typed error, or played by all doors alike.

#![allow(clippy::disallowed_methods, reason = "tests measure whether answers come in time")]

mod cost;
mod depth;
mod door;
mod foreign;
mod limit;
mod state;

use senet_core::builder::Grid;
use senet_core::fault::{DefinitionError, Fault};
use senet_core::written::{Kind, Pattern};
use senet_core::{Builder, Definition, Game, Options};
use senet_testkit::law::{Effort, every_state_is_sound};

/// A board of 3×3 with two players who have two men each that step anywhere.
fn small() -> Builder {
    Builder::new("attack")
        .players(["red", "blue"])
        .board(Grid::new(3, 3).eight())
        .kind(Kind::new("man").travels(Pattern::steps(&senet_core::builder::EIGHT)))
        .pieces_on("red", "man", ["a1", "b1"])
        .pieces_on("blue", "man", ["a3", "b3"])
}

fn compiled(definition: Definition) -> Game {
    definition.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The mistakes of a definition, of which there are some.
fn mistakes(definition: Definition) -> Vec<DefinitionError> {
    let Err(errors) = definition.compile(Options::default()) else { panic!("it compiles") };
    errors.0
}

/// The places of the mistakes of a kind.
fn places(definition: Definition, is: impl Fn(&Fault) -> bool) -> Vec<String> {
    let errors = mistakes(definition);
    errors.into_iter().filter(|error| is(&error.fault)).map(|error| error.place).collect()
}

/// All doors agree in many states of a game, and every state keeps its laws.
fn sound(definition: Definition) -> Game {
    let game = compiled(definition);
    for seed in 0..12 {
        every_state_is_sound(&game, seed, Effort { plies: 12, events: 1_500 });
    }
    game
}
