//! Words for effects.

use super::owned;
use crate::condition::{Condition, Seat, Spot, Value};
use crate::effect::Effect;

impl Effect {
    /// Takes what stands on a tile off the board.
    pub fn capture(at: Spot) -> Self {
        Effect::Capture { at, to: None }
    }

    /// Takes what stands on a tile to another.
    pub fn capture_to(at: Spot, to: Spot) -> Self {
        Effect::Capture { at, to: Some(to) }
    }

    /// Moves another piece along with the mover.
    pub fn carry(from: Spot, to: Spot) -> Self {
        Effect::Carry { from, to }
    }

    /// Sets flags of the piece on a tile.
    pub fn set_flags(at: Spot, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Flag { at, set: owned(flags), clear: Vec::new() }
    }

    /// Clears flags of the piece on a tile.
    pub fn clear_flags(at: Spot, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Flag { at, set: Vec::new(), clear: owned(flags) }
    }

    /// Changes the kind of the piece on a tile.
    pub fn becomes(at: Spot, kind: impl Into<String>) -> Self {
        let kind = kind.into();
        Effect::Become { at, kind }
    }

    /// Gives a variable a value; for one that each player has, the mover's.
    pub fn set(variable: impl Into<String>, to: impl Into<Value>) -> Self {
        Effect::set_of(variable, Seat::Mover, to)
    }

    /// Gives a player's variable a value.
    pub fn set_of(variable: impl Into<String>, of: Seat, to: impl Into<Value>) -> Self {
        Effect::Set { variable: variable.into(), of, to: to.into() }
    }

    /// Adds to a variable; for one that each player has, the mover's.
    pub fn add(variable: impl Into<String>, by: impl Into<Value>) -> Self {
        Effect::add_of(variable, Seat::Mover, by)
    }

    /// Adds to a player's variable.
    pub fn add_of(variable: impl Into<String>, of: Seat, by: impl Into<Value>) -> Self {
        Effect::Add { variable: variable.into(), of, by: by.into() }
    }

    /// Turns dice so that they show a number.
    pub fn show(
        dice: impl IntoIterator<Item = impl Into<String>>,
        value: impl Into<Value>,
    ) -> Self {
        Effect::Show { dice: owned(dice), value: value.into() }
    }

    /// Takes dice back into the cup.
    pub fn unroll(dice: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Unroll(owned(dice))
    }

    /// Some effects where a condition holds.
    pub fn when(condition: Condition, then: impl IntoIterator<Item = Effect>) -> Self {
        Effect::either(condition, then, [])
    }

    /// Some effects where a condition holds, others where it does not.
    pub fn when_else(
        condition: Condition,
        then: impl IntoIterator<Item = Effect>,
        otherwise: impl IntoIterator<Item = Effect>,
    ) -> Self {
        let (then, otherwise) = (then.into_iter().collect(), otherwise.into_iter().collect());
        Effect::When { condition, then, otherwise }
    }

    /// Some effects where a condition holds, others where it does not.
    pub fn either(
        condition: Condition,
        then: impl IntoIterator<Item = Effect>,
        otherwise: impl IntoIterator<Item = Effect>,
    ) -> Self {
        Effect::When {
            condition,
            then: then.into_iter().collect(),
            otherwise: otherwise.into_iter().collect(),
        }
    }

    /// A deed of Rust code that the host registers under this name.
    pub fn custom(name: impl Into<String>) -> Self {
        Effect::Custom { name: name.into() }
    }
}
