//! A set of tiles, small enough to be copied everywhere.

use std::fmt;
use std::ops::{BitAnd, BitOr};

use crate::id::TileId;

/// The most tiles a board can have.
pub const MAX_TILES: usize = 1024;

const WORD: usize = u64::BITS as usize;
const WORDS: usize = MAX_TILES / WORD;

/// A set of tiles of a board of at most [`MAX_TILES`].
#[derive(Clone, Copy, Eq, PartialOrd, Ord, Default)]
pub struct TileSet([u64; WORDS]);

impl PartialEq for TileSet {
    #[inline]
    fn eq(&self, other: &TileSet) -> bool {
        let mut differs = 0;
        for at in 0..WORDS {
            differs |= self.0[at] ^ other.0[at];
        }
        differs == 0
    }
}

/// The tiles of a set that are still to come, and the word they begin in.
#[derive(Clone)]
struct Tiles {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Tiles {
    type Item = TileId;

    #[inline]
    fn next(&mut self) -> Option<TileId> {
        while let Some(word) = self.words.get_mut(self.at) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(TileId::at(self.at * WORD + bit));
            }
            self.at += 1;
        }
        None
    }
}

impl TileSet {
    /// No tile at all.
    pub const EMPTY: TileSet = TileSet([0; WORDS]);

    /// Whether the tile is in the set.
    #[inline]
    pub fn contains(&self, tile: TileId) -> bool {
        let index = tile.index();
        self.0.get(index / WORD).is_some_and(|word| word >> (index % WORD) & 1 == 1)
    }

    /// Adds a tile. An id beyond every board names no tile and adds nothing.
    #[inline]
    pub fn insert(&mut self, tile: TileId) {
        if let Some(word) = self.0.get_mut(tile.index() / WORD) {
            *word |= 1 << (tile.index() % WORD);
        }
    }

    /// Takes a tile out.
    #[inline]
    pub fn remove(&mut self, tile: TileId) {
        if let Some(word) = self.0.get_mut(tile.index() / WORD) {
            *word &= !(1 << (tile.index() % WORD));
        }
    }

    /// How many tiles are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no tile is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The tiles in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = TileId> + use<> {
        Tiles { words: self.0, at: 0 }
    }

    /// The tiles in either set.
    #[inline]
    #[must_use]
    pub fn union(self, other: TileSet) -> TileSet {
        TileSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// The tiles in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: TileSet) -> TileSet {
        TileSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// The tiles of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: TileSet) -> TileSet {
        TileSet(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// The set whose first words are these; the words after the last are beyond every board.
    #[inline]
    pub(crate) fn from_words(words: &[u64]) -> TileSet {
        TileSet(std::array::from_fn(|at| words.get(at).copied().unwrap_or(0)))
    }

    /// The set as words, tile 0 in the lowest bit of the first.
    #[inline]
    pub(crate) fn words(&self) -> &[u64; WORDS] {
        &self.0
    }
}

impl BitOr for TileSet {
    type Output = TileSet;

    fn bitor(self, other: TileSet) -> TileSet {
        self.union(other)
    }
}

impl BitAnd for TileSet {
    type Output = TileSet;

    #[inline]
    fn bitand(self, other: TileSet) -> TileSet {
        self.intersection(other)
    }
}

impl FromIterator<TileId> for TileSet {
    fn from_iter<I: IntoIterator<Item = TileId>>(tiles: I) -> TileSet {
        let mut set = TileSet::EMPTY;
        set.extend(tiles);
        set
    }
}

impl Extend<TileId> for TileSet {
    fn extend<I: IntoIterator<Item = TileId>>(&mut self, tiles: I) {
        tiles.into_iter().for_each(|tile| self.insert(tile));
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(TileId::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(tiles: &[usize]) -> TileSet {
        tiles.iter().map(|index| TileId::at(*index)).collect()
    }

    #[test]
    fn tiles_come_back_in_ascending_order_across_words() {
        let tiles = set(&[511, 64, 0, 63, 128, 64]);
        let listed: Vec<usize> = tiles.iter().map(TileId::index).collect();
        assert_eq!(listed, [0, 63, 64, 128, 511]);
        assert_eq!(tiles.len(), 5);
        assert_eq!(format!("{tiles:?}"), "{0, 63, 64, 128, 511}");
    }

    #[test]
    fn sets_combine() {
        let (a, b) = (set(&[1, 70, 300]), set(&[70, 301]));
        assert_eq!(a | b, set(&[1, 70, 300, 301]));
        assert_eq!(a & b, set(&[70]));
        assert_eq!(a.without(b), set(&[1, 300]));
        assert_eq!(TileSet::from_words(a.words()), a);
    }

    #[test]
    fn an_id_beyond_every_board_is_never_in_a_set() {
        let mut tiles = TileSet::EMPTY;
        tiles.insert(TileId::at(MAX_TILES));
        tiles.remove(TileId::at(usize::from(u16::MAX)));
        assert!(tiles.is_empty());
        assert!(!tiles.contains(TileId::at(MAX_TILES)));
    }

    #[test]
    fn a_removed_tile_is_gone() {
        let mut tiles = set(&[5, 200]);
        tiles.remove(TileId::at(200));
        assert_eq!(tiles, set(&[5]));
    }
}
