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

/// Of how many tiles the search takes long.
const LONG: usize = 9;

/// Factors that are tried first, by tile. Any would do that passes the trial: these are what the search
/// below finds for the straight rays of eight by eight tiles, which it would take longest for.
#[rustfmt::skip]
pub(crate) const FIRST: [u64; 64] = [
    0x9080_0011_8420_4004, 0x00c0_1008_a000_4000, 0x0500_0811_00c1_2000, 0x4700_0900_8420_3000,
    0x9200_0600_6821_0410, 0x0080_0200_1400_0980, 0x0080_1a00_0100_5080, 0x0900_0180_2145_0002,
    0x3000_8002_2040_0480, 0x2000_4000_4220_1000, 0x2201_0010_2001_0940, 0x8000_8010_0080_0800,
    0x0901_0008_020c_1100, 0x0602_0010_1200_0884, 0x0441_0024_0200_0100, 0x0140_8002_4480_2100,
    0x9220_6080_00c0_0090, 0x0090_0540_00c8_2000, 0x0001_0100_1040_6001, 0x4801_8480_1800_3000,
    0x0404_0500_1008_0100, 0x0001_0100_0604_0008, 0x0900_0400_4890_0621, 0x0001_0200_0a81_004c,
    0x1c04_4000_8004_208c, 0x1020_1003_4004_2040, 0x8d02_0022_0034_8040, 0x0000_0800_8010_0080,
    0x1084_2400_8008_0280, 0x1489_0c00_8002_0080, 0x0081_2844_0022_3001, 0x0100_8846_0010_8114,
    0x0002_4000_2080_0880, 0x0002_8140_0080_2000, 0x0020_8060_0080_1004, 0x800a_0021_1200_4008,
    0x02c2_8004_0080_0803, 0x0040_8004_0080_0200, 0x0840_8a28_0400_0110, 0x0402_80c5_8200_0104,
    0x0080_0444_6004_4004, 0x6200_a010_0040_4001, 0x0101_0020_0045_0010, 0x408a_00c0_0812_0020,
    0x0201_0028_0011_0004, 0x2002_0080_8400_8002, 0x0813_0006_0011_0004, 0x0801_0000_4081_0002,
    0xa001_0140_2480_0500, 0x02c0_a082_4009_0100, 0x0c0a_2000_1106_c100, 0x00a8_0008_8010_0480,
    0x2009_0802_0c00_8080, 0x0202_0050_4804_c200, 0x0101_0042_000c_1100, 0x0005_8001_0000_d080,
    0x0400_2092_0104_8042, 0x4a01_0150_8040_0721, 0x0702_0910_2001_0045, 0x0888_1001_0008_2045,
    0x0013_0010_0408_0023, 0xc022_0004_2508_1002, 0xc201_0002_0000_8401, 0xc000_0510_e444_0082,
];

/// Finds an index of some bits at least for rays, each of which is given nearest tile first: what is
/// seen along them differs only where indices do.
pub(crate) fn find(
    rays: &[Vec<usize>],
    width: usize,
    (least, first): (u32, Option<u64>),
) -> Option<Index> {
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
        if let Some(first) = first.filter(|_| width == 1 && tiles.len() > LONG) {
            factors[0] = first;
            if search.tells(&tiles, &factors, bits) {
                return Some(Index { masks, factors, bits });
            }
            factors[0] = 0;
        }
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
        // Each tile of a ray, with the bit of the piece on it in a set of pieces.
        let step = |&tile: &usize| {
            let piece = tiles.binary_search(&tile).map_or(0, |at| 1usize << at);
            (1u128 << tile, piece)
        };
        let rays: Vec<Vec<_>> = rays.iter().map(|ray| ray.iter().map(step).collect()).collect();
        let seen = |number: usize| {
            let pieces = number ^ number >> 1;
            let mut seen = 0u128;
            for ray in &rays {
                for &(tile, piece) in ray {
                    seen |= tile;
                    if pieces & piece != 0 {
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
            let index = find(&rays, width, (1, None)).expect("factors");
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
