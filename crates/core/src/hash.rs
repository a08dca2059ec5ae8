//! Stable hashes: the same on every machine and in every release.
//!
//! A position's hash is the exclusive or of one 128-bit key for each fact that is true in it.
//! A key is made from what the fact says (which owner, kind, flag, tile, value), never from where
//! the state keeps it, so a change of layout changes no hash.

/// What a key is about.
#[derive(Clone, Copy)]
pub(crate) enum Fact {
    /// A piece of an owner and kind stands on a tile that holds one.
    Piece = 1,
    /// The piece on a tile carries a flag.
    Flag = 2,
    /// The number of pieces of an owner and kind on a tile that holds many.
    Count = 3,
    /// It is a player's turn.
    Turn = 4,
    /// A die shows a number.
    Die = 5,
    /// A variable has a value.
    Variable = 6,
    /// A tile carries a mark.
    Mark = 7,
    /// A player holds this many pieces of a kind in hand.
    Hand = 8,
}

const LANES: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The 128-bit hash of a sequence of words. Both lanes go along it together, so that neither
/// waits for the other.
#[inline]
pub(crate) fn of_words(words: impl Iterator<Item = u64>) -> u128 {
    let [low, high] = lanes(words);
    u128::from(high) << 64 | u128::from(low)
}

/// The lanes of that hash after some words, for those who add the last word themselves.
#[inline]
pub(crate) fn lanes(words: impl Iterator<Item = u64>) -> [u64; 2] {
    words.fold(LANES, |lanes, word| {
        let word = mix(word.wrapping_add(STEP));
        lanes.map(|lane| mix(lane.wrapping_add(STEP) ^ word))
    })
}

/// The lower half of that hash.
#[inline]
pub(crate) fn low_of_words(words: impl Iterator<Item = u64>) -> u64 {
    let next = |lane: u64, word: u64| mix(lane.wrapping_add(STEP) ^ mix(word.wrapping_add(STEP)));
    words.fold(LANES[0], next)
}

/// The 128-bit hash of bytes, their number included.
pub(crate) fn of_bytes(bytes: &[u8]) -> u128 {
    let chunks = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    of_words(chunks.chain(std::iter::once(bytes.len() as u64)))
}

/// The key of a fact.
pub(crate) fn key(fact: Fact, what: [u64; 3]) -> u128 {
    of_words(std::iter::once(fact as u64).chain(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_in_every_release() {
        assert_eq!(
            format!("{:032x}", key(Fact::Piece, [0, 0, 0])),
            "5c378ec22de1fb47e990483ff8baad0f"
        );
        assert_eq!(
            format!("{:032x}", key(Fact::Variable, [1, 2, 3])),
            "7af6a30d8db4f4a5e92000716b7f623c"
        );
        assert_eq!(format!("{:032x}", of_bytes(b"senet")), "56fa9816e11c99e6386e89a0b0732d38");
    }

    #[test]
    fn bytes_that_differ_only_in_trailing_zeros_differ() {
        assert_ne!(of_bytes(b"a"), of_bytes(b"a\0"));
        assert_ne!(of_bytes(b""), of_bytes(b"\0"));
    }
}
