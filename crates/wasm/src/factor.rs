//! Factors that bring the pieces on some tiles to the top of a word, where they are an index.

/// How pieces become the index of what is seen past them.
pub(crate) struct Index {
    /// The tiles on which pieces matter, by word.
    pub(crate) masks: Vec<u64>,
    /// What they are multiplied with, by word.
    pub(crate) factors: Vec<u64>,
    /// How many bits the index has.
    pub(crate) bits: u32,
}

/// How many factors are tried with an index that has a bit for each tile on which a piece matters, and
/// then with one and two more. Most are found at once; a bit more takes less time than a longer search.
const TRIES: [usize; 3] = [400, 4_000, 4_000];

/// Finds an index of some bits at least for rays, each of which is given nearest tile first: what is
/// seen along them differs only where indices do.
pub(crate) fn find(rays: &[Vec<usize>], width: usize, least: u32) -> Option<Index> {
    let tiles = relevant(rays);
    let mut masks = vec![0u64; width];
    tiles.iter().for_each(|tile| masks[tile / 64] |= 1 << (tile % 64));
    let mut search = Search::new(rays, &tiles);
    let mut seed = 0x9e37_79b9_7f4a_7c15u64 ^ tiles.len() as u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for (more, tries) in TRIES.into_iter().enumerate() {
        let bits = least.max(tiles.len() as u32).max(1) + more as u32;
        search.taken.resize(1 << bits, (0, 0));
        let mut factors = vec![0u64; width];
        // Each tile is brought to a place of its own, which succeeds for tiles in a row.
        for (at, &tile) in tiles.iter().enumerate() {
            let (place, bit) = (64 - bits as usize + at, tile % 64);
            if place >= bit {
                factors[tile / 64] |= 1 << (place - bit);
            }
        }
        for _ in 0..tries {
            if search.tells(&tiles, &factors, bits) {
                return Some(Index { masks, factors, bits });
            }
            factors.iter_mut().for_each(|factor| *factor = next() & next() & next());
        }
    }
    None
}

/// The tiles of rays on which a piece matters: all but the last of each.
pub(crate) fn relevant(rays: &[Vec<usize>]) -> Vec<usize> {
    let passed = rays.iter().flat_map(|ray| &ray[..ray.len().saturating_sub(1)]);
    let mut tiles: Vec<usize> = passed.copied().collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

/// Tells whether factors give indices that tell apart what is seen.
struct Search {
    /// What is seen past each set of pieces, of which each differs from the one before in one piece.
    seen: Vec<u128>,
    /// For each index the last trial in which a set of pieces had it, and what was seen past that.
    taken: Vec<(u32, u128)>,
    trial: u32,
}

impl Search {
    fn new(rays: &[Vec<usize>], tiles: &[usize]) -> Search {
        let seen = |number: usize| {
            let pieces = number ^ number >> 1;
            let stands =
                |tile: usize| tiles.binary_search(&tile).is_ok_and(|at| pieces >> at & 1 == 1);
            let mut seen = 0u128;
            for ray in rays {
                for &tile in ray {
                    seen |= 1 << tile;
                    if stands(tile) {
                        break;
                    }
                }
            }
            seen
        };
        Search { seen: (0..1 << tiles.len()).map(seen).collect(), taken: Vec::new(), trial: 0 }
    }

    fn tells(&mut self, tiles: &[usize], factors: &[u64], bits: u32) -> bool {
        self.trial += 1;
        // A product is the sum of what each piece adds to it, and one piece comes or goes at a time.
        let mut sum = 0u64;
        self.seen.iter().enumerate().all(|(number, &seen)| {
            if number > 0 {
                let at = number.trailing_zeros() as usize;
                let adds = factors[tiles[at] / 64] << (tiles[at] % 64);
                let comes = (number ^ number >> 1) >> at & 1 == 1;
                sum = if comes { sum.wrapping_add(adds) } else { sum.wrapping_sub(adds) };
            }
            let taken = &mut self.taken[(sum >> (64 - bits)) as usize];
            let before = std::mem::replace(taken, (self.trial, seen));
            before.0 != self.trial || before.1 == seen
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{find, relevant};

    /// What is seen along rays past pieces, and the index of the pieces.
    fn seen_and_index(rays: &[Vec<usize>], index: &super::Index, pieces: u128) -> (u128, u64) {
        let mut seen = 0u128;
        for ray in rays {
            for &tile in ray {
                seen |= 1 << tile;
                if pieces >> tile & 1 == 1 {
                    break;
                }
            }
        }
        let words = index.masks.iter().zip(&index.factors).enumerate();
        let products = words.map(|(at, (mask, factor))| {
            ((pieces >> (at * 64)) as u64 & mask).wrapping_mul(*factor)
        });
        (seen, products.fold(0, u64::wrapping_add) >> (64 - index.bits))
    }

    #[test]
    fn indices_tell_apart_what_is_seen() {
        // The four diagonal rays from a tile in the middle of boards of one word and of two.
        for (columns, rows, width) in [(8i64, 8i64, 1), (10, 8, 2)] {
            let (column, row) = (4, 3);
            let ray = |(right, up): (i64, i64)| -> Vec<usize> {
                let tiles = (1..10).map(|step| (column + step * right, row + step * up));
                let inside =
                    |&(x, y): &(i64, i64)| (0..columns).contains(&x) && (0..rows).contains(&y);
                tiles.take_while(inside).map(|(x, y)| (y * columns + x) as usize).collect()
            };
            let rays: Vec<_> = [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().map(ray).collect();
            let index = find(&rays, width, 1).expect("factors");
            let tiles = relevant(&rays);
            let mut known = std::collections::BTreeMap::new();
            for number in 0..1u32 << tiles.len() {
                let stands = tiles.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1);
                let pieces = stands.fold(0u128, |all, (_, tile)| all | 1 << tile);
                let (seen, at) = seen_and_index(&rays, &index, pieces);
                assert_eq!(*known.entry(at).or_insert(seen), seen, "{columns} x {rows}: {number}");
            }
        }
    }
}
