//! Moves of a turn by dice that need not be followed in every order.

use crate::asm::{Asm, Label};
use crate::event::FROM_SHIFT;
use crate::module::Emitter;
use crate::usage::{DicePhase, push_pips, push_source};

const STATE: u32 = 0;

/// How many bytes the sources take that need not be followed at a level, for each number of a die.
pub(crate) fn asleep_bytes(emitter: &Emitter<'_>) -> usize {
    let sides = emitter.program.dice().iter().map(|(_, sides)| usize::from(*sides)).max();
    (sides.unwrap_or(0) + 1) * emitter.width * 8
}

/// Moves by dice that need not be followed because another order of the same moves is.
///
/// At each position of a turn the independent moves followed before are asleep after the others: two
/// of them give the same state in either order, and stay possible until then. A piece that moves wakes
/// the moves of its tile if it was alone there.
#[derive(Clone, Copy)]
pub(crate) struct Sleep<'m> {
    pub(crate) moves: &'m DicePhase,
    /// The local that says whether independent moves are: not where dice are out of order.
    pub(crate) holds: u32,
    /// The local with the address of the sets of this level, and the one with the event.
    sets: u32,
    event: u32,
    /// Bytes of the sets of a level.
    bytes: usize,
}

impl<'m> Sleep<'m> {
    pub(crate) fn new(
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        moves: &'m DicePhase,
        (level, event): (u32, u32),
        asleep: usize,
    ) -> Option<Sleep<'m>> {
        let bytes = asleep_bytes(emitter);
        if moves.independent.is_empty() {
            return None;
        }
        let (sets, holds) = (asm.local32(), asm.local32());
        moves.push_packed(emitter, asm, STATE);
        asm.set(holds);
        asm.get(level).i32(bytes as i32).op().i32_mul();
        asm.i32(asleep as i32).op().i32_add();
        asm.set(sets);
        // Nothing sleeps where a turn begins.
        asm.get(level).op().i32_eqz();
        asm.begin_if();
        for word in 0..bytes / 8 {
            asm.get(sets).i64(0).store(word * 8);
        }
        asm.leave();
        Some(Sleep { moves, holds, sets, event, bytes })
    }

    /// The address of the word in which the event's source is, for its number.
    fn push_word(self, emitter: &Emitter<'_>, asm: &mut Asm) {
        push_pips(asm, self.event);
        asm.i32(emitter.width as i32 * 8).op().i32_mul();
        asm.get(self.sets).op().i32_add();
        if emitter.width > 1 {
            push_source(asm, self.event);
            asm.i32(6).op().i32_shr_u();
            asm.i32(3).op().i32_shl().i32_add();
        }
    }

    /// The bit of the event's source in its word, on the stack.
    fn push_bit(self, asm: &mut Asm) {
        asm.i64(1).get(self.event).i64(FROM_SHIFT).op().i64_shr_u().i64_shl();
    }

    /// Branches where the event is asleep.
    pub(crate) fn leave_if_asleep(self, emitter: &Emitter<'_>, asm: &mut Asm, asleep: Label) {
        self.moves.push_independent(asm, self.event);
        self.push_word(emitter, asm);
        asm.load(0);
        asm.get(self.event).i64(FROM_SHIFT).op().i64_shr_u().i64_shr_u().i32_wrap_i64();
        asm.op().i32_and();
        asm.br_if(asleep);
    }

    /// Takes off a word of sources on the stack those whose moves are asleep, by the number that a word in a
    /// local has.
    pub(crate) fn push_awake(
        self,
        emitter: &Emitter<'_>,
        asm: &mut Asm,
        (die, word): (u32, usize),
    ) {
        push_pips(asm, die);
        asm.i32(emitter.width as i32 * 8).op().i32_mul();
        asm.get(self.sets).op().i32_add();
        asm.load(word * 8).i64(-1).op().i64_xor().i64_and();
    }

    /// Lets the event sleep from now on.
    pub(crate) fn put_to_sleep(self, emitter: &Emitter<'_>, asm: &mut Asm) {
        let word = asm.local32();
        self.moves.push_independent(asm, self.event);
        asm.begin_if();
        self.push_word(emitter, asm);
        asm.tee(word);
        asm.get(word).load(0);
        self.push_bit(asm);
        asm.op().i64_or();
        asm.store(0);
        asm.leave();
    }

    /// Hands on to the next level what stays asleep after the event.
    pub(crate) fn hand_on(self, emitter: &mut Emitter<'_>, asm: &mut Asm) {
        let (width, awake) = (emitter.width, asm.local64());
        let words: Vec<u32> = (0..width).map(|_| asm.local64()).collect();
        self.moves.push_independent(asm, self.event);
        asm.get(self.holds).op().i32_and();
        asm.begin_if();
        // The source wakes where nobody is left on it.
        asm.i64(0);
        self.push_bit(asm);
        self.moves.push_source_count(emitter, asm, STATE, self.event);
        asm.i32(1).op().i32_gt_u().select();
        asm.set(awake);
        for (word, &kept) in words.iter().enumerate() {
            asm.i64(-1);
            if width > 1 {
                asm.i64(0).get(awake);
                push_source(asm, self.event);
                asm.i32(6).op().i32_shr_u();
                asm.i32(word as i32).op().i32_ne().select();
            } else {
                asm.get(awake);
            }
            asm.op().i64_xor();
            asm.set(kept);
        }
        for at in 0..self.bytes / 8 {
            asm.get(self.sets);
            asm.get(self.sets).load(at * 8).get(words[at % width]).op().i64_and();
            asm.store(self.bytes + at * 8);
        }
        asm.op().else_();
        for at in 0..self.bytes / 8 {
            asm.get(self.sets).i64(0).store(self.bytes + at * 8);
        }
        asm.leave();
    }
}
