//! Sets of tiles, and single tiles.

use std::fmt;
use std::ops;

use serde::{Deserialize, Serialize};

use super::{Joined, Seat, Truth, Who, owned};

/// A set of tiles. Whatever can be said of tiles is a set: `Set::own() & Set::kind("stone")`.
///
/// Directions are names: a direction of the board, a name that each player's
/// [`super::Player::directions`] gives a meaning of its own, or one bound by a [`Binding`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Set {
    /// Every tile.
    #[default]
    Board,
    /// Tiles on which nothing stands.
    Empty,
    /// Tiles on which a piece of such a player stands.
    Owned(Who),
    /// Tiles on which a piece of this kind stands.
    Kind(String),
    /// Tiles on which a royal piece stands.
    Royal,
    /// Tiles whose piece carries this flag.
    Flag(String),
    /// Tiles that carry this mark.
    Mark(String),
    /// Tiles on which at least this many pieces of such a player stand.
    AtLeast(u16, Who),
    /// A region; where each player has one of this name, that of the player judged.
    Region(String),
    /// The region of this name that belongs to a player.
    RegionOf(String, Seat),
    /// These tiles.
    Tiles(Vec<String>),
    /// One tile; no tile where there is none.
    At(Box<Tile>),
    /// Tiles in every one of the sets.
    All(Vec<Set>),
    /// Tiles in at least one of the sets.
    Any(Vec<Set>),
    /// Tiles that are not in the set.
    Not(Box<Set>),
    /// Where these steps, one after another, lead from the tiles of a set.
    Step(Box<Set>, Vec<String>),
    /// Tiles one step from a tile of the set, in any of these directions; in any direction of the
    /// board where none is named.
    Around(Box<Set>, Vec<String>),
    /// The tiles along a direction from a tile, that tile left out.
    Ray(Box<Tile>, String),
    /// The tiles of the line through a tile along a direction, forth and back, that tile included.
    Row(Box<Tile>, String),
    /// The unbroken run of tiles of a set along a direction from a tile, that tile left out.
    Run {
        /// Where it starts; that tile itself is not part of it.
        from: Box<Tile>,
        /// The direction it follows.
        along: String,
        /// The tiles it runs over.
        over: Box<Set>,
        /// Where it must end: the tile after the last. Where that tile is not in this set, the run
        /// is empty. Any end will do when left out, the edge of the board included.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<Box<Set>>,
    },
    /// The straight line from one tile to another, both included, by the first direction that
    /// leads there; no tile where none does.
    Span(Box<Tile>, Box<Tile>),
    /// The straight line between two tiles, both left out.
    Between(Box<Tile>, Box<Tile>),
    /// The tiles connected with a tile within a set; empty where the tile is not in the set.
    Group {
        /// The set.
        of: Box<Set>,
        /// The tile.
        at: Box<Tile>,
        /// The directions that connect; all directions of the board when left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        along: Vec<String>,
    },
    /// Every tile of a set that can be reached from some tiles of it by steps within the set.
    Reach {
        /// Where to start; tiles outside `over` count for nothing.
        from: Box<Set>,
        /// The set.
        over: Box<Set>,
        /// The directions that connect; all directions of the board when left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        along: Vec<String>,
    },
    /// Every tile that belongs to a line of at least this many tiles of a set.
    Line {
        /// How many tiles.
        length: u16,
        /// Along which directions; naming one of two opposites is enough.
        along: Vec<String>,
        /// What each tile must be.
        of: Box<Set>,
    },
    /// Every tile that belongs, along one direction, to a line of this many tiles of a set but to
    /// none of one more.
    ExactLine {
        /// How many tiles.
        length: u16,
        /// Along which directions; naming one of two opposites is enough.
        along: Vec<String>,
        /// What each tile must be.
        of: Box<Set>,
    },
    /// Tiles that such a player attacks: where he could capture now if a foe of his stood there.
    Attacked(Who),
    /// One set where something holds, another where it does not.
    If(Box<Truth>, Box<Set>, Box<Set>),
    /// The union of a set for each value of a name.
    Union(Binding, Box<Set>),
    /// The set that a name is bound to.
    Name(String),
}

/// One tile, found from the event or by name. There may be none: a step can leave the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Tile {
    /// Where the move starts.
    From,
    /// Where the move or put ends.
    To,
    /// The tile of this name.
    Named(String),
    /// The only tile of a set; none where the set has another number of tiles.
    Only(Box<Set>),
    /// Where these steps lead from another tile.
    Steps(Box<Tile>, Vec<String>),
    /// The first tile along a direction that is in a set.
    First {
        /// Where the ray starts; that tile itself is not asked.
        from: Box<Tile>,
        /// The direction it follows.
        along: String,
        /// What ends it.
        at: Box<Set>,
    },
    /// The tile that a name is bound to.
    Name(String),
}

/// A name that takes several values, one after another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// Its values.
    pub over: Domain,
}

/// The values that a bound name takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Domain {
    /// Directions, used where a direction is named.
    Directions(Vec<String>),
    /// The tiles of a set in ascending order, used as [`Tile::Name`].
    Tiles(Box<Set>),
    /// The connected groups of a set, used as [`Set::Name`].
    Groups {
        /// The set.
        of: Box<Set>,
        /// The directions that connect; all directions of the board when left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        along: Vec<String>,
    },
}

impl Binding {
    /// A name for each of several directions.
    pub fn directions(name: &str, directions: &[&str]) -> Binding {
        Binding { name: name.into(), over: Domain::Directions(owned(directions)) }
    }

    /// A name for each tile of a set.
    pub fn tiles(name: &str, set: Set) -> Binding {
        Binding { name: name.into(), over: Domain::Tiles(Box::new(set)) }
    }

    /// A name for each group of a set, connected along directions; along all where none is named.
    pub fn groups(name: &str, of: Set, along: &[&str]) -> Binding {
        let over = Domain::Groups { of: Box::new(of), along: owned(along) };
        Binding { name: name.into(), over }
    }
}

impl Set {
    /// Tiles of the player judged.
    pub fn own() -> Set {
        Set::Owned(Who::Mover)
    }

    /// Tiles of the player's foes.
    pub fn foe() -> Set {
        Set::Owned(Who::Foe)
    }

    /// Tiles on which anything stands.
    pub fn occupied() -> Set {
        Set::Owned(Who::Anyone)
    }

    /// Tiles with a piece of a kind.
    pub fn kind(name: impl Into<String>) -> Set {
        Set::Kind(name.into())
    }

    /// Tiles whose piece carries a flag.
    pub fn flag(name: impl Into<String>) -> Set {
        Set::Flag(name.into())
    }

    /// Tiles that carry a mark.
    pub fn mark(name: impl Into<String>) -> Set {
        Set::Mark(name.into())
    }

    /// The tiles of a region.
    pub fn region(name: impl Into<String>) -> Set {
        Set::Region(name.into())
    }

    /// The tiles of a player's region.
    pub fn region_of(name: impl Into<String>, seat: Seat) -> Set {
        Set::RegionOf(name.into(), seat)
    }

    /// Some tiles by name.
    pub fn tiles<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Set {
        Set::Tiles(names.into_iter().map(Into::into).collect())
    }

    /// One tile.
    pub fn at(tile: Tile) -> Set {
        Set::At(Box::new(tile))
    }

    /// Where these steps lead from the tiles of this set.
    #[must_use]
    pub fn then(self, steps: &[&str]) -> Set {
        Set::Step(Box::new(self), owned(steps))
    }

    /// Tiles one step from this set in any direction.
    #[must_use]
    pub fn around(self) -> Set {
        Set::Around(Box::new(self), Vec::new())
    }

    /// The tiles along a direction from a tile.
    pub fn ray(from: Tile, along: impl Into<String>) -> Set {
        Set::Ray(Box::new(from), along.into())
    }

    /// The line through a tile along a direction, forth and back.
    pub fn row(through: Tile, along: impl Into<String>) -> Set {
        Set::Row(Box::new(through), along.into())
    }

    /// The straight line from one tile to another, both included.
    pub fn span(from: Tile, to: Tile) -> Set {
        Set::Span(Box::new(from), Box::new(to))
    }

    /// The straight line between two tiles.
    pub fn between(from: Tile, to: Tile) -> Set {
        Set::Between(Box::new(from), Box::new(to))
    }

    /// The run along a direction over one set that ends at another.
    pub fn run(from: Tile, along: impl Into<String>, over: Set, end: Option<Set>) -> Set {
        let (from, over, end) = (Box::new(from), Box::new(over), end.map(Box::new));
        Set::Run { from, along: along.into(), over, end }
    }

    /// The group of a tile within this set, connected along directions; along all where none is
    /// named.
    #[must_use]
    pub fn group_at(self, at: Tile, along: &[&str]) -> Set {
        Set::Group { of: Box::new(self), at: Box::new(at), along: owned(along) }
    }

    /// Every tile of this set that can be reached from some of its tiles within it.
    #[must_use]
    pub fn reached_from(self, from: Set, along: &[&str]) -> Set {
        Set::Reach { from: Box::new(from), over: Box::new(self), along: owned(along) }
    }

    /// Tiles that belong to a line of at least this many tiles of this set.
    #[must_use]
    pub fn lines(self, length: u16, along: &[&str]) -> Set {
        Set::Line { length, along: owned(along), of: Box::new(self) }
    }

    /// Tiles that belong to a line of exactly this many tiles of this set.
    #[must_use]
    pub fn exact_lines(self, length: u16, along: &[&str]) -> Set {
        Set::ExactLine { length, along: owned(along), of: Box::new(self) }
    }

    /// The union of a set for each value of a name.
    pub fn union(binding: Binding, of: Set) -> Set {
        Set::Union(binding, Box::new(of))
    }

    /// The set that a name is bound to.
    pub fn name(name: impl Into<String>) -> Set {
        Set::Name(name.into())
    }

    /// Whether there is any tile in it.
    pub fn any(self) -> Truth {
        Truth::Some(self)
    }

    /// Whether there is no tile in it.
    pub fn none(self) -> Truth {
        Truth::None(self)
    }
}

impl Tile {
    /// The tile of a name.
    pub fn named(name: impl Into<String>) -> Tile {
        Tile::Named(name.into())
    }

    /// The only tile of a player's region.
    pub fn only(region: impl Into<String>, seat: Seat) -> Tile {
        Tile::Only(Box::new(Set::RegionOf(region.into(), seat)))
    }

    /// The tile that a name is bound to.
    pub fn name(name: impl Into<String>) -> Tile {
        Tile::Name(name.into())
    }

    /// Where these steps lead from this tile.
    #[must_use]
    pub fn then(self, steps: &[&str]) -> Tile {
        Tile::Steps(Box::new(self), owned(steps))
    }

    /// The first tile along a direction that is in a set.
    pub fn first(from: Tile, along: impl Into<String>, at: Set) -> Tile {
        Tile::First { from: Box::new(from), along: along.into(), at: Box::new(at) }
    }

    /// Whether there is such a tile and it is in a set.
    pub fn is_in(self, set: Set) -> Truth {
        Truth::In(self, set)
    }
}

impl ops::BitAnd for Set {
    type Output = Set;

    fn bitand(self, other: Set) -> Set {
        match self {
            Set::All(mut all) => {
                all.push(other);
                Set::All(all)
            }
            one => Set::All(vec![one, other]),
        }
    }
}

impl ops::BitOr for Set {
    type Output = Set;

    fn bitor(self, other: Set) -> Set {
        match self {
            Set::Any(mut any) => {
                any.push(other);
                Set::Any(any)
            }
            one => Set::Any(vec![one, other]),
        }
    }
}

impl ops::Not for Set {
    type Output = Set;

    fn not(self) -> Set {
        Set::Not(Box::new(self))
    }
}

impl ops::Sub for Set {
    type Output = Set;

    fn sub(self, other: Set) -> Set {
        self & !other
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::Board => f.write_str("any tile"),
            Set::Empty => f.write_str("empty"),
            Set::Owned(who) => write!(f, "held by {who}"),
            Set::Kind(name) => write!(f, "a {name}"),
            Set::Royal => f.write_str("royal"),
            Set::Flag(name) | Set::Mark(name) | Set::Name(name) => f.write_str(name),
            Set::AtLeast(count, who) => write!(f, "held by at least {count} of {who}"),
            Set::Region(name) => write!(f, "in {name}"),
            Set::RegionOf(name, seat) => write!(f, "in {name} of {seat}"),
            Set::Tiles(names) => write!(f, "one of {}", names.join(" ")),
            Set::At(tile) => write!(f, "{tile}"),
            Set::All(all) => write!(f, "{}", Joined(all, " and ")),
            Set::Any(any) => write!(f, "({})", Joined(any, " or ")),
            Set::Not(one) => match &**one {
                Set::All(_) => write!(f, "not ({one})"),
                _ => write!(f, "not {one}"),
            },
            Set::Step(set, steps) => write!(f, "{} of a tile that is {set}", steps.join(", ")),
            Set::Around(set, along) if along.is_empty() => {
                write!(f, "beside a tile that is {set}")
            }
            Set::Around(set, along) => {
                write!(f, "one step {} of a tile that is {set}", along.join(" or "))
            }
            Set::Ray(from, along) => write!(f, "{along} of {from}"),
            Set::Row(tile, along) => write!(f, "on the line {along} through {tile}"),
            Set::Run { from, along, over, end: None } => {
                write!(f, "in the run {along} of {from} that is {over}")
            }
            Set::Run { from, along, over, end: Some(end) } => {
                write!(f, "in the run {along} of {from} that is {over} up to {end}")
            }
            Set::Span(from, to) => write!(f, "on the line from {from} to {to}"),
            Set::Between(from, to) => write!(f, "between {from} and {to}"),
            Set::Group { of, at, .. } => write!(f, "connected with {at} by tiles that are {of}"),
            Set::Reach { from, over, .. } => {
                write!(f, "reached from {from} by tiles that are {over}")
            }
            Set::Line { length, of, .. } => write!(f, "in a line of {length} that are {of}"),
            Set::ExactLine { length, of, .. } => {
                write!(f, "in a line of exactly {length} that are {of}")
            }
            Set::Attacked(who) => write!(f, "attacked by {who}"),
            Set::If(truth, yes, no) => write!(f, "{yes} where {truth}, else {no}"),
            Set::Union(binding, set) => write!(f, "{set} for some {binding}"),
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tile::From => f.write_str("the source"),
            Tile::To => f.write_str("the target"),
            Tile::Named(name) | Tile::Name(name) => f.write_str(name),
            Tile::Only(set) => match &**set {
                Set::Region(name) => write!(f, "{name}"),
                Set::RegionOf(name, seat) => write!(f, "{name} of {seat}"),
                set => write!(f, "the only tile that is {set}"),
            },
            Tile::Steps(tile, steps) => write!(f, "the tile {} of {tile}", steps.join(", ")),
            Tile::First { from, along, at } => {
                write!(f, "the first tile {along} of {from} that is {at}")
            }
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.over {
            Domain::Directions(names) => write!(f, "{} among {}", self.name, names.join(", ")),
            Domain::Tiles(set) => write!(f, "tile {} that is {set}", self.name),
            Domain::Groups { of, .. } => write!(f, "group {} of tiles that are {of}", self.name),
        }
    }
}
