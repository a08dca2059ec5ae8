//! What is agreed before play begins, and the states in which play begins.

use senet_core::setup::SetupErrors;
use senet_core::{Game, Setup, State};

/// What players agree on before the first roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many points win the match; 0 is one game for money.
    pub length: i64,
    /// Whether, for money, gammons count only once the cube has been turned.
    pub jacoby: bool,
    /// Whether, for money, a double may be answered with a beaver.
    pub beavers: bool,
    /// How many equal opening rolls double the cube of a game for money.
    pub automatic: i64,
    /// The highest number of the cube.
    pub limit: i64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { length: 0, jacoby: false, beavers: false, automatic: 0, limit: 1024 }
    }
}

impl Terms {
    /// The state before the opening roll of the first game.
    pub fn start(&self, game: &Game) -> Result<State, SetupErrors> {
        let values = [
            ("length", self.length),
            ("jacoby", self.jacoby.into()),
            ("beavers", self.beavers.into()),
            ("automatic", self.automatic),
            ("limit", self.limit),
        ];
        with(game, &values)
    }
}

/// The start with the first player on roll and no opening roll to come. Turns are counted from
/// here: the opening roll never gives doubles and may give the turn to either player.
pub fn on_roll(game: &Game) -> State {
    with(game, &[("opening", 0)]).expect("the start is valid without its opening roll")
}

/// The start with other values of some variables.
fn with(game: &Game, values: &[(&str, i64)]) -> Result<State, SetupErrors> {
    let mut setup = Setup::of(game, &game.start());
    for (name, value) in values {
        let variable = game.variable(name).expect("every game of backgammon has it");
        setup.variables.retain(|(other, _, _)| *other != variable);
        setup.variables.push((variable, setup.player, *value));
    }
    game.state(&setup)
}
