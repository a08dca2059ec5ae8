//! Rust functions as conditions and effects, which a host registers by name: the one way out of the
//! written language. No shipped game takes it.

use std::collections::BTreeMap;
use std::fmt;

use crate::id::TileId;
use crate::view::View;

pub use crate::draft::Draft;

/// Answers a custom condition, given the state and the tiles of the event.
#[derive(Clone, Copy)]
pub struct CustomCondition(pub fn(View<'_>, Option<TileId>, Option<TileId>) -> bool);

/// Does a custom effect, given the draft and the tiles of the event.
#[derive(Clone, Copy)]
pub struct CustomEffect(pub fn(&mut Draft<'_>, Option<TileId>, Option<TileId>));

/// Rust code that a host registers by name.
#[derive(Clone, Default)]
pub struct Customs {
    /// Custom conditions.
    pub conditions: BTreeMap<String, CustomCondition>,
    /// Custom effects.
    pub effects: BTreeMap<String, CustomEffect>,
}

impl fmt::Debug for Customs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.conditions.keys()).entries(self.effects.keys()).finish()
    }
}

impl PartialEq for CustomCondition {
    fn eq(&self, other: &CustomCondition) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl PartialEq for CustomEffect {
    fn eq(&self, other: &CustomEffect) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl fmt::Debug for CustomCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("custom condition")
    }
}

impl fmt::Debug for CustomEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("custom effect")
    }
}
