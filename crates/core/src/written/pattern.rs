//! Ways of travelling, as a game's author writes them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How often a direction may be taken in one journey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Reach {
    /// Exactly one step.
    #[default]
    Once,
    /// As many steps as the board and its pieces allow.
    Repeat,
}

/// A way of travelling. Directions are names: either a direction of the board or a name that each
/// player's [`crate::written::Player::directions`] gives a meaning of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pattern {
    /// Along one direction.
    Direction(String, Reach),
    /// Along any one of several directions, never turning.
    MultiDirection(Vec<String>, Reach),
    /// These steps in this order, leaping over whatever stands between.
    Fixed(Vec<String>),
    /// Does not move.
    Null,
    /// A placeholder that yields no path.
    Any,
}

impl Pattern {
    /// One step in a direction.
    pub fn step(direction: &str) -> Self {
        Pattern::Direction(direction.into(), Reach::Once)
    }

    /// Any number of steps in a direction.
    pub fn slide(direction: &str) -> Self {
        Pattern::Direction(direction.into(), Reach::Repeat)
    }

    /// One step in any of the directions.
    pub fn steps(directions: &[&str]) -> Self {
        Pattern::MultiDirection(owned(directions), Reach::Once)
    }

    /// Any number of steps in any one of the directions.
    pub fn slides(directions: &[&str]) -> Self {
        Pattern::MultiDirection(owned(directions), Reach::Repeat)
    }

    /// A leap that lands where these steps lead.
    pub fn leap(steps: &[&str]) -> Self {
        Pattern::Fixed(owned(steps))
    }

    /// The direction names this pattern uses.
    pub fn directions(&self) -> &[String] {
        match self {
            Pattern::Direction(direction, _) => std::slice::from_ref(direction),
            Pattern::MultiDirection(directions, _) | Pattern::Fixed(directions) => directions,
            Pattern::Null | Pattern::Any => &[],
        }
    }
}

pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let often = |reach: &Reach| {
            if *reach == Reach::Repeat { "any number of" } else { "one" }
        };
        match self {
            Pattern::Direction(direction, reach) => {
                write!(f, "{} step {direction}", often(reach))
            }
            Pattern::MultiDirection(directions, reach) => {
                write!(f, "{} step {}", often(reach), directions.join(" or "))
            }
            Pattern::Fixed(steps) => write!(f, "leap {}", steps.join(", ")),
            Pattern::Null => f.write_str("no movement"),
            Pattern::Any => f.write_str("any movement"),
        }
    }
}
