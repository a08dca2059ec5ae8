//! Sets of tiles as a fixed number of words, for code that knows the width of its board.

/// A set of tiles in `W` words, tile 0 in the lowest bit of the first.
pub(crate) type Bits<const W: usize> = [u64; W];

#[inline(always)]
pub(crate) fn and<const W: usize>(one: &Bits<W>, other: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|at| one[at] & other[at])
}

#[inline(always)]
pub(crate) fn or<const W: usize>(one: &Bits<W>, other: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|at| one[at] | other[at])
}

#[inline(always)]
pub(crate) fn and_not<const W: usize>(one: &Bits<W>, other: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|at| one[at] & !other[at])
}

#[inline(always)]
pub(crate) fn is_empty<const W: usize>(set: &Bits<W>) -> bool {
    let mut all = 0;
    for word in set {
        all |= word;
    }
    all == 0
}

#[inline(always)]
pub(crate) fn count<const W: usize>(set: &Bits<W>) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

#[inline(always)]
pub(crate) fn contains<const W: usize>(set: &Bits<W>, tile: usize) -> bool {
    set[tile / 64] >> (tile % 64) & 1 == 1
}

#[inline(always)]
pub(crate) fn insert<const W: usize>(set: &mut Bits<W>, tile: usize) {
    set[tile / 64] |= 1 << (tile % 64);
}

/// The lowest tile of a set.
#[inline(always)]
pub(crate) fn lowest<const W: usize>(set: &Bits<W>) -> Option<usize> {
    for (at, word) in set.iter().enumerate() {
        if *word != 0 {
            return Some(at * 64 + word.trailing_zeros() as usize);
        }
    }
    None
}

/// The highest tile of a set.
#[inline(always)]
pub(crate) fn highest<const W: usize>(set: &Bits<W>) -> Option<usize> {
    let at = set.iter().rposition(|&word| word != 0)?;
    Some(at * 64 + 63 - set[at].leading_zeros() as usize)
}

/// Every tile moved by an offset; what leaves the words is lost.
#[inline(always)]
pub(crate) fn shift<const W: usize>(set: &Bits<W>, offset: i32) -> Bits<W> {
    if W == 1 {
        let by = offset.unsigned_abs();
        let moved = if offset >= 0 { set[0].checked_shl(by) } else { set[0].checked_shr(by) };
        return [moved.unwrap_or(0); W];
    }
    let (words, bits) = (offset.unsigned_abs() as usize / 64, offset.unsigned_abs() % 64);
    let word = |at: Option<usize>| at.and_then(|at| set.get(at)).copied().unwrap_or(0);
    std::array::from_fn(|at| {
        if offset >= 0 {
            let low = word(at.checked_sub(words));
            let carry = word(at.checked_sub(words + 1));
            if bits == 0 { low } else { low << bits | carry >> (64 - bits) }
        } else {
            let low = word(Some(at + words));
            let carry = word(Some(at + words + 1));
            if bits == 0 { low } else { low >> bits | carry << (64 - bits) }
        }
    })
}

/// The tiles of a set, lowest first.
#[inline(always)]
pub(crate) fn tiles<const W: usize>(set: &Bits<W>) -> impl Iterator<Item = usize> + use<W> {
    let mut words = *set;
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < W {
            let word = words[at];
            if word != 0 {
                words[at] = word & (word - 1);
                return Some(at * 64 + word.trailing_zeros() as usize);
            }
            at += 1;
        }
        None
    })
}
