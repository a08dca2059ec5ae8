//! Players, seen from the player whose rule is judged.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Exactly one player, seen from the player whose rule is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// The player judged: who moves, or whom an ending is asked about.
    #[default]
    Mover,
    /// The player after that one.
    Next,
    /// The player before that one.
    Previous,
    /// The player of this name.
    Player(String),
}

/// Any of several players, seen from the player whose rule is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Who {
    /// The player judged.
    Mover,
    /// The others of the same team.
    Ally,
    /// The player judged or an ally.
    Friend,
    /// Anyone of another team.
    Foe,
    /// The player of this name.
    Player(String),
    /// Anyone.
    Anyone,
}

impl Seat {
    /// The player of a name.
    pub fn player(name: impl Into<String>) -> Seat {
        Seat::Player(name.into())
    }
}

impl Who {
    /// The player of a name.
    pub fn player(name: impl Into<String>) -> Who {
        Who::Player(name.into())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::Mover => "the mover",
            Seat::Next => "the next player",
            Seat::Previous => "the previous player",
            Seat::Player(name) => name,
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Who::Mover => "the mover",
            Who::Ally => "an ally",
            Who::Friend => "the mover or an ally",
            Who::Foe => "a foe",
            Who::Player(name) => name,
            Who::Anyone => "anyone",
        })
    }
}
