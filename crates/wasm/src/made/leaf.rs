//! Leaves of which only the hash is asked: flags that they set, where they serve a rule.

use senet_core::program::Wants;

use crate::asm::Asm;
use crate::function::Body;
use crate::module::{Emit, Emitter, Key, Mode};
use crate::tree::next_mover;

use super::{Rounds, serving_words};

impl Rounds {
    /// Takes the hash of a leaf into the sum. Gives the words that an event changes.
    pub(super) fn add_leaf(&self, emitter: &mut Emitter<'_>, asm: &mut Asm) -> Emit<Vec<usize>> {
        let (child, hash) = (self.child, emitter.hash_at());
        if self.unkeyed == 0 {
            asm.get(self.sum).load_word(child, hash).op().i64_add();
            asm.set(self.sum);
            return Ok(asm.release());
        }
        let any = asm.local64();
        asm.i64(0);
        for offset in serving_words(emitter) {
            asm.load_word(child, offset).op().i64_or();
        }
        asm.set(any);
        let mut changed = asm.release();
        asm.get(any).i64(0).op().i64_ne();
        asm.begin_if();
        for (flag, rules) in emitter.program.serving() {
            if self.unkeyed >> flag & 1 == 1 {
                self.settle(emitter, asm, (flag, &rules))?;
            }
        }
        asm.leave();
        asm.get(self.sum).get(child).load(hash).op().i64_add();
        asm.set(self.sum);
        changed.extend([hash, hash + 8]);
        Ok(changed)
    }

    /// Takes the keys of a flag into the hash where a rule that it serves has an event, and clears it otherwise.
    fn settle(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (flag, rules): (usize, &[usize]),
    ) -> Emit {
        let (child, plane) = (self.child, emitter.program.flag_plane(flag));
        let done = asm.begin_block();
        let keep = asm.begin_block();
        for &rule in rules {
            match self.search_for(emitter, rule) {
                Some(search) => {
                    let function = &emitter.code.functions[usize::from(search)];
                    let whole = std::mem::replace(asm, Asm::new(0));
                    let mut body = Body::within(emitter, function, whole, (Mode::Exists, None));
                    (body.state, body.found) = (child, Some(keep));
                    body.block(&function.body)?;
                    body.release();
                    *asm = body.asm;
                }
                None => {
                    let can_fire = emitter.want(Key::CanFire(rule as u16));
                    asm.get(child).op().call(can_fire);
                    asm.br_if(keep);
                }
            }
        }
        for word in 0..emitter.width {
            asm.get(child).i64(0).store((plane + word) * 8);
        }
        asm.br(done);
        asm.leave();
        crate::play::fold_plane(emitter, asm, child, flag);
        asm.leave();
        Ok(())
    }

    /// The function that looks for an event of a rule after those that are carried out, where it is known
    /// which it is.
    fn search_for(&self, emitter: &Emitter<'_>, rule: usize) -> Option<u16> {
        let (shape, program) = (&emitter.rules[rule], emitter.program);
        let asked = matches!(shape.wants, Wants::Roll { .. } | Wants::Act(_));
        let open = program.sole_phase() == Some(shape.phase) && !shape.closes && !asked;
        let mover = next_mover(emitter, self.make).filter(|_| open)?;
        Some(program.rule_functions(rule, mover.into()).generate.0)
    }
}
