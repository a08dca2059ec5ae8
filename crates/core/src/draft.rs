//! A state being changed: every edit keeps planes, counts, pieces and hash in step.

use crate::game::Game;
use crate::hash::{self, Fact};
use crate::id::{DieId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId};
use crate::layout::Place;
use crate::state::State;
use crate::view::View;

/// A copy of a state under change. It becomes a state again only when a rule has done its work.
pub struct Draft<'g> {
    pub(crate) game: &'g Game,
    pub(crate) state: State,
    pub(crate) identity: Identity,
    /// Whether the turn was given to a player, be it the same.
    pub(crate) turned: bool,
}

/// Whether a draft keeps account of which piece stands where. Trees do not look at that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    Kept,
    Ignored,
}

/// A piece that was taken off its tile.
#[derive(Clone, Copy)]
pub(crate) struct Lifted {
    /// Which piece, where that is kept.
    pub(crate) piece: Option<PieceId>,
    pub(crate) owner: PlayerId,
    pub(crate) kind: KindId,
    pub(crate) flags: u64,
}

impl<'g> Draft<'g> {
    /// A draft that keeps account of which piece stands where.
    pub(crate) fn new(game: &'g Game, state: State) -> Draft<'g> {
        Draft { game, state, identity: Identity::Kept, turned: false }
    }

    /// A draft that does not.
    pub(crate) fn without_identity(game: &'g Game, state: State) -> Draft<'g> {
        Draft { game, state, identity: Identity::Ignored, turned: false }
    }

    /// The state as changed so far.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View { game: self.game, state: &self.state }
    }

    #[inline]
    fn flip(&mut self, start: usize, tile: TileId) {
        self.state.words_mut()[start + tile.index() / 64] ^= 1 << (tile.index() % 64);
    }

    /// Takes the piece off a tile that holds one piece; none where nobody stands there.
    #[inline]
    pub(crate) fn lift(&mut self, tile: TileId) -> Option<Lifted> {
        let owner = self.view().owner_at(tile)?;
        let kind = self.view().kind_at(tile)?;
        Some(self.lift_known(tile, owner, kind))
    }

    /// The same where owner and kind are known.
    #[inline]
    pub(crate) fn lift_known(&mut self, tile: TileId, owner: PlayerId, kind: KindId) -> Lifted {
        let flags = self.view().flags_at(tile);
        self.toggle_piece(tile, owner, kind);
        self.toggle_flags(tile, flags);
        let mut piece = None;
        if self.identity == Identity::Kept {
            piece = self.view().first_at(tile);
            self.game.layout.vacate(self.state.words_mut(), tile);
        }
        Lifted { piece, owner, kind, flags }
    }

    /// Takes a piece of an owner and kind off a tile that holds many; none where there is none.
    pub(crate) fn unstack(
        &mut self,
        tile: TileId,
        owner: PlayerId,
        kind: KindId,
    ) -> Option<Lifted> {
        if self.view().count(tile, owner, kind) == 0 {
            return None;
        }
        let mut piece = None;
        if self.identity == Identity::Kept {
            let view = self.view();
            piece = view
                .pieces_at(tile)
                .find(|&one| view.owner_of(one) == owner && view.kind_of(one) == kind);
        }
        // The next one that is taken is another.
        if let Some(piece) = piece {
            self.game.layout.set_place(self.state.words_mut(), piece, Place::Off);
        }
        self.recount(tile, owner, kind, -1);
        Some(Lifted { piece, owner, kind, flags: 0 })
    }

    /// Puts a lifted piece onto a tile: one that holds many, or one on which nobody stands. On a
    /// tile that holds many it has no flags.
    #[inline]
    pub(crate) fn set_down(&mut self, lifted: Lifted, tile: TileId) {
        let game = self.game;
        if game.layout.stacks(tile) {
            self.recount(tile, lifted.owner, lifted.kind, 1);
        } else {
            self.toggle_piece(tile, lifted.owner, lifted.kind);
            self.toggle_flags(tile, lifted.flags);
        }
        self.note(lifted, Place::Tile(tile));
    }

    fn note(&mut self, lifted: Lifted, place: Place) {
        if let Some(piece) = lifted.piece {
            let (layout, words) = (&self.game.layout, self.state.words_mut());
            layout.set_place(words, piece, place);
            layout.describe(words, piece, lifted.owner, lifted.kind);
        }
    }

    /// Takes a lifted piece out of play, where it is of its first kind and owner again.
    #[inline]
    pub(crate) fn discard(&mut self, lifted: Lifted) {
        if let Some(piece) = lifted.piece {
            let first = self.game.pieces[piece.index()];
            let lifted = Lifted { owner: first.owner, kind: first.kind, ..lifted };
            self.note(lifted, Place::Off);
        }
    }

    /// Gives a lifted piece into the hand of a player, whose piece it becomes. Pieces of kinds that
    /// nobody holds in hand, such as those with an unlimited supply, go out of play.
    pub(crate) fn give_to_hand(&mut self, lifted: Lifted, player: PlayerId) {
        if self.game.layout.hand(player, lifted.kind).is_none() {
            return self.discard(lifted);
        }
        self.change_hand(player, lifted.kind, 1);
        self.note(Lifted { owner: player, ..lifted }, Place::Hand(player));
    }

    /// Takes a piece of a kind out of a player's hand or from the unlimited supply; none where
    /// there is none.
    pub(crate) fn take_from_hand(&mut self, player: PlayerId, kind: KindId) -> Option<Lifted> {
        let game = self.game;
        if game.is_unlimited(kind) {
            if !game.supplies(self.view(), kind) {
                return None;
            }
        } else if self.view().hand(player, kind) == 0 {
            return None;
        } else {
            self.change_hand(player, kind, -1);
        }
        let mut piece = None;
        if self.identity == Identity::Kept {
            piece = self.view().in_hand(player, kind);
        }
        Some(Lifted { piece, owner: player, kind, flags: 0 })
    }

    pub(crate) fn change_hand(&mut self, player: PlayerId, kind: KindId, by: i64) {
        let layout = &self.game.layout;
        let Some(field) = layout.hand(player, kind) else { return };
        let before = field.get(self.state.words());
        let after = before.wrapping_add_signed(by);
        field.set(self.state.words_mut(), after);
        if !layout.hand_follows {
            self.state.hash ^= hand_key(player, kind, before) ^ hand_key(player, kind, after);
        }
    }

    /// Takes whatever stands on a tile out of play.
    pub fn clear(&mut self, tile: TileId) {
        if !self.game.layout.stacks(tile) {
            if let Some(lifted) = self.lift(tile) {
                self.discard(lifted);
            }
            return;
        }
        for owner in self.game.players() {
            for kind in self.game.kinds() {
                while let Some(lifted) = self.unstack(tile, owner, kind) {
                    self.discard(lifted);
                }
            }
        }
    }

    /// Takes whoever stands on a tile that holds one piece out of play.
    #[inline]
    pub(crate) fn make_room(&mut self, tile: TileId) {
        if !self.game.layout.stacks(tile)
            && let Some(lifted) = self.lift(tile)
        {
            self.discard(lifted);
        }
    }

    #[inline]
    fn toggle_piece(&mut self, tile: TileId, owner: PlayerId, kind: KindId) {
        self.flip(self.game.layout.owner(owner), tile);
        self.flip(self.game.layout.kind(kind), tile);
        self.state.hash ^= self.game.keys.piece(owner, kind, tile);
    }

    #[inline]
    fn toggle_flags(&mut self, tile: TileId, mut flags: u64) {
        while flags != 0 {
            let flag = FlagId::at(flags.trailing_zeros() as usize);
            flags &= flags - 1;
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
        if (before == 0) == (after == 0) {
            return;
        }
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
    #[inline]
    pub fn flag(&mut self, tile: TileId, set: u64, clear: u64) {
        if self.game.layout.stacks(tile) || self.view().owner_at(tile).is_none() {
            return;
        }
        let before = self.view().flags_at(tile);
        let after = before & !clear | set;
        self.toggle_flags(tile, before ^ after);
    }

    /// Sets and clears marks of a tile.
    pub fn mark(&mut self, tile: TileId, set: u64, clear: u64) {
        for mark in self.game.marks() {
            let bit = 1 << mark.index();
            let was = self.view().is_marked(tile, mark);
            let is = was && clear & bit == 0 || set & bit != 0;
            if was != is {
                self.flip(self.game.layout.mark(mark), tile);
                self.state.hash ^= mark_key(mark, tile);
            }
        }
    }

    /// Changes the kind of the piece on a tile that holds one.
    pub fn change_kind(&mut self, tile: TileId, kind: KindId) {
        if let Some(lifted) = self.lift(tile) {
            self.set_down(Lifted { kind, ..lifted }, tile);
        }
    }

    /// Gives the piece on a tile that holds one to a player.
    pub fn change_owner(&mut self, tile: TileId, owner: PlayerId) {
        if let Some(lifted) = self.lift(tile) {
            self.set_down(Lifted { owner, ..lifted }, tile);
        }
    }

    /// Gives the turn to a player, whose ephemeral flags clear.
    pub fn give_turn(&mut self, player: PlayerId) {
        self.turned = true;
        self.set_turn(player);
        let layout = &self.game.layout;
        for &flag in &self.game.ephemeral {
            for word in 0..layout.width {
                let words = self.state.words();
                let mut stale =
                    words[layout.flag(flag) + word] & words[layout.owner(player) + word];
                while stale != 0 {
                    let tile = TileId::at(word * 64 + stale.trailing_zeros() as usize);
                    stale &= stale - 1;
                    self.toggle_flags(tile, 1 << flag.index());
                }
            }
        }
    }

    /// Makes it a player's turn and nothing else.
    pub(crate) fn set_turn(&mut self, player: PlayerId) {
        let before = self.view().seat();
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

    /// Puts every piece back where it is at the start.
    pub(crate) fn reset(&mut self) {
        let game = self.game;
        let start = game.view(&game.start);
        for tile in game.tiles() {
            self.clear(tile);
        }
        let kept = self.identity == Identity::Kept;
        for tile in game.tiles() {
            for piece in start.pieces_at(tile) {
                let was = start.piece(piece);
                let piece = kept.then_some(piece);
                let (owner, kind, flags) = (was.owner, was.kind, was.flags);
                self.set_down(Lifted { piece, owner, kind, flags }, tile);
            }
        }
        for player in game.players() {
            for kind in game.kinds() {
                let by = start.hand(player, kind) as i64 - self.view().hand(player, kind) as i64;
                self.change_hand(player, kind, by);
            }
        }
        for piece in game.pieces().filter(|_| kept) {
            if start.piece(piece).tile.is_none() {
                let layout = &game.layout;
                let (was, words) = (start.piece(piece), self.state.words_mut());
                layout.set_place(words, piece, layout.place(game.start.words(), piece));
                layout.describe(words, piece, was.owner, was.kind);
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

pub(crate) fn hand_key(player: PlayerId, kind: KindId, count: u64) -> u128 {
    let who = (player.index() << 8 | kind.index()) as u64;
    if count == 0 { 0 } else { hash::key(Fact::Hand, [who, count, 0]) }
}

pub(crate) fn mark_key(mark: MarkId, tile: TileId) -> u128 {
    hash::key(Fact::Mark, [mark.index() as u64, tile.index() as u64, 0])
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

    #[inline]
    pub(crate) fn flag(&self, flag: FlagId, tile: TileId) -> u128 {
        self.flags[flag.index() * self.tiles + tile.index()]
    }
}

/// The hash of a state from nothing: what the incremental hash must equal.
pub(crate) fn full_hash(view: View<'_>) -> u128 {
    let game = view.game;
    let mut hash = turn_key(view.seat());
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
        let marks = game.marks().filter(|&mark| view.is_marked(tile, mark));
        hash ^= marks.fold(0, |hash, mark| hash ^ mark_key(mark, tile));
    }
    if !game.layout.hand_follows {
        for player in game.players() {
            let hands = game.kinds().map(|kind| (kind, view.hand(player, kind) as u64));
            hash ^= hands.fold(0, |hash, (kind, count)| hash ^ hand_key(player, kind, count));
        }
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
