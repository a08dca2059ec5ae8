//! Whether a set of tiles has one of many lines in it, all of the same length.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::id::TileId;
use crate::tile_set::TileSet;

use super::sieve::turn_back;

/// Lines of tiles, the ones of a shape together.
pub(super) struct Lines<const W: usize> {
    /// How many tiles a line has.
    length: u32,
    /// Lines that are looked for one by one.
    single: Vec<Bits<W>>,
    shapes: Vec<Shape<W>>,
    /// For each set of tiles of a small board whether a line is in it, a bit each.
    table: Vec<u64>,
}

/// Boards of at most so many tiles have a table.
const SMALL: usize = 12;

/// Lines that are the same but for where they begin.
struct Shape<const W: usize> {
    begin: Bits<W>,
    /// How the set is turned, so that every further tile of a line comes to lie on its first.
    turns: Vec<u32>,
    /// Whether what was found so far is turned, and not the whole set.
    doubling: bool,
}

impl<const W: usize> Lines<W> {
    pub(super) fn new(lines: &[TileSet]) -> Option<Lines<W>> {
        let length = lines.iter().map(TileSet::len).min()? as u32;
        let mut shapes: BTreeMap<Vec<usize>, Vec<TileId>> = BTreeMap::new();
        for line in lines {
            let first = line.iter().next()?;
            let further = line.iter().skip(1).map(|tile| tile.index() - first.index());
            shapes.entry(further.collect()).or_default().push(first);
        }
        let (single, table) = (Vec::new(), table(lines));
        let mut all = Lines { length, single, shapes: Vec::new(), table };
        for (further, firsts) in shapes {
            let (turns, doubling) = turns::<W>(&further);
            // Turning costs about as much as looking for two lines.
            if firsts.len() > 2 * turns.len() {
                let mut begin = Bits::EMPTY;
                firsts.iter().for_each(|&first| begin.insert(first));
                all.shapes.push(Shape { begin, turns, doubling });
                continue;
            }
            for first in firsts {
                let mut line = Bits::of(first);
                further.iter().for_each(|more| line.insert(TileId::at(first.index() + more)));
                all.single.push(line);
            }
        }
        Some(all)
    }

    /// Whether all tiles of a line are in a set.
    #[inline(always)]
    pub(super) fn any_in(&self, set: Bits<W>) -> bool {
        if W == 1
            && let Some(sets) = self.table.get(set.0[0] as usize / 64)
        {
            return sets >> (set.0[0] % 64) & 1 == 1;
        }
        if set.len() < self.length {
            return false;
        }
        let mut found = false;
        for &line in &self.single {
            found |= line.without(set).is_empty();
        }
        for shape in &self.shapes {
            found |= shape.is_in(set);
        }
        found
    }
}

impl<const W: usize> Shape<W> {
    #[inline(always)]
    fn is_in(&self, set: Bits<W>) -> bool {
        let mut found = set;
        for &by in &self.turns {
            found &= if self.doubling { found.turn(by) } else { set.turn(by) };
            // On a wide board a turn costs more than to see that it is not needed.
            if W > 1 && found.is_empty() {
                return false;
            }
        }
        !(found & self.begin).is_empty()
    }
}

/// For each set of tiles whether a line is in it; nothing where there are too many sets.
fn table(lines: &[TileSet]) -> Vec<u64> {
    let words: Vec<u64> = lines.iter().map(|line| line.words()[0]).collect();
    let small = |line: &TileSet| line.iter().all(|tile| tile.index() < SMALL);
    if !lines.iter().all(small) {
        return Vec::new();
    }
    let has = |set: u64| u64::from(words.iter().any(|line| line & !set == 0));
    let word = |first: u64| (0..64).fold(0, |bits, at| bits | has(first + at) << at);
    (0..1 << (SMALL - 6)).map(|at| word(at * 64)).collect()
}

/// How a set is turned to find lines whose further tiles lie so far behind the first, and whether
/// what is found is turned again: where they lie evenly, two tiles become four, then eight.
fn turns<const W: usize>(further: &[usize]) -> (Vec<u32>, bool) {
    let back = |by: usize| turn_back::<W>(TileId::at(0), TileId::at(by));
    let stride = further.first().copied().unwrap_or(0);
    if !further.iter().enumerate().all(|(at, &by)| by == stride * (at + 1)) {
        return (further.iter().map(|&by| back(by)).collect(), false);
    }
    let (mut turns, mut have) = (Vec::new(), 1);
    while have <= further.len() {
        let more = have.min(further.len() + 1 - have);
        turns.push(back(stride * more));
        have += more;
    }
    (turns, true)
}
