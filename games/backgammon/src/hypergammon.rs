//! Hypergammon: each player has three checkers, one on each of the rearmost points.

use senet_core::Definition;

use crate::definition::from;

/// Backgammon from another start.
pub fn definition() -> Definition {
    from("hypergammon", &[(24, 1), (23, 1), (22, 1)])
}
