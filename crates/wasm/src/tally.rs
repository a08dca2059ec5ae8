//! What is known of a turn by dice from the list of its first moves.
//!
//! Two dice that show different numbers, or any number of dice that show the same, can all be used where
//! there are independent moves of different pieces for them.

use crate::asm::Asm;
use crate::dice::{push_noted, push_noted_die, push_noted_word};
use crate::module::Emitter;
use crate::set::next_tile;
use crate::usage::{DicePhase, each_event, push_pips, push_source};

const STATE: u32 = 0;

/// Which dice a turn has, and how many independent moves there are by each.
pub(crate) struct Tally {
    /// What the first and the last die show, how many there are, and whether all show the same.
    first: u32,
    last: u32,
    count: u32,
    same: u32,
    /// Independent moves by the first and by the last number, and the source of one of them.
    moves: [u32; 2],
    sources: [u32; 2],
    /// The pieces that can be moved by a number that all dice show.
    pieces: u32,
    /// Whether anything is known of the dice, and whether every move is independent.
    known: u32,
    all: u32,
}

impl Tally {
    pub(crate) fn new(
        moves: &DicePhase,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (start, end): (u32, u32),
    ) -> Tally {
        let shown = moves.shown(emitter, asm, STATE);
        let [last, count, same, pieces, known, all] = std::array::from_fn(|_| asm.local32());
        let tally = Tally {
            first: shown.first().copied().unwrap_or(count),
            last,
            count,
            same,
            moves: std::array::from_fn(|_| asm.local32()),
            sources: std::array::from_fn(|_| asm.local32()),
            pieces,
            known,
            all,
        };
        Shown { first: tally.first, last, count, same }.find(asm, &shown);
        moves.push_packed(emitter, asm, STATE);
        asm.get(same).get(count).i32(2).op().i32_eq().i32_or().i32_and();
        asm.tee(known).set(all);
        asm.get(known);
        asm.begin_if();
        let event = asm.local64();
        let [pips, source, is] = std::array::from_fn(|_| asm.local32());
        each_event(asm, (start, end), |asm, next| {
            asm.get(next).load(0).set(event);
            moves.push_independent(asm, event);
            asm.begin_if();
            push_pips(asm, event);
            asm.set(pips);
            push_source(asm, event);
            asm.set(source);
            for (at, die) in [tally.first, tally.last].into_iter().enumerate() {
                asm.get(pips).get(die).op().i32_eq();
                asm.tee(is).get(tally.moves[at]).op().i32_add();
                asm.set(tally.moves[at]);
                asm.get(source).get(tally.sources[at]).get(is).op().select();
                asm.set(tally.sources[at]);
            }
            asm.get(same);
            asm.begin_if();
            moves.push_source_count(emitter, asm, STATE, event);
            asm.get(pieces).op().i32_add();
            asm.set(pieces);
            asm.leave();
            asm.op().else_();
            asm.i32(0).set(all);
            asm.leave();
        });
        asm.leave();
        tally
    }

    /// Whether a turn uses all dice whatever move it begins with, on the stack.
    pub(crate) fn push_any_uses_all(&self, asm: &mut Asm) {
        // Where there are two moves by each number, one of them is of another piece.
        asm.get(self.pieces).get(self.count).op().i32_ge_u();
        asm.get(self.moves[0]).i32(2).op().i32_ge_u();
        asm.get(self.moves[1]).i32(2).op().i32_ge_u().i32_and();
        asm.get(self.same).op().select();
        asm.get(self.all).op().i32_and();
    }

    /// Whether a turn is known to use all dice that begins with the move in a local, on the stack.
    pub(crate) fn push_uses_all(
        &self,
        moves: &DicePhase,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        event: u32,
    ) {
        let [others, source] = std::array::from_fn(|_| asm.local32());
        for (to, of) in [(others, self.moves), (source, self.sources)] {
            asm.get(of[1]).get(of[0]);
            push_pips(asm, event);
            asm.get(self.first).op().i32_eq().select();
            asm.set(to);
        }
        asm.get(self.pieces).get(self.count).op().i32_ge_u();
        // One of another piece, be it from the same tile.
        asm.get(others).i32(2).op().i32_ge_u();
        asm.get(others).i32(1).op().i32_eq();
        asm.get(source);
        push_source(asm, event);
        asm.op().i32_ne();
        moves.push_source_count(emitter, asm, STATE, event);
        asm.i32(2).op().i32_ge_u().i32_or().i32_and().i32_or();
        asm.get(self.same).op().select();
        asm.get(self.known).op().i32_and();
        moves.push_independent(asm, event);
        asm.op().i32_and();
    }
}

/// What dice show, in locals: the first and the last of them that shows anything, how many do, and whether
/// all of them show the same.
#[derive(Clone, Copy)]
struct Shown {
    first: u32,
    last: u32,
    count: u32,
    same: u32,
}

impl Shown {
    fn find(self, asm: &mut Asm, shown: &[u32]) {
        let Shown { first, last, count, same } = self;
        asm.i32(0).tee(last).set(count);
        asm.i32(1).set(same);
        for &die in shown {
            asm.get(die).get(last).get(die).op().select();
            asm.set(last);
            asm.get(die).i32(0).op().i32_ne();
            asm.get(count).op().i32_add();
            asm.set(count);
            asm.get(die).op().i32_eqz();
            asm.get(die).get(first).op().i32_eq().i32_or();
            asm.get(same).op().i32_and();
            asm.set(same);
        }
    }
}

/// Whether a turn uses all dice whatever move it begins with, on the stack: from the moves noted at the
/// address in a local, which are all there are.
pub(crate) fn push_noted_use_all(
    moves: &DicePhase,
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    noted: u32,
) {
    let shown = moves.shown(emitter, asm, STATE);
    let [last, count, same, pieces, answer] = std::array::from_fn(|_| asm.local32());
    let word = asm.local64();
    let first = shown.first().copied().unwrap_or(count);
    Shown { first, last, count, same }.find(asm, &shown);
    asm.i32(0).set(answer);
    push_noted_die(asm, noted);
    asm.set(word);
    moves.push_packed(emitter, asm, STATE);
    moves.push_independent(asm, word);
    asm.op().i32_and();
    asm.begin_if();
    asm.get(same);
    asm.begin_if();
    // As many pieces as dice.
    asm.i32(0).set(pieces);
    for part in 0..emitter.width {
        push_noted_word(emitter, asm, noted, (0, part));
        asm.set(word);
        let done = asm.begin_block();
        let again = asm.begin_loop();
        let tile = asm.local64();
        next_tile(asm, 1, word, tile, done);
        asm.get(tile).i64(64 * part as i64).op().i64_add();
        asm.set(tile);
        moves.push_count_on(emitter, asm, STATE, tile);
        asm.get(pieces).op().i32_add();
        asm.tee(pieces).get(count).op().i32_lt_u();
        asm.br_if(again);
        asm.leave();
        asm.leave();
    }
    asm.get(pieces).get(count).op().i32_ge_u();
    asm.set(answer);
    asm.op().else_();
    // Where there are two moves by each of two numbers, one of them is of another piece.
    asm.get(count).i32(2).op().i32_eq();
    for die in 0..2 {
        push_noted(emitter, asm, noted, die);
        asm.i64(2).op().i64_ge_u().i32_and();
    }
    asm.set(answer);
    asm.leave();
    asm.leave();
    asm.get(answer);
}
