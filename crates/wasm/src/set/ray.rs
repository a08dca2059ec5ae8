//! Rays: what is seen along them past pieces.

use senet_core::ir::{NumReg, RayOrder, Rays, SetReg};

use crate::function::Body;
use crate::slide::{BOTH_STRIDE, Entry, Part};

impl Body<'_, '_> {
    pub(super) fn slide(
        &mut self,
        to: SetReg,
        slide: senet_core::ir::SlideId,
        tile: NumReg,
        stops: SetReg,
    ) {
        let (to, stops) = (self.set(to), self.set(stops));
        let plan = self.emitter.slide_plan(slide.index());
        let all = self.spare_set();
        self.clear(all);
        let first = plan.words.first as u32;
        for part in &plan.parts {
            match part {
                Part::Line { entries } => {
                    let words = (all + first, stops + first, plan.words.count);
                    self.line(words, *entries, tile);
                }
                Part::Both { tiles } => self.both(all + first, *tiles, tile, stops + first),
                Part::Ray(ray) if plan.words.count == 1 => {
                    self.ray_of_word((all, stops), (slide.index(), *ray), tile, first);
                }
                Part::Ray(ray) => self.ray(all, (slide.index(), *ray), tile, stops),
            }
        }
        self.copy(to, all);
    }

    /// Adds what is seen along some rays at once: the pieces on them are hashed to an index.
    fn line(&mut self, (all, stops, width): (u32, u32, usize), entries: usize, tile: NumReg) {
        let (entry, address, row) = (self.asm.local32(), self.asm.local32(), self.asm.local64());
        let base = self.push_row(entries, Entry::stride(width), tile);
        self.asm.set(entry);
        self.asm.get(entry).load(base + Entry::row(width)).set(row);
        for word in 0..width {
            let at = base + Entry::word(word);
            self.asm.get(entry).load(at).get(stops + word as u32).op().i64_and();
            self.asm.get(entry).load(at + Entry::FACTOR).op().i64_mul();
            if word > 0 {
                self.asm.op().i64_add();
            }
        }
        // Of the shift the lowest bits count.
        self.asm.get(row).op().i64_shr_u().i32_wrap_i64();
        self.asm.i32((width * 8).trailing_zeros() as i32).op().i32_shl();
        self.asm.get(row).i64(Entry::SHIFT).op().i64_shr_u().i32_wrap_i64().i32_add();
        self.asm.set(address);
        for word in 0..width {
            self.asm.get(address).load(word * 8);
            self.asm.get(entry).load(base + Entry::word(word) + Entry::RAYS).op().i64_and();
            self.asm.get(all + word as u32).op().i64_or();
            self.asm.set(all + word as u32);
        }
    }

    /// Adds what is seen along a ray toward lower tiles and one toward higher ones: the tiles from the
    /// highest piece of the one to the lowest piece of the other are what their bits differ by.
    fn both(&mut self, all: u32, tiles: usize, tile: NumReg, stops: u32) {
        let (entry, higher) = (self.asm.local32(), self.asm.local64());
        let base = self.push_row(tiles, BOTH_STRIDE, tile);
        self.asm.set(entry);
        // All bits from the highest piece below on, or all where there is none.
        self.asm.i64(i64::MIN);
        self.asm.get(entry).load(base).get(stops).op().i64_and();
        self.asm.i64(1).op().i64_or().i64_clz().i64_shr_s();
        // Twice the lowest piece above takes the bits beyond it away.
        self.asm.get(entry).load(base + 8).get(stops).op().i64_and();
        self.asm.tee(higher).i64(0).get(higher).op().i64_sub().i64_and();
        self.asm.i64(1).op().i64_shl().i64_add();
        self.asm.get(entry).load(base + 16).op().i64_and();
        self.asm.get(all).op().i64_or();
        self.asm.set(all);
    }

    /// Adds what is seen along one ray.
    pub(super) fn ray(&mut self, all: u32, (slide, ray): (usize, usize), tile: NumReg, stops: u32) {
        let rays = &self.emitter.code.slides[slide].rays[ray];
        if rays.order == RayOrder::Mixed {
            return self.walk_ray(all, (slide, ray), tile, stops);
        }
        let width = self.width();
        let base = self.emitter.ray_masks(slide, ray);
        let (mask, end, beyond) = (self.spare_set(), self.asm.local64(), self.asm.local32());
        self.load_row(mask, base, tile);
        self.push_first(rays, mask, stops);
        self.asm.tee(end).op().i32_wrap_i64();
        self.asm.i32(width as i32 * 8).op().i32_mul();
        self.asm.i32(base as i32).op().i32_add();
        self.asm.set(beyond);
        for word in 0..width {
            self.asm.get(beyond).load(word * 8).i64(-1).op().i64_xor();
            self.asm.get(mask + word as u32).op().i64_and();
            self.asm.get(all + word as u32).op().i64_or();
            self.asm.set(all + word as u32);
        }
    }

    /// The same where rays lie in one word: every bit up to the first piece, or all where there is none.
    fn ray_of_word(
        &mut self,
        (all, stops): (u32, u32),
        (slide, ray): (usize, usize),
        tile: NumReg,
        word: u32,
    ) {
        let order = self.emitter.code.slides[slide].rays[ray].order;
        if order == RayOrder::Mixed {
            return self.walk_ray(all, (slide, ray), tile, stops);
        }
        let (all, stops, width) = (all + word, stops + word, self.width());
        let base = self.emitter.ray_masks(slide, ray);
        let (mask, met) = (self.asm.local64(), self.asm.local64());
        let base = self.push_row(base, width * 8, tile);
        self.asm.load(base + word as usize * 8);
        self.asm.tee(mask).get(stops).op().i64_and();
        if order == RayOrder::Ascending {
            self.asm.tee(met).get(met).i64(1).op().i64_sub().i64_xor();
        } else {
            self.asm.set(met);
            self.asm.i64(i64::MIN).get(met).i64(1).op().i64_or().i64_clz().i64_shr_s();
        }
        self.asm.get(mask).op().i64_and();
        self.asm.get(all).op().i64_or();
        self.asm.set(all);
    }

    /// The first tile of a set on a ray, or no tile, on the stack.
    pub(crate) fn push_first(&mut self, rays: &Rays, mask: u32, set: u32) {
        let width = self.width() as u32;
        let found = self.asm.local64();
        self.asm.i64(-1).set(found);
        let ascending = rays.order == RayOrder::Ascending;
        // The word that counts most is looked at last.
        let words: Vec<u32> =
            if ascending { (0..width).rev().collect() } else { (0..width).collect() };
        for word in words {
            let met = self.asm.local64();
            self.asm.get(mask + word).get(set + word).op().i64_and();
            self.asm.set(met);
            if ascending {
                self.asm.get(met).op().i64_ctz();
                self.asm.i64(i64::from(word) * 64).op().i64_add();
            } else {
                self.asm.i64(63 + i64::from(word) * 64).get(met).op().i64_clz().i64_sub();
            }
            self.asm.get(found).get(met).i64(0).op().i64_ne().select();
            self.asm.set(found);
        }
        self.asm.get(found);
    }

    /// Adds what is seen along a ray whose tiles are in no order.
    pub(super) fn walk_ray(&mut self, all: u32, ray: (usize, usize), tile: NumReg, stops: u32) {
        self.walk(ray, tile, |body, at, done| {
            body.insert(all, at);
            body.push_has(stops, at);
            body.asm.br_if(done);
        });
    }

    /// Runs code for each tile of a ray.
    pub(crate) fn walk(
        &mut self,
        (slide, ray): (usize, usize),
        tile: NumReg,
        fill: impl FnOnce(&mut Self, u32, crate::asm::Label),
    ) {
        let (starts, _) = self.emitter.ray_tiles(slide, ray);
        let (next, end, at) = (self.asm.local32(), self.asm.local32(), self.asm.local64());
        for (offset, local) in [(0, next), (4, end)] {
            let base = self.push_row(starts, 4, tile);
            self.asm.op().i32_load(crate::asm::value_at(base + offset, 2));
            self.asm.set(local);
        }
        let done = self.asm.begin_block();
        self.push_number(tile);
        self.asm.i64(0).op().i64_lt_s();
        self.asm.br_if(done);
        let again = self.asm.begin_loop();
        self.asm.get(next).get(end).op().i32_ge_u();
        self.asm.br_if(done);
        self.asm.get(next).op().i64_load16_u(crate::asm::value_at(0, 1));
        self.asm.set(at);
        self.asm.get(next).i32(2).op().i32_add();
        self.asm.set(next);
        fill(self, at, done);
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
    }
}
