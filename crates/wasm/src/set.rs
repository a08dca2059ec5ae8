//! Operations whose result is a set.

mod map;
mod ray;
mod stack;

use senet_core::ir::{FunctionId, LinesId, NumReg, Op, SetReg};

use crate::asm::{Asm, Label};
use crate::function::Body;
use crate::module::{Emit, Key, Mode, unsupported};

pub(crate) use map::groups;

/// The most shapes of lines that are looked for as shifts.
const FEW_SHAPES: usize = 32;

impl Body<'_, '_> {
    pub(crate) fn set_op(&mut self, op: &Op) -> Emit {
        match *op {
            Op::Constant(to, id) => {
                let (to, words) = (self.set(to), self.emitter.constant(id));
                self.put_constant(to, words);
            }
            Op::Plane(to, first) => {
                let to = self.set(to);
                self.load_plane(to, first);
            }
            Op::Copy(to, from) => {
                let (to, from) = (self.set(to), self.set(from));
                self.copy(to, from);
            }
            Op::And(to, a, b) => self.combine(to, a, b, |asm| {
                asm.op().i64_and();
            }),
            Op::Or(to, a, b) => self.combine(to, a, b, |asm| {
                asm.op().i64_or();
            }),
            Op::AndNot(to, a, b) => self.combine(to, a, b, |asm| {
                asm.i64(-1).op().i64_xor().i64_and();
            }),
            Op::Image(to, from, map) => {
                let (to, from) = (self.set(to), self.set(from));
                self.image(to, from, map);
            }
            Op::Preimage(to, of, map) => {
                let (to, of) = (self.set(to), self.set(of));
                self.preimage(to, of, map);
            }
            Op::Images { to, from, over, map } => {
                let (to, from, over) = (self.set(to), self.set(from), self.set(over));
                self.images(to, from, over, map);
            }
            Op::Single(to, tile) => self.single(to, tile),
            Op::Row(to, rows, tile) => self.row(to, rows.index(), tile),
            Op::Slide(to, slide, tile, stops) => self.slide(to, slide, tile, stops),
            Op::Between(to, slide, one, other) => {
                let at = slide.index();
                let table = self.emitter.between(at);
                self.load_pair(to, table, other, one);
            }
            Op::Span(to, one, other) => {
                let table = self.emitter.spans();
                self.load_pair(to, table, one, other);
            }
            Op::Flood { to, from, over, links } => {
                let flood = self.emitter.want(Key::Flood(links.0));
                let (to, from, over) = (self.set(to), self.set(from), self.set(over));
                self.call_flood(flood, to, from, over);
            }
            Op::Stacked { to, players, least } => self.stacked(to, players, least),
            Op::Lines(to, lines, of) => self.lines(to, lines, of)?,
            Op::Load(to, tile) => self.load_kept(to, tile),
            Op::Call(to, function) => self.call(to, function),
            Op::Store(tile, set) => self.store_kept(tile, set),
            _ => return unsupported("travel past tiles that depend on the target"),
        }
        Ok(())
    }

    /// The tiles that another function finds.
    fn call(&mut self, to: SetReg, function: FunctionId) {
        let (to, find) = (self.set(to), self.emitter.want_lowered(function, Mode::Find));
        self.asm.get(self.state).op().call(find);
        (0..self.width() as u32).rev().for_each(|word| {
            self.asm.set(to + word);
        });
    }

    /// Loads the set kept for a tile.
    fn load_kept(&mut self, to: SetReg, tile: NumReg) {
        let to = self.set(to);
        for word in 0..self.width() {
            self.push_kept(tile);
            self.asm.load(word * 8).set(to + word as u32);
        }
    }

    /// Keeps a set for a tile.
    fn store_kept(&mut self, tile: NumReg, set: SetReg) {
        let set = self.set(set);
        for word in 0..self.width() {
            self.push_kept(tile);
            self.asm.get(set + word as u32).store(word * 8);
        }
    }

    fn combine(&mut self, to: SetReg, a: SetReg, b: SetReg, op: impl Fn(&mut Asm)) {
        let live = self.live(to);
        let (to, a, b) = (self.set(to), self.set(a), self.set(b));
        for word in 0..self.width() as u32 {
            if live.contains(&word) {
                self.asm.get(a + word).get(b + word);
                op(&mut self.asm);
            } else {
                self.asm.i64(0);
            }
            self.asm.set(to + word);
        }
    }

    pub(crate) fn copy(&mut self, to: u32, from: u32) {
        for word in 0..self.width() as u32 {
            self.asm.get(from + word).set(to + word);
        }
    }

    pub(crate) fn put_constant(&mut self, to: u32, words: &[u64]) {
        for (word, &bits) in words.iter().enumerate() {
            self.asm.i64(bits as i64).set(to + word as u32);
        }
    }

    pub(crate) fn clear(&mut self, to: u32) {
        for word in 0..self.width() as u32 {
            self.asm.i64(0).set(to + word);
        }
    }

    pub(crate) fn load_plane(&mut self, to: u32, first: usize) {
        for word in 0..self.width() {
            self.asm.load_word(self.state, (first + word) * 8).set(to + word as u32);
        }
    }

    /// Whether a set has a tile, on the stack as a truth.
    pub(crate) fn push_any(&mut self, set: u32) {
        self.asm.get(set);
        for word in 1..self.width() as u32 {
            self.asm.get(set + word).op().i64_or();
        }
        self.asm.i64(0).op().i64_ne();
    }

    /// How many tiles a set has, on the stack.
    pub(crate) fn push_count(&mut self, set: u32) {
        self.asm.get(set).op().i64_popcnt();
        for word in 1..self.width() as u32 {
            self.asm.get(set + word).op().i64_popcnt().i64_add();
        }
    }

    fn single(&mut self, to: SetReg, tile: NumReg) {
        let to = self.set(to);
        if self.width() > 1 {
            let base = self.emitter.singles();
            return self.load_row(to, base, tile);
        }
        self.asm.i64(1);
        self.push_number(tile);
        self.asm.op().i64_shl();
        if !self.is_tile(tile) {
            self.asm.i64(0);
            self.push_number(tile);
            self.asm.i64(0).op().i64_ge_s().select();
        }
        self.asm.set(to);
    }

    /// The address of a tile's row of some bytes in a table, on the stack, and what is still to be
    /// added to it. The row before the first is for no tile.
    pub(crate) fn push_row(&mut self, base: usize, bytes: usize, tile: NumReg) -> usize {
        self.push_number(tile);
        self.asm.op().i32_wrap_i64();
        // The row of no tile lies before the first: an offset may not be less than nothing.
        let base = match self.is_tile(tile) {
            true => base,
            false => {
                self.asm.i32(1).op().i32_add();
                base - bytes
            }
        };
        if bytes.is_power_of_two() {
            self.asm.i32(bytes.trailing_zeros() as i32).op().i32_shl();
        } else {
            self.asm.i32(bytes as i32).op().i32_mul();
        }
        base
    }

    /// Loads the set that a table has for a tile.
    pub(crate) fn load_row(&mut self, to: u32, base: usize, tile: NumReg) {
        let bytes = self.width() * 8;
        let address = self.asm.local32();
        let base = self.push_row(base, bytes, tile);
        self.asm.set(address);
        for word in 0..self.width() {
            self.asm.get(address).load(base + word * 8).set(to + word as u32);
        }
    }

    /// The set that a table has for a tile: a constant where the tile is known.
    fn row(&mut self, to: SetReg, at: usize, tile: NumReg) {
        let to = self.set(to);
        if let Some(tile) = self.known_tile(tile) {
            let (code, width) = (self.emitter.code, self.width());
            return self.put_constant(to, &code.rows[at][tile * width..][..width]);
        }
        let base = self.emitter.table("rows", at, |emitter| {
            let (rows, width) = (&emitter.code.rows[at], emitter.width);
            emitter.memory.rows(rows, width)
        });
        self.load_row(to, base, tile);
    }

    /// The tile of a register, where it is known when the code is written.
    fn known_tile(&self, register: NumReg) -> Option<usize> {
        let (least, most) = self.range(register)?;
        usize::try_from(least).ok().filter(|_| least == most)
    }

    /// Loads the set that a table has for two tiles.
    fn load_pair(&mut self, to: SetReg, table: usize, one: NumReg, other: NumReg) {
        let (to, row, side) = (self.set(to), self.width() * 8, self.emitter.code.tiles + 1);
        let address = self.asm.local32();
        let base = self.push_row(table + (side + 1) * row, side * row, one);
        let base = self.push_row(base, row, other);
        self.asm.op().i32_add();
        self.asm.set(address);
        for word in 0..self.width() {
            self.asm.get(address).load(base + word * 8).set(to + word as u32);
        }
    }

    pub(crate) fn call_flood(&mut self, flood: u32, to: u32, from: u32, over: u32) {
        let width = self.width() as u32;
        for set in [from, over] {
            (0..width).for_each(|word| {
                self.asm.get(set + word);
            });
        }
        self.asm.op().call(flood);
        (0..width).rev().for_each(|word| {
            self.asm.set(to + word);
        });
    }

    /// Runs code for each tile of a set, with the local that holds it.
    pub(crate) fn each_tile(&mut self, set: u32, fill: impl FnOnce(&mut Self, u32)) {
        let (left, tile) = (self.spare_set(), self.asm.local64());
        self.copy(left, set);
        let each = Each::begin(&mut self.asm, self.emitter.width, left, tile);
        fill(self, tile);
        each.end(&mut self.asm);
    }

    /// Adds the tile in a local to a set.
    pub(crate) fn insert(&mut self, set: u32, tile: u32) {
        for word in 0..self.width() as u32 {
            self.asm.get(set + word);
            push_bit(&mut self.asm, self.emitter.width, tile, word);
            self.asm.op().i64_or();
            self.asm.set(set + word);
        }
    }

    /// Whether the tile in a local lies in a set, on the stack as a truth.
    pub(crate) fn push_has(&mut self, set: u32, tile: u32) {
        self.push_word_of(set, tile);
        self.asm.get(tile).op().i64_shr_u();
        self.asm.i64(1).op().i64_and().i32_wrap_i64();
    }

    /// The word of a set in which the tile of a local is, on the stack.
    fn push_word_of(&mut self, set: u32, tile: u32) {
        let width = self.width() as u32;
        self.asm.get(set + width - 1);
        for word in (0..width - 1).rev() {
            // The words below are chosen where the tile lies below.
            let below = self.asm.local64();
            self.asm.set(below);
            self.asm.get(set + word).get(below).get(tile).i64(i64::from(word + 1) * 64);
            self.asm.op().i64_lt_s().select();
        }
    }

    /// The starts of lines that lie within a set, shape by shape.
    pub(crate) fn line_starts(
        &mut self,
        lines: LinesId,
        of: u32,
        mut each: impl FnMut(&mut Self, u32, &[i32]),
    ) -> Emit {
        let shapes = shapes(&self.emitter.code.lines[lines.index()], self.width());
        if shapes.len() > FEW_SHAPES {
            return unsupported("this many shapes of lines");
        }
        let starts = self.spare_set();
        for (offsets, mask) in shapes {
            for (word, &mask) in mask.iter().enumerate() {
                self.asm.i64(mask as i64);
                for &offset in &offsets {
                    self.push_shifted(of, -offset, word);
                    self.asm.op().i64_and();
                }
                self.asm.set(starts + word as u32);
            }
            each(self, starts, &offsets);
        }
        Ok(())
    }

    fn lines(&mut self, to: SetReg, lines: LinesId, of: SetReg) -> Emit {
        let (to, of, all) = (self.set(to), self.set(of), self.spare_set());
        self.clear(all);
        self.line_starts(lines, of, |body, starts, offsets| {
            for &offset in offsets {
                for word in 0..body.width() {
                    body.push_shifted(starts, offset, word);
                    body.asm.get(all + word as u32).op().i64_or();
                    body.asm.set(all + word as u32);
                }
            }
        })?;
        self.copy(to, all);
        Ok(())
    }
}

/// Every tile of a board, by word.
pub(crate) fn all_tiles(tiles: usize, width: usize) -> Vec<u64> {
    let mut words = vec![0; width];
    (0..tiles).for_each(|tile| words[tile / 64] |= 1 << (tile % 64));
    words
}

/// One word of a set moved by an offset, on the stack.
pub(crate) fn push_shifted(asm: &mut Asm, width: usize, from: u32, offset: i32, word: usize) {
    let (words, bits) =
        (offset.unsigned_abs() as usize / 64, i64::from(offset.unsigned_abs() % 64));
    let source = |distance: usize| match offset >= 0 {
        true => word.checked_sub(distance),
        false => Some(word + distance).filter(|&at| at < width),
    };
    let (near, far) = (source(words), source(words + 1).filter(|_| bits != 0));
    let mut pushed = false;
    for (at, left, by) in [(near, offset >= 0, bits), (far, offset < 0, 64 - bits)] {
        let Some(at) = at else { continue };
        asm.get(from + at as u32);
        if by != 0 {
            asm.i64(by);
            match left {
                true => asm.op().i64_shl(),
                false => asm.op().i64_shr_u(),
            };
        }
        if pushed {
            asm.op().i64_or();
        }
        pushed = true;
    }
    if !pushed {
        asm.i64(0);
    }
}

/// The bit of a tile in one word of a set, on the stack.
pub(crate) fn push_bit(asm: &mut Asm, width: usize, tile: u32, word: u32) {
    if width == 1 {
        asm.i64(1).get(tile).op().i64_shl();
        return;
    }
    asm.get(tile).i64(6).op().i64_shr_s();
    asm.i64(word.into()).op().i64_eq().i64_extend_i32_u();
    asm.get(tile).op().i64_shl();
}

/// A loop over the tiles of a set, which it takes out one by one.
pub(crate) struct Each {
    /// The block around the loop.
    pub(crate) done: Label,
    again: Label,
}

impl Each {
    /// Begins the loop; what follows is run for each tile.
    pub(crate) fn begin(asm: &mut Asm, width: usize, left: u32, tile: u32) -> Each {
        let done = asm.begin_block();
        let again = asm.begin_loop();
        next_tile(asm, width, left, tile, done);
        Each { done, again }
    }

    /// The same for a set whose tiles lie in one word.
    fn begin_in_word(asm: &mut Asm, word: u32, left: u32, tile: u32) -> Each {
        let done = asm.begin_block();
        let again = asm.begin_loop();
        asm.get(left + word).op().i64_eqz();
        asm.br_if(done);
        take_lowest(asm, left, tile, word);
        Each { done, again }
    }

    /// The same for a set of which some words may have tiles.
    pub(crate) fn begin_live(
        asm: &mut Asm,
        width: usize,
        live: &[u32],
        left: u32,
        tile: u32,
    ) -> Each {
        match *live {
            [word] => Each::begin_in_word(asm, word, left, tile),
            _ => Each::begin(asm, width, left, tile),
        }
    }

    pub(crate) fn end(self, asm: &mut Asm) {
        asm.br(self.again);
        asm.leave();
        asm.leave();
    }
}

/// Takes the lowest tile out of a set, or leaves a block where there is none.
pub(crate) fn next_tile(asm: &mut Asm, width: usize, left: u32, tile: u32, done: Label) {
    if width == 1 {
        asm.get(left).op().i64_eqz();
        asm.br_if(done);
        take_lowest(asm, left, tile, 0);
        return;
    }
    let found = asm.begin_block();
    for word in 0..width as u32 {
        asm.get(left + word).i64(0).op().i64_ne();
        asm.when(|asm| {
            take_lowest(asm, left, tile, word);
            asm.br(found);
        });
    }
    asm.br(done);
    asm.leave();
}

fn take_lowest(asm: &mut Asm, left: u32, tile: u32, word: u32) {
    asm.get(left + word).op().i64_ctz();
    if word > 0 {
        asm.i64(i64::from(word) * 64).op().i64_add();
    }
    asm.set(tile);
    asm.get(left + word).get(left + word).i64(1).op().i64_sub().i64_and();
    asm.set(left + word);
}

/// Lines by their shape: how far the tiles lie from the lowest, and where the lowest may lie.
fn shapes(lines: &[u64], width: usize) -> Vec<(Vec<i32>, Vec<u64>)> {
    let mut shapes: Vec<(Vec<i32>, Vec<u64>)> = Vec::new();
    for line in lines.chunks(width) {
        let tiles: Vec<i32> = (0..width as i32 * 64)
            .filter(|tile| line[*tile as usize / 64] >> (tile % 64) & 1 == 1)
            .collect();
        let Some(&start) = tiles.first() else { continue };
        let offsets: Vec<i32> = tiles.iter().map(|tile| tile - start).collect();
        let at = shapes.iter().position(|(known, _)| *known == offsets).unwrap_or_else(|| {
            shapes.push((offsets, vec![0; width]));
            shapes.len() - 1
        });
        shapes[at].1[start as usize / 64] |= 1 << (start % 64);
    }
    shapes
}
