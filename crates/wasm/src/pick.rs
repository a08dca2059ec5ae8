//! The event at a place of the list of legal events, found without a list.
//!
//! Random play needs one event of a list. Where pieces enter on sets of tiles of a large board, the sets
//! are counted and only the event at the place is written down.

use senet_core::ir::{FunctionId, Op, visit};
use senet_core::written::Usage;

use crate::asm::Asm;
use crate::batch::Source;
use crate::event::{ARG_SHIFT, PICK, PUT, TO_SHIFT};
use crate::function::Body;
use crate::list::by_phase;
use crate::module::{Emit, Emitter, Key, Mode};

const STATE: u32 = 0;
const PLACE: u32 = 1;

/// Whether events are picked without a list, in every phase of a game: where lists are long and the
/// targets of all events are found at once, so that finding them twice costs less than a list.
pub(crate) fn can_pick(emitter: &Emitter<'_>) -> bool {
    emitter.width > 1
        && (0..emitter.phases.len()).all(|phase| {
            let shape = &emitter.phases[phase];
            let plain = shape.counts && shape.usage == Usage::Free && !shape.ranked;
            let players = 0..emitter.program.players();
            let rules = shape.rules.iter().flatten();
            plain
                && shape.rules[0].is_empty()
                && !shape.overlaps.contains(&true)
                && rules.clone().all(|&rule| emitter.code.choices[rule].is_empty())
                && players
                    .into_iter()
                    .all(|player| in_order(emitter, emitter.program.puts(phase, player)))
        })
}

/// Whether a function finds its events in batches, in the order of the list.
fn in_order(emitter: &Emitter<'_>, function: FunctionId) -> bool {
    let mut in_order = true;
    visit(&emitter.code.function(function).body, &mut |op| {
        in_order &= match op {
            Op::Rule(_, ordered) => *ordered,
            Op::EmitImages(..) | Op::EmitEvent | Op::EmitDie { .. } => false,
            Op::ForTiles(..) | Op::ForGroups { .. } | Op::Repeat(..) => false,
            _ => true,
        };
    });
    in_order
}

/// The function that gives the event at a place of the list of a state, counted from 0.
pub(crate) fn pick(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Pick);
    let event = asm.local64();
    by_phase(emitter, &mut asm, STATE, |emitter, asm, phase, player| {
        let puts = emitter.program.puts(phase, player);
        let pick = emitter.want_lowered(puts, Mode::Pick);
        asm.get(STATE).get(PLACE).op().call(pick);
        asm.set(event);
        Ok(())
    })?;
    asm.get(event);
    Ok(asm)
}

impl Body<'_, '_> {
    /// Returns the event of a batch that has the place looked for, or goes on behind the batch.
    pub(crate) fn pick_of_batch(&mut self, source: Source, targets: u32) {
        let count = self.asm.local64();
        self.push_count(targets);
        self.asm.tee(count).get(self.total).op().i64_gt_u();
        self.asm.begin_if();
        let place = self.emitter.want(Key::TileAt);
        for word in 0..self.width() as u32 {
            self.asm.get(targets + word);
        }
        self.asm.get(self.total).op().call(place);
        self.asm.i64(TO_SHIFT).op().i64_shl();
        let word = match source {
            Source::Put(kind) => PUT | i64::from(kind) << ARG_SHIFT,
            Source::Pick(action) => PICK | i64::from(action) << ARG_SHIFT,
            // Moves are listed.
            Source::Tile | Source::Before(_) => 0,
        };
        self.asm.i64(word | self.rule as i64).op().i64_or();
        self.release();
        self.asm.op().return_();
        self.asm.leave();
        self.asm.get(self.total).get(count).op().i64_sub();
        self.asm.set(self.total);
    }
}

/// The function that gives the tile at a place of a set, counted from 0; the set has one there.
pub(crate) fn tile_at(emitter: &Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::TileAt);
    let width = emitter.width as u32;
    let place = width;
    let (word, tile, count) = (asm.local64(), asm.local64(), asm.local64());
    asm.get(0).set(word);
    for next in 1..width {
        // Words before the one with the place are left behind.
        asm.get(word).op().i64_popcnt();
        asm.tee(count).get(place).op().i64_le_u();
        asm.begin_if();
        asm.get(place).get(count).op().i64_sub();
        asm.set(place);
        asm.get(next).set(word);
        asm.i64(64 * i64::from(next)).set(tile);
        asm.op().else_();
        finish(&mut asm, (word, place, tile, count));
        asm.op().return_();
        asm.leave();
    }
    finish(&mut asm, (word, place, tile, count));
    asm
}

/// Halves a word until one bit is left: the tile is on the stack. Which half it is in is as good as
/// random, so there is no branch.
fn finish(asm: &mut Asm, (word, place, tile, count): (u32, u32, u32, u32)) {
    let upper = asm.local64();
    for half in [32, 16, 8, 4, 2, 1] {
        let low = (1i64 << half) - 1;
        asm.get(word).i64(low).op().i64_and().i64_popcnt();
        asm.set(count);
        // All ones where the place is in the upper half.
        asm.i64(0).get(count).get(place).op().i64_le_u().i64_extend_i32_u().i64_sub();
        asm.set(upper);
        asm.get(place).get(count).get(upper).op().i64_and().i64_sub();
        asm.set(place);
        asm.get(upper).i64(half).op().i64_and();
        asm.tee(upper).get(tile).op().i64_add();
        asm.set(tile);
        asm.get(word).get(upper).op().i64_shr_u();
        asm.set(word);
    }
    asm.get(tile);
}
