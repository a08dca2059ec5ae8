//! Rays: what is seen along them past pieces.

use senet_core::ir::{NumReg, RayOrder, Rays, SetReg};

use crate::function::Body;
use crate::slide::{Entry, Part};

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
        for part in &plan.parts {
            match part {
                Part::Line { entries, bits } => self.line(all, (*entries, *bits), tile, stops),
                Part::Ray(ray) => self.ray(all, (slide.index(), *ray), tile, stops),
            }
        }
        self.copy(to, all);
    }

    /// Adds what is seen along two rays at once: the pieces on them are hashed to an index.
    fn line(&mut self, all: u32, (entries, bits): (usize, u32), tile: NumReg, stops: u32) {
        let width = self.width();
        let (entry, address) = (self.asm.local32(), self.asm.local32());
        let base = self.push_row(entries, Entry::stride(width), tile);
        self.asm.set(entry);
        for word in 0..width {
            let at = base + Entry::word(word);
            self.asm.get(entry).load(at).get(stops + word as u32).op().i64_and();
            self.asm.get(entry).load(at + Entry::FACTOR).op().i64_mul();
            if word > 0 {
                self.asm.op().i64_add();
            }
        }
        self.asm.i64(64 - i64::from(bits)).op().i64_shr_u().i32_wrap_i64();
        self.asm.i32((width * 8).trailing_zeros() as i32).op().i32_shl();
        self.asm.get(entry).load(base + Entry::row(width)).op().i32_wrap_i64().i32_add();
        self.asm.set(address);
        for word in 0..width {
            self.asm.get(address).load(word * 8);
            self.asm.get(entry).load(base + Entry::word(word) + Entry::RAYS).op().i64_and();
            self.asm.get(all + word as u32).op().i64_or();
            self.asm.set(all + word as u32);
        }
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
