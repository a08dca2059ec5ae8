//! The game as its author writes it: names, unchecked, plain data that serializes.
//!
//! What a rule asks and does is written with four types: [`Set`] (of tiles), [`Tile`], [`Number`]
//! and [`Truth`], and with ways of travelling ([`Way`]) and [`Effect`]s.

mod definition;
mod effect;
mod expand;
mod hint;
mod number;
mod pattern;
mod pile;
mod rule;
#[cfg(feature = "schema")]
mod schema;
mod seat;
mod secret;
mod set;
mod truth;

pub use crate::tile_set::MAX_TILES;
pub use definition::*;
pub use effect::{Effect, Fate};
pub use hint::{Appearance, COLORS, KindWeight, Sign, TileLook, TileOrder, Tint, Weights};
pub use number::Number;
pub use pattern::{Pattern, Reach};
pub use rule::*;
pub use seat::{Seat, Who};
pub use secret::{Card, Drawing, Lot, Pile, Secret, Sight};
pub use set::{Binding, Domain, Set, Tile};
pub use truth::{Comparison, Truth};

pub(crate) use definition::is_default;
pub(crate) use pattern::owned;

use std::fmt;

/// Writes a list with a separator between its items.
pub(crate) struct Joined<'a, T>(pub(crate) &'a [T], pub(crate) &'a str);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(self.1)?;
            }
            write!(f, "{one}")?;
        }
        Ok(())
    }
}
