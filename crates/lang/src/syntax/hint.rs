//! What a file says beside the rules: how the game is drawn, and what positions look to be worth.

use super::{Name, TileRange};
use crate::span::Span;

/// A part of `picture …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PicturePart {
    /// `KIND "sign"` or `KIND of PLAYER "sign"`
    Sign {
        /// The kind.
        kind: Name,
        /// Whose pieces.
        player: Option<Name>,
        /// The sign.
        sign: Name,
    },
    /// `colour PLAYER COLOUR`
    Color {
        /// The player.
        player: Name,
        /// The colour.
        color: Name,
    },
    /// `tiles squares`, `tiles spots`, `tiles { drawing }`
    Tiles {
        /// Where it is.
        span: Span,
        /// What tiles look like.
        look: Option<Name>,
        /// Where they lie.
        rows: Vec<Name>,
    },
}

/// A part of `weights …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightPart {
    /// `mobility N`, `tempo N`, `swing N`
    Number(Name, i32),
    /// `stake VARIABLE`
    Stake(Name),
    /// `view PLAYER {TILE …}`
    View(Name, Vec<TileRange>),
    /// `KIND N early { … } late { … }`
    Kind {
        /// The kind.
        kind: Name,
        /// What each piece counts.
        worth: Option<i32>,
        /// Its tables.
        tables: Vec<Table>,
    },
}

/// Numbers by tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Which table of the kind it is.
    pub name: Name,
    /// The numbers.
    pub numbers: Vec<i32>,
    /// Where they are, from brace to brace.
    pub span: Span,
}

impl PicturePart {
    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            PicturePart::Sign { kind, .. } => kind.span,
            PicturePart::Color { player, .. } => player.span,
            PicturePart::Tiles { span, .. } => *span,
        }
    }
}

impl WeightPart {
    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            WeightPart::Number(name, _) | WeightPart::Stake(name) | WeightPart::View(name, _) => {
                name.span
            }
            WeightPart::Kind { kind, .. } => kind.span,
        }
    }
}
