//! Images of sets under partial maps, as shifts where tiles lie the same way from each other.

use senet_core::ir::{Map, MapId};

use crate::function::Body;

use super::push_shifted;

/// The most different offsets by which a map is carried out as shifts.
const FEW_OFFSETS: usize = 6;

impl Body<'_, '_> {
    /// One word of a set moved by an offset, on the stack.
    pub(super) fn push_shifted(&mut self, from: u32, offset: i32, word: usize) {
        push_shifted(&mut self.asm, self.emitter.width, from, offset, word);
    }

    /// The images of a set.
    pub(crate) fn image(&mut self, to: u32, from: u32, map: MapId) {
        let map = &self.emitter.code.maps[map.index()];
        self.image_of(to, from, map);
    }

    pub(super) fn image_of(&mut self, to: u32, from: u32, map: &Map) {
        let groups = groups(map, self.width());
        if groups.len() > FEW_OFFSETS {
            return self.image_by_tile(to, from, map);
        }
        let (part, all) = (self.spare_set(), self.spare_set());
        self.clear(all);
        for (offset, tiles) in groups {
            self.masked(part, from, &tiles, offset);
            for word in 0..self.width() {
                self.push_shifted(part, offset, word);
                self.asm.get(all + word as u32).op().i64_or();
                self.asm.set(all + word as u32);
            }
        }
        self.copy(to, all);
    }

    /// The tiles of a set that an offset leads to other tiles.
    pub(super) fn masked(&mut self, to: u32, from: u32, tiles: &[u64], offset: i32) {
        let bits = self.width() as i64 * 64;
        // A tile that the shift pushes out of the words needs no mask.
        let stays = |tile: i64| (0..bits).contains(&(tile + i64::from(offset)));
        for (word, &mask) in tiles.iter().enumerate() {
            let needed = (0..64).any(|bit| {
                mask >> bit & 1 == 0
                    && word as i64 * 64 + bit < self.emitter.code.tiles as i64
                    && stays(word as i64 * 64 + bit)
            });
            self.asm.get(from + word as u32);
            if needed {
                self.asm.i64(mask as i64).op().i64_and();
            }
            self.asm.set(to + word as u32);
        }
    }

    pub(super) fn image_by_tile(&mut self, to: u32, from: u32, map: &Map) {
        let width = self.width();
        let mut rows = vec![0; map.images.len() * width];
        for (tile, &image) in map.images.iter().enumerate() {
            if image != u16::MAX {
                let image = usize::from(image);
                rows[tile * width + image / 64] |= 1 << (image % 64);
            }
        }
        let base = self.emitter.memory.rows(&rows, width);
        let all = self.spare_set();
        self.clear(all);
        self.each_tile(from, |body, tile| {
            let address = body.asm.local32();
            body.asm.get(tile).op().i32_wrap_i64();
            body.asm.i32(width as i32 * 8).op().i32_mul();
            body.asm.i32(base as i32).op().i32_add();
            body.asm.set(address);
            for word in 0..width {
                body.asm.get(address).load(word * 8).get(all + word as u32).op().i64_or();
                body.asm.set(all + word as u32);
            }
        });
        self.copy(to, all);
    }

    pub(crate) fn preimage(&mut self, to: u32, of: u32, map: MapId) {
        let map = &self.emitter.code.maps[map.index()];
        self.preimage_of(to, of, map);
    }

    pub(super) fn preimage_of(&mut self, to: u32, of: u32, map: &Map) {
        let groups = groups(map, self.width());
        let all = self.spare_set();
        self.clear(all);
        if groups.len() > FEW_OFFSETS {
            let base = self.emitter.memory.shorts(&map.images);
            let domain = self.spare_set();
            self.put_constant(domain, &map.domain);
            self.each_tile(domain, |body, tile| {
                let image = body.asm.local64();
                body.asm.get(tile).op().i32_wrap_i64();
                body.asm.i32(1).op().i32_shl();
                body.asm.op().i64_load16_u(crate::asm::value_at(base, 1));
                body.asm.set(image);
                body.push_has(of, image);
                body.asm.begin_if();
                body.insert(all, tile);
                body.asm.leave();
            });
        } else {
            for (offset, tiles) in groups {
                for (word, &mask) in tiles.iter().enumerate() {
                    self.push_shifted(of, -offset, word);
                    self.asm.i64(mask as i64).op().i64_and();
                    self.asm.get(all + word as u32).op().i64_or();
                    self.asm.set(all + word as u32);
                }
            }
        }
        self.copy(to, all);
    }

    /// The images of a set and of those of them that lie in another, and so on.
    pub(super) fn images(&mut self, to: u32, from: u32, over: u32, map: MapId) {
        let id = map;
        let map = &self.emitter.code.maps[map.index()];
        let Some(offset) = map.offset else { return self.images_by_step(to, from, over, id) };
        // Whatever is reached is doubled in distance at each round: tiles that can be passed
        // after 1, 2, 4 steps.
        let (filled, pass, part) = (self.spare_set(), self.spare_set(), self.spare_set());
        self.copy(filled, from);
        self.put_constant(part, &map.domain);
        for word in 0..self.width() {
            self.push_shifted(part, offset, word);
            self.asm.get(over + word as u32).op().i64_and();
            self.asm.set(pass + word as u32);
        }
        let mut reach = 1;
        let longest = longest_chain(map);
        while reach < longest {
            for word in 0..self.width() {
                self.push_shifted(filled, offset * reach, word);
                self.asm.get(pass + word as u32).op().i64_and();
                self.asm.get(filled + word as u32).op().i64_or();
                self.asm.set(part + word as u32);
            }
            self.copy(filled, part);
            if reach * 2 < longest {
                for word in 0..self.width() {
                    self.push_shifted(pass, offset * reach, word);
                    self.asm.get(pass + word as u32).op().i64_and();
                    self.asm.set(part + word as u32);
                }
                self.copy(pass, part);
            }
            reach *= 2;
        }
        self.image(to, filled, id);
    }

    pub(super) fn images_by_step(&mut self, to: u32, from: u32, over: u32, map: MapId) {
        let (all, front, next) = (self.spare_set(), self.spare_set(), self.spare_set());
        self.clear(all);
        self.copy(front, from);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        self.push_any(front);
        self.asm.op().i32_eqz();
        self.asm.br_if(done);
        self.image(next, front, map);
        for word in 0..self.width() as u32 {
            self.asm.get(next + word).get(all + word).i64(-1).op().i64_xor().i64_and();
            self.asm.tee(next + word).get(all + word).op().i64_or();
            self.asm.set(all + word);
            self.asm.get(next + word).get(over + word).op().i64_and();
            self.asm.set(front + word);
        }
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
        self.copy(to, all);
    }
}

/// The tiles of a map by how far away their images lie.
pub(crate) fn groups(map: &Map, width: usize) -> Vec<(i32, Vec<u64>)> {
    let mut groups: Vec<(i32, Vec<u64>)> = Vec::new();
    for (tile, &image) in map.images.iter().enumerate().filter(|(_, image)| **image != u16::MAX) {
        let offset = i32::from(image) - tile as i32;
        let at = groups.iter().position(|(known, _)| *known == offset).unwrap_or_else(|| {
            groups.push((offset, vec![0; width]));
            groups.len() - 1
        });
        groups[at].1[tile / 64] |= 1 << (tile % 64);
    }
    groups
}

/// How many steps the longest way along a map has, for a map that leads nowhere in circles.
fn longest_chain(map: &Map) -> i32 {
    let steps = |mut tile: usize| {
        let mut steps = 0;
        while map.images[tile] != u16::MAX && steps <= map.images.len() {
            (tile, steps) = (map.images[tile].into(), steps + 1);
        }
        steps
    };
    (0..map.images.len()).map(steps).max().unwrap_or(0) as i32
}
