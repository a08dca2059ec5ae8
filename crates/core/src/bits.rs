//! Sets of tiles in as few words as the board needs.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::id::TileId;
use crate::tile_set::TileSet;

/// A set of tiles of a board of at most 64 × `W` tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Bits([0; W])
    }
}

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Self = Bits([0; W]);
    pub(crate) const FULL: Self = Bits([u64::MAX; W]);

    #[inline(always)]
    pub(crate) fn of(tile: TileId) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(tile);
        bits
    }

    /// The set that begins at a word.
    #[inline(always)]
    pub(crate) fn read(words: &[u64], at: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.0.copy_from_slice(&words[at..at + W]);
        bits
    }

    /// Puts the tiles of a set into the one that begins at a word, and takes out those it has.
    #[inline(always)]
    pub(crate) fn toggle(self, words: &mut [u64], at: usize) {
        for (word, bits) in words[at..at + W].iter_mut().zip(self.0) {
            *word ^= bits;
        }
    }

    pub(crate) fn from_set(set: TileSet) -> Self {
        Self::read(set.words(), 0)
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, tile: TileId) {
        self.0[tile.index() / 64] |= 1 << (tile.index() % 64);
    }

    #[inline(always)]
    pub(crate) fn contains(self, tile: TileId) -> bool {
        self.0[tile.index() / 64] >> (tile.index() % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        let mut all = 0;
        for word in self.0 {
            all |= word;
        }
        all == 0
    }

    #[inline(always)]
    pub(crate) fn len(self) -> u32 {
        let mut len = 0;
        for word in self.0 {
            len += word.count_ones();
        }
        len
    }

    /// The tile with the lowest id.
    #[inline(always)]
    pub(crate) fn first(self) -> Option<TileId> {
        for at in 0..W {
            if self.0[at] != 0 {
                return Some(TileId::at(at * 64 + self.0[at].trailing_zeros() as usize));
            }
        }
        None
    }

    /// The tile with the highest id.
    #[inline(always)]
    pub(crate) fn last(self) -> Option<TileId> {
        for at in (0..W).rev() {
            if self.0[at] != 0 {
                return Some(TileId::at(at * 64 + 63 - self.0[at].leading_zeros() as usize));
            }
        }
        None
    }

    /// Whether a set has just one tile.
    #[inline(always)]
    pub(crate) fn is_single(self) -> bool {
        self.len() == 1
    }

    /// Whether a set has more than one tile, without counting them.
    #[inline(always)]
    pub(crate) fn is_many(self) -> bool {
        let (mut many, mut any) = (0, 0);
        for word in self.0 {
            many |= word & word.wrapping_sub(1) | any & word.wrapping_neg();
            any |= if word == 0 { 0 } else { u64::MAX };
        }
        many != 0
    }

    /// The only tile of a set, if it has just one.
    #[inline(always)]
    pub(crate) fn only(self) -> Option<TileId> {
        let first = self.first()?;
        if self.without(Bits::of(first)).is_empty() { Some(first) } else { None }
    }

    /// The difference of the numbers that two sets write, cut to the board's words.
    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        let mut borrow = false;
        let mut bits = self;
        for (one, two) in bits.0.iter_mut().zip(other.0) {
            let (part, first) = one.overflowing_sub(two);
            let (all, second) = part.overflowing_sub(borrow.into());
            (*one, borrow) = (all, first | second);
        }
        bits
    }

    /// The set moved by so many ids, round the end of the board's words.
    #[inline(always)]
    pub(crate) fn turn(self, by: u32) -> Self {
        if W == 1 {
            let mut turned = self;
            turned.0[0] = self.0[0].rotate_left(by);
            return turned;
        }
        if W == 2 {
            let mut turned = self;
            let whole = u128::from(self.0[1]) << 64 | u128::from(self.0[0]);
            let whole = whole.rotate_left(by);
            (turned.0[0], turned.0[1]) = (whole as u64, (whole >> 64) as u64);
            return turned;
        }
        let (words, bits) = (by as usize / 64 % W, by % 64);
        let mut turned = Self::EMPTY;
        for at in 0..W {
            let low = self.0[(at + W - words) % W];
            let lower = self.0[(at + 2 * W - words - 1) % W];
            turned.0[at] = if bits == 0 { low } else { low << bits | lower >> (64 - bits) };
        }
        turned
    }

    /// The set where something is so; otherwise none, without a branch.
    #[inline(always)]
    pub(crate) fn when(self, so: bool) -> Self {
        let mut bits = self;
        for word in &mut bits.0 {
            *word &= 0u64.wrapping_sub(so.into());
        }
        bits
    }

    /// The set with the bits of a mask turned over in every word.
    #[inline(always)]
    pub(crate) fn flip(self, mask: u64) -> Self {
        let mut bits = self;
        for word in &mut bits.0 {
            *word ^= mask;
        }
        bits
    }

    #[inline(always)]
    pub(crate) fn without(self, other: Self) -> Self {
        self & !other
    }
}

/// The tiles in ascending order.
impl<const W: usize> IntoIterator for Bits<W> {
    type Item = TileId;
    type IntoIter = Tiles<W>;

    #[inline(always)]
    fn into_iter(self) -> Tiles<W> {
        Tiles { set: self, at: 0, left: self.0[0] }
    }
}

/// The tiles of a set that are still to come.
pub(crate) struct Tiles<const W: usize> {
    set: Bits<W>,
    /// The word they begin in, and what is left of it.
    at: usize,
    left: u64,
}

impl<const W: usize> Iterator for Tiles<W> {
    type Item = TileId;

    #[inline(always)]
    fn next(&mut self) -> Option<TileId> {
        while self.left == 0 {
            self.at += 1;
            self.left = *self.set.0.get(self.at)?;
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(TileId::at(self.at * 64 + bit))
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        for at in 0..W {
            self.0[at] &= other.0[at];
        }
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        for at in 0..W {
            self.0[at] |= other.0[at];
        }
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let mut bits = self;
        for word in &mut bits.0 {
            *word = !*word;
        }
        bits
    }
}

/// Something for each tile of a board of at most 64 × `W` tiles, found without asking whether the
/// tile is one of them: every number is taken for a tile, and what lies past the board is filled.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ByTile<T, const W: usize>(Box<[[T; 64]; W]>);

impl<T: Copy, const W: usize> ByTile<T, W> {
    pub(crate) fn new(tiles: impl IntoIterator<Item = T>, fill: T) -> Self {
        let mut all = Box::new([[fill; 64]; W]);
        for (slot, one) in all.as_flattened_mut().iter_mut().zip(tiles) {
            *slot = one;
        }
        ByTile(all)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.as_flattened().iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.as_flattened_mut().iter_mut()
    }
}

impl<T, const W: usize> std::ops::IndexMut<TileId> for ByTile<T, W> {
    fn index_mut(&mut self, tile: TileId) -> &mut T {
        &mut self.0[tile.index() / 64 % W][tile.index() % 64]
    }
}

impl<T, const W: usize> std::ops::Index<TileId> for ByTile<T, W> {
    type Output = T;

    #[inline(always)]
    fn index(&self, tile: TileId) -> &T {
        &self.0[tile.index() / 64 % W][tile.index() % 64]
    }
}
