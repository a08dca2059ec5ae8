//! Small games that together use most of the vocabulary, for tests of the engine itself.

mod dash;
mod errand;
mod hurdle;
mod league;
mod shuttle;
mod skirmish;

use senet_core::{Definition, Game, Options};

pub use dash::definition as dash_definition;
pub use errand::definition as errand_definition;
pub use hurdle::definition as hurdle_definition;
pub use league::definition as league_definition;
pub use shuttle::definition as shuttle_definition;
pub use skirmish::definition as skirmish_definition;

fn compiled(definition: Definition) -> Game {
    definition.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A capture game on 5×5: sliders, leapers, and steppers that go forward, take aslant, may start
/// with a double step, can be taken in passing and become something else at the far side.
pub fn skirmish() -> Game {
    compiled(skirmish_definition())
}

/// A race of two along a track of stacking tiles by two dice, with hits back to the bench.
pub fn dash() -> Game {
    compiled(dash_definition())
}

/// Four players in two teams on a hex board.
pub fn league() -> Game {
    compiled(league_definition())
}

/// A game on a ring with phases inside phases, where a move becomes several events.
pub fn errand() -> Game {
    compiled(errand_definition())
}

/// A race in which a turn must use what the dice allow, and passes where they allow nothing.
pub fn hurdle() -> Game {
    compiled(hurdle_definition())
}

/// A game in which no position may come up twice, so that what is legal depends on what came before. It
/// is not among [`all`], whose laws ask states alone.
pub fn shuttle() -> Game {
    compiled(shuttle_definition())
}

/// Every sample but that.
pub fn all() -> [Game; 5] {
    [skirmish(), dash(), league(), errand(), hurdle()]
}
