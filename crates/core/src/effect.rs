//! What a rule does to the state, as a game's author writes it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::condition::{Area, Condition, Joined, Seat, Spot, TileTest, Value};
use crate::definition::is_default;

/// One deed of a rule beyond what its event itself does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Takes what stands on a tile off the board, or to another tile.
    Capture {
        /// Where it stands; nothing happens when nobody stands there.
        at: Spot,
        /// Where it goes; off the board when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Spot>,
    },
    /// Moves another piece along with the mover.
    Carry {
        /// Where it stands.
        from: Spot,
        /// Where it goes.
        to: Spot,
    },
    /// Moves several pieces at once: all leave before any arrives.
    Together(Vec<(Spot, Spot)>),
    /// Takes every piece on the tiles of an area that pass a test off the board.
    Clear {
        /// Where to look.
        area: Area,
        /// Which tiles are cleared.
        is: TileTest,
    },
    /// Sets and clears flags of the piece on a tile.
    Flag {
        /// Where the piece stands.
        at: Spot,
        /// Flags it gets.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<String>,
        /// Flags it loses.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clear: Vec<String>,
    },
    /// Sets and clears flags of every piece on the tiles of an area that pass a test.
    Mark {
        /// Where to look.
        area: Area,
        /// Which tiles.
        is: TileTest,
        /// Flags they get.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<String>,
        /// Flags they lose.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clear: Vec<String>,
    },
    /// Changes the kind of the piece on a tile.
    Become {
        /// Where the piece stands.
        at: Spot,
        /// What it becomes.
        kind: String,
    },
    /// Gives a variable a value, held within its bounds.
    Set {
        /// The variable.
        variable: String,
        /// Whose, for a variable that each player has.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
        /// The value.
        to: Value,
    },
    /// Adds to a variable, held within its bounds.
    Add {
        /// The variable.
        variable: String,
        /// Whose, for a variable that each player has.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
        /// How much.
        by: Value,
    },
    /// Gives the turn to a player. Ephemeral flags of that player's pieces clear.
    Turn(Seat),
    /// Takes dice back into the cup: they show nothing.
    Unroll(Vec<String>),
    /// Turns dice so that they show a number, held within their sides.
    Show {
        /// The dice.
        dice: Vec<String>,
        /// The number.
        value: Value,
    },
    /// Puts every piece back where it stands at the start.
    Reset,
    /// Some effects where a condition holds, others where it does not.
    When {
        /// What is asked, of the state as it is at this point.
        condition: Condition,
        /// What happens if it holds.
        then: Vec<Effect>,
        /// What happens if it does not.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Effect>,
    },
    /// A deed of Rust code that the host registers under this name.
    Custom {
        /// The registered name.
        name: String,
    },
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Capture { at, to: None } => write!(f, "capture on {at}"),
            Effect::Capture { at, to: Some(to) } => write!(f, "capture on {at} to {to}"),
            Effect::Carry { from, to } => write!(f, "carry from {from} to {to}"),
            Effect::Together(moves) => {
                f.write_str("move together")?;
                moves.iter().try_for_each(|(from, to)| write!(f, " {from} to {to}"))
            }
            Effect::Clear { area, is } => write!(f, "clear every tile of {area} that is {is}"),
            Effect::Flag { at, set, clear } => {
                write!(f, "on {at}")?;
                fmt_flags(f, set, clear)
            }
            Effect::Mark { area, is, set, clear } => {
                write!(f, "on every tile of {area} that is {is}")?;
                fmt_flags(f, set, clear)
            }
            Effect::Become { at, kind } => write!(f, "the piece on {at} becomes a {kind}"),
            Effect::Set { variable, of: Seat::Mover, to } => write!(f, "set {variable} to {to}"),
            Effect::Set { variable, of, to } => write!(f, "set {variable} of {of} to {to}"),
            Effect::Add { variable, of: Seat::Mover, by } => write!(f, "add {by} to {variable}"),
            Effect::Add { variable, of, by } => write!(f, "add {by} to {variable} of {of}"),
            Effect::Turn(seat) => write!(f, "the turn goes to {seat}"),
            Effect::Unroll(dice) => write!(f, "take back {}", dice.join(", ")),
            Effect::Show { dice, value } => write!(f, "turn {} to {value}", dice.join(", ")),
            Effect::Reset => f.write_str("put every piece back where it starts"),
            Effect::When { condition, then, otherwise } => {
                write!(f, "where {condition}: {}", Joined(then, ", "))?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                write!(f, "; otherwise {}", Joined(otherwise, ", "))
            }
            Effect::Custom { name } => write!(f, "custom effect {name}"),
        }
    }
}

fn fmt_flags(f: &mut fmt::Formatter<'_>, set: &[String], clear: &[String]) -> fmt::Result {
    let mut sep = " ";
    for (verb, names) in [("set", set), ("clear", clear)] {
        if !names.is_empty() {
            write!(f, "{sep}{verb} {}", names.join(", "))?;
            sep = " and ";
        }
    }
    Ok(())
}
