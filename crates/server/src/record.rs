//! What is written down about a match: how it was arranged, and everything that happened in order.
//! The log alone says where a match stands; nothing in it is ever changed.

use serde::{Deserialize, Serialize};

use crate::clock::Control;

/// How a match was arranged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the match in addresses.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The hash of its definition.
    pub definition: String,
    /// When it was arranged, in milliseconds since 1970.
    pub created: u64,
    /// Who may take each seat, in the order of the players.
    pub seats: Vec<Plan>,
    /// How time is kept.
    pub control: Control,
    /// The secret that chance is drawn from, as hexadecimal digits; shown when the match is over.
    pub seed: String,
    /// The position at the start, where it is not that of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Whether the lobby lists it.
    #[serde(default)]
    pub public: bool,
}

/// Who may take a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Plan {
    /// Anybody.
    Anyone,
    /// Who has the invitation of which this is the hash.
    Invited {
        /// The hash of the invitation.
        invitation: String,
    },
    /// An opponent of the server, such as `search@3`.
    Bot {
        /// As it is written.
        bot: String,
    },
}

/// One thing that happened, with its number in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number, counted from 0.
    pub number: u64,
    /// When it happened, in milliseconds since 1970.
    pub at: u64,
    /// What happened.
    pub entry: Entry,
}

/// What can happen in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// Somebody takes a seat.
    Sit {
        /// The seat.
        seat: usize,
        /// What the player is called.
        name: String,
        /// The hash of the secret token; none of a bot.
        token: Option<String>,
        /// What the player adds to the draws of chance.
        salt: String,
    },
    /// An event of the game.
    Play {
        /// Whose; none of chance and of what happens by itself.
        seat: Option<usize>,
        /// The event in the plain notation.
        event: String,
        /// The hash of the position after it.
        hash: String,
        /// What the sender calls it, so that it is played once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A player offers something to the others.
    Offer {
        /// Whose.
        seat: usize,
        /// What.
        offer: Offer,
    },
    /// A player declines or withdraws what is offered.
    Decline {
        /// Who.
        seat: usize,
    },
    /// Events are taken back.
    Undo {
        /// How many events are left.
        ply: usize,
    },
    /// A player leaves a match that others go on with; the server plays the seat from then on.
    Leave {
        /// The seat.
        seat: usize,
    },
    /// The match ends otherwise than by an event of the game.
    Close {
        /// Why.
        reason: Closing,
        /// Who wins; none of a draw.
        winner: Option<usize>,
    },
    /// The match goes on with another one.
    Rematch {
        /// Its name.
        id: String,
    },
    /// The server starts again after it had stopped.
    Resume {
        /// When it stopped; the clock did not run from then on.
        stopped: u64,
    },
}

/// What a player can offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// A draw.
    Draw,
    /// To take the last move of the one who offers back.
    Undo,
    /// To play again with other sides.
    Rematch,
}

/// Why a match ends otherwise than by an event of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// A player gave up.
    Resigned,
    /// The time of a player ran out.
    Time,
    /// A player left before moving.
    Abandoned,
}

impl Closing {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Closing::Resigned => "resignation",
            Closing::Time => "time ran out",
            Closing::Abandoned => "abandoned",
        }
    }
}
