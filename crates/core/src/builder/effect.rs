//! Words for effects.

use super::owned;
use crate::written::{Effect, Fate, Number, Seat, Set, Tile, Truth};

impl Effect {
    /// Takes what stands on the tiles of a set out of play.
    pub fn capture(on: Set) -> Self {
        Effect::Capture { on, to: Fate::Out }
    }

    /// Takes what stands on a tile to another.
    pub fn capture_to(at: Tile, to: Tile) -> Self {
        Effect::Capture { on: Set::at(at), to: Fate::Tile(to) }
    }

    /// Moves another piece along with the mover.
    pub fn carry(from: Tile, to: Tile) -> Self {
        Effect::Carry { from, to }
    }

    /// Sets flags of the pieces on a set of tiles.
    pub fn set_flags(on: Set, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Flag { on, set: owned(flags), clear: Vec::new() }
    }

    /// Clears flags of the pieces on a set of tiles.
    pub fn clear_flags(on: Set, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Flag { on, set: Vec::new(), clear: owned(flags) }
    }

    /// Changes the kind of the pieces on a set of tiles.
    pub fn becomes(on: Set, kind: impl Into<String>) -> Self {
        let kind = kind.into();
        Effect::Become { on, kind }
    }

    /// Gives a variable a value; for one that each player has, the mover's.
    pub fn set(variable: impl Into<String>, to: impl Into<Number>) -> Self {
        Effect::set_of(variable, Seat::Mover, to)
    }

    /// Gives a player's variable a value.
    pub fn set_of(variable: impl Into<String>, of: Seat, to: impl Into<Number>) -> Self {
        Effect::Set { variable: variable.into(), of, to: to.into() }
    }

    /// Adds to a variable; for one that each player has, the mover's.
    pub fn add(variable: impl Into<String>, by: impl Into<Number>) -> Self {
        Effect::add_of(variable, Seat::Mover, by)
    }

    /// Adds to a player's variable.
    pub fn add_of(variable: impl Into<String>, of: Seat, by: impl Into<Number>) -> Self {
        Effect::Add { variable: variable.into(), of, by: by.into() }
    }

    /// Lets the two players change seats, or change back, by the variable that says so.
    pub fn swap_seats(variable: impl Into<String>) -> Self {
        let variable = variable.into();
        let to = Number::Is(1) - Number::variable(variable.clone());
        Effect::Set { variable, of: Seat::Mover, to }
    }

    /// Gives the turn to the next player of whom something holds.
    pub fn turn_where(truth: Truth) -> Self {
        Effect::TurnWhere(truth)
    }

    /// Keeps the turn where one of some rules could move the piece on the target on, and does
    /// other things where none could.
    pub fn again(
        by: impl IntoIterator<Item = impl Into<String>>,
        otherwise: impl IntoIterator<Item = Effect>,
    ) -> Self {
        Effect::Again { by: owned(by), stop: None, otherwise: otherwise.into_iter().collect() }
    }

    /// The same where the player may stop by an act.
    pub fn may_go_on(
        by: impl IntoIterator<Item = impl Into<String>>,
        stop: impl Into<String>,
        otherwise: impl IntoIterator<Item = Effect>,
    ) -> Self {
        let (stop, otherwise) = (Some(stop.into()), otherwise.into_iter().collect());
        Effect::Again { by: owned(by), stop, otherwise }
    }

    /// Turns dice so that they show a number.
    pub fn show(
        dice: impl IntoIterator<Item = impl Into<String>>,
        value: impl Into<Number>,
    ) -> Self {
        Effect::Show { dice: owned(dice), value: value.into() }
    }

    /// Takes dice back into the cup.
    pub fn unroll(dice: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Effect::Unroll(owned(dice))
    }

    /// Some effects where a condition holds.
    pub fn when(condition: Truth, then: impl IntoIterator<Item = Effect>) -> Self {
        Effect::either(condition, then, [])
    }

    /// Some effects where a condition holds, others where it does not.
    pub fn when_else(
        condition: Truth,
        then: impl IntoIterator<Item = Effect>,
        otherwise: impl IntoIterator<Item = Effect>,
    ) -> Self {
        let (then, otherwise) = (then.into_iter().collect(), otherwise.into_iter().collect());
        Effect::When { condition, then, otherwise }
    }

    /// Some effects where a condition holds, others where it does not.
    pub fn either(
        condition: Truth,
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
