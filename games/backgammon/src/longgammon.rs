//! Longgammon: every checker starts on the rearmost point.

use senet_core::Definition;

use crate::definition::from;

/// Backgammon from another start.
pub fn definition() -> Definition {
    from("longgammon", &[(24, 15)])
}
