//! A state being changed: every edit keeps planes, counts, pieces and hash in step.

use crate::game::Game;
use crate::hash::{self, Fact};
use crate::id::{DieId, FlagId, KindId, PieceId, PlayerId, TileId, VariableId};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::view::{PieceState, View};

/// A copy of a state under change. It becomes a state again only when a rule has done its work.
pub struct Draft<'g> {
    pub(crate) game: &'g Game,
    pub(crate) state: State,
}

impl<'g> Draft<'g> {
    /// The state as changed so far.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View { game: self.game, state: &self.state }
    }

    #[inline]
    fn flip(&mut self, start: usize, tile: TileId) {
        self.state.words_mut()[start + tile.index() / 64] ^= 1 << (tile.index() % 64);
    }

    /// Takes a piece off the board; one that is off it stays so. There it is of its first kind
    /// again, so that a position says all there is to know of it.
    pub fn lift(&mut self, piece: PieceId) -> PieceState {
        let game = self.game;
        let was = self.view().piece(piece);
        let Some(tile) = was.tile else { return was };
        let owner = game.owner(piece);
        let first = game.pieces[piece.index()].kind;
        game.layout.leave(self.state.words_mut(), piece, tile, first);
        if game.layout.stacks(tile) {
            self.recount(tile, owner, was.kind, -1);
        } else {
            self.toggle_piece(tile, owner, was.kind);
            self.toggle_flags(tile, was.flags);
        }
        was
    }

    /// Puts a piece that is off the board onto a tile. On a tile that holds many it has no flags.
    pub fn place(&mut self, piece: PieceId, tile: TileId, kind: KindId, flags: u64) {
        let game = self.game;
        let owner = game.owner(piece);
        game.layout.arrive(self.state.words_mut(), piece, tile, kind);
        if game.layout.stacks(tile) {
            self.recount(tile, owner, kind, 1);
        } else {
            self.toggle_piece(tile, owner, kind);
            self.toggle_flags(tile, flags);
        }
    }

    /// Captures whatever stands on a tile that holds one piece.
    pub fn clear(&mut self, tile: TileId) {
        // Most tiles that are cleared are empty, which the planes tell at once.
        while self.view().owner_at(tile).is_some()
            && let Some(piece) = self.view().first_at(tile)
        {
            self.lift(piece);
        }
    }

    fn toggle_piece(&mut self, tile: TileId, owner: PlayerId, kind: KindId) {
        self.flip(self.game.layout.owner(owner), tile);
        self.flip(self.game.layout.kind(kind), tile);
        self.state.hash ^= self.game.keys.piece(owner, kind, tile);
    }

    fn toggle_flags(&mut self, tile: TileId, flags: u64) {
        for flag in self.game.flags().filter(|flag| flags >> flag.index() & 1 == 1) {
            self.flip(self.game.layout.flag(flag), tile);
            self.state.hash ^= self.game.keys.flag(flag, tile);
        }
    }

    /// Changes a count of a tile that holds many, and the planes that follow from it.
    fn recount(&mut self, tile: TileId, owner: PlayerId, kind: KindId, by: i64) {
        let layout = &self.game.layout;
        let Some(field) = layout.count(tile, owner, kind) else { return };
        let before = field.get(self.state.words());
        let after = before.wrapping_add_signed(by);
        field.set(self.state.words_mut(), after);
        self.state.hash ^= count_key(tile, owner, kind, before);
        self.state.hash ^= count_key(tile, owner, kind, after);
        let owned = self.view().count_of(tile, owner) > 0;
        if owned != self.view().is_owned(tile, owner) {
            self.flip(layout.owner(owner), tile);
        }
        let kinds = self.game.players().any(|player| self.view().count(tile, player, kind) > 0);
        if kinds != self.view().is_kind(tile, kind) {
            self.flip(layout.kind(kind), tile);
        }
    }

    /// Sets and clears flags of the piece on a tile that holds one piece.
    pub fn flag(&mut self, tile: TileId, set: u64, clear: u64) {
        if self.game.layout.stacks(tile) || self.view().owner_at(tile).is_none() {
            return;
        }
        let before = self.view().flags_at(tile);
        let after = before & !clear | set;
        self.toggle_flags(tile, before ^ after);
    }

    /// Changes the kind of a piece on the board.
    pub fn change_kind(&mut self, piece: PieceId, kind: KindId) {
        let was = self.lift(piece);
        if let Some(tile) = was.tile {
            self.place(piece, tile, kind, was.flags);
        }
    }

    /// Gives the turn to a player, whose ephemeral flags clear.
    pub fn give_turn(&mut self, player: PlayerId) {
        self.set_turn(player);
        let game = self.game;
        for &flag in &game.ephemeral {
            let stale: TileSet = self.view().flagged(flag) & self.view().owned(player);
            stale.iter().for_each(|tile| self.toggle_flags(tile, 1 << flag.index()));
        }
    }

    /// Makes it a player's turn and nothing else.
    pub(crate) fn set_turn(&mut self, player: PlayerId) {
        let before = self.view().player();
        let keys = &self.game.keys.turns;
        self.state.hash ^= keys[before.index()] ^ keys[player.index()];
        self.game.layout.turn.set(self.state.words_mut(), player.index() as u64);
    }

    /// Sets what a die shows; zero for nothing.
    pub fn set_die(&mut self, die: DieId, shows: u8) {
        let field = self.game.layout.die(die);
        let before = field.get(self.state.words());
        self.state.hash ^= die_key(die, before) ^ die_key(die, shows.into());
        field.set(self.state.words_mut(), shows.into());
    }

    /// Sets what a die shows, held within its sides.
    pub(crate) fn turn_die(&mut self, die: DieId, value: i64) {
        let sides = self.game.definition.dice[die.index()].sides;
        self.set_die(die, value.clamp(0, sides.into()) as u8);
    }

    /// Puts every piece back where it stands at the start.
    pub(crate) fn reset(&mut self) {
        let game = self.game;
        let start = game.view(&game.start);
        for piece in game.pieces() {
            self.lift(piece);
        }
        for piece in game.pieces() {
            let was = start.piece(piece);
            if let Some(tile) = was.tile {
                self.place(piece, tile, was.kind, was.flags);
            }
        }
    }

    /// Sets a variable, held within its bounds.
    pub fn set_variable(&mut self, variable: VariableId, of: PlayerId, value: i64) {
        let slot = self.game.layout.variable(variable);
        let seat = if slot.fields.len() > 1 { of.index() } else { 0 };
        let value = value.clamp(slot.min, slot.max).wrapping_sub(slot.min) as u64;
        let before = slot.fields[seat].get(self.state.words());
        if slot.hashed {
            self.state.hash ^= variable_key(variable, seat, before);
            self.state.hash ^= variable_key(variable, seat, value);
        }
        slot.fields[seat].set(self.state.words_mut(), value);
    }
}

pub(crate) fn count_key(tile: TileId, owner: PlayerId, kind: KindId, count: u64) -> u128 {
    let who = (owner.index() << 8 | kind.index()) as u64;
    if count == 0 { 0 } else { hash::key(Fact::Count, [who, tile.index() as u64, count]) }
}

fn turn_key(player: PlayerId) -> u128 {
    if player.index() == 0 { 0 } else { hash::key(Fact::Turn, [player.index() as u64, 0, 0]) }
}

pub(crate) fn die_key(die: DieId, shows: u64) -> u128 {
    if shows == 0 { 0 } else { hash::key(Fact::Die, [die.index() as u64, shows, 0]) }
}

pub(crate) fn variable_key(variable: VariableId, seat: usize, value: u64) -> u128 {
    match value {
        0 => 0,
        _ => hash::key(Fact::Variable, [variable.index() as u64, seat as u64, value]),
    }
}

/// Keys that a change of the board needs often, made once.
pub(crate) struct Keys {
    tiles: usize,
    kinds: usize,
    pieces: Vec<u128>,
    flags: Vec<u128>,
    pub(crate) turns: Vec<u128>,
}

impl Keys {
    pub(crate) fn new(tiles: usize, players: usize, kinds: usize, flags: usize) -> Keys {
        let codes = (0..players).flat_map(|owner| (0..kinds).map(move |kind| owner << 8 | kind));
        let over_tiles = |fact, code: usize| {
            (0..tiles).map(move |tile| hash::key(fact, [code as u64, tile as u64, 0]))
        };
        Keys {
            tiles,
            kinds,
            pieces: codes.flat_map(|code| over_tiles(Fact::Piece, code)).collect(),
            flags: (0..flags).flat_map(|flag| over_tiles(Fact::Flag, flag)).collect(),
            turns: (0..players).map(|player| turn_key(PlayerId::at(player))).collect(),
        }
    }

    #[inline]
    pub(crate) fn piece(&self, owner: PlayerId, kind: KindId, tile: TileId) -> u128 {
        self.pieces[(owner.index() * self.kinds + kind.index()) * self.tiles + tile.index()]
    }

    /// Where the keys of an owner's pieces of a kind begin.
    pub(crate) fn first(&self, owner: PlayerId, kind: KindId) -> usize {
        (owner.index() * self.kinds + kind.index()) * self.tiles
    }

    /// The keys of pieces from a place on, by tile.
    #[inline]
    pub(crate) fn from(&self, first: usize) -> &[u128] {
        &self.pieces[first..]
    }

    #[inline]
    pub(crate) fn flag(&self, flag: FlagId, tile: TileId) -> u128 {
        self.flags[flag.index() * self.tiles + tile.index()]
    }
}

/// The hash of a state from nothing: what the incremental hash must equal.
pub(crate) fn full_hash(view: View<'_>) -> u128 {
    let game = view.game;
    let mut hash = turn_key(view.player());
    for tile in game.tiles() {
        for owner in game.players().filter(|&owner| view.is_owned(tile, owner)) {
            for kind in game.kinds() {
                let count = view.count(tile, owner, kind) as u64;
                hash ^= match (count, game.layout.stacks(tile)) {
                    (0, _) => 0,
                    (_, true) => count_key(tile, owner, kind, count),
                    (_, false) => game.keys.piece(owner, kind, tile),
                };
            }
        }
        let flags = game.flags().filter(|&flag| view.is_flagged(tile, flag));
        hash ^= flags.fold(0, |hash, flag| hash ^ game.keys.flag(flag, tile));
    }
    for die in (0..game.layout.die_count()).map(DieId::at) {
        hash ^= die_key(die, view.die(die).unwrap_or(0).into());
    }
    for (index, slot) in game.layout.variables.iter().enumerate().filter(|(_, slot)| slot.hashed) {
        for (seat, field) in slot.fields.iter().enumerate() {
            hash ^= variable_key(VariableId::at(index), seat, field.get(view.state.words()));
        }
    }
    hash
}
