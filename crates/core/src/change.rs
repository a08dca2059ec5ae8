//! The difference between two states, in the smallest edits.

use serde::Serialize;

use crate::game::Game;
use crate::id::{DieId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId};
use crate::setup::flags_of;
use crate::state::State;

/// The smallest edit of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A piece is on another tile, enters the board or leaves it.
    Piece {
        /// Which piece.
        piece: PieceId,
        /// Where it was.
        from: Option<TileId>,
        /// Where it is.
        to: Option<TileId>,
    },
    /// A piece is of another kind.
    Kind {
        /// Which piece.
        piece: PieceId,
        /// What it was.
        from: KindId,
        /// What it is.
        to: KindId,
    },
    /// A piece belongs to another player.
    Owner {
        /// Which piece.
        piece: PieceId,
        /// Whose it was.
        from: PlayerId,
        /// Whose it is.
        to: PlayerId,
    },
    /// A piece has a flag more, or one less.
    Flag {
        /// Which piece.
        piece: PieceId,
        /// Which flag.
        flag: FlagId,
        /// Whether it has it now.
        set: bool,
    },
    /// A player has more or fewer pieces of a kind in hand, where the board does not tell that.
    Hand {
        /// Whose hand.
        player: PlayerId,
        /// Which kind.
        kind: KindId,
        /// How many there were.
        from: usize,
        /// How many there are.
        to: usize,
    },
    /// A tile has a mark more, or one less.
    Mark {
        /// Which tile.
        tile: TileId,
        /// Which mark.
        mark: MarkId,
        /// Whether it has it now.
        set: bool,
    },
    /// A die shows something else; 0 is nothing.
    Die {
        /// Which die.
        die: DieId,
        /// What it showed.
        from: u8,
        /// What it shows.
        to: u8,
    },
    /// A variable has another value.
    Variable {
        /// Which variable.
        variable: VariableId,
        /// Whose, for one that each player has.
        of: Option<PlayerId>,
        /// What it was.
        from: i64,
        /// What it is.
        to: i64,
    },
    /// It is another player's turn.
    Turn {
        /// Whose it was.
        from: PlayerId,
        /// Whose it is.
        to: PlayerId,
    },
}

/// A change with names instead of ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields of Change, named")]
pub enum NamedChange<'g> {
    Piece { piece: &'g str, from: Option<&'g str>, to: Option<&'g str> },
    Kind { piece: &'g str, from: &'g str, to: &'g str },
    Owner { piece: &'g str, from: &'g str, to: &'g str },
    Flag { piece: &'g str, flag: &'g str, set: bool },
    Hand { player: &'g str, kind: &'g str, from: usize, to: usize },
    Mark { tile: &'g str, mark: &'g str, set: bool },
    Die { die: &'g str, from: u8, to: u8 },
    Variable { variable: &'g str, of: Option<&'g str>, from: i64, to: i64 },
    Turn { from: &'g str, to: &'g str },
}

impl Game {
    /// What differs between two states, in a fixed order: pieces, hands, marks, dice, variables,
    /// turn. No change means equal states.
    pub fn diff(&self, before: &State, after: &State) -> Vec<Change> {
        let (old, new) = (self.view(before), self.view(after));
        let mut changes = Vec::new();
        for piece in self.pieces() {
            let (was, is) = (old.piece(piece), new.piece(piece));
            if was.tile != is.tile {
                changes.push(Change::Piece { piece, from: was.tile, to: is.tile });
            }
            if was.kind != is.kind {
                changes.push(Change::Kind { piece, from: was.kind, to: is.kind });
            }
            if was.owner != is.owner {
                changes.push(Change::Owner { piece, from: was.owner, to: is.owner });
            }
            let flags = flags_of(self, was.flags ^ is.flags);
            changes.extend(flags.map(|flag| Change::Flag { piece, flag, set: is.has(flag) }));
        }
        for player in self.players().filter(|_| !self.layout.hand_follows) {
            for kind in self.kinds() {
                let (from, to) = (old.hand(player, kind), new.hand(player, kind));
                if from != to {
                    changes.push(Change::Hand { player, kind, from, to });
                }
            }
        }
        for mark in self.marks() {
            let (was, is) = (old.marked(mark), new.marked(mark));
            let changed = was.without(is) | is.without(was);
            let tiles = changed.iter();
            changes.extend(tiles.map(|tile| Change::Mark { tile, mark, set: is.contains(tile) }));
        }
        for die in self.dice() {
            let (from, to) = (old.die(die).unwrap_or(0), new.die(die).unwrap_or(0));
            if from != to {
                changes.push(Change::Die { die, from, to });
            }
        }
        for variable in self.variables() {
            let seats = self.layout.variable(variable).fields.len();
            for seat in (0..seats).map(PlayerId::at) {
                let (from, to) = (old.variable(variable, seat), new.variable(variable, seat));
                if from != to {
                    let of = (seats > 1).then_some(seat);
                    changes.push(Change::Variable { variable, of, from, to });
                }
            }
        }
        if old.seat() != new.seat() {
            changes.push(Change::Turn { from: old.seat(), to: new.seat() });
        }
        changes
    }

    /// A change with names.
    pub fn name_change(&self, change: Change) -> NamedChange<'_> {
        let tile = |tile: Option<TileId>| tile.map(|tile| self.tile_name(tile));
        match change {
            Change::Piece { piece, from, to } => {
                let (from, to) = (tile(from), tile(to));
                NamedChange::Piece { piece: self.piece_name(piece), from, to }
            }
            Change::Kind { piece, from, to } => NamedChange::Kind {
                piece: self.piece_name(piece),
                from: self.kind_name(from),
                to: self.kind_name(to),
            },
            Change::Owner { piece, from, to } => NamedChange::Owner {
                piece: self.piece_name(piece),
                from: self.player_name(from),
                to: self.player_name(to),
            },
            Change::Hand { player, kind, from, to } => {
                let (player, kind) = (self.player_name(player), self.kind_name(kind));
                NamedChange::Hand { player, kind, from, to }
            }
            Change::Mark { tile, mark, set } => {
                let (tile, mark) = (self.tile_name(tile), self.mark_name(mark));
                NamedChange::Mark { tile, mark, set }
            }
            Change::Flag { piece, flag, set } => {
                let (piece, flag) = (self.piece_name(piece), self.flag_name(flag));
                NamedChange::Flag { piece, flag, set }
            }
            Change::Die { die, from, to } => NamedChange::Die { die: self.die_name(die), from, to },
            Change::Variable { variable, of, from, to } => NamedChange::Variable {
                variable: self.variable_name(variable),
                of: of.map(|player| self.player_name(player)),
                from,
                to,
            },
            Change::Turn { from, to } => {
                let (from, to) = (self.player_name(from), self.player_name(to));
                NamedChange::Turn { from, to }
            }
        }
    }
}
