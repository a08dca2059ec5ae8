//! Words for the parts of a definition.

use crate::written::{
    Attribute, BoardTile, Capacity, Facing, Flag, Kind, Life, Pattern, Player, Relation, Share,
    Standing, Supply, Variable,
};

macro_rules! from_name {
    ($($part:ty),*) => {$(
        impl From<&str> for $part {
            fn from(name: &str) -> Self {
                Self::new(name)
            }
        }

        impl From<String> for $part {
            fn from(name: String) -> Self {
                Self::new(name)
            }
        }
    )*};
}

from_name!(Player, BoardTile, Flag, Kind);

impl Player {
    /// A player who stands alone.
    pub fn new(name: impl Into<String>) -> Self {
        Player { name: name.into(), ..Player::default() }
    }

    /// Makes it an owner of pieces who has no turn.
    #[must_use]
    pub fn neutral(mut self) -> Self {
        self.neutral = true;
        self
    }

    /// Makes the player an ally of all others of the same team.
    #[must_use]
    pub fn team(mut self, team: impl Into<String>) -> Self {
        self.team = Some(team.into());
        self
    }

    /// Says which direction of the board a relative name such as `forward` means to this player.
    #[must_use]
    pub fn facing(mut self, name: impl Into<String>, direction: impl Into<String>) -> Self {
        self.directions.push(Facing { name: name.into(), direction: direction.into() });
        self
    }
}

impl BoardTile {
    /// A tile that holds one piece.
    pub fn new(name: impl Into<String>) -> Self {
        BoardTile { name: name.into(), holds: Capacity::One }
    }

    /// A tile that holds any number of pieces.
    pub fn stack(name: impl Into<String>) -> Self {
        BoardTile { name: name.into(), holds: Capacity::Many }
    }
}

impl Relation {
    /// A step that leaves a tile in a direction and enters another, at distance 1.
    pub fn new(
        from: impl Into<String>,
        direction: impl Into<String>,
        to: impl Into<String>,
    ) -> Self {
        Relation { from: from.into(), to: to.into(), direction: direction.into(), distance: 1 }
    }

    /// Says how far the step is.
    #[must_use]
    pub fn distance(mut self, distance: u32) -> Self {
        self.distance = distance;
        self
    }
}

impl Flag {
    /// A flag that stays until an effect clears it.
    pub fn new(name: impl Into<String>) -> Self {
        Flag { name: name.into(), ..Flag::default() }
    }

    /// A flag that stays until its owner's next turn begins.
    pub fn ephemeral(name: impl Into<String>) -> Self {
        Flag { name: name.into(), life: Life::Ephemeral, ..Flag::default() }
    }

    /// Clears it wherever this rule has no legal event.
    #[must_use]
    pub fn serving(mut self, rule: impl Into<String>) -> Self {
        self.serves = Some(rule.into());
        self
    }
}

impl Kind {
    /// A kind that does not travel.
    pub fn new(name: impl Into<String>) -> Self {
        Kind { name: name.into(), ..Kind::default() }
    }

    /// Adds a way of travelling, tried after those already written.
    #[must_use]
    pub fn travels(mut self, pattern: Pattern) -> Self {
        self.patterns.push(pattern);
        self
    }

    /// Says that there are as many pieces of it as are put.
    #[must_use]
    pub fn unlimited(mut self) -> Self {
        self.supply = Supply::Unlimited;
        self
    }

    /// Makes the kind royal: the fate of its owner hangs on it.
    #[must_use]
    pub fn royal(mut self) -> Self {
        self.royal = true;
        self
    }

    /// Adds a number about the kind, such as its worth.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>, value: i64) -> Self {
        let name = name.into();
        self.attributes.push(Attribute { name, value });
        self
    }
}

impl Variable {
    /// A number between two bounds that starts at the lower one, belongs to the position and is
    /// the same for everyone.
    pub fn new(name: impl Into<String>, min: i64, max: i64) -> Self {
        Variable { name: name.into(), min, max, start: min, ..Variable::default() }
    }

    /// A number from 0 up to a bound.
    pub fn counter(name: impl Into<String>, max: i64) -> Self {
        Variable::new(name, 0, max)
    }

    /// Says its value at the start.
    #[must_use]
    pub fn starting(mut self, start: i64) -> Self {
        self.start = start;
        self
    }

    /// Gives each player a value.
    #[must_use]
    pub fn per_player(mut self) -> Self {
        self.share = Share::PerPlayer;
        self
    }

    /// Makes it the number of times the position occurred, counted as far back as a variable says.
    #[must_use]
    pub fn repetitions_within(mut self, variable: impl Into<String>) -> Self {
        self.repetitions_within = Some(variable.into());
        self
    }

    /// Makes it say whether the two players have changed seats.
    #[must_use]
    pub fn swapping_seats(mut self) -> Self {
        self.swaps_seats = true;
        self
    }

    /// Keeps it beside the position: two positions that differ in it alone are the same.
    #[must_use]
    pub fn beside(mut self) -> Self {
        self.standing = Standing::Beside;
        self
    }
}
