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

    #[inline]
    pub(crate) fn of(tile: TileId) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(tile);
        bits
    }

    /// The set that begins at a word.
    #[inline]
    pub(crate) fn read(words: &[u64], at: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.0.copy_from_slice(&words[at..at + W]);
        bits
    }

    pub(crate) fn from_set(set: TileSet) -> Self {
        Self::read(set.words(), 0)
    }

    #[inline]
    pub(crate) fn insert(&mut self, tile: TileId) {
        self.0[tile.index() / 64] |= 1 << (tile.index() % 64);
    }

    #[inline]
    pub(crate) fn contains(self, tile: TileId) -> bool {
        self.0[tile.index() / 64] >> (tile.index() % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    #[inline]
    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The tile with the lowest id.
    #[inline]
    pub(crate) fn first(self) -> Option<TileId> {
        let mut words = self.0.iter().enumerate();
        let (at, word) = words.find(|(_, word)| **word != 0)?;
        Some(TileId::at(at * 64 + word.trailing_zeros() as usize))
    }

    /// The tile with the highest id.
    #[inline]
    pub(crate) fn last(self) -> Option<TileId> {
        let mut words = self.0.iter().enumerate().rev();
        let (at, word) = words.find(|(_, word)| **word != 0)?;
        Some(TileId::at(at * 64 + 63 - word.leading_zeros() as usize))
    }

    /// The only tile of a set, if it has just one.
    #[inline]
    pub(crate) fn only(self) -> Option<TileId> {
        self.first().filter(|&tile| self.without(Bits::of(tile)).is_empty())
    }

    /// The difference of the numbers that two sets write, cut to the board's words.
    #[inline]
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
    #[inline]
    pub(crate) fn turn(self, by: u32) -> Self {
        if W == 1 {
            return Bits(self.0.map(|word| word.rotate_left(by)));
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

    #[inline]
    pub(crate) fn without(self, other: Self) -> Self {
        self & !other
    }
}

/// The tiles in ascending order.
impl<const W: usize> IntoIterator for Bits<W> {
    type Item = TileId;
    type IntoIter = Tiles<W>;

    #[inline]
    fn into_iter(self) -> Tiles<W> {
        Tiles(self, 0)
    }
}

/// The tiles of a set that are still to come, and the word they begin in.
pub(crate) struct Tiles<const W: usize>(Bits<W>, usize);

impl<const W: usize> Iterator for Tiles<W> {
    type Item = TileId;

    #[inline]
    fn next(&mut self) -> Option<TileId> {
        while self.1 < W {
            let word = &mut self.0.0[self.1];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(TileId::at(self.1 * 64 + bit));
            }
            self.1 += 1;
        }
        None
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(one, two)| *one &= two);
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(one, two)| *one |= two);
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Bits(self.0.map(|word| !word))
    }
}
