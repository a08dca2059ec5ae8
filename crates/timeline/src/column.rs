//! What a row says of its move: the columns of a timeline.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use senet_core::notation::nearest;

use crate::error::Error;

/// When a column is among those that nobody named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// Always.
    Yes,
    /// Only when it is asked for.
    No,
    /// Where positions are merged.
    Distinct,
    /// Where the positions are those of games that were played.
    Recorded,
}

/// What a column costs beside the list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The event and the state before it.
    Before,
    /// The state after the event too.
    After,
}

macro_rules! columns {
    ($($(#[doc = $doc:literal])+ $id:ident $name:literal: $kind:expr, $null:ident, $usual:ident, $need:ident;)*) => {
        /// A column of a timeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Column {
            $($(#[doc = $doc])+ $id,)*
        }

        impl Column {
            /// Every column, in the order of the table.
            pub const ALL: &[Column] = &[$(Column::$id),*];

            /// The name of the column.
            pub fn name(self) -> &'static str {
                match self { $(Column::$id => $name,)* }
            }

            /// What the column says, in a line.
            pub fn summary(self) -> &'static str {
                match self { $(Column::$id => concat!($($doc),+),)* }
            }

            fn field(self) -> Field {
                match self {
                    $(Column::$id => Field::new($name, $kind, stringify!($null) == "null"),)*
                }
            }

            pub(crate) fn usual(self) -> Usual {
                match self { $(Column::$id => Usual::$usual,)* }
            }

            pub(crate) fn need(self) -> Need {
                match self { $(Column::$id => Need::$need,)* }
            }
        }
    };
}

const TEXT: DataType = DataType::Utf8View;
const NUMBER: DataType = DataType::Int32;
const SHARE: DataType = DataType::Float64;
const TRUTH: DataType = DataType::Boolean;

columns! {
    /// The path code of the position after the move.
    Node "node": TEXT, full, Yes, Before;
    /// The path code of the position before it.
    Parent "parent": TEXT, full, Yes, Before;
    /// Below which of the given positions it is, from 0.
    Root "root": NUMBER, full, Recorded, Before;
    /// The number in its file of the game that the given position is of.
    Record "record": NUMBER, null, Recorded, Before;
    /// How many moves were played before the given position.
    RecordPly "record_ply": NUMBER, null, Recorded, Before;
    /// Whether the move was played there.
    Played "played": TRUTH, null, Recorded, Before;
    /// How that game ended.
    Result "result": TEXT, null, Recorded, Before;
    /// How many moves deep it is, from 1.
    Ply "ply": NUMBER, full, Yes, Before;
    /// The number of the move among all that are legal there, from 0.
    MoveIndex "move_index": NUMBER, full, Yes, Before;
    /// The player to move.
    Player "player": TEXT, full, Yes, Before;
    /// The move as programs write it.
    Event "event": TEXT, full, Yes, Before;
    /// The move as people write it.
    Notation "notation": TEXT, full, Yes, Before;
    /// The rule that carries it out.
    Rule "rule": TEXT, full, Yes, Before;
    /// The kind of the piece that moves or enters.
    Piece "piece": TEXT, null, Yes, Before;
    /// The name of that very piece.
    PieceName "piece_name": TEXT, null, No, Before;
    /// The tile it leaves.
    From "from": TEXT, null, Yes, Before;
    /// The tile it comes to.
    To "to": TEXT, null, Yes, Before;
    /// The kind it becomes by choice.
    Becomes "becomes": TEXT, null, Yes, Before;
    /// The kind of the foe's piece that is taken or sent away.
    Captured "captured": TEXT, null, Yes, After;
    /// The flags that some piece has got.
    FlagsSet "flags_set": TEXT, null, Yes, After;
    /// The flags that some piece has lost.
    FlagsCleared "flags_cleared": TEXT, null, Yes, After;
    /// The 128-bit hash of the position after the move.
    Position "position": DataType::FixedSizeBinary(16), full, Yes, After;
    /// How many paths of this length lead to the position.
    Paths "paths": DataType::Int64, full, Distinct, Before;
    /// Whether a royal piece of the player to move is attacked.
    IsCheck "is_check": TRUTH, full, Yes, After;
    /// The tiles on which royal pieces of the player to move are attacked.
    Threatened "threatened": TEXT, null, Yes, After;
    /// How many moves are legal after it.
    LegalReplies "legal_replies": NUMBER, full, Yes, After;
    /// How the game has ended.
    Outcome "outcome": TEXT, null, Yes, After;
    /// Who has won it.
    Winner "winner": TEXT, null, Yes, After;
    /// How likely the event is, where chance decides.
    Probability "probability": SHARE, null, Yes, Before;
    /// How likely chance lets play come here: the product of all probabilities on the way.
    PathProbability "path_probability": SHARE, full, Yes, Before;
    /// The position after the move as text.
    PositionText "position_text": TEXT, full, No, After;
    /// The state after the move, to be asked on.
    State "state": DataType::BinaryView, full, No, After;
}

impl Column {
    /// The column of a name.
    pub fn find(name: &str) -> Result<Column, Error> {
        let found = Column::ALL.iter().find(|column| column.name() == name);
        found.copied().ok_or_else(|| Error::UnknownColumn {
            found: senet_core::notation::excerpt(name),
            near: nearest(name, Column::ALL.iter().map(|column| column.name())),
        })
    }

    /// The schema of some columns.
    pub fn schema(columns: &[Column]) -> SchemaRef {
        Arc::new(Schema::new(columns.iter().map(|column| column.field()).collect::<Vec<Field>>()))
    }
}
