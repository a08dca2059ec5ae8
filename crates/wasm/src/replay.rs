//! Moves that are said by a kind, a target and tiles from which they may come, played one after another.

use crate::asm::{Asm, Label, value_at};
use crate::event::{ARG_SHIFT, FROM_SHIFT, PICK, TO_SHIFT};
use crate::function::locals;
use crate::list::push_stops;
use crate::module::{Emitter, HOST, Hash, Key};
use crate::set::push_bit;

const STATE: u32 = 0;
const HINTS: u32 = 1;
const COUNT: u32 = 2;

/// How many bytes a hint takes: the word of an event with a kind's plane in the place of the rule and
/// nothing in the place of the source, and the tiles from which it may come.
pub(crate) fn hint_size(width: usize) -> usize {
    (1 + width) * 8
}

/// How many bytes are written of an event that was played: its word, with whether a piece has come to its
/// target in the place of the rule; and the other tiles than its source that have become empty.
pub(crate) fn log_size(width: usize) -> usize {
    (1 + width) * 8
}

/// What is known of the hint that is played next.
struct Hint {
    word: u32,
    sources: u32,
}

/// The function that plays hints one after another, each by the only legal move that it fits. Behind the
/// hints it writes down what was played. It gives how many it has played: fewer than it was given where no
/// move or several fit the next, and none where it is not certain that a move carried its piece.
pub(crate) fn replay(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Replay);
    let width = emitter.width;
    let [log, list, played] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    let hint = Hint { word: asm.local64(), sources: locals(&mut asm, width) };
    let play = emitter.want(Key::Play(Hash::Kept));
    let (hint_size, log_size) = (hint_size(width) as i32, log_size(width) as i32);
    asm.get(HINTS).get(COUNT).i32(hint_size).op().i32_mul().i32_add();
    asm.tee(log).get(COUNT).i32(log_size).op().i32_mul().i32_add();
    asm.set(list);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(played).get(COUNT).op().i32_ge_u();
            asm.br_if(done);
            load_hint(asm, width, &hint);
            find(emitter, asm, &hint, (list, event), done);
            let before = load_owners(emitter, asm);
            asm.get(STATE).get(event).op().call(play);
            let after = load_owners(emitter, asm);
            write_log(emitter, asm, (log, event), (before, after));
            for (local, step) in [(HINTS, hint_size), (log, log_size), (played, 1)] {
                asm.get(local).i32(step).op().i32_add();
                asm.set(local);
            }
            asm.br(again);
        });
    });
    asm.get(played);
    asm
}

/// Locals with the planes of all owners.
fn load_owners(emitter: &Emitter<'_>, asm: &mut Asm) -> u32 {
    let (width, players) = (emitter.width, emitter.program.players());
    let first = locals(asm, width * players);
    for player in 0..players {
        for word in 0..width {
            let at = emitter.program.owner_plane(player) + word;
            asm.get(STATE).load(at * 8).set(first + (player * width + word) as u32);
        }
    }
    first
}

/// Writes down an event with what it has moved, from the planes of owners before and after it. Returns
/// nothing played where it is not certain that it has carried its piece and brought no other.
fn write_log(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (log, event): (u32, u32),
    (before, after): (u32, u32),
) {
    let (width, players) = (emitter.width, emitter.program.players());
    let [was, now, stays, from, to, tile] = std::array::from_fn(|_| asm.local64());
    asm.get(log).get(event).i64(ARG_SHIFT).op().i64_shr_u();
    asm.i64(ARG_SHIFT).op().i64_shl();
    asm.store(0);
    for word in 0..width {
        let planes = |first: u32| (0..players).map(move |at| first + (at * width + word) as u32);
        for (all, of) in [(was, before), (now, after)] {
            asm.i64(0);
            planes(of).for_each(|plane| {
                asm.get(plane).op().i64_or();
            });
            asm.set(all);
        }
        asm.i64(0);
        for (one, two) in planes(before).zip(planes(after)) {
            asm.get(one).get(two).op().i64_and().i64_or();
        }
        asm.set(stays);
        for (bit, shift) in [(from, FROM_SHIFT), (to, TO_SHIFT)] {
            asm.get(event).i64(shift).op().i64_shr_u();
            asm.i64(0xffff).op().i64_and();
            asm.set(tile);
            push_bit(asm, width, tile, word as u32);
            asm.set(bit);
        }
        // Pieces elsewhere than on the target, one on the source, none that has left it, and the one on
        // the target that was there before.
        asm.get(now).get(was).get(to).op().i64_or();
        push_and_not(asm);
        asm.get(from).get(now).op().i64_and().i64_or();
        asm.get(from).get(was);
        push_and_not(asm);
        asm.op().i64_or();
        asm.get(stays).get(to).op().i64_and().i64_or();
        asm.i64(0).op().i64_ne();
        asm.begin_if();
        asm.i32(0).op().return_();
        asm.leave();
        asm.get(log).get(log).load(0).get(now).get(to).op().i64_and();
        asm.i64(0).op().i64_ne().i64_extend_i32_u().i64_or();
        asm.store(0);
        asm.get(log).get(was).get(now).get(from).op().i64_or();
        push_and_not(asm);
        asm.store((1 + word) * 8);
    }
}

/// The lower set of the two words on the stack without the upper one.
fn push_and_not(asm: &mut Asm) {
    asm.i64(-1).op().i64_xor().i64_and();
}

/// Loads the word of a hint, and the tiles from which its piece may come that hold such a piece.
fn load_hint(asm: &mut Asm, width: usize, hint: &Hint) {
    let plane = asm.local32();
    asm.get(HINTS).load(0).tee(hint.word).op().i32_wrap_i64();
    asm.i32(0xffff).op().i32_and();
    asm.i32(3).op().i32_shl();
    asm.get(STATE).op().i32_add();
    asm.set(plane);
    for word in 0..width {
        asm.get(HINTS).load(8 + word * 8).get(plane).load(word * 8).op().i64_and();
        asm.set(hint.sources + word as u32);
    }
}

/// Finds the only legal event that fits a hint and leaves which piece stands where to its tiles, with a list
/// at an address; leaves a block where there is none.
fn find(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    hint: &Hint,
    (list, event): (u32, u32),
    none: Label,
) {
    if emitter.program.stops().is_some() {
        push_stops(emitter, asm, STATE);
        asm.br_if(none);
    }
    let [at, end, found] = std::array::from_fn(|_| asm.local32());
    let (word, to, width) = (asm.local64(), asm.local64(), emitter.width);
    let listed = emitter.want(Key::Listed);
    asm.get(hint.word).i64(TO_SHIFT).op().i64_shr_u();
    asm.set(to);
    emitter.restrict(asm, to, Some(hint.sources));
    asm.get(STATE).get(list).i32(0).op().call(listed);
    asm.set(end);
    emitter.lift_restriction(asm);
    asm.get(end).get(STATE).i32(HOST as i32).op().i32_add().i32_gt_u();
    asm.br_if(none);
    asm.i32(0).set(found);
    asm.get(list).set(at);
    asm.block(|asm, seen| {
        asm.repeat(|asm, again| {
            asm.get(at).get(end).op().i32_ge_u();
            asm.br_if(seen);
            asm.get(at).load(0).set(word);
            asm.get(at).i32(8).op().i32_add();
            asm.set(at);
            push_fits(asm, width, hint, word);
            asm.op().i32_eqz();
            asm.br_if(again);
            asm.get(found);
            asm.br_if(none);
            asm.i32(1).set(found);
            asm.get(word).set(event);
            asm.br(again);
        });
    });
    let brings_one: Vec<u8> =
        (0..emitter.rules.len()).map(|rule| emitter.program.brings_one(rule).into()).collect();
    let table = emitter.memory.bytes(brings_one);
    asm.get(found).op().i32_eqz();
    asm.br_if(none);
    asm.get(event).op().i32_wrap_i64();
    asm.i32(0xffff).op().i32_and().i32_load8_u(value_at(table, 0)).i32_eqz();
    asm.br_if(none);
}

/// Whether an event is a move that fits a hint, on the stack.
fn push_fits(asm: &mut Asm, width: usize, hint: &Hint, word: u32) {
    let (from, found) = (asm.local64(), asm.local64());
    asm.get(word).i64(FROM_SHIFT).op().i64_shr_u();
    asm.set(from);
    asm.i64(0).set(found);
    for part in 0..width as u32 {
        push_bit(asm, width, from, part);
        asm.get(hint.sources + part).op().i64_and();
        asm.get(found).op().i64_or();
        asm.set(found);
    }
    asm.get(found).i64(0).op().i64_ne();
    asm.get(word).i64(PICK).op().i64_lt_u().i32_and();
    asm.get(word).get(hint.word).op().i64_xor();
    asm.i64(FROM_SHIFT - TO_SHIFT).op().i64_shl();
    asm.i64(ARG_SHIFT + FROM_SHIFT - TO_SHIFT).op().i64_shr_u().i64_eqz().i32_and();
}

impl Emitter<'_> {
    /// Restricts lists to events that lead to the tile in a local, and where locals hold a set, from its
    /// tiles. Others are listed as well where they come one by one.
    pub(crate) fn restrict(&mut self, asm: &mut Asm, tile: u32, sources: Option<u32>) {
        let Some(restriction) = self.restriction() else { return };
        for word in 0..self.width {
            asm.i32(0);
            push_bit(asm, self.width, tile, word as u32);
            asm.store(restriction + word * 8);
            if let Some(sources) = sources {
                asm.i32(0).get(sources + word as u32).store(restriction + (self.width + word) * 8);
            }
        }
    }

    /// Lists all events again.
    pub(crate) fn lift_restriction(&mut self, asm: &mut Asm) {
        let Some(restriction) = self.restriction() else { return };
        for word in 0..2 * self.width {
            asm.i32(0).i64(-1).store(restriction + word * 8);
        }
    }
}
