//! The edits that programs are made of: every one keeps planes, names and hash in step.

use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId, TileId};

use super::Care;

/// Writes into the words of a state on a board of `W` words.
pub(super) struct Pen<'a, const W: usize> {
    pub(super) game: &'a Game,
    pub(super) words: &'a mut [u64],
    pub(super) hash: u128,
    pub(super) care: Care,
}

/// A piece in the hand of a program.
#[derive(Clone, Copy)]
pub(super) struct Held {
    owner: PlayerId,
    kind: KindId,
    flags: u64,
    /// Which piece it is, as the state writes it.
    piece: u64,
}

impl<const W: usize> Pen<'_, W> {
    #[inline(always)]
    fn flip(&mut self, plane: usize, tile: TileId) {
        self.words[plane * W + tile.index() / 64] ^= 1 << (tile.index() % 64);
    }

    #[inline(always)]
    fn bit(&self, plane: usize, tile: TileId) -> u64 {
        self.words[plane * W + tile.index() / 64] >> (tile.index() % 64) & 1
    }

    #[inline(always)]
    pub(super) fn kind_at(&self, tile: TileId) -> KindId {
        let layout = &self.game.layout;
        let mut kinds = 0..layout.kinds;
        let kind = kinds.find(|kind| self.bit(layout.players + kind, tile) == 1);
        KindId::at(kind.unwrap_or(0))
    }

    #[inline(always)]
    pub(super) fn flags_at(&self, tile: TileId) -> u64 {
        let layout = &self.game.layout;
        let first = layout.players + layout.kinds;
        let flags = 0..self.game.definition.flags.len();
        flags.fold(0, |all, flag| all | self.bit(first + flag, tile) << flag)
    }

    #[inline(always)]
    pub(super) fn flip_flags(&mut self, tile: TileId, flags: u64) {
        let first = self.game.layout.players + self.game.layout.kinds;
        let mut left = flags;
        while left != 0 {
            let flag = left.trailing_zeros() as usize;
            self.flip(first + flag, tile);
            self.hash ^= self.game.keys.flag(FlagId::at(flag), tile);
            left &= left - 1;
        }
    }

    /// Puts down or picks up what a hand holds; which piece it is, is not its business.
    #[inline(always)]
    fn flip_piece(&mut self, tile: TileId, owner: PlayerId, kind: KindId) {
        self.flip(owner.index(), tile);
        self.flip(self.game.layout.players + kind.index(), tile);
        self.hash ^= self.game.keys.piece(owner, kind, tile);
    }

    #[inline(always)]
    fn take_name(&mut self, tile: TileId) -> u64 {
        match self.game.layout.holder(tile) {
            Some(field) if self.care == Care::All => {
                let piece = field.get(self.words);
                field.set(self.words, 0);
                piece
            }
            _ => 0,
        }
    }

    #[inline(always)]
    pub(super) fn carry_name(&mut self, from: TileId, to: TileId) {
        let piece = self.take_name(from);
        self.give_name(to, piece);
    }

    #[inline(always)]
    fn give_name(&mut self, tile: TileId, piece: u64) {
        if let (Some(field), Care::All) = (self.game.layout.holder(tile), self.care) {
            field.set(self.words, piece);
        }
    }

    /// Takes up what stands on a tile.
    #[inline(always)]
    pub(super) fn lift(&mut self, tile: TileId) -> Option<Held> {
        let mut players = 0..self.game.layout.players;
        let owner = PlayerId::at(players.find(|&player| self.bit(player, tile) == 1)?);
        let (kind, flags) = (self.kind_at(tile), self.flags_at(tile));
        self.flip_piece(tile, owner, kind);
        self.flip_flags(tile, flags);
        Some(Held { owner, kind, flags, piece: self.take_name(tile) })
    }

    /// Puts a piece down, in the place of what stands there.
    fn place(&mut self, tile: TileId, held: Held) {
        self.lift(tile);
        self.flip_piece(tile, held.owner, held.kind);
        self.flip_flags(tile, held.flags);
        self.give_name(tile, held.piece);
    }

    /// Takes both pieces up before either is put down.
    #[inline(never)]
    pub(super) fn change_places(&mut self, one: (TileId, TileId), two: (TileId, TileId)) {
        let held = [one, two].map(|(from, to)| (to, self.lift(from)));
        for (to, held) in held {
            held.into_iter().for_each(|held| self.place(to, held));
        }
    }

    /// Moves a piece whose owner and kind are known, in the place of what stands on the target.
    /// Says whether that was a foe.
    #[inline(always)]
    pub(super) fn carry(
        &mut self,
        (from, to): (TileId, TileId),
        owner: PlayerId,
        kinds: (KindId, KindId),
    ) -> bool {
        let taken = self.is_held(to) && self.take(to, owner);
        if self.has_flags(from) {
            self.carry_flags(from, to);
        }
        self.flip_piece(from, owner, kinds.0);
        self.flip_piece(to, owner, kinds.1);
        self.carry_name(from, to);
        taken
    }

    #[inline(always)]
    fn is_held(&self, tile: TileId) -> bool {
        let mut any = 0;
        for player in 0..self.game.layout.players {
            any |= self.bit(player, tile);
        }
        any != 0
    }

    #[inline(always)]
    fn has_flags(&self, tile: TileId) -> bool {
        let layout = &self.game.layout;
        let mut any = 0;
        for flag in layout.players + layout.kinds..layout.planes() {
            any |= self.bit(flag, tile);
        }
        any != 0
    }

    #[inline(never)]
    fn take(&mut self, tile: TileId, owner: PlayerId) -> bool {
        let gone = self.lift(tile);
        gone.is_some_and(|gone| self.game.friends[owner.index()] >> gone.owner.index() & 1 == 0)
    }

    #[inline(never)]
    fn carry_flags(&mut self, from: TileId, to: TileId) {
        let flags = self.flags_at(from);
        self.flip_flags(from, flags);
        self.flip_flags(to, flags);
    }

    /// Clears a flag on every tile of a player.
    #[inline(always)]
    pub(super) fn clear_all(&mut self, flag: FlagId, of: PlayerId) {
        let layout = &self.game.layout;
        let plane = (layout.players + layout.kinds + flag.index()) * W;
        for word in 0..W {
            let mut stale = self.words[plane + word] & self.words[of.index() * W + word];
            self.words[plane + word] &= !stale;
            while stale != 0 {
                let tile = TileId::at(word * 64 + stale.trailing_zeros() as usize);
                self.hash ^= self.game.keys.flag(flag, tile);
                stale &= stale - 1;
            }
        }
    }
}
