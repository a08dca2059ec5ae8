//! Questions about a state and the event proposed in it.

use std::fmt;
use std::ops;

use serde::{Deserialize, Serialize};

use super::{Binding, Joined, Number, Set, Tile};

/// A pure question about a state and the event proposed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Truth {
    /// Holds.
    #[default]
    Always,
    /// Does not hold.
    Never,
    /// Every one holds; the first that does not decides.
    All(Vec<Truth>),
    /// At least one holds.
    Any(Vec<Truth>),
    /// The other does not hold.
    Not(Box<Truth>),
    /// The other, told in these words.
    Called(String, Box<Truth>),
    /// Where the other does not hold, the rule does not apply, instead of refusing.
    Relevant(Box<Truth>),
    /// It is this player's turn.
    Turn(String),
    /// Two numbers compare so.
    Compare {
        /// The number on the left.
        left: Number,
        /// How they compare.
        is: Comparison,
        /// The number on the right.
        right: Number,
    },
    /// There is such a tile, and it is in the set.
    In(Tile, Set),
    /// The set has a tile.
    Some(Set),
    /// The set has no tile.
    None(Set),
    /// Somewhere this many tiles in a row, along one direction, are all in the set.
    Line {
        /// How many tiles.
        length: u16,
        /// Along which directions; naming one of two opposites is enough.
        along: Vec<String>,
        /// What each tile must be.
        of: Set,
    },
    /// It holds for some value of a name.
    Exists(Binding, Box<Truth>),
    /// It holds for every value of a name.
    Each(Binding, Box<Truth>),
    /// The player to move has no legal event. Inside a rule, while that is found out, it counts as
    /// true.
    Stuck,
    /// The position has come up at least this many times in the playing, now included. What came
    /// before is known to a match and to a tree walk.
    Repeats(u16),
    /// Some of these movement rules could move a piece of the player judged from a tile, as if it
    /// were his turn, whatever they ensure.
    Can {
        /// The rules.
        by: Vec<String>,
        /// The tile.
        from: Tile,
    },
    /// A question answered by Rust code that the host registers under this name.
    Custom {
        /// The registered name.
        name: String,
    },
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Comparison {
    /// They are the same.
    Equal,
    /// They differ.
    Different,
    /// The left is smaller.
    Less,
    /// The left is not greater.
    AtMost,
    /// The left is greater.
    Greater,
    /// The left is not smaller.
    AtLeast,
}

impl Comparison {
    /// Whether two numbers compare so.
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

impl Truth {
    /// It is a player's turn.
    pub fn turn(player: impl Into<String>) -> Truth {
        Truth::Turn(player.into())
    }

    /// Every one holds.
    pub fn all(all: impl IntoIterator<Item = Truth>) -> Truth {
        Truth::All(all.into_iter().collect())
    }

    /// At least one holds.
    pub fn any(any: impl IntoIterator<Item = Truth>) -> Truth {
        Truth::Any(any.into_iter().collect())
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match self {
            Truth::Always => other,
            Truth::All(mut all) => {
                all.push(other);
                Truth::All(all)
            }
            one => Truth::All(vec![one, other]),
        }
    }

    /// At least one of the two holds.
    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        match self {
            Truth::Any(mut any) => {
                any.push(other);
                Truth::Any(any)
            }
            one => Truth::Any(vec![one, other]),
        }
    }

    /// The same, told in these words.
    #[must_use]
    pub fn called(self, words: impl Into<String>) -> Truth {
        Truth::Called(words.into(), Box::new(self))
    }

    /// Where it does not hold, the rule does not apply, instead of refusing.
    #[must_use]
    pub fn relevant(self) -> Truth {
        Truth::Relevant(Box::new(self))
    }

    /// Some of these rules could move a piece from a tile.
    pub fn can(by: impl IntoIterator<Item = impl Into<String>>, from: Tile) -> Truth {
        Truth::Can { by: by.into_iter().map(Into::into).collect(), from }
    }

    /// This many tiles in a row are all in a set.
    pub fn line(length: u16, along: &[&str], of: Set) -> Truth {
        Truth::Line { length, along: super::owned(along), of }
    }
}

impl ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        Truth::Not(Box::new(self))
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Always => f.write_str("always"),
            Truth::Never => f.write_str("never"),
            Truth::All(all) => write!(f, "({})", Joined(all, " and ")),
            Truth::Any(any) => write!(f, "({})", Joined(any, " or ")),
            Truth::Not(one) => write!(f, "not {one}"),
            Truth::Called(words, _) => f.write_str(words),
            Truth::Relevant(one) => write!(f, "{one}"),
            Truth::Turn(player) => write!(f, "it is {player}'s turn"),
            Truth::Compare { left, is, right } => write!(f, "{left} is {is} {right}"),
            Truth::In(tile, set) => write!(f, "{tile} is {set}"),
            Truth::Some(set) => write!(f, "some tile is {set}"),
            Truth::None(set) => write!(f, "no tile is {set}"),
            Truth::Line { length, along, of } => {
                write!(f, "{length} tiles in a row along {} are {of}", along.join(" or "))
            }
            Truth::Exists(binding, one) => write!(f, "for some {binding}: {one}"),
            Truth::Each(binding, one) => write!(f, "for each {binding}: {one}"),
            Truth::Stuck => f.write_str("the player to move has no legal event"),
            Truth::Repeats(times) => write!(f, "the position has come up {times} times"),
            Truth::Can { by, from } => write!(f, "{} is possible from {from}", by.join(" or ")),
            Truth::Custom { name } => write!(f, "custom condition {name}"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "equal to",
            Comparison::Different => "different from",
            Comparison::Less => "less than",
            Comparison::AtMost => "at most",
            Comparison::Greater => "greater than",
            Comparison::AtLeast => "at least",
        })
    }
}
