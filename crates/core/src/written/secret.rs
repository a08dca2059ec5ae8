//! Who sees what, piles of cards, and chance whose odds the state decides.

use serde::{Deserialize, Serialize};

use super::{Effect, Number, Seat, Set, Share, is_default};

/// Who sees a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Sight {
    /// Every player, and whoever watches.
    #[default]
    Everyone,
    /// The player whose it is; of an event, the player who moves.
    Owner,
    /// The player of this name.
    Player(String),
    /// No player.
    Nobody,
}

/// What players do not see of the board. Each set is asked about the player who looks, and what
/// lies outside it is hidden from that player. Whoever watches without playing sees none of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Secret {
    /// Whether a piece stands on a tile, and which.
    Pieces {
        /// The tiles on which a player sees pieces.
        seen: Set,
    },
    /// Of which kind a piece is; that it stands there and whose it is can be seen.
    Kinds {
        /// The tiles on which a player sees kinds.
        seen: Set,
        /// The kind that pieces elsewhere look like.
        shown: String,
    },
    /// Whether a piece carries a flag.
    Flag {
        /// The flag.
        flag: String,
        /// The tiles on which a player sees it.
        seen: Set,
    },
    /// Whether a tile carries a mark.
    Mark {
        /// The mark.
        mark: String,
        /// The tiles on which a player sees it.
        seen: Set,
    },
    /// What players hold in hand.
    Hands(Sight),
}

/// A card: there are any number of equal ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The card's name.
    pub name: String,
    /// How many of it lie in the pile at the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub count: u16,
}

/// Cards in no order that anyone knows. A game keeps two sorts of variables for a pile: one of its
/// name, the number of its cards, which everyone sees, and one `pile-card` for each card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pile {
    /// The pile's name.
    pub name: String,
    /// The cards that can lie in it.
    pub cards: Vec<Card>,
    /// One pile, or one for each player.
    #[serde(default, skip_serializing_if = "is_default")]
    pub share: Share,
    /// Who sees which cards lie in it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seen_by: Sight,
}

/// Chance takes a card from a pile, each card of it equally likely, and adds it to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// The pile that the card leaves.
    pub from: String,
    /// The pile that it is added to.
    pub to: String,
    /// Whose pile that is, where each player has one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub of: Seat,
}

/// One of several things that chance may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lot {
    /// Its name.
    pub name: String,
    /// How likely it is among the others; it is impossible where this is below 1.
    pub weight: Number,
    /// What it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Effect>,
}

impl Pile {
    /// The name of the variable that counts a card of the pile.
    pub fn variable(&self, card: &str) -> String {
        format!("{}-{card}", self.name)
    }
}
