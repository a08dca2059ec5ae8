//! Slider attacks: tables that a module fills at start-up.
//!
//! Rays that together have few tiles are looked up as one: the pieces on them are multiplied to
//! the top of a word, where they are the index of a row of sets. Tiles whose rays have no tile in
//! common share a row, so that the tables stay in the first cache. On boards of one word, a ray toward
//! lower tiles and one toward higher ones are cut at their first pieces by one subtraction. Longer rays
//! are cut at the first piece by their order.

use senet_core::ir::{Rays, Slide};

use crate::asm::{Asm, value_at};
use crate::factor::relevant;
use crate::module::{Emit, Emitter, Key};
use crate::set::push_bit;

/// How the rays of a slide are looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) parts: Vec<Part>,
    pub(crate) words: Words,
}

/// The words of sets in which the rays of a slide lie: one where that is all, as on a board that has a few
/// tiles more than fit into a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// One lookup.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Rays that are looked up together, by the entries of their tiles.
    Line { entries: usize },
    /// A ray toward lower tiles and one toward higher ones, by their tiles.
    Both { tiles: usize },
    /// One ray, by its number.
    Ray(usize),
}

/// A table to be filled at start-up.
pub(crate) enum Job {
    /// What is seen along some rays.
    Line { slide: usize, rays: Vec<usize>, entries: usize },
    /// What lies between two tiles.
    Between { slide: usize, table: usize },
}

/// The entry of a tile: for each word the tiles on which pieces matter, a factor, and the tiles of
/// the rays; then the address of the row, and in its lowest bits how far a product is shifted.
pub(crate) struct Entry;

impl Entry {
    /// How many bits the shift takes.
    pub(crate) const SHIFT: i64 = 6;
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

/// The most tiles on which pieces matter that are looked up at once: of two rays, of more where rays are
/// looked up now and then, and of more in trees and random games, where large tables are worth filling.
const MAX_BITS: usize = 8;
const MAX_MORE_BITS: usize = 10;
pub(crate) const MAX_TREE_BITS: usize = 12;

/// How far apart the masks of a ray toward lower tiles, one toward higher ones, and both are by tile.
pub(crate) const BOTH_STRIDE: usize = 32;

/// The most rays of which the best groups are looked for.
const MAX_GROUPED: usize = 8;

/// The most bytes of one table.
const MAX_TABLE: usize = 2 << 20;

impl Emitter<'_> {
    /// How a slide is looked up.
    pub(crate) fn slide_plan(&mut self, slide: usize) -> Plan {
        if let Some(plan) = self.slides.get(&slide) {
            return plan.clone();
        }
        let slides = &self.code.slides;
        // Slides that are parts of this one come first, so that it can share their tables.
        for (part, other) in slides.iter().enumerate() {
            let is_part = |ray: &Rays| slides[slide].rays.contains(ray);
            if other.rays.len() < slides[slide].rays.len() && other.rays.iter().all(is_part) {
                self.slide_plan(part);
            }
        }
        let mut plan = Plan { parts: Vec::new(), words: self.words_of(&slides[slide]) };
        let all: Vec<usize> = (0..slides[slide].rays.len()).collect();
        for some in all.chunks(MAX_GROUPED) {
            for group in self.groups(&slides[slide], some) {
                match self.line(slide, &group) {
                    Some(part) => plan.parts.push(part),
                    None => plan.parts.extend(group.into_iter().map(Part::Ray)),
                }
            }
        }
        self.slides.insert(slide, plan.clone());
        plan
    }

    /// The words in which the rays of a slide lie.
    fn words_of(&self, slide: &Slide) -> Words {
        let has = |word: &usize| {
            let of_word = |rays: &Rays| {
                rays.masks.iter().skip(*word).step_by(self.width).any(|&mask| mask != 0)
            };
            slide.rays.iter().any(of_word)
        };
        let words: Vec<usize> = (0..self.width).filter(has).collect();
        match words[..] {
            [first] => Words { first, count: 1 },
            _ => Words { first: 0, count: self.width },
        }
    }

    /// Rays in groups that are looked up together: as few as can be, and of these the ones with the
    /// smallest tables.
    fn groups(&self, slide: &Slide, rays: &[usize]) -> Vec<Vec<usize>> {
        let passed = |&ray: &usize| -> Vec<usize> {
            let tiles = 0..self.code.tiles;
            tiles.map(|tile| self.along(slide, ray, tile).len().saturating_sub(1)).collect()
        };
        let passed: Vec<Vec<usize>> = rays.iter().map(passed).collect();
        let of = |group: usize| -> Vec<usize> {
            (0..rays.len()).filter(|at| group >> at & 1 == 1).map(|at| rays[at]).collect()
        };
        let sizes: Vec<Option<usize>> = (0..1 << rays.len())
            .map(|group| self.table_size(slide, &of(group), group, &passed))
            .collect();
        // For each set of rays the number of groups, the size of their tables, and the first group.
        let mut best = vec![(0, 0, 0)];
        for all in 1..1usize << rays.len() {
            let lowest = all & all.wrapping_neg();
            let groups = (1..=all).filter(|group| group & !all == 0 && group & lowest != 0);
            let choices = groups.filter_map(|group| {
                let (count, size, _) = best[all ^ group];
                Some((count + 1, size + sizes[group]?, group))
            });
            best.push(choices.min().unwrap_or((0, 0, all)));
        }
        let (mut left, mut groups) = ((1 << rays.len()) - 1, Vec::new());
        while left != 0 {
            let (.., group) = best[left];
            groups.push(of(group));
            left ^= group;
        }
        groups
    }

    /// How many sets the table of a group of rays would have at most, if they can be looked up together;
    /// none where there is one, or where none is needed.
    fn table_size(
        &self,
        slide: &Slide,
        rays: &[usize],
        group: usize,
        passed: &[Vec<usize>],
    ) -> Option<usize> {
        let alike =
            |known: &[&Rays]| known.iter().copied().eq(rays.iter().map(|&ray| &slide.rays[ray]));
        if rays.len() < 2
            || self.lines.iter().any(|(known, _)| alike(known))
            || self.both(slide, rays).is_some()
        {
            return Some(0);
        }
        let bits = |tile: usize| -> usize {
            let some = passed.iter().enumerate().filter(|(at, _)| group >> at & 1 == 1);
            some.map(|(_, passed)| passed[tile]).sum()
        };
        let words = self.words_of(slide).count;
        let most = self.most_bits(rays.len(), words)?;
        let sizes = (0..self.code.tiles).map(|tile| (bits(tile) <= most).then(|| 1 << bits(tile)));
        let size = sizes.sum::<Option<usize>>()?;
        (size * words * 8 <= MAX_TABLE).then_some(size)
    }

    /// On how many tiles pieces may matter where this many rays are looked up together, if they can be.
    fn most_bits(&self, rays: usize, words: usize) -> Option<usize> {
        match (rays, words) {
            (0..=2, 0..=2) => Some(MAX_BITS),
            // Factors for sets of two words take too long to find.
            (_, 1) if self.trees => Some(MAX_TREE_BITS),
            (_, 1) => Some(MAX_MORE_BITS),
            _ => None,
        }
    }

    /// How many bits an index of some rays needs at least, by tile, if that is few enough.
    fn bits(&self, slide: &Slide, rays: &[usize]) -> Option<Vec<u32>> {
        let most = self.most_bits(rays.len(), self.words_of(slide).count)?;
        let tiles = 0..self.code.tiles;
        let bits = tiles.map(|tile| relevant(&self.along_all(slide, rays, tile)).len());
        bits.map(|bits| (bits <= most).then_some(bits.max(1) as u32)).collect()
    }

    /// The tiles of a ray toward lower tiles, of one toward higher ones, and of both, by tile, if some
    /// rays are two such.
    fn both(&self, slide: &Slide, rays: &[usize]) -> Option<Vec<[u64; 3]>> {
        use senet_core::ir::RayOrder::{Ascending, Descending};
        let &[one, other] = rays else { return None };
        let (low, high) = match [one, other].map(|ray| slide.rays[ray].order) {
            [Descending, Ascending] => (one, other),
            [Ascending, Descending] => (other, one),
            _ => return None,
        };
        let words = self.words_of(slide);
        let masks = |tile: usize| {
            let at = tile * self.width + words.first;
            let [low, high] = [low, high].map(|ray| slide.rays[ray].masks[at]);
            let apart = low == 0 || high == 0 || low.ilog2() < high.trailing_zeros();
            apart.then_some([low, high, low | high])
        };
        if words.count > 1 { None } else { (0..self.code.tiles).map(masks).collect() }
    }

    /// The tiles of some rays from a tile, by word.
    fn ray_set(&self, slide: &Slide, rays: &[usize], tile: usize) -> Vec<u64> {
        let Words { first, count } = self.words_of(slide);
        let mut set = vec![0; count];
        for &ray in rays {
            let masks = &slide.rays[ray].masks[tile * self.width + first..][..count];
            set.iter_mut().zip(masks).for_each(|(all, mask)| *all |= mask);
        }
        set
    }

    /// Where the row that each tile uses begins, and how many sets all rows have: tiles share a row
    /// where no tile lies on the rays of both, and where their indices have as many bits.
    fn share_rows(&self, slide: &Slide, rays: &[usize], bits: &[u32]) -> (Vec<usize>, usize) {
        let mut taken: Vec<(usize, u32, Vec<u64>)> = Vec::new();
        let mut end = 0;
        let place = |tile: usize| {
            let set = self.ray_set(slide, rays, tile);
            let fits = |(_, of, row): &(usize, u32, Vec<u64>)| {
                *of == bits[tile] && row.iter().zip(&set).all(|(used, set)| used & set == 0)
            };
            let at = taken.iter().position(fits).unwrap_or(taken.len());
            if at == taken.len() {
                taken.push((end, bits[tile], vec![0; set.len()]));
                end += 1 << bits[tile];
            }
            taken[at].2.iter_mut().zip(&set).for_each(|(used, set)| *used |= set);
            taken[at].0
        };
        let rows = (0..self.code.tiles).map(place).collect();
        (rows, end)
    }

    /// The tiles of some rays, each nearest first, counted from the first of the words in which they lie.
    fn along_all(&self, slide: &Slide, rays: &[usize], tile: usize) -> Vec<Vec<usize>> {
        let first = self.words_of(slide).first * 64;
        let along =
            |&ray: &usize| self.along(slide, ray, tile).iter().map(|at| at - first).collect();
        rays.iter().map(along).collect()
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
        let alike: Vec<_> = rays.iter().map(|&ray| &of.rays[ray]).collect();
        if let Some((_, part)) = self.lines.iter().find(|(known, _)| *known == alike) {
            return Some(*part);
        }
        let part = match self.both(of, rays) {
            Some(masks) => {
                // The masks before the first are those of no tile.
                let rows = masks.iter().flat_map(|&[low, high, both]| [low, high, both, 0]);
                let words: Vec<u64> = [0; BOTH_STRIDE / 8].into_iter().chain(rows).collect();
                Part::Both { tiles: self.memory.words(&words) + BOTH_STRIDE }
            }
            None => self.indexed(slide, rays)?,
        };
        self.lines.push((alike, part));
        Some(part)
    }

    fn indexed(&mut self, slide: usize, rays: &[usize]) -> Option<Part> {
        let of = &self.code.slides[slide];
        let width = self.words_of(of).count;
        if let ([ray], 1) = (rays, width)
            && of.rays[*ray].order != senet_core::ir::RayOrder::Mixed
        {
            return None;
        }
        let bits = self.bits(of, rays)?;
        // Two rays have indices of one size: with room to spare, factors are found at once.
        let least = if rays.len() > 2 { 1 } else { bits.into_iter().max()? };
        let found: Option<Vec<_>> = (0..self.code.tiles)
            .map(|tile| {
                let first = crate::factor::FIRST.get(tile).copied();
                crate::factor::find(&self.along_all(of, rays, tile), width, (least, first))
            })
            .collect();
        let found = found?;
        let bits: Vec<u32> = found.iter().map(|index| index.bits).collect();
        let (rows, sets) = self.share_rows(of, rays, &bits);
        let set = width * 8;
        if sets * set > MAX_TABLE {
            return None;
        }
        let table = self.memory.room(sets * set);
        let (stride, row_at) = (Entry::stride(width) / 8, Entry::row(width) / 8);
        // The entry before the first is that of no tile: it has no rays.
        let mut entries = vec![0u64; stride * (self.code.tiles + 1)];
        entries[row_at] = (table as u64) << Entry::SHIFT;
        for (tile, index) in found.iter().enumerate() {
            let entry = &mut entries[stride * (tile + 1)..][..stride];
            let seen = self.ray_set(of, rays, tile);
            for word in 0..width {
                let parts = [index.masks[word], index.factors[word], seen[word]];
                entry[Entry::word(word) / 8..][..3].copy_from_slice(&parts);
            }
            let row = (table + rows[tile] * set) as u64;
            entry[row_at] = row << Entry::SHIFT | u64::from(64 - index.bits);
        }
        let entries = self.memory.words(&entries) + stride * 8;
        self.jobs.push(Job::Line { slide, rays: rays.to_vec(), entries });
        Some(Part::Line { entries })
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

/// The function that fills the tables.
pub(crate) fn init(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Init);
    for job in std::mem::take(&mut emitter.jobs) {
        match job {
            Job::Line { slide, rays, entries } => {
                fill_line(emitter, &mut asm, (slide, &rays), entries);
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
    entries: usize,
) {
    let tiles = emitter.code.tiles;
    let width = emitter.words_of(&emitter.code.slides[slide]).count;
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
            asm.get(entry).load(Entry::row(width)).op().i64_shr_u().i32_wrap_i64();
            asm.i32(width as i32 * 8).op().i32_mul();
            asm.get(entry).load(Entry::row(width)).i64(Entry::SHIFT).op().i64_shr_u();
            asm.op().i32_wrap_i64().i32_add();
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
