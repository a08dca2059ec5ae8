//! How far a piece sees along a set of directions past what occupies the board.

use crate::bits::{Bits, ByTile};
use crate::id::{DirectionId, TileId};

use super::cpu::{Extract, Work};
use super::line::Lines;
use super::shape::Shape;

/// Tables larger than this are not worth their memory: the rays are walked instead.
const MOST_ENTRIES: usize = 1 << 18;

/// Up to so many bits of occupancy are looked up at once.
const MOST_BITS: u32 = 12;

/// A set of directions that the same pieces slide along.
pub(crate) struct Sight<const W: usize> {
    pub(crate) directions: Vec<DirectionId>,
    /// By tile: all that is seen on an empty board.
    pub(crate) rays: ByTile<Bits<W>, W>,
    tiles: usize,
    /// The rays of each tile in one spoke or several.
    spokes: Vec<ByTile<Spoke<W>, W>>,
    seen: Vec<Bits<W>>,
}

/// Some rays of a tile, and where what is seen along them begins in the table.
#[derive(Clone, Copy)]
struct Spoke<const W: usize> {
    /// The tiles whose occupancy matters.
    mask: Bits<W>,
    start: u32,
    /// How many of those tiles lie in the first word.
    first: u32,
}

impl<const W: usize> Spoke<W> {
    fn new(mask: Bits<W>, start: usize) -> Spoke<W> {
        Spoke { mask, start: start as u32, first: mask.0[0].count_ones() }
    }

    /// Where what is seen past what occupies the board lies in the table.
    #[inline(always)]
    fn place(&self, extract: Extract, occupied: Bits<W>) -> usize {
        let Spoke { mask, start, first } = self;
        let bits = match W {
            1 => extract.bits(occupied.0[0], mask.0[0]),
            2 => {
                extract.bits(occupied.0[0], mask.0[0])
                    | extract.bits(occupied.0[1], mask.0[1]) << first
            }
            _ => index(extract, occupied, *mask) as u64,
        };
        *start as usize + bits as usize
    }
}

/// A way of looking.
pub(crate) trait Eye: Copy {
    /// The tiles seen from a tile, the first occupied one of each ray included.
    fn see<const W: usize, S: Shape>(
        self,
        lines: &Lines<W>,
        sight: &Sight<W>,
        from: TileId,
        occupied: Bits<W>,
    ) -> Bits<W>;

    /// The tile at a place in a set, from 0.
    #[inline(always)]
    fn pick<const W: usize>(self, among: Bits<W>, place: u32) -> Option<TileId> {
        among.into_iter().nth(place as usize)
    }

    /// Does work compiled for the processors that can look this way.
    fn run<T: Work>(self, work: T) -> T::Answer;
}

/// Looks along every ray.
#[derive(Clone, Copy)]
pub(crate) struct Walk;

impl Eye for Walk {
    #[inline(always)]
    fn see<const W: usize, S: Shape>(
        self,
        lines: &Lines<W>,
        sight: &Sight<W>,
        from: TileId,
        occupied: Bits<W>,
    ) -> Bits<W> {
        let mut seen = Bits::EMPTY;
        for &direction in &sight.directions {
            seen |= lines.until(from, direction, occupied);
        }
        seen
    }

    #[inline(always)]
    fn run<T: Work>(self, work: T) -> T::Answer {
        work.run()
    }
}

/// Looks into the tables, which must have been made.
impl Eye for Extract {
    #[inline(always)]
    fn see<const W: usize, S: Shape>(
        self,
        _: &Lines<W>,
        sight: &Sight<W>,
        from: TileId,
        occupied: Bits<W>,
    ) -> Bits<W> {
        let mut seen = Bits::EMPTY;
        for spokes in S::cut(&sight.spokes, S::SPOKES) {
            seen |= sight.seen[spokes[from].place(self, occupied)];
        }
        seen
    }

    #[inline(always)]
    fn pick<const W: usize>(self, among: Bits<W>, place: u32) -> Option<TileId> {
        let mut left = place;
        for word in 0..W {
            let count = among.0[word].count_ones();
            if left < count {
                let bit = self.spread(1 << left, among.0[word]).trailing_zeros();
                return Some(TileId::at(word * 64 + bit as usize));
            }
            left -= count;
        }
        None
    }

    #[inline(always)]
    fn run<T: Work>(self, work: T) -> T::Answer {
        self.work(work)
    }
}

/// The occupied tiles of a mask as a number.
#[inline(always)]
fn index<const W: usize>(extract: Extract, occupied: Bits<W>, mask: Bits<W>) -> usize {
    let mut bits = 0;
    let mut used = 0;
    for word in 0..W {
        bits |= extract.bits(occupied.0[word], mask.0[word]) << used;
        used += mask.0[word].count_ones();
    }
    bits as usize
}

impl<const W: usize> Sight<W> {
    pub(crate) fn new(lines: &Lines<W>, directions: Vec<DirectionId>, tiles: usize) -> Sight<W> {
        let empty = |tile| {
            let rays =
                directions.iter().map(|&one| lines.until(TileId::at(tile), one, Bits::EMPTY));
            rays.fold(Bits::EMPTY, |all, ray| all | ray)
        };
        let rays = ByTile::new((0..tiles).map(empty), Bits::EMPTY);
        Sight { directions, rays, tiles, spokes: Vec::new(), seen: Vec::new() }
    }

    /// How many looks it takes to see from a tile.
    pub(crate) fn spokes(&self) -> usize {
        self.spokes.len()
    }

    /// Makes the tables, unless they would be too large.
    pub(crate) fn tabulate(&mut self, lines: &Lines<W>, extract: Extract) -> Option<()> {
        let axes = axes(lines, &self.directions);
        let tiles = || (0..self.tiles).map(TileId::at);
        let mask = |tile: TileId, axis: &[DirectionId]| {
            axis.iter().fold(Bits::EMPTY, |all, &one| all | lines.inner(tile, one))
        };
        let bits = |tile: TileId| axes.iter().map(move |axis| mask(tile, axis).len());
        let whole = tiles().all(|tile| bits(tile).sum::<u32>() <= MOST_BITS);
        let entries: usize = tiles()
            .map(|tile| match whole {
                true => 1 << bits(tile).sum::<u32>(),
                false => bits(tile).map(|bits| 1usize << bits.min(30)).sum(),
            })
            .sum();
        if entries > MOST_ENTRIES {
            return None;
        }
        let mut seen = Vec::with_capacity(entries);
        let mut spokes = vec![Vec::new(); if whole { 1 } else { axes.len() }];
        for tile in tiles() {
            let axes = axes.iter().map(|axis| (mask(tile, axis), axis.as_slice()));
            if whole {
                let parts: Vec<Vec<Bits<W>>> = axes
                    .clone()
                    .map(|(mask, axis)| along(lines, tile, axis, mask, extract))
                    .collect();
                let masks: Vec<Bits<W>> = axes.map(|(mask, _)| mask).collect();
                let mask = masks.iter().fold(Bits::EMPTY, |all, &mask| all | mask);
                spokes[0].push(Spoke::new(mask, seen.len()));
                each_subset(mask, |occupied| {
                    let pieces = parts.iter().zip(&masks);
                    seen.push(pieces.fold(Bits::EMPTY, |all, (part, &mask)| {
                        all | part[index(extract, occupied, mask)]
                    }));
                });
            } else {
                for ((mask, axis), spokes) in axes.zip(&mut spokes) {
                    spokes.push(Spoke::new(mask, seen.len()));
                    seen.extend(along(lines, tile, axis, mask, extract));
                }
            }
        }
        let blank = Spoke::new(Bits::EMPTY, 0);
        self.spokes = spokes.into_iter().map(|one| ByTile::new(one, blank)).collect();
        self.seen = seen;
        Some(())
    }
}

/// What is seen along one axis, for each occupancy of a mask in the order of its number.
fn along<const W: usize>(
    lines: &Lines<W>,
    tile: TileId,
    axis: &[DirectionId],
    mask: Bits<W>,
    extract: Extract,
) -> Vec<Bits<W>> {
    let mut seen = Vec::new();
    each_subset(mask, |occupied| {
        debug_assert_eq!(index(extract, occupied, mask), seen.len());
        let rays = axis.iter().map(|&one| lines.until(tile, one, occupied));
        seen.push(rays.fold(Bits::EMPTY, |all, ray| all | ray));
    });
    seen
}

/// Every subset of a set, in the order of the numbers that its tiles write.
fn each_subset<const W: usize>(mask: Bits<W>, mut take: impl FnMut(Bits<W>)) {
    let mut subset = Bits::EMPTY;
    loop {
        take(subset);
        subset = subset.minus(mask) & mask;
        if subset.is_empty() {
            return;
        }
    }
}

/// Directions with their inverses, where both are in a set.
fn axes<const W: usize>(lines: &Lines<W>, directions: &[DirectionId]) -> Vec<Vec<DirectionId>> {
    let mut axes: Vec<Vec<DirectionId>> = Vec::new();
    for &one in directions {
        let back = lines.inverse(one);
        match axes.iter_mut().find(|axis| axis.len() == 1 && Some(axis[0]) == back) {
            Some(axis) => axis.push(one),
            None => axes.push(vec![one]),
        }
    }
    axes
}
