//! A valid moment of one game: flat words, copied by value.

use std::fmt;

/// States of up to this many words live in place; larger ones on the heap.
const INLINE: usize = 20;

/// A valid moment of a [`crate::Game`]: a few machine words and their hash. Ask it through
/// [`crate::Game::view`].
///
/// Two states are equal when every fact is, down to which piece stands where.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(crate) hash: u128,
    /// Which game it is of: the lower half of the hash of its definition.
    pub(crate) game: u64,
    words: Words,
}

#[derive(Clone, PartialEq, Eq)]
enum Words {
    Inline([u64; INLINE], u8),
    Heap(Box<[u64]>),
}

impl Words {
    #[inline]
    fn all(&self) -> &[u64] {
        match self {
            Words::Inline(words, len) => words.get(..usize::from(*len)).unwrap_or_default(),
            Words::Heap(words) => words,
        }
    }

    #[inline]
    fn all_mut(&mut self) -> &mut [u64] {
        match self {
            Words::Inline(words, len) => &mut words[..*len as usize],
            Words::Heap(words) => words,
        }
    }
}

impl State {
    /// A state of a game whose every word is zero.
    pub(crate) fn blank(game: u64, words: usize) -> State {
        let words = if words <= INLINE {
            Words::Inline([0; INLINE], words as u8)
        } else {
            Words::Heap(vec![0; words].into_boxed_slice())
        };
        State { hash: 0, game, words }
    }

    /// The 64-bit hash of the position: equal positions have equal hashes.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash as u64
    }

    /// The 128-bit hash of the position, of which [`State::hash`] is the lower half.
    #[inline]
    pub fn hash128(&self) -> u128 {
        self.hash
    }

    /// The flat words. Their meaning is the game's own.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.words.all()
    }

    /// Takes the hash and the first words of another state of the same game.
    #[inline]
    pub(crate) fn copy_prefix(&mut self, other: &State, words: usize) {
        self.hash = other.hash;
        match (&mut self.words, &other.words) {
            // A few words too many cost less than a copy of unknown length.
            (Words::Inline(one, _), Words::Inline(two, _)) if words <= 12 => {
                one[..12].copy_from_slice(&two[..12]);
            }
            (Words::Inline(one, _), Words::Inline(two, _)) => *one = *two,
            (one, two) => one.all_mut()[..words].copy_from_slice(&two.all()[..words]),
        }
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.words.all_mut()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({:032x}", self.hash)?;
        for word in self.words() {
            write!(f, " {word:x}")?;
        }
        f.write_str(")")
    }
}
