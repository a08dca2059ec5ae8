//! Events that take pieces, kind by kind.

use std::collections::BTreeSet;

use senet_core::ir::{Function, Op, visit};
use senet_core::program::Program;

use crate::asm::Asm;
use crate::edit::Taken;
use crate::function::locals;
use crate::module::{Emit, Emitter, Hash, Key};

use super::target::where_held_by;
use super::{Below, Rounds, STATE, TARGETS, mover, push_any};

impl Emitter<'_> {
    /// The only other player, where a function moves a piece of one of two.
    pub(super) fn sole_foe(&self, function: &Function) -> Option<usize> {
        let (owner, _) = mover(function)?;
        (self.program.seats() == 2 && self.planes_in_order()).then(|| 1 - owner)
    }

    /// Whether the planes of kinds follow each other in the order of kinds.
    fn planes_in_order(&self) -> bool {
        let program = self.program;
        let follows = |kind: usize| program.kind_plane(0) + kind * self.width;
        (0..program.kinds()).all(|kind| program.kind_plane(kind) == follows(kind))
            && (self.code.tiles * 2).is_multiple_of(self.width)
    }
}

impl Rounds {
    /// Carries out the events that take pieces of a player, kind by kind, and leaves the other targets.
    pub(super) fn take(
        &mut self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        function: &Function,
        owner: usize,
    ) -> Emit<BTreeSet<usize>> {
        let (program, width) = (emitter.program, emitter.width);
        let function = where_held_by(program, function, Some(owner));
        let (met, targets) = (locals(asm, width), locals(asm, width));
        for word in 0..width {
            let (all, met) = (TARGETS + word as u32, met + word as u32);
            asm.get(STATE).load((program.owner_plane(owner) + word) * 8).get(all).op().i64_and();
            asm.tee(met).get(all).op().i64_xor();
            asm.set(all);
        }
        push_any(asm, width, met);
        asm.begin_if();
        let [kind, source, place, keys] = std::array::from_fn(|_| asm.local32());
        let enters = asm.local64();
        asm.i32(0).set(kind);
        let (rest, mut written) = self.share(emitter, asm, &function)?;
        let ready = written.iter().copied().collect();
        let start = asm.here();
        let next = asm.begin_loop();
        let plane = program.kind_plane(0) * 8;
        asm.get(STATE).get(kind).op().i32_add();
        asm.set(source);
        for word in 0..width {
            let (met, targets) = (met + word as u32, targets + word as u32);
            asm.get(source).load(plane + word * 8).get(met).op().i64_and();
            asm.tee(targets).get(met).op().i64_xor();
            asm.set(met);
        }
        push_any(asm, width, targets);
        asm.begin_if();
        asm.get(self.child).get(kind).op().i32_add();
        asm.set(place);
        // The keys of a kind are as many times as large as its plane as a word has bits.
        asm.get(kind).i32((emitter.code.tiles * 2 / width) as i32).op().i32_mul();
        asm.set(keys);
        asm.i64(-1);
        asm.i64(0);
        let own = mover(&function).map_or(0, |(_, kind)| kind) * width * 8;
        asm.get(kind).i32(own as i32).op().i32_ne().select();
        asm.set(enters);
        self.taken = Some(Taken { owner, source, place, keys, enters });
        written.extend(self.each(emitter, asm, (&rest, start, ready), targets)?);
        for word in 0..width {
            let at = plane + word * 8;
            asm.get(place).get(source).load(at).store(at);
        }
        asm.leave();
        asm.get(kind).i32(width as i32 * 8).op().i32_add();
        asm.tee(kind).i32((program.kinds() * width * 8) as i32).op().i32_lt_u();
        push_any(asm, width, met);
        asm.op().i32_and();
        asm.br_if(next);
        asm.leave();
        asm.leave();
        self.taken = None;
        Ok(written)
    }
}

/// Leaves targets on which the mover's own pieces stand to another function: they are leaves, which are
/// counted already.
pub(super) fn leave_own(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (make, before): (u16, Option<u16>),
) {
    let any = emitter.want(Key::Made(make, before, Below::Any, Hash::Kept));
    let depth = TARGETS + emitter.width as u32;
    push_any(asm, emitter.width, TARGETS);
    asm.begin_if();
    (0..=depth).for_each(|param| {
        asm.get(param);
    });
    asm.op().call(any).drop();
    asm.leave();
}

/// The planes of kinds that a function neither reads nor changes but where a piece is taken.
pub(super) fn unread(program: Program<'_>, function: &Function) -> Vec<usize> {
    let Some((_, own)) = mover(function) else { return Vec::new() };
    let others = (0..program.kinds()).filter(|&kind| kind != own);
    let mut planes: Vec<usize> = others.map(|kind| program.kind_plane(kind)).collect();
    visit(&function.body, &mut |op| match op {
        Op::Plane(_, read) => planes.retain(|plane| plane != read),
        Op::Pieces { .. } => planes.clear(),
        _ => {}
    });
    planes
}
