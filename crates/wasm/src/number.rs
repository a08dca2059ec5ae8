//! Operations whose result is a number, a truth or a tile.

use senet_core::ir::{Arithmetic, Field, NumReg, Op, RayOrder, SetReg, SlideId};
use senet_core::written::Comparison;

use crate::asm::{Asm, value_at};
use crate::function::Body;
use crate::module::{Emit, Key, global, unsupported};

impl Body<'_, '_> {
    pub(crate) fn number_op(&mut self, op: &Op) -> Emit {
        match *op {
            Op::Number(to, number) => {
                self.asm.i64(number);
                self.pop_number(to);
            }
            Op::Move(to, from) => {
                self.push_number(from);
                self.pop_number(to);
            }
            Op::Count(to, set) => {
                let set = self.set(set);
                self.push_count(set);
                self.pop_number(to);
            }
            Op::Field(to, field, least) => {
                push_field(&mut self.asm, self.state, field);
                if least != 0 {
                    self.asm.i64(least).op().i64_add();
                }
                self.pop_number(to);
            }
            Op::Pieces { to, on, players, kind } => {
                let kind = kind.map(senet_core::KindId::index);
                match self.constant(on) {
                    Some(on) if self.emitter.all_stacks() => self.pieces_on(on, players, kind),
                    _ => {
                        let on = self.set(on);
                        self.pieces(on, players, kind);
                    }
                }
                self.pop_number(to);
            }
            Op::Groups(to, of, links) => {
                let flood = self.emitter.want(Key::Flood(links.0));
                let (of, count) = (self.set(of), self.asm.local64());
                self.asm.i64(0).set(count);
                self.each_group(flood, of, |body, _, _| {
                    body.asm.get(count).i64(1).op().i64_add();
                    body.asm.set(count);
                    Ok(())
                })?;
                self.asm.get(count);
                self.pop_number(to);
            }
            Op::Arithmetic(to, what @ (Arithmetic::Add | Arithmetic::Subtract), a, b)
                if self.range(to).is_some() =>
            {
                self.push_number(a);
                self.push_number(b);
                match what {
                    Arithmetic::Add => self.asm.op().i64_add(),
                    _ => self.asm.op().i64_sub(),
                };
                self.pop_number(to);
            }
            Op::Arithmetic(to, what, a, b) => {
                self.arithmetic(what, a, b);
                self.pop_number(to);
            }
            Op::First(..)
            | Op::Only(..)
            | Op::Step(..)
            | Op::FirstAlong(..)
            | Op::Track { .. }
            | Op::MovingKind { .. } => self.tile_op(op),
            _ => return self.truth_op(op),
        }
        Ok(())
    }

    /// Operations whose result is a tile or a kind.
    fn tile_op(&mut self, op: &Op) {
        match *op {
            Op::First(to, set) => {
                let set = self.set(set);
                self.push_lowest(set);
                self.pop_number(to);
            }
            Op::Only(to, set) => {
                let set = self.set(set);
                self.push_lowest(set);
                self.asm.i64(-1);
                self.push_count(set);
                self.asm.i64(1).op().i64_eq().select();
                self.pop_number(to);
            }
            Op::Step(to, map, tile) => {
                let at = map.index();
                let base = self.emitter.table("images", at, |emitter| {
                    let images = emitter.code.maps[at].images.iter();
                    let images: Vec<u16> =
                        std::iter::once(u16::MAX).chain(images.copied()).collect();
                    emitter.memory.shorts(&images) + 2
                });
                let base = self.push_row(base, 2, tile);
                // No tile is all bits, also when it is widened.
                self.asm.op().i64_load16_s(value_at(base, 1));
                self.pop_number(to);
            }
            Op::FirstAlong(to, slide, tile, set) => self.first_along(to, slide, tile, set),
            Op::Track { to, track, pips, from } => {
                let (table, row) = self.emitter.track_rows(track);
                let base = self.push_row(table, row, from);
                let base = self.push_row(base, 2, pips);
                self.asm.op().i32_add().i64_load16_s(value_at(base, 1));
                self.pop_number(to);
            }
            Op::MovingKind { to, player, rule, from } => {
                self.moving_kind((player.index(), rule.index()), from);
                self.pop_number(to);
            }
            _ => {}
        }
    }

    /// Operations whose result is a truth.
    fn truth_op(&mut self, op: &Op) -> Emit {
        match *op {
            Op::Has(to, set, tile) => self.has(to, set, tile),
            Op::Any(to, set) => {
                let set = self.set(set);
                self.push_any(set);
                self.pop_truth(to);
            }
            Op::HasLine(to, lines, of) => {
                let (of, found) = (self.set(of), self.asm.local64());
                self.asm.i64(0).set(found);
                self.line_starts(lines, of, |body, starts, _| {
                    for word in 0..body.width() as u32 {
                        body.asm.get(found).get(starts + word).op().i64_or();
                        body.asm.set(found);
                    }
                })?;
                self.asm.get(found).i64(0).op().i64_ne();
                self.pop_truth(to);
            }
            Op::Compare(to, is, a, b) => {
                self.push_number(a);
                self.push_number(b);
                let mut op = self.asm.op();
                match is {
                    Comparison::Equal => op.i64_eq(),
                    Comparison::Different => op.i64_ne(),
                    Comparison::Less => op.i64_lt_s(),
                    Comparison::AtMost => op.i64_le_s(),
                    Comparison::Greater => op.i64_gt_s(),
                    Comparison::AtLeast => op.i64_ge_s(),
                };
                self.pop_truth(to);
            }
            Op::Not(to, from) => {
                self.push_truth(from);
                self.asm.op().i32_eqz();
                self.pop_truth(to);
            }
            Op::Stuck(to) => {
                let can_play = self.emitter.want(Key::CanPlay);
                self.asm.get(self.state).op().call(can_play).i32_eqz();
                self.pop_truth(to);
            }
            Op::StuckInRule(to) => {
                let (can_play, stuck) = (self.emitter.want(Key::CanPlay), self.asm.local32());
                // While it is found out, this counts as true.
                self.asm.i32(1).set(stuck);
                self.asm.op().global_get(global::ASKED).i32_eqz();
                self.asm.begin_if();
                self.asm.i32(1).op().global_set(global::ASKED);
                self.asm.get(self.state).op().call(can_play).i32_eqz();
                self.asm.set(stuck);
                self.asm.i32(0).op().global_set(global::ASKED);
                self.asm.leave();
                self.asm.get(stuck);
                self.pop_truth(to);
            }
            _ => return unsupported("a condition in Rust"),
        }
        Ok(())
    }

    /// The lowest tile of a set, or no tile, on the stack.
    pub(crate) fn push_lowest(&mut self, set: u32) {
        let width = self.width() as u32;
        self.asm.i64(-1);
        for word in (0..width).rev() {
            let below = self.asm.local64();
            self.asm.set(below);
            self.asm.get(set + word).op().i64_ctz();
            if word > 0 {
                self.asm.i64(i64::from(word) * 64).op().i64_add();
            }
            self.asm.get(below).get(set + word).i64(0).op().i64_ne().select();
        }
    }

    fn has(&mut self, to: NumReg, set: SetReg, tile: NumReg) {
        let set = self.set(set);
        let at = self.asm.local64();
        self.push_number(tile);
        self.asm.set(at);
        self.push_has(set, at);
        if !self.is_tile(tile) {
            self.asm.get(at).i64(0).op().i64_ge_s().i32_and();
        }
        self.pop_truth(to);
    }

    fn first_along(&mut self, to: NumReg, slide: SlideId, tile: NumReg, set: SetReg) {
        let (set, found, code) = (self.set(set), self.asm.local64(), self.emitter.code);
        let count = code.slides[slide.index()].rays.len();
        if count == 0 {
            self.asm.i64(-1).set(found);
        }
        for ray in (0..count).rev() {
            let rays = &code.slides[slide.index()].rays[ray];
            let one = self.asm.local64();
            if rays.order == RayOrder::Mixed {
                self.asm.i64(-1).set(one);
                self.walk((slide.index(), ray), tile, |body, at, done| {
                    body.push_has(set, at);
                    body.asm.begin_if();
                    body.asm.get(at).set(one);
                    body.asm.br(done);
                    body.asm.leave();
                });
            } else {
                let mask = self.spare_set();
                let base = self.emitter.ray_masks(slide.index(), ray);
                self.load_row(mask, base, tile);
                self.push_first(rays, mask, set);
                self.asm.set(one);
            }
            self.asm.get(one);
            if ray + 1 < count {
                self.asm.get(found).get(one).i64(0).op().i64_ge_s().select();
            }
            self.asm.set(found);
        }
        self.asm.get(found);
        self.pop_number(to);
    }

    /// How many pieces of some players stand on the tiles of a set, on the stack.
    fn pieces(&mut self, on: u32, players: u64, kind: Option<usize>) {
        let program = self.emitter.program;
        let owners = (0..program.players()).filter(|owner| players >> owner & 1 == 1);
        let owners: Vec<usize> = owners.collect();
        let sum = self.asm.local64();
        self.asm.i64(0).set(sum);
        let (plane, here) = (self.spare_set(), self.spare_set());
        let exclusive = program.exclusive();
        let singles = exclusive.iter().any(|&word| word != 0);
        for &owner in owners.iter().filter(|_| singles) {
            self.load_plane(here, program.owner_plane(owner));
            for (word, &tiles) in exclusive.iter().enumerate() {
                self.asm.get(here + word as u32).get(on + word as u32).op().i64_and();
                self.asm.i64(tiles as i64).op().i64_and();
                self.asm.set(here + word as u32);
            }
            if let Some(kind) = kind {
                self.load_plane(plane, program.kind_plane(kind));
                for word in 0..self.width() as u32 {
                    self.asm.get(here + word).get(plane + word).op().i64_and();
                    self.asm.set(here + word);
                }
            }
            self.push_count(here);
            self.asm.get(sum).op().i64_add();
            self.asm.set(sum);
        }
        if !self.emitter.all_exclusive() {
            let kinds: Vec<usize> =
                kind.map_or_else(|| (0..program.kinds()).collect(), |kind| vec![kind]);
            for (&owner, &kind) in
                owners.iter().flat_map(|owner| kinds.iter().map(move |k| (owner, k)))
            {
                // Where a plane does not have a tile, nothing is to be counted.
                for (word, &tiles) in exclusive.iter().enumerate() {
                    self.asm.get(self.state).load((program.owner_plane(owner) + word) * 8);
                    if program.kinds() > 1 {
                        self.asm.get(self.state).load((program.kind_plane(kind) + word) * 8);
                        self.asm.op().i64_and();
                    }
                    self.asm.get(on + word as u32).op().i64_and();
                    self.asm.i64(!tiles as i64).op().i64_and();
                    self.asm.set(here + word as u32);
                }
                self.each_tile(here, |body, tile| {
                    body.push_stack(tile, owner, kind);
                    body.asm.get(sum).op().i64_add();
                    body.asm.set(sum);
                });
            }
        }
        self.asm.get(sum);
    }

    /// The count of an owner's pieces of a kind on a tile that holds many, on the stack.
    pub(crate) fn push_stack(&mut self, tile: u32, owner: usize, kind: usize) {
        let table = self.emitter.stack_fields(owner, kind);
        let bits = self.emitter.stack_bits();
        push_stack(&mut self.asm, self.state, tile, table, bits);
    }

    /// The kind of a player's piece that a rule would move from a tile, or none, on the stack.
    pub(crate) fn moving_kind(&mut self, (player, rule): (usize, usize), from: NumReg) {
        let at = self.asm.local64();
        self.push_number(from);
        self.asm.set(at);
        let program = self.emitter.program;
        let wanted = self.emitter.rules[rule].kinds;
        let kinds = (0..program.kinds()).filter(|kind| wanted[kind / 64] >> (kind % 64) & 1 == 1);
        let kinds: Vec<usize> = kinds.collect();
        let found = self.asm.local64();
        self.asm.i64(-1).set(found);
        self.asm.get(at).i64(0).op().i64_ge_s();
        self.asm.begin_if();
        let exclusive = self.spare_set();
        self.put_constant(exclusive, program.exclusive());
        self.push_has(exclusive, at);
        self.asm.begin_if();
        let (owned, plane) = (self.spare_set(), self.spare_set());
        self.load_plane(owned, program.owner_plane(player));
        self.push_has(owned, at);
        self.asm.begin_if();
        for &kind in kinds.iter().rev() {
            self.load_plane(plane, program.kind_plane(kind));
            self.asm.i64(kind as i64).get(found);
            self.push_has(plane, at);
            self.asm.op().select();
            self.asm.set(found);
        }
        self.asm.leave();
        self.asm.op().else_();
        if !self.emitter.all_exclusive() {
            for &kind in kinds.iter().rev() {
                self.asm.i64(kind as i64).get(found);
                self.push_stack(at, player, kind);
                self.asm.i64(0).op().i64_ne().select();
                self.asm.set(found);
            }
        }
        self.asm.leave();
        self.asm.leave();
        self.asm.get(found);
    }

    /// Arithmetic that stays within 64 bits, on the stack.
    fn arithmetic(&mut self, what: Arithmetic, a: NumReg, b: NumReg) {
        let (one, other) = (self.asm.local64(), self.asm.local64());
        self.push_number(a);
        self.asm.set(one);
        self.push_number(b);
        self.asm.set(other);
        match what {
            Arithmetic::Add | Arithmetic::Subtract => {
                let (result, bound) = (self.asm.local64(), self.asm.local64());
                self.asm.get(one).get(other);
                match what {
                    Arithmetic::Add => self.asm.op().i64_add(),
                    _ => self.asm.op().i64_sub(),
                };
                self.asm.set(result);
                // The greatest or the least number, by the sign of the first.
                self.asm.get(one).i64(63).op().i64_shr_s();
                self.asm.i64(i64::MAX).op().i64_xor();
                self.asm.set(bound);
                self.asm.get(bound).get(result);
                self.asm.get(one).get(result).op().i64_xor();
                match what {
                    Arithmetic::Add => self.asm.get(other).get(result).op().i64_xor(),
                    _ => self.asm.get(one).get(other).op().i64_xor(),
                };
                self.asm.op().i64_and();
                self.asm.i64(0).op().i64_lt_s().select();
            }
            Arithmetic::Multiply => self.multiply(one, other),
            Arithmetic::Min | Arithmetic::Max => {
                self.asm.get(one).get(other).get(one).get(other);
                match what {
                    Arithmetic::Min => self.asm.op().i64_lt_s(),
                    _ => self.asm.op().i64_gt_s(),
                };
                self.asm.op().select();
            }
        }
    }

    /// The product of two locals, held within 64 bits, on the stack.
    fn multiply(&mut self, one: u32, other: u32) {
        let (result, bound) = (self.asm.local64(), self.asm.local64());
        self.asm.get(one).get(other).op().i64_mul();
        self.asm.set(result);
        // Small factors cannot leave the bounds; others are checked by dividing.
        let small = |body: &mut Self, local: u32| {
            body.asm.get(local).i64(1 << 31).op().i64_add();
            body.asm.i64(1 << 32).op().i64_lt_u();
        };
        small(self, one);
        small(self, other);
        self.asm.op().i32_and().i32_eqz();
        self.asm.begin_if();
        self.asm.get(one).get(other).op().i64_xor();
        self.asm.i64(63).op().i64_shr_s();
        self.asm.i64(i64::MAX).op().i64_xor();
        self.asm.set(bound);
        let over = self.asm.local32();
        self.asm.i32(0).set(over);
        self.asm.get(one).i64(0).op().i64_ne();
        self.asm.begin_if();
        // Dividing the least number by -1 leaves the bounds by itself.
        self.asm.get(one).i64(-1).op().i64_eq();
        self.asm.begin_if();
        self.asm.get(other).i64(i64::MIN).op().i64_eq();
        self.asm.set(over);
        self.asm.op().else_();
        self.asm.get(result).get(one).op().i64_div_s();
        self.asm.get(other).op().i64_ne();
        self.asm.set(over);
        self.asm.leave();
        self.asm.leave();
        self.asm.get(bound).get(result).get(over).op().select();
        self.asm.set(result);
        self.asm.leave();
        self.asm.get(result);
    }
}

/// The number in a field of a state, on the stack.
pub(crate) fn push_field(asm: &mut Asm, state: u32, field: Field) {
    asm.load_word(state, field.word() * 8);
    if field.shift() > 0 {
        asm.i64(field.shift().into()).op().i64_shr_u();
    }
    if field.shift() + field.bits() < 64 {
        asm.i64(mask(field.bits()) as i64).op().i64_and();
    }
}

/// Takes a number out of a local into a field of a state.
pub(crate) fn store_field(asm: &mut Asm, state: u32, field: Field, value: u32) {
    let kept = !(mask(field.bits()) << field.shift());
    asm.store_word(state, field.word() * 8, |asm| {
        asm.load_word(state, field.word() * 8).i64(kept as i64).op().i64_and();
        asm.get(value).i64(mask(field.bits()) as i64).op().i64_and();
        asm.i64(field.shift().into()).op().i64_shl().i64_or();
    });
}

/// A word whose lowest bits are ones.
pub(crate) fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// A count on a tile that holds many, by a table of places, on the stack.
pub(crate) fn push_stack(asm: &mut Asm, state: u32, tile: u32, table: usize, bits: u32) {
    let place = asm.local32();
    asm.get(tile).op().i32_wrap_i64();
    asm.i32(2).op().i32_shl().i32_load(value_at(table, 2));
    asm.tee(place).i32(0xffff).op().i32_and();
    asm.get(state).op().i32_add();
    asm.load(0);
    asm.get(place).i32(16).op().i32_shr_u().i64_extend_i32_u();
    asm.op().i64_shr_u();
    asm.i64(mask(bits) as i64).op().i64_and();
}
