//! What a rule does to the state.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Binding, Joined, Number, Seat, Set, Tile, Truth, is_default};

/// One thing that a rule does beyond what its event itself does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// Takes what stands on each tile of a set off that tile: on a tile that holds one piece that
    /// piece, on a tile that holds many one piece of a foe.
    Capture {
        /// Where the pieces stand; nothing happens where nobody does.
        on: Set,
        /// Where they go.
        #[serde(default, skip_serializing_if = "is_default")]
        to: Fate,
    },
    /// Takes every piece on the tiles of a set out of play.
    Clear(Set),
    /// Moves the piece on a tile to another tile, where it captures as a move does.
    Carry {
        /// Where it stands.
        from: Tile,
        /// Where it goes.
        to: Tile,
    },
    /// Moves several pieces at once: all leave before any arrives.
    Together(Vec<(Tile, Tile)>),
    /// Moves every piece on the tiles of a set at once, each where the same steps lead; pieces whose
    /// steps leave the board are out of play.
    Shift {
        /// Where the pieces stand.
        on: Set,
        /// The steps, one after another.
        along: Vec<String>,
    },
    /// Sets and clears flags of the pieces on the tiles of a set that hold one piece.
    Flag {
        /// Where the pieces stand.
        on: Set,
        /// Flags they get.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<String>,
        /// Flags they lose.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clear: Vec<String>,
    },
    /// Sets and clears marks of the tiles of a set.
    Mark {
        /// Which tiles.
        on: Set,
        /// Marks they get.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<String>,
        /// Marks they lose.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clear: Vec<String>,
    },
    /// Changes the kind of the pieces on the tiles of a set that hold one piece.
    Become {
        /// Where the pieces stand.
        on: Set,
        /// What they become.
        kind: String,
    },
    /// Gives the pieces on the tiles of a set that hold one piece to a player.
    Give {
        /// Where the pieces stand.
        on: Set,
        /// Who gets them.
        to: Seat,
    },
    /// Puts a new piece on each tile of a set that has room, as far as the supply lasts.
    Place {
        /// The kind.
        kind: String,
        /// Whose pieces.
        #[serde(default, skip_serializing_if = "is_default")]
        owner: Seat,
        /// Where.
        on: Set,
    },
    /// Gives a variable a value, held within its bounds.
    Set {
        /// The variable.
        variable: String,
        /// Whose, for a variable that each player has.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
        /// The value.
        to: Number,
    },
    /// Adds to a variable, held within its bounds.
    Add {
        /// The variable.
        variable: String,
        /// Whose, for a variable that each player has.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
        /// How much.
        by: Number,
    },
    /// Gives the turn to a player. Ephemeral flags of that player's pieces clear.
    Turn(Seat),
    /// Gives the turn to the next player after the one judged of whom something holds; nobody else
    /// gets it where it holds of none.
    TurnWhere(Truth),
    /// Keeps the turn with the player, who must go on with the piece on the target by one of some
    /// rules of the phase, where one of them could; other effects where none could.
    Again {
        /// The rules.
        by: Vec<String>,
        /// An act by which the player may stop instead; there is none when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<String>,
        /// What happens where the piece cannot go on, or the player stops.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Effect>,
    },
    /// Takes dice back into the cup: they show nothing.
    Unroll(Vec<String>),
    /// Turns dice so that they show a number, held within their sides.
    Show {
        /// The dice.
        dice: Vec<String>,
        /// The number.
        value: Number,
    },
    /// Puts every piece back where it stands at the start.
    Reset,
    /// Takes the pieces of a stack one by one along a direction, one on each tile: sowing.
    Sow {
        /// The tile whose pieces are sown.
        from: Tile,
        /// The direction of every step.
        along: String,
        /// Tiles that are passed over.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        skip: Set,
        /// The variable that gets the number of the steps to the last tile, if one is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<String>,
    },
    /// Some effects where a condition holds, others where it does not.
    When {
        /// What is asked, of the state as it is at this point.
        condition: Truth,
        /// What happens if it holds.
        then: Vec<Effect>,
        /// What happens if it does not.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Effect>,
    },
    /// Some effects for each value of a name, found before any of them happens.
    Each(Binding, Vec<Effect>),
    /// Some effects a number of times, found before any of them happens.
    Repeat(Number, Vec<Effect>),
    /// Something done by Rust code that the host registers under this name.
    Custom {
        /// The registered name.
        name: String,
    },
}

/// Where a captured piece goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Fate {
    /// Out of play.
    #[default]
    Out,
    /// To a tile.
    Tile(Tile),
    /// To the hand of a player, whose piece it becomes, of the kind it is.
    Hand(Seat),
}

fn nothing() -> Set {
    Set::Any(Vec::new())
}

fn is_nothing(set: &Set) -> bool {
    *set == nothing()
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Capture { on, to: Fate::Out } => write!(f, "capture on each tile that is {on}"),
            Effect::Capture { on, to: Fate::Tile(to) } => {
                write!(f, "capture on each tile that is {on} to {to}")
            }
            Effect::Capture { on, to: Fate::Hand(seat) } => {
                write!(f, "capture on each tile that is {on} to the hand of {seat}")
            }
            Effect::Clear(on) => write!(f, "clear each tile that is {on}"),
            Effect::Carry { from, to } => write!(f, "carry from {from} to {to}"),
            Effect::Together(moves) => {
                f.write_str("move together")?;
                moves.iter().try_for_each(|(from, to)| write!(f, " {from} to {to}"))
            }
            Effect::Shift { on, along } => {
                write!(f, "pieces that are {on} go {}", along.join(", "))
            }
            Effect::Flag { on, set, clear } | Effect::Mark { on, set, clear } => {
                write!(f, "on each tile that is {on}")?;
                fmt_flags(f, set, clear)
            }
            Effect::Become { on, kind } => write!(f, "pieces that are {on} become {kind}"),
            Effect::Give { on, to } => write!(f, "pieces that are {on} now belong to {to}"),
            Effect::Place { kind, owner, on } => {
                write!(f, "place a {kind} of {owner} on each tile that is {on}")
            }
            Effect::Set { variable, of: Seat::Mover, to } => write!(f, "set {variable} to {to}"),
            Effect::Set { variable, of, to } => write!(f, "set {variable} of {of} to {to}"),
            Effect::Add { variable, of: Seat::Mover, by } => write!(f, "add {by} to {variable}"),
            Effect::Add { variable, of, by } => write!(f, "add {by} to {variable} of {of}"),
            Effect::Turn(seat) => write!(f, "the turn goes to {seat}"),
            Effect::TurnWhere(truth) => {
                write!(f, "the turn goes to the next player for whom {truth}")
            }
            Effect::Again { by, otherwise, .. } => {
                write!(f, "go on by {}", by.join(" or "))?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                write!(f, "; otherwise {}", Joined(otherwise, ", "))
            }
            Effect::Unroll(dice) => write!(f, "take back {}", dice.join(", ")),
            Effect::Show { dice, value } => write!(f, "turn {} to {value}", dice.join(", ")),
            Effect::Reset => f.write_str("put every piece back where it starts"),
            Effect::Sow { from, along, .. } => write!(f, "sow from {from} along {along}"),
            Effect::When { condition, then, otherwise } => {
                write!(f, "where {condition}: {}", Joined(then, ", "))?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                write!(f, "; otherwise {}", Joined(otherwise, ", "))
            }
            Effect::Each(binding, effects) => {
                write!(f, "for each {binding}: {}", Joined(effects, ", "))
            }
            Effect::Repeat(times, effects) => write!(f, "{times} times: {}", Joined(effects, ", ")),
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
