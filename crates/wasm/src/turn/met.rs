//! The positions that were met in a turn.

use crate::asm::Asm;
use crate::module::{Emit, Emitter, Key};

use super::{MOST_TAKEN, Search, get, put, search};

const STATE: u32 = 0;

/// The words of a position that tell it from others: where every tile holds many, the planes of owners
/// and kinds follow from counts.
fn telling_words(emitter: &Emitter<'_>) -> Vec<usize> {
    let program = emitter.program;
    let planes = (program.players() + program.kinds()) * emitter.width;
    let first = if emitter.all_stacks() { planes } else { 0 };
    (first..program.position_words()).collect()
}

/// Finds where in the table the position at the address of a local belongs, into a local; what was
/// used up to it lies where trees keep the hash.
fn find_place(emitter: &Emitter<'_>, asm: &mut Asm, state: u32, place: u32) {
    let hash = asm.local64();
    asm.get(state).load(emitter.hash_at()).set(hash);
    // Each word has a factor of its own, so that none waits for another.
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    for word in telling_words(emitter) {
        asm.get(state).load(word * 8).i64(factor as i64).op().i64_mul();
        asm.get(hash).op().i64_add();
        asm.set(hash);
        factor = factor.wrapping_mul(0xd134_2543_de82_ef95);
    }
    asm.get(hash).get(hash).i64(29).op().i64_shr_u().i64_xor();
    asm.i64(factor as i64).op().i64_mul();
    asm.i64(32).op().i64_shr_u().i32_wrap_i64();
    asm.set(place);
}

/// Leaves an empty place of the table, from a place on, in its local; other code runs at each that is
/// taken in this search, with the local that has its entry.
fn probe(asm: &mut Asm, search: Search, place: u32, taken: impl FnOnce(&mut Asm, u32)) {
    let entry = asm.local64();
    asm.repeat(|asm, again| {
        asm.get(place);
        get(asm, search.mask);
        asm.op().i32_and();
        asm.tee(place).i32(3).op().i32_shl().i64_load(crate::asm::word_at(search.table));
        asm.tee(entry).i64(32).op().i64_shr_u().i32_wrap_i64();
        get(asm, search.number);
        asm.op().i32_eq();
        asm.begin_if();
        taken(asm, entry);
        asm.get(place).i32(1).op().i32_add();
        asm.set(place);
        asm.br(again);
        asm.leave();
    });
}

/// Takes the place in a local for the position at the address of another.
fn take(asm: &mut Asm, search: Search, place: u32, state: u32) {
    asm.get(place).i32(3).op().i32_shl();
    get(asm, search.number);
    asm.op().i64_extend_i32_u();
    asm.i64(32).op().i64_shl();
    asm.get(state).op().i64_extend_i32_u().i64_or();
    asm.store(search.table);
}

/// The function that says whether a position was met in this search with as much used; where it was
/// not, it is from now on, and the next one lies behind it.
pub(crate) fn met(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Met);
    let (used, search) = (1, search(emitter));
    let [place, other, value] = std::array::from_fn(|_| asm.local32());
    let differs = asm.local64();
    asm.get(STATE).get(used).op().i64_extend_i32_u();
    asm.store(emitter.hash_at());
    find_place(emitter, &mut asm, STATE, place);
    probe(&mut asm, search, place, |asm, entry| {
        asm.get(entry).op().i32_wrap_i64();
        asm.set(other);
        asm.i64(0).set(differs);
        for word in telling_words(emitter).into_iter().chain([emitter.hash_at() / 8]) {
            asm.get(other).load(word * 8).get(STATE).load(word * 8).op().i64_xor();
            asm.get(differs).op().i64_or();
            asm.set(differs);
        }
        asm.get(differs).op().i64_eqz();
        asm.begin_if();
        asm.i32(1).op().return_();
        asm.leave();
    });
    take(&mut asm, search, place, STATE);
    asm.get(STATE).i32(emitter.stride() as i32).op().i32_add();
    asm.set(value);
    put(&mut asm, search.next, value);
    get(&mut asm, search.taken);
    asm.i32(1).op().i32_add();
    asm.set(value);
    put(&mut asm, search.taken, value);
    asm.get(value).i32(1).op().i32_shl();
    get(&mut asm, search.mask);
    asm.op().i32_gt_u();
    asm.begin_if();
    let grow = emitter.want(Key::Grow);
    asm.op().call(grow);
    asm.leave();
    asm.i32(0);
    Ok(asm)
}

/// The function that makes the table of positions larger and finds their places anew.
pub(crate) fn grow(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Grow);
    let search = search(emitter);
    let [place, value, state] = std::array::from_fn(|_| asm.local32());
    get(&mut asm, search.taken);
    asm.i32(MOST_TAKEN as i32).op().i32_ge_u();
    asm.begin_if();
    asm.op().unreachable();
    asm.leave();
    get(&mut asm, search.mask);
    asm.i32(2).op().i32_shl();
    asm.i32(3).op().i32_or();
    asm.set(value);
    put(&mut asm, search.mask, value);
    // Whatever was entered under the number before is forgotten.
    get(&mut asm, search.number);
    asm.i32(1).op().i32_add();
    asm.set(value);
    put(&mut asm, search.number, value);
    get(&mut asm, search.positions);
    asm.set(state);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(state);
            get(asm, search.next);
            asm.op().i32_ge_u();
            asm.br_if(done);
            find_place(emitter, asm, state, place);
            probe(asm, search, place, |_, _| {});
            take(asm, search, place, state);
            asm.get(state).i32(emitter.stride() as i32).op().i32_add();
            asm.set(state);
            asm.br(again);
        });
    });
    asm
}
