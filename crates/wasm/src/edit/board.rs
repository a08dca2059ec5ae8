//! Edits of what stands on the board.

use senet_core::ir::{CHOICE, FROM, MapId, NumReg, SetReg, TO};

use crate::asm::value_at;
use crate::function::Body;
use crate::module::{Emit, Hash, Key, global};
use crate::number::mask;

use super::FLAGS;
use super::count::{Step, step_count};
use super::piece::{push_is_stack, replace_kind};
use super::trade::Trade;

/// Trades of pieces of more sorts have functions of their own.
const FEW_SORTS: usize = 4;

impl Body<'_, '_> {
    pub(super) fn move_piece(&mut self, player: usize, rule: usize) {
        let (from, to) = (self.copy_number(FROM), self.copy_number(TO));
        let choice = self.copy_number(CHOICE);
        let hash = self.hash();
        if self.emitter.all_exclusive() {
            let carry = self.emitter.want(Key::Carry(hash));
            self.asm.get(self.state).get(from).get(to).get(choice).op().call(carry);
            return;
        }
        self.when_tiles(&[from, to], |body| {
            let lifted = body.asm.local64();
            push_is_stack(body.emitter, &mut body.asm, from);
            body.asm.begin_if();
            body.moving_kind((player, rule), FROM);
            let kind = body.asm.local64();
            body.asm.set(kind);
            for of in 0..body.emitter.program.kinds() {
                let recount = body.emitter.want(Key::Recount(player, of, hash));
                let number = player * body.emitter.program.kinds() + of + 1;
                body.asm.get(kind).i64(of as i64).op().i64_eq();
                body.asm.begin_if();
                body.asm.get(body.state).get(from).i64(-1).op().call(recount);
                body.asm.i64(number as i64).set(lifted);
                body.asm.leave();
            }
            body.asm.op().else_();
            let one = body.lift(from);
            body.asm.get(one).set(lifted);
            body.asm.leave();
            let kinds = body.emitter.program.kinds();
            body.asm.get(lifted).i64(0).op().i64_ne();
            body.asm.begin_if();
            replace_kind(&mut body.asm, lifted, choice, kinds);
            body.asm.leave();
            body.land(lifted, to);
        });
    }

    /// Moves a piece of a known owner and kind, of which one is known to be on the source.
    pub(super) fn move_known(&mut self, owner: usize, kind: usize, (quiet, chooses): (bool, bool)) {
        let [to, choice] = [TO, CHOICE].map(|part| self.copy_number(part));
        // What is done before a loop knows the source of its events by no other name.
        let from = if self.stays { self.number(FROM) } else { self.copy_number(FROM) };
        let (hash, state) = (self.hash(), self.state);
        let taken = self.taken.filter(|_| !quiet);
        if let Some(taken) = taken {
            let (emitter, asm) = (&mut *self.emitter, &mut self.asm);
            super::piece::take_known(emitter, asm, (state, to), taken, hash);
        } else if !quiet && hash == Hash::Ignored && self.asm.holds(state) {
            let tiles = (state, from, to);
            super::piece::clear_held(self.emitter, &mut self.asm, tiles, &self.unread);
        } else if !quiet {
            // A piece may come back to where it was.
            self.push_held(to);
            self.asm.get(from).get(to).op().i64_ne().i32_and();
            self.asm.begin_if();
            if self.asm.holds(state) {
                let code = self.asm.local64();
                super::piece::lift_only(self.emitter, &mut self.asm, (state, to), code, hash);
            } else {
                self.remove(to);
            }
            self.asm.leave();
        }
        let (emitter, asm) = (&mut *self.emitter, &mut self.asm);
        let (choice, stays) = (chooses.then_some(choice), self.stays);
        let enters = taken.map(|taken| taken.enters);
        let mover = super::piece::Mover { owner, kind, choice, stays, enters };
        super::piece::carry_known(emitter, asm, (state, from, to), mover, hash);
    }

    /// The same where tiles hold many.
    pub(super) fn move_counted(&mut self, owner: usize, kind: usize) -> Emit {
        let (from, to) = (self.copy_number(FROM), self.copy_number(TO));
        let (hash, state) = (self.hash(), self.state);
        let mut done = Ok(());
        self.when_tiles(&[from, to], |body| {
            for (tile, step) in [(from, Step::Leaves), (to, Step::Enters)] {
                let (emitter, asm) = (&mut *body.emitter, &mut body.asm);
                let sort = (owner, kind);
                done = step_count(emitter, asm, (state, tile), sort, (step, hash));
            }
        });
        done
    }

    /// Whether somebody stands on the tile in a local, on the stack.
    pub(super) fn push_held(&mut self, tile: u32) {
        let (program, state) = (self.emitter.program, self.state);
        self.asm.i64(0);
        for owner in 0..program.players() {
            let plane = program.owner_plane(owner);
            self.emitter.push_plane_bit(&mut self.asm, state, plane, tile);
            self.asm.op().i64_or();
        }
        self.asm.op().i32_wrap_i64();
    }

    /// Puts a piece of the kind in a local, from the hand or the supply of a player.
    pub(super) fn put_chosen(&mut self, player: usize, to: u32, kind: u32) {
        let kinds = self.emitter.program.kinds();
        let lifted = self.asm.local64();
        self.asm.i64(0).set(lifted);
        for of in 0..kinds {
            self.asm.get(kind).i64(of as i64).op().i64_eq();
            self.asm.begin_if();
            self.take_from_hand(player, of, lifted);
            self.asm.leave();
        }
        self.asm.get(to).i64(0).op().i64_ge_s();
        self.asm.begin_if();
        self.land(lifted, to);
        self.asm.leave();
    }

    pub(super) fn together(&mut self, moves: &[(NumReg, NumReg)]) {
        let mut lifted = Vec::new();
        let pairs: Vec<(u32, u32)> = moves
            .iter()
            .map(|&(from, to)| (self.copy_number(from), self.copy_number(to)))
            .collect();
        for &(from, to) in &pairs {
            let piece = self.asm.local64();
            self.asm.i64(0).set(piece);
            self.when_tiles(&[from, to], |body| {
                let one = body.lift(from);
                body.asm.get(one).set(piece);
            });
            lifted.push(piece);
        }
        for (piece, (_, to)) in lifted.into_iter().zip(pairs) {
            self.land(piece, to);
        }
    }

    /// The tiles of a set that hold one piece, and do.
    pub(super) fn occupied(&mut self, on: SetReg) -> u32 {
        let (on, program) = (self.set(on), self.emitter.program);
        let found = self.spare_set();
        for (word, &exclusive) in program.exclusive().iter().enumerate() {
            self.asm.i64(0);
            for owner in 0..program.players() {
                let plane = program.owner_plane(owner) + word;
                self.asm.load_word(self.state, plane * 8).op().i64_or();
            }
            self.asm.get(on + word as u32).op().i64_and();
            self.asm.i64(exclusive as i64).op().i64_and();
            self.asm.set(found + word as u32);
        }
        found
    }

    /// Sets or clears a plane on some tiles.
    pub(super) fn mark_plane(
        &mut self,
        targets: u32,
        plane: usize,
        (keys, at): (&'static str, usize),
        (set, clear): (u64, u64),
    ) {
        let sets = set >> at & 1 == 1;
        if !sets && clear >> at & 1 == 0 {
            return;
        }
        let changed = self.spare_set();
        for word in 0..self.width() {
            let address = (plane + word) * 8;
            let state = self.state;
            self.asm.load_word(state, address);
            if sets {
                self.asm.i64(-1).op().i64_xor();
            }
            self.asm.get(targets + word as u32).op().i64_and();
            self.asm.set(changed + word as u32);
            self.asm.store_word(state, address, |asm| {
                asm.load_word(state, address).get(changed + word as u32).op().i64_xor();
            });
        }
        self.fold_tiles(changed, (keys, at));
    }

    /// Takes the keys of a plane's tiles into the hash.
    pub(super) fn fold_tiles(&mut self, tiles: u32, (keys, at): (&'static str, usize)) {
        let unkeyed = keys == "flag keys" && self.asm.unkeyed >> at & 1 == 1;
        if self.hash() == Hash::Kept && !unkeyed {
            let keys = self.emitter.plane_keys(keys, at);
            self.each_tile(tiles, |body, tile| {
                body.emitter.fold_entry(&mut body.asm, body.state, keys, tile);
            });
        }
    }

    /// Makes other pieces of those on the tiles of a set that hold one; flags stay.
    pub(super) fn trade(&mut self, on: SetReg, trade: Trade) {
        let targets = self.occupied(on);
        let (state, hash) = (self.state, self.hash());
        if self.emitter.sorts().len() <= FEW_SORTS {
            super::trade::trade(self.emitter, &mut self.asm, (state, targets), trade, hash);
            return;
        }
        let function = self.emitter.want(Key::Trade(trade, hash));
        self.push_any(targets);
        self.asm.begin_if();
        self.asm.get(state);
        for word in 0..self.width() as u32 {
            self.asm.get(targets + word);
        }
        self.asm.op().call(function);
        self.asm.leave();
    }

    pub(super) fn place(&mut self, kind: usize, owner: usize, on: SetReg) {
        let on = self.set(on);
        let (room, program) = (self.spare_set(), self.emitter.program);
        for (word, &exclusive) in program.exclusive().iter().enumerate() {
            self.asm.i64(0);
            for owner in 0..program.players() {
                let plane = program.owner_plane(owner) + word;
                self.asm.get(self.state).load(plane * 8).op().i64_or();
            }
            self.asm.i64(exclusive as i64).op().i64_and();
            self.asm.i64(-1).op().i64_xor();
            self.asm.get(on + word as u32).op().i64_and();
            self.asm.set(room + word as u32);
        }
        self.each_tile(room, |body, tile| {
            let lifted = body.asm.local64();
            body.take_from_hand(owner, kind, lifted);
            body.drop(lifted, tile);
        });
    }

    /// Puts every piece back where it is at the start.
    pub(super) fn reset(&mut self) {
        let every = self.spare_set();
        let tiles = crate::set::all_tiles(self.emitter.code.tiles, self.width());
        self.put_constant(every, &tiles);
        self.each_tile(every, Self::clear_tile);
        let program = self.emitter.program;
        let start = program.start().words().to_vec();
        let has = |plane: usize, tile: usize| start[plane + tile / 64] >> (tile % 64) & 1;
        let (at, lifted, hash) = (self.asm.local64(), self.asm.local64(), self.hash());
        for tile in 0..self.emitter.code.tiles {
            self.asm.i64(tile as i64).set(at);
            for (owner, kind) in self.emitter.sorts() {
                if let Some(field) = program.count_field(tile, owner, kind) {
                    let count = start[field.word()] >> field.shift() & mask(field.bits());
                    if count > 0 {
                        let recount = self.emitter.want(Key::Recount(owner, kind, hash));
                        self.asm.get(self.state).get(at).i64(count as i64).op().call(recount);
                    }
                } else if has(program.owner_plane(owner), tile)
                    & has(program.kind_plane(kind), tile)
                    == 1
                {
                    let flags = (0..program.flags())
                        .fold(0, |all, flag| all | has(program.flag_plane(flag), tile) << flag);
                    let code =
                        (owner * program.kinds() + kind + 1) as i64 | (flags as i64) << FLAGS;
                    self.asm.i64(code).set(lifted);
                    self.drop(lifted, at);
                }
            }
        }
        for (owner, kind) in self.emitter.sorts() {
            if let Some(field) = program.hand_field(owner, kind) {
                let count = start[field.word()] >> field.shift() & mask(field.bits());
                let value = self.asm.local64();
                self.asm.i64(count as i64).set(value);
                self.store_hand(owner, kind, value);
            }
        }
    }

    /// Sows the pieces of a stack; a local says how many steps away the last one lies.
    pub(super) fn sow(&mut self, from: NumReg, map: MapId, skip: SetReg) -> Emit<u32> {
        let (start, skip) = (self.copy_number(from), self.set(skip));
        let images = self.emitter.table("images", map.index(), |emitter| {
            let images = emitter.code.maps[map.index()].images.iter();
            let images: Vec<u16> = std::iter::once(u16::MAX).chain(images.copied()).collect();
            emitter.memory.shorts(&images) + 2
        });
        match self.emitter.all_stacks() {
            true => self.sow_counted(start, images, skip),
            false => Ok(self.sow_lifted(start, images, skip)),
        }
    }

    /// Steps to the next tile that is not skipped; where the way ends, other code runs instead.
    fn walk_on(
        &mut self,
        (tile, steps): (u32, u32),
        (images, skip): (usize, u32),
        ends: impl FnOnce(&mut Self),
    ) {
        let (tiles, next, passed) =
            (self.emitter.code.tiles, self.asm.local64(), self.asm.local64());
        self.asm.i64(0).set(passed);
        let found = self.asm.begin_block();
        let walking = self.asm.begin_loop();
        self.asm.get(tile).op().i32_wrap_i64();
        self.asm.i32(1).op().i32_shl();
        self.asm.op().i64_load16_s(value_at(images, 1));
        self.asm.tee(next).i64(0).op().i64_lt_s();
        self.asm.get(passed).i64(tiles as i64).op().i64_gt_s().i32_or();
        self.asm.begin_if();
        ends(self);
        self.asm.leave();
        self.asm.get(next).set(tile);
        for local in [steps, passed] {
            self.asm.get(local).i64(1).op().i64_add();
            self.asm.set(local);
        }
        self.push_has(skip, tile);
        self.asm.op().i32_eqz();
        self.asm.br_if(found);
        self.asm.br(walking);
        self.asm.leave();
        self.asm.leave();
    }

    /// Sows where every tile holds many: counts change, one owner and kind after another.
    fn sow_counted(&mut self, start: u32, images: usize, skip: u32) -> Emit<u32> {
        let mut done_so_far = Ok(());
        let (tile, steps) = (self.asm.local64(), self.asm.local64());
        self.asm.i64(0).set(steps);
        self.asm.get(start).set(tile);
        let hash = self.hash();
        let sorts: Vec<(u32, u32)> = (self.emitter.sorts().into_iter())
            .map(|(owner, kind)| {
                let recount = self.emitter.want(Key::Recount(owner, kind, hash));
                (recount, self.asm.local64())
            })
            .collect();
        let change = |body: &mut Self, recount: u32, at: u32, by: u32| {
            body.asm.get(body.state).get(at).get(by).op().call(recount);
        };
        self.when_tiles(&[start], |body| {
            for ((owner, kind), &(recount, left)) in body.emitter.sorts().into_iter().zip(&sorts) {
                body.push_stack(start, owner, kind);
                body.asm.tee(left).i64(0).op().i64_ne();
                body.asm.begin_if();
                body.asm.get(body.state).get(start).i64(0).get(left).op().i64_sub().call(recount);
                body.asm.leave();
            }
            let done = body.asm.begin_block();
            for (at, &(recount, left)) in sorts.iter().enumerate() {
                let sown = body.asm.begin_block();
                let sowing = body.asm.begin_loop();
                body.asm.get(left).op().i64_eqz();
                body.asm.br_if(sown);
                // Where the way ends, the rest stays on the last tile.
                body.walk_on((tile, steps), (images, skip), |body| {
                    for &(recount, left) in &sorts[at..] {
                        change(body, recount, tile, left);
                    }
                    body.asm.br(done);
                });
                let (sort, place) = (body.emitter.sorts()[at], (body.state, tile));
                if body.emitter.starts_with(sort) {
                    let (emitter, asm) = (&mut *body.emitter, &mut body.asm);
                    done_so_far = step_count(emitter, asm, place, sort, (Step::Enters, hash));
                } else {
                    body.asm.get(body.state).get(tile).i64(1).op().call(recount);
                }
                body.asm.get(left).i64(1).op().i64_sub();
                body.asm.set(left);
                body.asm.br(sowing);
                body.asm.leave();
                body.asm.leave();
            }
            body.asm.leave();
        });
        done_so_far?;
        Ok(steps)
    }

    /// Sows where some tiles hold one piece: the pieces are taken off before the first is sown.
    fn sow_lifted(&mut self, start: u32, images: usize, skip: u32) -> u32 {
        let [tile, steps, seed] = std::array::from_fn(|_| self.asm.local64());
        let [first, at, end] = std::array::from_fn(|_| self.asm.local32());
        self.asm.i64(0).set(steps);
        self.asm.get(start).set(tile);
        self.when_tiles(&[start], |body| {
            body.take_seeds(start, (first, at, end));
            let done = body.asm.begin_block();
            let sowing = body.asm.begin_loop();
            body.asm.get(at).get(end).op().i32_ge_u();
            body.asm.br_if(done);
            // Where the way ends, the rest stays on this tile.
            body.walk_on((tile, steps), (images, skip), |body| {
                let rest = body.asm.begin_loop();
                body.asm.get(at).load(0).set(seed);
                body.drop(seed, tile);
                body.asm.get(at).i32(8).op().i32_add();
                body.asm.tee(at).get(end).op().i32_lt_u();
                body.asm.br_if(rest);
                body.asm.leave();
                body.asm.br(done);
            });
            body.asm.get(at).load(0).set(seed);
            body.make_room(tile);
            body.drop(seed, tile);
            body.asm.get(at).i32(8).op().i32_add();
            body.asm.set(at);
            body.asm.br(sowing);
            body.asm.leave();
            body.asm.leave();
        });
        steps
    }

    /// Takes all pieces off a tile into free room, before the first is sown.
    fn take_seeds(&mut self, start: u32, (first, at, end): (u32, u32, u32)) {
        self.asm.op().global_get(global::FREE);
        self.asm.tee(first).tee(end).set(at);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        let lifted = self.lift(start);
        self.asm.get(lifted).op().i64_eqz();
        self.asm.br_if(done);
        self.asm.get(end).get(lifted).store(0);
        self.asm.get(end).i32(8).op().i32_add();
        self.asm.set(end);
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
    }
}
