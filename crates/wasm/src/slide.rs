//! Slider attacks: tables that a module fills at start-up.
//!
//! Two rays that together have few tiles are looked up as one: the pieces on them are multiplied to
//! the top of a word, where they are the index of a row of sets. Tiles whose rays have no tile in
//! common share a row, so that the tables stay in the first cache. Longer rays are cut at the first
//! piece by their order.

use std::collections::BTreeMap;

use senet_core::ir::{Rays, Slide};

use crate::asm::{Asm, value_at};
use crate::module::{Emit, Emitter, Key};
use crate::set::push_bit;

/// How the rays of a slide are looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) parts: Vec<Part>,
}

/// One lookup.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Rays that are looked up together, by the entries of their tiles.
    Line { entries: usize, bits: u32 },
    /// One ray, by its number.
    Ray(usize),
}

/// A table to be filled at start-up.
pub(crate) enum Job {
    /// What is seen along some rays.
    Line { slide: usize, rays: Vec<usize>, entries: usize, bits: u32 },
    /// What lies between two tiles.
    Between { slide: usize, table: usize },
}

/// The entry of a tile: for each word the tiles on which pieces matter, a factor, and the tiles of
/// the rays; then the address of the row.
pub(crate) struct Entry;

impl Entry {
    pub(crate) const FACTOR: usize = 8;
    pub(crate) const RAYS: usize = 16;

    /// Where the part of a word begins.
    pub(crate) const fn word(word: usize) -> usize {
        word * 24
    }

    /// Where the address of the row is.
    pub(crate) const fn row(width: usize) -> usize {
        Entry::word(width)
    }

    /// How far apart entries are.
    pub(crate) const fn stride(width: usize) -> usize {
        (Entry::row(width) + 8).next_power_of_two()
    }
}

/// The most tiles on which pieces matter that are looked up at once.
const MAX_BITS: usize = 8;

/// The most rays of which the best pairs are looked for.
const MAX_MATCHED: usize = 8;

/// Lookups of rays: how many, how large their tables are, and the rays of each.
type Groups = (usize, usize, Vec<Vec<usize>>);

/// The best lookups of rays that were found before.
type Known = BTreeMap<Vec<usize>, Groups>;

/// The most bytes of one table.
const MAX_TABLE: usize = 2 << 20;

impl Emitter<'_> {
    /// How a slide is looked up.
    pub(crate) fn slide_plan(&mut self, slide: usize) -> Plan {
        if let Some(plan) = self.slides.get(&slide) {
            return plan.clone();
        }
        let rays = &self.code.slides[slide];
        let mut plan = Plan::default();
        let all: Vec<usize> = (0..rays.rays.len()).collect();
        for some in all.chunks(MAX_MATCHED) {
            let mut known = BTreeMap::new();
            let (_, _, groups) = self.cheapest(rays, some, &mut known);
            for group in groups {
                match self.line(slide, &group) {
                    Some(part) => plan.parts.push(part),
                    None => plan.parts.extend(group.into_iter().map(Part::Ray)),
                }
            }
        }
        self.slides.insert(slide, plan.clone());
        plan
    }

    /// The fewest lookups of some rays, each of one or two of them, and of these the ones with the
    /// smallest tables: how many, how many sets their tables have, and which rays each has.
    fn cheapest(&self, slide: &Slide, rays: &[usize], known: &mut Known) -> Groups {
        let Some((&first, others)) = rays.split_first() else { return (0, 0, Vec::new()) };
        if let Some(groups) = known.get(rays) {
            return groups.clone();
        }
        let alone = std::iter::once(vec![first]);
        let pairs = others.iter().map(|&other| vec![first, other]);
        let choices = alone.chain(pairs).filter_map(|group| {
            let sets = match self.table_size(slide, &group) {
                None if group.len() > 1 => return None,
                sets => sets.unwrap_or(0),
            };
            let left: Vec<usize> =
                others.iter().copied().filter(|ray| !group.contains(ray)).collect();
            let (parts, more, mut groups) = self.cheapest(slide, &left, known);
            groups.push(group);
            Some((parts + 1, more + sets, groups))
        });
        let best = choices.min().unwrap_or_default();
        known.insert(rays.to_vec(), best.clone());
        best
    }

    /// How many sets the table of some rays would have, if they can be looked up together; none more
    /// where there is one.
    fn table_size(&self, slide: &Slide, rays: &[usize]) -> Option<usize> {
        let bits = self.bits(slide, rays)?;
        let alike =
            |known: &[&Rays]| known.iter().copied().eq(rays.iter().map(|&ray| &slide.rays[ray]));
        if self.lines.iter().any(|(known, _)| alike(known)) {
            return Some(0);
        }
        let sets = self.share_rows(slide, rays).1 << bits;
        (sets * self.width * 8 <= MAX_TABLE).then_some(sets)
    }

    /// How many bits an index of some rays needs, if that is few enough.
    fn bits(&self, slide: &Slide, rays: &[usize]) -> Option<usize> {
        if self.width > 2 {
            return None;
        }
        let tiles = 0..self.code.tiles;
        let bits = tiles.map(|tile| self.relevant(slide, rays, tile).len()).max()?;
        (bits <= MAX_BITS).then_some(bits.max(1))
    }

    /// The tiles of some rays from a tile, by word.
    fn ray_set(&self, slide: &Slide, rays: &[usize], tile: usize) -> Vec<u64> {
        let mut set = vec![0; self.width];
        for &ray in rays {
            let masks = &slide.rays[ray].masks[tile * self.width..][..self.width];
            set.iter_mut().zip(masks).for_each(|(all, mask)| *all |= mask);
        }
        set
    }

    /// The row that each tile uses, and how many rows there are: tiles share a row where no tile
    /// lies on the rays of both.
    fn share_rows(&self, slide: &Slide, rays: &[usize]) -> (Vec<usize>, usize) {
        let mut taken: Vec<Vec<u64>> = Vec::new();
        let place = |tile| {
            let set = self.ray_set(slide, rays, tile);
            let fits = |row: &Vec<u64>| row.iter().zip(&set).all(|(used, set)| used & set == 0);
            let row = taken.iter().position(fits).unwrap_or(taken.len());
            if row == taken.len() {
                taken.push(vec![0; self.width]);
            }
            taken[row].iter_mut().zip(&set).for_each(|(used, set)| *used |= set);
            row
        };
        let rows = (0..self.code.tiles).map(place).collect();
        (rows, taken.len())
    }

    /// The tiles of rays on which a piece matters: all but the last of each.
    fn relevant(&self, slide: &Slide, rays: &[usize], tile: usize) -> Vec<usize> {
        let mut tiles = Vec::new();
        for &ray in rays {
            let along = self.along(slide, ray, tile);
            tiles.extend_from_slice(&along[..along.len().saturating_sub(1)]);
        }
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }

    /// The tiles of a ray, nearest first.
    fn along(&self, slide: &Slide, ray: usize, tile: usize) -> Vec<usize> {
        use senet_core::ir::RayOrder;
        let rays = &slide.rays[ray];
        if rays.order == RayOrder::Mixed {
            return rays.tiles[tile].iter().map(|&tile| tile.into()).collect();
        }
        let mask = &rays.masks[tile * self.width..][..self.width];
        let inside = |tile: &usize| mask[tile / 64] >> (tile % 64) & 1 == 1;
        let mut tiles: Vec<usize> = (0..self.code.tiles).filter(inside).collect();
        if rays.order == RayOrder::Descending {
            tiles.reverse();
        }
        tiles
    }

    /// A lookup of some rays, where factors for it are found. Slides that share rays share it.
    fn line(&mut self, slide: usize, rays: &[usize]) -> Option<Part> {
        let of = &self.code.slides[slide];
        let bits = self.bits(of, rays)?;
        let alike: Vec<_> = rays.iter().map(|&ray| &of.rays[ray]).collect();
        if let Some((_, part)) = self.lines.iter().find(|(known, _)| *known == alike) {
            return Some(*part);
        }
        let (rows, count) = self.share_rows(of, rays);
        let row = (self.width * 8) << bits;
        let found: Option<Vec<_>> = (0..self.code.tiles)
            .map(|tile| factors(&self.relevant(of, rays, tile), self.width, bits as u32))
            .collect();
        let found = found.filter(|_| row * count <= MAX_TABLE)?;
        let table = self.memory.room(row * count);
        let (stride, row_at) = (Entry::stride(self.width) / 8, Entry::row(self.width) / 8);
        // The entry before the first is that of no tile: it has no rays.
        let mut entries = vec![0u64; stride * (self.code.tiles + 1)];
        entries[row_at] = table as u64;
        for (tile, (masks, factors)) in found.iter().enumerate() {
            let entry = &mut entries[stride * (tile + 1)..][..stride];
            let seen = self.ray_set(of, rays, tile);
            for word in 0..self.width {
                let parts = [masks[word], factors[word], seen[word]];
                entry[Entry::word(word) / 8..][..3].copy_from_slice(&parts);
            }
            entry[row_at] = (table + rows[tile] * row) as u64;
        }
        let entries = self.memory.words(&entries) + stride * 8;
        let bits = bits as u32;
        self.jobs.push(Job::Line { slide, rays: rays.to_vec(), entries, bits });
        let part = Part::Line { entries, bits };
        self.lines.push((alike, part));
        Some(part)
    }

    /// The table of what lies between two tiles along a slide: by the second tile, which is the same
    /// for many questions, so that their answers lie side by side, then by the first; each with a row
    /// before the first for no tile.
    pub(crate) fn between(&mut self, slide: usize) -> usize {
        self.table("between", slide, |emitter| {
            let side = emitter.code.tiles + 1;
            let table = emitter.memory.room(side * side * emitter.width * 8);
            emitter.jobs.push(Job::Between { slide, table });
            table
        })
    }

    /// The table of straight lines from tile to tile.
    pub(crate) fn spans(&mut self) -> usize {
        self.table("spans", 0, |emitter| {
            let (tiles, width) = (emitter.code.tiles, emitter.width);
            let mut words = vec![0; (tiles + 1) * width];
            for from in 0..tiles {
                words.extend(vec![0; width]);
                for to in 0..tiles {
                    words.extend(emitter.program.span(from, to));
                }
            }
            emitter.memory.words(&words)
        })
    }

    /// The masks of one ray, by tile.
    pub(crate) fn ray_masks(&mut self, slide: usize, ray: usize) -> usize {
        self.table("rays", slide << 8 | ray, |emitter| {
            let rays = &emitter.code.slides[slide].rays[ray];
            let width = emitter.width;
            emitter.memory.rows(&rays.masks, width)
        })
    }

    /// The tiles of one ray: a table of addresses by tile, of which each is the end of the one
    /// before.
    pub(crate) fn ray_tiles(&mut self, slide: usize, ray: usize) -> (usize, usize) {
        let at = slide << 8 | ray;
        let starts = self.table("ray tiles", at, |emitter| {
            let of = &emitter.code.slides[slide];
            let (mut tiles, mut starts) = (Vec::new(), vec![0u32]);
            for tile in 0..emitter.code.tiles {
                let along = emitter.along(of, ray, tile);
                tiles.extend(along.iter().map(|&tile| tile as u16));
                starts.push(tiles.len() as u32 * 2);
            }
            let base = emitter.memory.shorts(&tiles) as u32;
            starts.iter_mut().for_each(|start| *start += base);
            // The first entry stands for no tile too, whose ray is empty.
            starts.insert(0, base);
            emitter.memory.ints(&starts) + 4
        });
        (starts, at)
    }
}

/// Masks and factors by word that bring the bits of some tiles to the top of a word, in different
/// places for different pieces on them.
fn factors(tiles: &[usize], width: usize, bits: u32) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut masks = vec![0u64; width];
    tiles.iter().for_each(|tile| masks[tile / 64] |= 1 << (tile % 64));
    let mut found = vec![0u64; width];
    // Each tile is brought to a place of its own, which succeeds for tiles in a row.
    for (at, &tile) in tiles.iter().enumerate() {
        let place = 64 - bits as usize + at;
        let bit = tile % 64;
        if place >= bit {
            found[tile / 64] |= 1 << (place - bit);
        }
    }
    let mut apart = Apart::new(bits);
    if apart.tells(tiles, &found) {
        return Some((masks, found));
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15u64 ^ tiles.len() as u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for _ in 0..20_000 {
        found.iter_mut().for_each(|factor| *factor = next() & next() & next());
        if apart.tells(tiles, &found) {
            return Some((masks, found));
        }
    }
    None
}

/// Tells whether factors give every set of pieces on some tiles an index of its own.
struct Apart {
    bits: u32,
    /// For each index the last trial in which a set had it.
    taken: Vec<u32>,
    trial: u32,
}

impl Apart {
    fn new(bits: u32) -> Apart {
        Apart { bits, taken: vec![0; 1 << bits], trial: 0 }
    }

    fn tells(&mut self, tiles: &[usize], factors: &[u64]) -> bool {
        self.trial += 1;
        // A product is the sum of what each piece adds to it, and one piece comes or goes at a time.
        let mut sum = 0u64;
        (0..1u32 << tiles.len()).all(|number| {
            if number > 0 {
                let at = number.trailing_zeros() as usize;
                let adds = factors[tiles[at] / 64] << (tiles[at] % 64);
                let comes = (number ^ number >> 1) >> at & 1 == 1;
                sum = if comes { sum.wrapping_add(adds) } else { sum.wrapping_sub(adds) };
            }
            let index = (sum >> (64 - self.bits)) as usize;
            std::mem::replace(&mut self.taken[index], self.trial) != self.trial
        })
    }
}

/// The function that fills the tables.
pub(crate) fn init(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Init);
    for job in std::mem::take(&mut emitter.jobs) {
        match job {
            Job::Line { slide, rays, entries, bits } => {
                fill_line(emitter, &mut asm, (slide, &rays), (entries, bits));
            }
            Job::Between { slide, table } => fill_between(emitter, &mut asm, slide, table),
        }
    }
    Ok(asm)
}

/// Runs code for each tile of the board, with the local that holds it as an address would need it.
fn each_tile(asm: &mut Asm, tiles: usize, fill: impl FnOnce(&mut Asm, u32)) {
    let tile = asm.local32();
    asm.i32(0).set(tile);
    asm.repeat(|asm, again| {
        fill(asm, tile);
        asm.get(tile).i32(1).op().i32_add();
        asm.tee(tile).i32(tiles as i32).op().i32_lt_u();
        asm.br_if(again);
    });
}

/// Runs code for each tile of the ray from a tile, nearest first, with a block to leave.
fn each_along(
    asm: &mut Asm,
    starts: usize,
    tile: u32,
    fill: impl FnOnce(&mut Asm, u32, crate::asm::Label),
) {
    let (next, end, at) = (asm.local32(), asm.local32(), asm.local64());
    for (offset, local) in [(0, next), (4, end)] {
        asm.get(tile).i32(2).op().i32_shl().i32_load(value_at(starts + offset, 2));
        asm.set(local);
    }
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(next).op().i64_load16_u(value_at(0, 1));
            asm.set(at);
            asm.get(next).i32(2).op().i32_add();
            asm.set(next);
            fill(asm, at, done);
            asm.br(again);
        });
    });
}

fn fill_line(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (slide, rays): (usize, &[usize]),
    (entries, bits): (usize, u32),
) {
    let (width, tiles) = (emitter.width, emitter.code.tiles);
    let starts: Vec<usize> = rays.iter().map(|&ray| emitter.ray_tiles(slide, ray).0).collect();
    let [masks, pieces, seen] = std::array::from_fn(|_| crate::function::locals(asm, width));
    let (entry, index) = (asm.local32(), asm.local32());
    each_tile(asm, tiles, |asm, tile| {
        asm.get(tile).i32(Entry::stride(width) as i32).op().i32_mul();
        asm.i32(entries as i32).op().i32_add();
        asm.set(entry);
        for word in 0..width as u32 {
            asm.get(entry).load(Entry::word(word as usize)).set(masks + word);
            asm.i64(0).set(pieces + word);
        }
        asm.repeat(|asm, again| {
            (0..width as u32).for_each(|word| {
                asm.i64(0).set(seen + word);
            });
            for start in starts {
                each_along(asm, start, tile, |asm, at, done| {
                    add_seen(asm, width, (seen, pieces), at, done);
                });
            }
            for word in 0..width {
                let factor = Entry::word(word) + Entry::FACTOR;
                asm.get(pieces + word as u32).get(entry).load(factor).op().i64_mul();
                if word > 0 {
                    asm.op().i64_add();
                }
            }
            asm.i64(64 - i64::from(bits)).op().i64_shr_u().i32_wrap_i64();
            asm.i32(width as i32 * 8).op().i32_mul();
            asm.get(entry).load(Entry::row(width)).op().i32_wrap_i64().i32_add();
            asm.set(index);
            for word in 0..width {
                asm.get(index);
                asm.get(index).load(word * 8).get(seen + word as u32).op().i64_or();
                asm.store(word * 8);
            }
            next_subset(asm, width, pieces, masks);
            asm.get(pieces);
            (1..width as u32).for_each(|word| {
                asm.get(pieces + word).op().i64_or();
            });
            asm.i64(0).op().i64_ne();
            asm.br_if(again);
        });
    });
}

/// Adds a tile to what is seen, and leaves the ray if a piece stands there.
fn add_seen(
    asm: &mut Asm,
    width: usize,
    (seen, pieces): (u32, u32),
    at: u32,
    done: crate::asm::Label,
) {
    let met = asm.local64();
    asm.i64(0).set(met);
    for word in 0..width as u32 {
        let bit = asm.local64();
        push_bit(asm, width, at, word);
        asm.tee(bit).get(seen + word).op().i64_or();
        asm.set(seen + word);
        asm.get(bit).get(pieces + word).op().i64_and();
        asm.get(met).op().i64_or();
        asm.set(met);
    }
    asm.get(met).i64(0).op().i64_ne();
    asm.br_if(done);
}

/// The subset of a mask after this one; nothing after the last.
fn next_subset(asm: &mut Asm, width: usize, subset: u32, mask: u32) {
    // Subtracting the mask carries over the bits that are not in it.
    let borrow = asm.local64();
    asm.i64(0).set(borrow);
    for word in 0..width as u32 {
        let (before, after) = (asm.local64(), asm.local64());
        asm.get(subset + word).tee(before).get(mask + word).op().i64_sub();
        asm.get(borrow).op().i64_sub();
        asm.set(after);
        // Whether the difference went below nothing.
        asm.get(before).get(mask + word).op().i64_lt_u();
        asm.get(before).get(mask + word).op().i64_eq();
        asm.get(borrow).i64(0).op().i64_ne();
        asm.op().i32_and().i32_or().i64_extend_i32_u();
        asm.set(borrow);
        asm.get(after).get(mask + word).op().i64_and();
        asm.set(subset + word);
    }
}

fn fill_between(emitter: &mut Emitter<'_>, asm: &mut Asm, slide: usize, table: usize) {
    let (width, tiles) = (emitter.width, emitter.code.tiles);
    let row = width * 8;
    let side = tiles + 1;
    let passed = crate::function::locals(asm, width);
    // Where several rays lead to a tile, the first is written last.
    for ray in (0..emitter.code.slides[slide].rays.len()).rev() {
        let starts = emitter.ray_tiles(slide, ray).0;
        each_tile(asm, tiles, |asm, tile| {
            (0..width as u32).for_each(|word| {
                asm.i64(0).set(passed + word);
            });
            each_along(asm, starts, tile, |asm, at, _| {
                let address = asm.local32();
                asm.get(at).op().i32_wrap_i64();
                asm.i32((side * row) as i32).op().i32_mul();
                asm.get(tile).i32(row as i32).op().i32_mul().i32_add();
                asm.i32((table + (side + 1) * row) as i32).op().i32_add();
                asm.set(address);
                for word in 0..width {
                    asm.get(address).get(passed + word as u32).store(word * 8);
                    asm.get(passed + word as u32);
                    push_bit(asm, width, at, word as u32);
                    asm.op().i64_or();
                    asm.set(passed + word as u32);
                }
            });
        });
    }
}
