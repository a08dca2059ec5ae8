//! Nackgammon: four checkers stand back instead of two.

use senet_core::Definition;

use crate::definition::from;

/// Backgammon from another start.
pub fn definition() -> Definition {
    from("nackgammon", &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)])
}
