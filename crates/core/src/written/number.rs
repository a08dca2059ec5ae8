//! Whole numbers read from the state.

use std::fmt;
use std::ops;

use serde::{Deserialize, Serialize};

use super::{Comparison, Joined, Seat, Set, Tile, Truth, Who, is_default};

/// A whole number read from the state. Arithmetic stops at the bounds of 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Number {
    /// This number.
    Is(i64),
    /// A variable; for one that each player has, whose.
    Variable {
        /// Its name.
        name: String,
        /// Whose value, for a variable that each player has.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
    },
    /// What a die shows; 0 before it is rolled.
    Die(String),
    /// How many tiles a set has.
    Count(Set),
    /// How many pieces stand on the tiles of a set, counting every piece of a stack.
    Pieces {
        /// Where to look.
        on: Set,
        /// Whose pieces.
        owner: Who,
        /// Of which kind; of any kind when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
    },
    /// How many pieces of a kind a player has in hand.
    Hand {
        /// The kind.
        kind: String,
        /// Whose hand.
        #[serde(default, skip_serializing_if = "is_default")]
        of: Seat,
    },
    /// The sum of an attribute of the kinds of pieces on the tiles of a set. A kind without the
    /// attribute counts 0.
    Attribute {
        /// The attribute.
        name: String,
        /// Where to look.
        on: Set,
    },
    /// How many connected groups a set has.
    Groups {
        /// The set.
        of: Set,
        /// The directions that connect; all directions of the board when left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        along: Vec<String>,
    },
    /// How many steps along a direction lead from a tile to the first tile of a set; 0 where none
    /// does.
    Distance {
        /// The tile.
        from: Tile,
        /// The direction.
        along: String,
        /// What ends the walk.
        to: Set,
    },
    /// The sum of others.
    Sum(Vec<Number>),
    /// The difference of two.
    Minus(Box<Number>, Box<Number>),
    /// The product of others.
    Times(Vec<Number>),
    /// The least of others.
    Min(Vec<Number>),
    /// The greatest of others.
    Max(Vec<Number>),
    /// One number where something holds, another where it does not.
    If(Box<Truth>, Box<Number>, Box<Number>),
}

impl Number {
    /// A variable; for one that each player has, that of the player judged.
    pub fn variable(name: impl Into<String>) -> Number {
        Number::variable_of(name, Seat::Mover)
    }

    /// A variable of a player.
    pub fn variable_of(name: impl Into<String>, of: Seat) -> Number {
        Number::Variable { name: name.into(), of }
    }

    /// What a die shows.
    pub fn die(name: impl Into<String>) -> Number {
        Number::Die(name.into())
    }

    /// How many pieces of some players stand on the tiles of a set.
    pub fn pieces(on: Set, owner: Who) -> Number {
        Number::Pieces { on, owner, kind: None }
    }

    /// How many pieces of a kind of some players stand on the tiles of a set.
    pub fn pieces_of_kind(on: Set, owner: Who, kind: impl Into<String>) -> Number {
        Number::Pieces { on, owner, kind: Some(kind.into()) }
    }

    fn compare(self, is: Comparison, right: impl Into<Number>) -> Truth {
        Truth::Compare { left: self, is, right: right.into() }
    }

    /// Whether it equals another.
    pub fn equals(self, right: impl Into<Number>) -> Truth {
        self.compare(Comparison::Equal, right)
    }

    /// Whether it is at least another.
    pub fn at_least(self, right: impl Into<Number>) -> Truth {
        self.compare(Comparison::AtLeast, right)
    }

    /// Whether it is at most another.
    pub fn at_most(self, right: impl Into<Number>) -> Truth {
        self.compare(Comparison::AtMost, right)
    }

    /// Whether it is less than another.
    pub fn less_than(self, right: impl Into<Number>) -> Truth {
        self.compare(Comparison::Less, right)
    }

    /// Whether it is greater than another.
    pub fn greater_than(self, right: impl Into<Number>) -> Truth {
        self.compare(Comparison::Greater, right)
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Number {
        Number::Is(number)
    }
}

impl<T: Into<Number>> ops::Add<T> for Number {
    type Output = Number;

    fn add(self, other: T) -> Number {
        match self {
            Number::Sum(mut all) => {
                all.push(other.into());
                Number::Sum(all)
            }
            one => Number::Sum(vec![one, other.into()]),
        }
    }
}

impl<T: Into<Number>> ops::Sub<T> for Number {
    type Output = Number;

    fn sub(self, other: T) -> Number {
        Number::Minus(Box::new(self), Box::new(other.into()))
    }
}

impl<T: Into<Number>> ops::Mul<T> for Number {
    type Output = Number;

    fn mul(self, other: T) -> Number {
        Number::Times(vec![self, other.into()])
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Is(number) => write!(f, "{number}"),
            Number::Variable { name, of: Seat::Mover } => write!(f, "{name}"),
            Number::Variable { name, of } => write!(f, "{name} of {of}"),
            Number::Die(name) => write!(f, "die {name}"),
            Number::Count(set) => write!(f, "the number of tiles that are {set}"),
            Number::Pieces { on, owner, kind } => {
                let kind = kind.as_deref().unwrap_or("pieces");
                write!(f, "the number of {kind} of {owner} on tiles that are {on}")
            }
            Number::Hand { kind, of } => write!(f, "the number of {kind} in hand of {of}"),
            Number::Attribute { name, on } => write!(f, "the {name} of pieces that are {on}"),
            Number::Groups { of, .. } => write!(f, "the number of groups of tiles that are {of}"),
            Number::Distance { from, along, to } => {
                write!(f, "the steps {along} from {from} to a tile that is {to}")
            }
            Number::Sum(all) => write!(f, "({})", Joined(all, " + ")),
            Number::Minus(one, other) => write!(f, "({one} - {other})"),
            Number::Times(all) => write!(f, "({})", Joined(all, " × ")),
            Number::Min(all) => write!(f, "the least of {}", Joined(all, ", ")),
            Number::Max(all) => write!(f, "the greatest of {}", Joined(all, ", ")),
            Number::If(truth, yes, no) => write!(f, "({yes} where {truth}, else {no})"),
        }
    }
}
