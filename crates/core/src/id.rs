//! Dense typed ids: what names become at `compile` and what they return to at the edge.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub(crate) $int);

        impl $name {
            /// The position of this artifact in the order its definition lists it.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id at a position; the caller knows that the game has that many.
            #[inline]
            pub(crate) const fn at(index: usize) -> Self {
                Self(index as $int)
            }
        }
    )*};
}

ids! {
    /// A player, in the order of play.
    PlayerId(u8);
    /// A tile of the board.
    TileId(u16);
    /// A direction in which relations lead.
    DirectionId(u8);
    /// One relation: a step from a tile to a tile in a direction.
    RelationId(u16);
    /// A kind of piece.
    KindId(u8);
    /// A piece flag.
    FlagId(u8);
    /// A mark of a tile.
    MarkId(u8);
    /// A piece.
    PieceId(u16);
    /// A die.
    DieId(u8);
    /// A state variable.
    VariableId(u8);
    /// A named act that is neither a move nor a put.
    ActionId(u8);
    /// One outcome of chance.
    OutcomeId(u16);
    /// A leaf phase.
    PhaseId(u8);
    /// A rule, numbered across all phases.
    RuleId(u16);
    /// An ending.
    EndingId(u8);
}
