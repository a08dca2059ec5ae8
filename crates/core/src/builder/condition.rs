//! Words for conditions and what they ask about.

use std::ops::{Add, Not};

use super::owned;
use crate::condition::{Area, Comparison, Condition, Seat, Spot, TileTest, Trait, Value, Who};

impl Condition {
    /// Every one holds.
    pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Condition::All(conditions.into_iter().collect())
    }

    /// At least one holds.
    pub fn any(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Condition::Any(conditions.into_iter().collect())
    }

    /// It is this player's turn.
    pub fn turn(player: impl Into<String>) -> Self {
        Condition::Turn(player.into())
    }

    /// There is such a tile, and it passes the test.
    pub fn tile(at: Spot, is: TileTest) -> Self {
        Condition::Tile { at, is }
    }

    /// Somewhere this many tiles in a row, along one of the directions, all pass the test.
    pub fn line(
        length: u16,
        directions: impl IntoIterator<Item = impl Into<String>>,
        is: TileTest,
    ) -> Self {
        Condition::Line { length, directions: owned(directions), is }
    }

    /// What Rust code that the host registers under this name answers.
    pub fn custom(name: impl Into<String>) -> Self {
        Condition::Custom { name: name.into() }
    }

    /// And this one holds as well.
    #[must_use]
    pub fn and(self, other: Condition) -> Self {
        match (self, other) {
            (Condition::Always, one) | (one, Condition::Always) => one,
            (Condition::All(mut all), one) => {
                all.push(one);
                Condition::All(all)
            }
            (one, other) => Condition::all([one, other]),
        }
    }

    /// Or this one holds instead.
    #[must_use]
    pub fn or(self, other: Condition) -> Self {
        match self {
            Condition::Any(mut any) => {
                any.push(other);
                Condition::Any(any)
            }
            one => Condition::any([one, other]),
        }
    }

    /// Tells it in these words.
    #[must_use]
    pub fn called(self, words: impl Into<String>) -> Self {
        Condition::Called(words.into(), Box::new(self))
    }

    /// Where it does not hold, the rule has nothing to say instead of refusing.
    #[must_use]
    pub fn relevant(self) -> Self {
        Condition::Relevant(Box::new(self))
    }
}

impl Not for Condition {
    type Output = Condition;

    /// The other does not hold.
    fn not(self) -> Condition {
        Condition::Not(Box::new(self))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl Add<Value> for Value {
    type Output = Value;

    fn add(self, other: Value) -> Value {
        match self {
            Value::Sum(mut values) => {
                values.push(other);
                Value::Sum(values)
            }
            one => Value::Sum(vec![one, other]),
        }
    }
}

impl Add<i64> for Value {
    type Output = Value;

    fn add(self, number: i64) -> Value {
        self + Value::Number(number)
    }
}

impl Value {
    /// A variable; for one that each player has, the mover's.
    pub fn variable(name: impl Into<String>) -> Self {
        Value::variable_of(name, Seat::Mover)
    }

    /// A player's value of a variable that each player has.
    pub fn variable_of(name: impl Into<String>, of: Seat) -> Self {
        let name = name.into();
        Value::Variable { name, of }
    }

    /// What a die shows.
    pub fn die(name: impl Into<String>) -> Self {
        Value::Die(name.into())
    }

    /// How many tiles of an area pass a test.
    pub fn tiles(area: Area, is: TileTest) -> Self {
        Value::Tiles { area, is }
    }

    /// How many pieces of such a player stand in an area.
    pub fn pieces(area: Area, owner: Who) -> Self {
        Value::Pieces { area, owner, kind: None }
    }

    /// How many pieces of one kind and such a player stand in an area.
    pub fn pieces_of_kind(area: Area, owner: Who, kind: impl Into<String>) -> Self {
        Value::Pieces { area, owner, kind: Some(kind.into()) }
    }

    /// Compares it with another number.
    pub fn compare(self, is: Comparison, right: impl Into<Value>) -> Condition {
        Condition::Compare { left: self, is, right: right.into() }
    }

    /// It is the same as another.
    pub fn equals(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::Equal, other)
    }

    /// It differs from another.
    pub fn differs_from(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::Different, other)
    }

    /// It is less than another.
    pub fn less_than(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::Less, other)
    }

    /// It is not greater than another.
    pub fn at_most(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::AtMost, other)
    }

    /// It is greater than another.
    pub fn greater_than(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::Greater, other)
    }

    /// It is not less than another.
    pub fn at_least(self, other: impl Into<Value>) -> Condition {
        self.compare(Comparison::AtLeast, other)
    }
}

impl Seat {
    /// The player of this name.
    pub fn player(name: impl Into<String>) -> Self {
        Seat::Player(name.into())
    }
}

impl Who {
    /// The player of this name.
    pub fn player(name: impl Into<String>) -> Self {
        Who::Player(name.into())
    }
}

impl Area {
    /// A region; where each player has one of this name, that of the player judged.
    pub fn region(name: impl Into<String>) -> Self {
        Area::Region(name.into())
    }

    /// The region of this name that belongs to a player.
    pub fn region_of(name: impl Into<String>, seat: Seat) -> Self {
        Area::RegionOf(name.into(), seat)
    }
}

impl Spot {
    /// The tile of this name.
    pub fn tile(name: impl Into<String>) -> Self {
        Spot::Tile(name.into())
    }

    /// The tile of a region that has one tile, for a player.
    pub fn only(region: impl Into<String>, seat: Seat) -> Self {
        Spot::Only(region.into(), seat)
    }

    /// The first tile along a direction from this spot that passes a test.
    #[must_use]
    pub fn first(self, along: impl Into<String>, is: TileTest) -> Self {
        Spot::First { from: Box::new(self), along: along.into(), is }
    }
}

impl TileTest {
    /// And it has at least one of these traits.
    #[must_use]
    pub fn and_any(mut self, traits: impl IntoIterator<Item = Trait>) -> Self {
        self.any_of.extend(traits);
        self
    }
}

impl Trait {
    /// A piece of this kind stands on it.
    pub fn kind(name: impl Into<String>) -> Self {
        Trait::Kind(name.into())
    }

    /// The piece on it carries this flag.
    pub fn flag(name: impl Into<String>) -> Self {
        Trait::Flag(name.into())
    }

    /// It belongs to this region.
    pub fn within(region: impl Into<String>) -> Self {
        Trait::In(region.into())
    }
}
