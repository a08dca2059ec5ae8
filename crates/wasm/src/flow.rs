//! Control: branches, loops, trials on a copy of the state.

use senet_core::ir::{Block, FunctionId, NumReg, Op, SetReg};

use crate::asm::{Asm, word_at};
use crate::function::{Body, locals};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global};
use crate::set::{Each, push_shifted};

/// States of up to this many words are copied word by word.
const FEW_WORDS: usize = 32;

impl Body<'_, '_> {
    pub(crate) fn control(&mut self, op: &Op) -> Emit {
        match op {
            Op::If(truth, yes, no) => self.branch(*truth, yes, no),
            Op::ForTiles(..) if self.is_apart(op) => self.count_apart(op),
            Op::ForTiles(set, tile, body) => self.for_tiles(*set, *tile, body),
            Op::ForGroups { of, links, group, body } => {
                let flood = self.emitter.want(Key::Flood(links.0));
                let (of, group) = (self.set(*of), self.set(*group));
                self.each_group(flood, of, |this, found, done| {
                    this.copy(group, found);
                    this.loops.push(done);
                    this.block(body)?;
                    this.loops.pop();
                    Ok(())
                })
            }
            Op::Repeat(times, body) => self.repeat(*times, body),
            Op::Break => {
                if let Some(&label) = self.loops.last() {
                    self.asm.br(label);
                }
                Ok(())
            }
            Op::Trial { to, make, check } => {
                self.trial(*make, *check);
                self.pop_truth(*to);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn branch(&mut self, truth: NumReg, yes: &Block, no: &Block) -> Emit {
        match (yes.is_empty(), no.is_empty()) {
            (true, true) => return Ok(()),
            (true, false) => {
                self.push_truth(truth);
                self.asm.op().i32_eqz();
                self.asm.begin_if();
                self.block(no)?;
            }
            (false, true) if self.list_die_if(truth, yes) => return Ok(()),
            (false, _) => {
                self.push_truth(truth);
                self.asm.begin_if();
                self.block(yes)?;
                if !no.is_empty() {
                    self.asm.op().else_();
                    self.block(no)?;
                }
            }
        }
        self.asm.leave();
        Ok(())
    }

    fn for_tiles(&mut self, set: SetReg, tile: NumReg, body: &Block) -> Emit {
        let live = self.live(set);
        let (set, left, at) = (self.set(set), self.spare_set(), self.asm.local64());
        // A sum of its own is needed nowhere else, so that it stays in a register.
        let outer = (self.mode == Mode::Count).then(|| {
            let sum = self.asm.local64();
            self.asm.i64(0).set(sum);
            std::mem::replace(&mut self.total, sum)
        });
        self.copy(left, set);
        self.restrict_loop(left, tile, body);
        let each = Each::begin_live(&mut self.asm, self.emitter.width, &live, left, at);
        self.asm.get(at);
        self.pop_number(tile);
        self.loops.push(each.done);
        self.with_tile(tile, |this| this.block(body))?;
        self.loops.pop();
        each.end(&mut self.asm);
        if let Some(outer) = outer {
            let sum = std::mem::replace(&mut self.total, outer);
            self.asm.get(sum).get(outer).op().i64_add();
            self.asm.set(outer);
        }
        Ok(())
    }

    /// Runs code for each group of a set, with the locals that hold it and a block to leave.
    pub(crate) fn each_group(
        &mut self,
        flood: u32,
        of: u32,
        fill: impl FnOnce(&mut Self, u32, crate::asm::Label) -> Emit,
    ) -> Emit {
        let (left, seed, group) = (self.spare_set(), self.spare_set(), self.spare_set());
        let rest = self.spare_set();
        self.copy(left, of);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        self.push_any(left);
        self.asm.op().i32_eqz();
        self.asm.br_if(done);
        // The lowest tile, and nothing of the words above it.
        let open = self.asm.local64();
        self.asm.i64(-1).set(open);
        for word in 0..self.width() as u32 {
            self.asm.get(left + word).i64(0).get(left + word).op().i64_sub().i64_and();
            self.asm.get(open).op().i64_and();
            self.asm.set(seed + word);
            self.asm.i64(0).get(open).get(left + word).i64(0).op().i64_ne().select();
            self.asm.set(open);
        }
        self.call_flood(flood, group, seed, left);
        for word in 0..self.width() as u32 {
            self.asm.get(left + word).get(group + word).op().i64_xor();
            self.asm.set(rest + word);
        }
        self.copy(left, rest);
        fill(self, group, done)?;
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
        Ok(())
    }

    fn repeat(&mut self, times: NumReg, body: &Block) -> Emit {
        let left = self.asm.local64();
        self.push_number(times);
        self.asm.set(left);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        self.asm.get(left).i64(0).op().i64_le_s();
        self.asm.br_if(done);
        self.asm.get(left).i64(1).op().i64_sub();
        self.asm.set(left);
        self.loops.push(done);
        self.block(body)?;
        self.loops.pop();
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
        Ok(())
    }

    /// Whether a function holds after another has changed a copy of the state, on the stack.
    fn trial(&mut self, make: FunctionId, check: FunctionId) {
        // In leaves, few events come this far.
        self.emitter.trials += usize::from(self.found.is_none());
        let make = self.emitter.want_lowered(make, Mode::Make(Hash::Ignored));
        let check = self.emitter.want_lowered(check, Mode::Answer);
        let copy = self.asm.local32();
        self.asm.op().global_get(global::FREE);
        self.asm.tee(copy).i32(self.emitter.stride() as i32).op().i32_add();
        self.asm.op().global_set(global::FREE);
        copy_state(self.emitter, &mut self.asm, self.state, copy);
        self.asm.get(copy);
        self.push_event();
        self.asm.op().call(make);
        self.asm.get(copy);
        self.push_event();
        self.asm.op().call(check);
        self.asm.i64(0).op().i64_ne();
        self.asm.get(copy).op().global_set(global::FREE);
    }
}

/// Copies a state from one address to another, without its hash.
pub(crate) fn copy_state(emitter: &Emitter<'_>, asm: &mut Asm, from: u32, to: u32) {
    copy_words(asm, from, to, emitter.program.tree_words());
}

/// The same with its hash.
pub(crate) fn copy_all(emitter: &Emitter<'_>, asm: &mut Asm, from: u32, to: u32) {
    copy_words(asm, from, to, emitter.program.tree_words() + 2);
}

fn copy_words(asm: &mut Asm, from: u32, to: u32, words: usize) {
    if words > FEW_WORDS {
        asm.get(to).get(from).i32(words as i32 * 8);
        asm.op().memory_copy(0, 0);
        return;
    }
    for word in (0..words - words % 2).step_by(2) {
        asm.get(to).get(from).op().v128_load(word_at(word * 8)).v128_store(word_at(word * 8));
    }
    if words % 2 == 1 {
        let last = (words - 1) * 8;
        asm.get(to).get(from).load(last).store(last);
    }
}

/// The function that finds what can be reached within a set.
pub(crate) fn flood(emitter: &mut Emitter<'_>, links: u16) -> Emit<Asm> {
    let width = emitter.width;
    let mut asm = emitter.asm(Key::Flood(links));
    let code = emitter.code;
    let links = &code.links[usize::from(links)];
    let (from, over) = (0, width as u32);
    let [all, front, near] = std::array::from_fn(|_| locals(&mut asm, width));
    for word in 0..width as u32 {
        asm.get(from + word).get(over + word).op().i64_and();
        asm.tee(all + word).set(front + word);
    }
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(front);
            (1..width as u32).for_each(|word| {
                asm.get(front + word).op().i64_or();
            });
            asm.op().i64_eqz();
            asm.br_if(done);
            (0..width as u32).for_each(|word| {
                asm.i64(0).set(near + word);
            });
            let part = locals(asm, width);
            let maps = links.maps.iter().map(|map| &code.maps[map.index()]);
            for (offset, tiles) in maps.flat_map(|map| crate::set::groups(map, width)) {
                for (word, &mask) in tiles.iter().enumerate() {
                    asm.get(front + word as u32).i64(mask as i64).op().i64_and();
                    asm.set(part + word as u32);
                }
                for word in 0..width {
                    push_shifted(asm, width, part, offset, word);
                    asm.get(near + word as u32).op().i64_or();
                    asm.set(near + word as u32);
                }
                if links.both {
                    for (word, &mask) in tiles.iter().enumerate() {
                        push_shifted(asm, width, front, -offset, word);
                        asm.i64(mask as i64).op().i64_and();
                        asm.get(near + word as u32).op().i64_or();
                        asm.set(near + word as u32);
                    }
                }
            }
            for word in 0..width as u32 {
                asm.get(near + word).get(over + word).op().i64_and();
                asm.get(all + word).i64(-1).op().i64_xor().i64_and();
                asm.tee(front + word).get(all + word).op().i64_or();
                asm.set(all + word);
            }
            asm.br(again);
        });
    });
    (0..width as u32).for_each(|word| {
        asm.get(all + word);
    });
    Ok(asm)
}
