//! The laws that every state keeps, checked from nothing: what tests ask after every event, and
//! what a game compiled with [`crate::Options::verify`] asks too.

use std::fmt;

use crate::game::Game;
use crate::setup::Setup;
use crate::state::State;
use crate::text;

/// A law of states. A state that breaks one was made by a bug of the engine or of custom code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// The state is of the game that is asked.
    Game,
    /// Dice show one of their sides, variables stay within their bounds, and a player of the game
    /// is to move.
    Bounds,
    /// The hash that is kept step by step is the hash of the facts.
    Hash,
    /// Every piece is in one place, and tiles, counts and hands say the same of it.
    Pieces,
    /// The position reads back from its text.
    Text,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Game => "the state is of another game",
            Law::Bounds => "a die or variable is out of bounds",
            Law::Hash => "the hash is not that of the facts",
            Law::Pieces => "a piece is lost or in two places",
            Law::Text => "the position does not read back from its text",
        })
    }
}

impl std::error::Error for Law {}

impl Game {
    /// Whether a state keeps every law of states, or the first that it breaks. This takes much
    /// longer than the event that made the state.
    pub fn verify(&self, state: &State) -> Result<(), Law> {
        let keeps = |holds: bool, law: Law| if holds { Ok(()) } else { Err(law) };
        keeps(self.owns(state), Law::Game)?;
        keeps(self.layout.fits(state.words(), self), Law::Bounds)?;
        keeps(state.hash128() == self.full_hash(state), Law::Hash)?;
        let arranged = self.arrange(&Setup::of(self, state));
        keeps(arranged.as_ref() == Ok(state), Law::Pieces)?;
        let read = text::parse_position(self, &text::format_position(self, state));
        let same = |read: &State| {
            self.view(read).same_position(state) && read.hash128() == state.hash128()
        };
        keeps(read.is_ok_and(|read| same(&read)), Law::Text)
    }
}
