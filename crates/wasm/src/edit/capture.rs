//! Edits that take pieces off tiles.

use senet_core::ir::{Fate, NumReg, SetReg};

use crate::function::Body;
use crate::module::{Hash, Key};

use super::FLAGS;
use super::piece::push_is_stack;

impl Body<'_, '_> {
    /// Captures a piece on one tile where every tile holds many.
    pub(super) fn capture_from_stack(&mut self, on: NumReg, fate: Fate, friends: u64) {
        let (tile, program, hash) = (self.copy_number(on), self.emitter.program, self.hash());
        let to = match fate {
            Fate::Tile(to) => Some(self.copy_number(to)),
            Fate::Out | Fate::Hand(_) => None,
        };
        let done = self.asm.begin_block();
        self.asm.get(tile).i64(0).op().i64_lt_s();
        self.asm.br_if(done);
        // Somewhere to go is found before anybody leaves.
        if let Some(to) = to {
            self.asm.get(to).i64(0).op().i64_lt_s();
            self.asm.br_if(done);
        }
        let sorts = self.emitter.sorts().into_iter();
        for (foe, kind) in sorts.filter(|(owner, _)| friends >> owner & 1 == 0) {
            let recount = self.emitter.want(Key::Recount(foe, kind, hash));
            if program.kinds() == 1 {
                let at = self.emitter.word_of(&mut self.asm, self.state, tile);
                self.asm.get(at).load(program.owner_plane(foe) * 8).get(tile).op().i64_shr_u();
                self.asm.i64(1).op().i64_and();
            } else {
                self.push_stack(tile, foe, kind);
            }
            self.asm.i64(0).op().i64_ne();
            self.asm.begin_if();
            self.asm.get(self.state).get(tile).i64(-1).op().call(recount);
            match (fate, to) {
                (_, Some(to)) => {
                    self.asm.get(self.state).get(to).i64(1).op().call(recount);
                }
                (Fate::Hand(player), _) => self.change_hand(player.index(), kind, 1),
                _ => {}
            }
            self.asm.br(done);
            self.asm.leave();
        }
        self.asm.leave();
    }

    pub(super) fn capture(&mut self, on: SetReg, fate: Fate, friends: u64) {
        let on = self.set(on);
        let to = match fate {
            Fate::Tile(to) => Some(self.copy_number(to)),
            Fate::Out | Fate::Hand(_) => None,
        };
        let hash = self.hash();
        if hash == Hash::Ignored && matches!(fate, Fate::Out) && self.emitter.all_exclusive() {
            self.clear_planes(on);
            return;
        }
        self.each_tile(on, |body, tile| {
            let lifted = body.asm.local64();
            body.asm.i64(0).set(lifted);
            let exclusive = body.emitter.all_exclusive();
            if !exclusive {
                push_is_stack(body.emitter, &mut body.asm, tile);
                body.asm.begin_if();
                let done = body.asm.begin_block();
                let sorts = body.emitter.sorts().into_iter();
                for (foe, kind) in sorts.filter(|(owner, _)| friends >> owner & 1 == 0) {
                    let recount = body.emitter.want(Key::Recount(foe, kind, hash));
                    let number = foe * body.emitter.program.kinds() + kind + 1;
                    body.push_stack(tile, foe, kind);
                    body.asm.i64(0).op().i64_ne();
                    body.asm.begin_if();
                    body.asm.get(body.state).get(tile).i64(-1).op().call(recount);
                    body.asm.i64(number as i64).set(lifted);
                    body.asm.br(done);
                    body.asm.leave();
                }
                body.asm.leave();
                body.asm.op().else_();
            }
            // A tile that does not exist is nowhere to go.
            match to {
                Some(to) => body.asm.get(to).i64(0).op().i64_ge_s(),
                None => body.asm.i32(1).op().i32_eqz().i32_eqz(),
            };
            body.asm.begin_if();
            let one = body.lift(tile);
            body.asm.get(one).set(lifted);
            body.asm.leave();
            if !exclusive {
                body.asm.leave();
            }
            body.send(lifted, (fate, to), tile);
        });
    }

    /// Takes whoever stands on the tiles of a set off them, where every tile holds one and no hash is kept.
    fn clear_planes(&mut self, on: u32) {
        let program = self.emitter.program;
        let owners = (0..program.players()).map(|owner| program.owner_plane(owner));
        let kinds = (0..program.kinds()).map(|kind| program.kind_plane(kind));
        let flags = (0..program.flags()).map(|flag| program.flag_plane(flag));
        let (planes, keep) = (owners.chain(kinds).chain(flags), self.spare_set());
        for word in 0..self.width() as u32 {
            self.asm.get(on + word).i64(-1).op().i64_xor();
            self.asm.set(keep + word);
        }
        for plane in planes {
            for word in 0..self.width() {
                let at = (plane + word) * 8;
                self.asm.get(self.state).get(self.state).load(at).get(keep + word as u32);
                self.asm.op().i64_and();
                self.asm.store(at);
            }
        }
    }

    /// Sends a captured piece where it goes.
    pub(super) fn send(&mut self, lifted: u32, (fate, to): (Fate, Option<u32>), tile: u32) {
        match (fate, to) {
            (Fate::Hand(player), _) => {
                let kinds = self.emitter.program.kinds();
                let kind = self.asm.local64();
                self.asm.get(lifted).i64((1 << FLAGS) - 1).op().i64_and();
                self.asm.tee(kind).i64(0).op().i64_ne();
                self.asm.begin_if();
                self.asm.get(kind).i64(1).op().i64_sub();
                self.asm.i64(kinds as i64).op().i64_rem_u();
                self.asm.set(kind);
                for of in 0..kinds {
                    self.asm.get(kind).i64(of as i64).op().i64_eq();
                    self.asm.begin_if();
                    self.change_hand(player.index(), of, 1);
                    self.asm.leave();
                }
                self.asm.leave();
            }
            (_, Some(to)) => {
                self.asm.get(to).i64(0).op().i64_ge_s();
                self.asm.begin_if();
                self.land(lifted, to);
                self.asm.op().else_();
                self.drop(lifted, tile);
                self.asm.leave();
            }
            _ => {}
        }
    }

    /// Takes whoever stands on a tile off it, where every tile holds one and nobody asks who it was.
    pub(super) fn remove(&mut self, tile: u32) {
        if self.hash() == Hash::Kept {
            self.lift(tile);
            return;
        }
        let (program, keep) = (self.emitter.program, self.asm.local64());
        let at = self.emitter.word_of(&mut self.asm, self.state, tile);
        self.asm.i64(1).get(tile).op().i64_shl();
        self.asm.i64(-1).op().i64_xor();
        self.asm.set(keep);
        let owners = (0..program.players()).map(|owner| program.owner_plane(owner));
        let kinds = (0..program.kinds()).map(|kind| program.kind_plane(kind));
        let flags = (0..program.flags()).map(|flag| program.flag_plane(flag));
        for plane in owners.chain(kinds).chain(flags) {
            self.asm.get(at).get(at).load(plane * 8).get(keep).op().i64_and();
            self.asm.store(plane * 8);
        }
    }

    /// Takes whatever stands on a tile out of play.
    pub(super) fn clear_tile(&mut self, tile: u32) {
        let hash = self.hash();
        if self.emitter.all_exclusive() {
            self.remove(tile);
            return;
        }
        push_is_stack(self.emitter, &mut self.asm, tile);
        self.asm.begin_if();
        for (owner, kind) in self.emitter.sorts() {
            let recount = self.emitter.want(Key::Recount(owner, kind, hash));
            let count = self.asm.local64();
            self.push_stack(tile, owner, kind);
            self.asm.tee(count).i64(0).op().i64_ne();
            self.asm.begin_if();
            self.asm.get(self.state).get(tile).i64(0).get(count).op().i64_sub().call(recount);
            self.asm.leave();
        }
        self.asm.op().else_();
        self.lift(tile);
        self.asm.leave();
    }
}
