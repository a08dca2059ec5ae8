//! Pure questions about a state and the event proposed in it, as a game's author writes them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::definition::is_default;
use crate::pattern::owned;

/// A question whose answer is valid, ignore or invalid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// Holds.
    #[default]
    Always,
    /// Does not hold.
    Never,
    /// Every one holds; the first that does not decides.
    All(Vec<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
    /// The other does not hold.
    Not(Box<Condition>),
    /// The other, told in these words.
    Called(String, Box<Condition>),
    /// Where the other does not hold, the rule has nothing to say instead of refusing.
    Relevant(Box<Condition>),
    /// It is this player's turn.
    Turn(String),
    /// Two numbers compare so.
    Compare {
        /// The number on the left.
        left: Value,
        /// How they compare.
        is: Comparison,
        /// The number on the right.
        right: Value,
    },
    /// There is such a tile, and it passes the test.
    Tile {
        /// Which tile.
        at: Spot,
        /// What it must be.
        is: TileTest,
    },
    /// Somewhere this many tiles in a row, along one direction, all pass the test.
    Line {
        /// How many tiles.
        length: u16,
        /// Along which directions; naming one of two opposites is enough.
        directions: Vec<String>,
        /// What each tile must be.
        is: TileTest,
    },
    /// The rules accept no event of the player to move, endings aside. Only for endings.
    Stuck,
    /// A question answered by Rust code that the host registers under this name.
    Custom {
        /// The registered name.
        name: String,
    },
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// A whole number read from the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// This number.
    Number(i64),
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
    /// How many tiles of an area pass a test.
    Tiles {
        /// Where to look.
        area: Area,
        /// What to look for.
        is: TileTest,
    },
    /// How many pieces stand in an area, counting every piece of a stack.
    Pieces {
        /// Where to look.
        area: Area,
        /// Whose pieces.
        owner: Who,
        /// Of which kind; of any kind when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
    },
    /// The sum of others.
    Sum(Vec<Value>),
}

/// Exactly one player, seen from the player whose rule is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// Any of a set of players, seen from the player whose rule is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// A set of tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Every tile.
    #[default]
    Board,
    /// A region; where each player has one of this name, that of the player judged.
    Region(String),
    /// The region of this name that belongs to a player.
    RegionOf(String, Seat),
    /// One tile.
    At(Spot),
    /// Every tile on the straight line from one tile to another, both included; none where no
    /// direction leads from the one to the other.
    Span(Spot, Spot),
    /// The tiles one step in any direction from a tile.
    Around(Spot),
    /// Every tile along a direction from a tile, that tile left out.
    Beyond(Spot, String),
}

/// One tile, found from the event or by name. There may be none: a step can leave the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// Where the move starts.
    From,
    /// Where the move or put ends.
    To,
    /// The tile of this name.
    Tile(String),
    /// The tile of a region that has one tile, for a player.
    Only(String, Seat),
    /// Where these steps lead from another spot.
    Steps(Box<Spot>, Vec<String>),
    /// The first tile along a direction that passes a test.
    First {
        /// Where the ray starts; that tile itself is not asked.
        from: Box<Spot>,
        /// The direction it follows.
        along: String,
        /// What ends it.
        is: TileTest,
    },
}

impl Spot {
    /// Where these steps lead from this spot.
    pub fn then(self, steps: &[&str]) -> Self {
        Spot::Steps(Box::new(self), owned(steps))
    }
}

/// What a tile must be: every one of `all_of`, at least one of `any_of` unless it is empty, and
/// none of `none_of`. The default asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileTest {
    /// All of these must be true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_of: Vec<Trait>,
    /// At least one of these must be true, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Trait>,
    /// None of these may be true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub none_of: Vec<Trait>,
}

impl TileTest {
    /// Asks nothing.
    pub fn any() -> Self {
        TileTest::default()
    }

    /// The tile holds no piece.
    pub fn empty() -> Self {
        TileTest::is(Trait::Empty)
    }

    /// The tile holds a piece of such a player.
    pub fn owned_by(who: Who) -> Self {
        TileTest::is(Trait::Owner(who))
    }

    /// The tile has a trait.
    pub fn is(one: Trait) -> Self {
        TileTest { all_of: vec![one], ..TileTest::default() }
    }

    /// The tile lacks a trait.
    pub fn is_not(one: Trait) -> Self {
        TileTest { none_of: vec![one], ..TileTest::default() }
    }

    /// And it has this trait as well.
    #[must_use]
    pub fn and(mut self, one: Trait) -> Self {
        self.all_of.push(one);
        self
    }

    /// And it lacks this trait.
    #[must_use]
    pub fn and_not(mut self, one: Trait) -> Self {
        self.none_of.push(one);
        self
    }
}

/// One thing that can be true of a tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trait {
    /// No piece stands on it.
    Empty,
    /// A piece of such a player stands on it.
    Owner(Who),
    /// A piece of this kind stands on it.
    Kind(String),
    /// The piece on it carries this flag.
    Flag(String),
    /// It belongs to this region.
    In(String),
    /// At least this many pieces of such a player stand on it.
    AtLeast(u16, Who),
    /// A piece of a royal kind stands on it.
    Royal,
    /// A piece of such a player could capture there, whether anything stands there or not.
    Threatened(Who),
    /// It is this tile.
    At(Spot),
    /// A tile one step away in some direction passes this test.
    Beside(Box<TileTest>),
}

/// Joins what is written with a word between.
pub(crate) struct Joined<'a, T>(pub(crate) &'a [T], pub(crate) &'a str);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(self.1)?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Always => f.write_str("always"),
            Condition::Never => f.write_str("never"),
            Condition::All(all) => write!(f, "({})", Joined(all, " and ")),
            Condition::Any(any) => write!(f, "({})", Joined(any, " or ")),
            Condition::Not(one) => write!(f, "not {one}"),
            Condition::Called(words, _) => f.write_str(words),
            Condition::Relevant(one) => write!(f, "{one}"),
            Condition::Turn(player) => write!(f, "it is {player}'s turn"),
            Condition::Compare { left, is, right } => write!(f, "{left} is {is} {right}"),
            Condition::Tile { at, is } => write!(f, "{at} is {is}"),
            Condition::Line { length, directions, is } => {
                write!(f, "{length} tiles in a row along {} are {is}", directions.join(" or "))
            }
            Condition::Stuck => f.write_str("the player to move has no legal event"),
            Condition::Custom { name } => write!(f, "custom condition {name}"),
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

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Variable { name, of: Seat::Mover } => write!(f, "{name}"),
            Value::Variable { name, of } => write!(f, "{name} of {of}"),
            Value::Die(name) => write!(f, "die {name}"),
            Value::Tiles { area, is } => write!(f, "the number of tiles on {area} that are {is}"),
            Value::Pieces { area, owner, kind: Some(kind) } => {
                write!(f, "the number of {kind} of {owner} on {area}")
            }
            Value::Pieces { area, owner, kind: None } => {
                write!(f, "the number of pieces of {owner} on {area}")
            }
            Value::Sum(values) => write!(f, "({})", Joined(values, " + ")),
        }
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

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Area::Board => f.write_str("the board"),
            Area::Region(name) => write!(f, "{name}"),
            Area::RegionOf(name, seat) => write!(f, "{name} of {seat}"),
            Area::At(spot) => write!(f, "{spot}"),
            Area::Span(from, to) => write!(f, "the line from {from} to {to}"),
            Area::Around(spot) => write!(f, "the tiles around {spot}"),
            Area::Beyond(spot, along) => write!(f, "the tiles {along} of {spot}"),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::From => f.write_str("the source"),
            Spot::To => f.write_str("the target"),
            Spot::Tile(name) => write!(f, "{name}"),
            Spot::Only(name, seat) => write!(f, "{name} of {seat}"),
            Spot::Steps(spot, steps) => write!(f, "the tile {} of {spot}", steps.join(", ")),
            Spot::First { from, along, is } => {
                write!(f, "the first tile {along} of {from} that is {is}")
            }
        }
    }
}

impl fmt::Display for TileTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sep = "";
        if !self.all_of.is_empty() {
            write!(f, "{}", Joined(&self.all_of, " and "))?;
            sep = " and ";
        }
        if !self.any_of.is_empty() {
            write!(f, "{sep}({})", Joined(&self.any_of, " or "))?;
            sep = " and ";
        }
        for one in &self.none_of {
            write!(f, "{sep}not {one}")?;
            sep = " and ";
        }
        if sep.is_empty() { f.write_str("any tile") } else { Ok(()) }
    }
}

impl fmt::Display for Trait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trait::Empty => f.write_str("empty"),
            Trait::Owner(who) => write!(f, "held by {who}"),
            Trait::Kind(name) => write!(f, "a {name}"),
            Trait::Flag(name) => write!(f, "{name}"),
            Trait::In(name) => write!(f, "in {name}"),
            Trait::AtLeast(count, who) => write!(f, "held by at least {count} of {who}"),
            Trait::Royal => f.write_str("royal"),
            Trait::Threatened(who) => write!(f, "attacked by {who}"),
            Trait::At(spot) => write!(f, "{spot}"),
            Trait::Beside(test) => write!(f, "beside a tile that is {test}"),
        }
    }
}
