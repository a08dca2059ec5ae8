//! Counts of pieces on tiles that hold many, with the planes that follow from them.

use senet_core::ir::Field;

use crate::asm::{Asm, value_at};
use crate::module::{Emit, Emitter, Hash, Key, unsupported};
use crate::number::{mask, push_stack};

/// The most bytes of keys for one owner and kind on tiles that hold many.
const MAX_COUNT_KEYS: usize = 1 << 20;

/// One piece more or one less.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Enters,
    Leaves,
}

/// Whether the counts of an owner's pieces of a kind lie side by side in the order of tiles, none
/// across two words: then the first bit of the first and how many bits each has.
fn in_row(emitter: &Emitter<'_>, owner: usize, kind: usize) -> Option<(u32, u32)> {
    let at = |field: Field| field.word() as u32 * 64 + field.shift();
    let field = |tile| emitter.program.count_field(tile, owner, kind);
    let first = field(0)?;
    let even = (0..emitter.code.tiles).all(|tile| {
        field(tile).is_some_and(|one| at(one) == at(first) + tile as u32 * first.bits())
    });
    (even && 64 % first.bits() == 0).then_some((at(first), first.bits()))
}

/// Adds a piece of an owner and kind to the tile in a local, or takes one away that is there for
/// sure; the owner has no more pieces than a count can say.
pub(super) fn step_count(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    (owner, kind): (usize, usize),
    (step, hash): (Step, Hash),
) -> Emit {
    let bits = emitter.stack_bits();
    let (address, zero) = (asm.local32(), asm.local64());
    let [shift, word, after, count] = std::array::from_fn(|_| asm.local64());
    match in_row(emitter, owner, kind) {
        // A shift takes its number modulo 64.
        Some((first, bits)) => {
            asm.get(tile).i64(bits.into()).op().i64_mul();
            asm.i64(first.into()).op().i64_add();
            asm.tee(shift).i64(6).op().i64_shr_u().i32_wrap_i64();
            asm.i32(3).op().i32_shl();
        }
        None => {
            let (table, place) = (emitter.stack_fields(owner, kind), asm.local32());
            asm.get(tile).op().i32_wrap_i64();
            asm.i32(2).op().i32_shl().i32_load(value_at(table, 2));
            asm.tee(place).i32(16).op().i32_shr_u().i64_extend_i32_u();
            asm.set(shift);
            asm.get(place).i32(0xffff).op().i32_and();
        }
    }
    asm.get(state).op().i32_add();
    asm.tee(address).load(0).set(word);
    asm.get(word).i64(1).get(shift).op().i64_shl();
    match step {
        Step::Enters => asm.op().i64_add(),
        Step::Leaves => asm.op().i64_sub(),
    };
    asm.set(after);
    asm.get(address).get(after).store(0);
    // The count without that piece.
    asm.get(if step == Step::Enters { word } else { after });
    asm.get(shift).op().i64_shr_u();
    asm.i64(mask(bits) as i64).op().i64_and();
    asm.tee(count).op().i64_eqz().i64_extend_i32_u();
    asm.set(zero);
    if hash == Hash::Kept {
        let (keys, index) = (step_keys(emitter, owner, kind, bits)?, asm.local64());
        asm.get(tile).i64(bits.into()).op().i64_shl();
        asm.get(count).op().i64_or();
        asm.set(index);
        emitter.fold_entry(asm, state, keys, index);
    }
    turn_planes(emitter, asm, (state, tile), (owner, kind), zero);
    Ok(())
}

/// Turns the bits of a tile in the planes of an owner and kind where a local is 1: its count of their
/// pieces is 0 before or after.
fn turn_planes(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    (owner, kind): (usize, usize),
    turns: u32,
) {
    let (program, bits) = (emitter.program, emitter.stack_bits());
    let at = emitter.word_of(asm, state, tile);
    let of_owner: Vec<_> = (0..program.kinds()).map(|kind| (owner, kind)).collect();
    let of_kind: Vec<_> = (0..program.players()).map(|owner| (owner, kind)).collect();
    let planes = [(program.owner_plane(owner), of_owner), (program.kind_plane(kind), of_kind)];
    // Where there is much to ask, it is asked only where something turns.
    let asks = program.kinds() > 1;
    if asks {
        asm.get(turns).i64(0).op().i64_ne();
        asm.begin_if();
    }
    for (plane, sorts) in planes {
        // The bit of a tile turns unless other pieces are there all the time.
        let others = sorts.into_iter().filter(|&sort| sort != (owner, kind));
        let bit = asm.local64();
        asm.get(turns);
        for (owner, kind) in others {
            if asks {
                let table = emitter.stack_fields(owner, kind);
                push_stack(asm, state, tile, table, bits);
                asm.op().i64_eqz().i64_extend_i32_u().i64_and();
            } else {
                asm.get(at).load(program.owner_plane(owner) * 8).get(tile).op().i64_shr_u();
                asm.i64(-1).op().i64_xor().i64_and();
            }
        }
        asm.get(tile).op().i64_shl();
        asm.set(bit);
        asm.get(at);
        asm.get(at).load(plane * 8).get(bit).op().i64_xor();
        asm.store(plane * 8);
    }
    if asks {
        asm.leave();
    }
}

/// A function that changes a count by a number, with the planes that follow from it.
pub(crate) fn recount(
    emitter: &mut Emitter<'_>,
    owner: usize,
    kind: usize,
    hash: Hash,
) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Recount(owner, kind, hash));
    let (state, tile, by) = (0, 1, 2);
    let (table, bits) = (emitter.stack_fields(owner, kind), emitter.stack_bits());
    let (place, address) = (asm.local32(), asm.local32());
    let [shift, word, before, after] = std::array::from_fn(|_| asm.local64());
    asm.get(tile).op().i32_wrap_i64();
    asm.i32(2).op().i32_shl().i32_load(value_at(table, 2));
    asm.tee(place).i32(0xffff).op().i32_and();
    asm.get(state).op().i32_add();
    asm.set(address);
    asm.get(place).i32(16).op().i32_shr_u().i64_extend_i32_u();
    asm.set(shift);
    asm.get(address).load(0).tee(word).get(shift).op().i64_shr_u();
    asm.i64(mask(bits) as i64).op().i64_and();
    asm.tee(before).get(by).op().i64_add();
    asm.i64(mask(bits) as i64).op().i64_and();
    asm.set(after);
    asm.get(address).get(word);
    asm.get(before).get(after).op().i64_xor();
    asm.get(shift).op().i64_shl().i64_xor();
    asm.store(0);
    if hash == Hash::Kept {
        let keys = count_keys(emitter, owner, kind, bits)?;
        for count in [before, after] {
            let index = asm.local64();
            asm.get(tile).i64(i64::from(bits)).op().i64_shl();
            asm.get(count).op().i64_or();
            asm.set(index);
            emitter.fold_entry(&mut asm, state, keys, index);
        }
    }
    let turns = asm.local64();
    asm.get(before).op().i64_eqz();
    asm.get(after).op().i64_eqz();
    asm.op().i32_ne().i64_extend_i32_u();
    asm.set(turns);
    turn_planes(emitter, &mut asm, (state, tile), (owner, kind), turns);
    Ok(asm)
}

/// Keys of each count on each tile.
fn count_keys(emitter: &mut Emitter<'_>, owner: usize, kind: usize, bits: u32) -> Emit<usize> {
    let program = emitter.program;
    let key = move |tile, count| program.count_key(tile, owner, kind, count);
    keys_by_count(emitter, ("count keys", bits), (owner, kind), key)
}

/// Keys of each count with those of one more.
fn step_keys(emitter: &mut Emitter<'_>, owner: usize, kind: usize, bits: u32) -> Emit<usize> {
    let program = emitter.program;
    let key = move |tile, count| program.count_key(tile, owner, kind, count);
    let step = move |tile, count| key(tile, count) ^ key(tile, count + 1);
    keys_by_count(emitter, ("step keys", bits), (owner, kind), step)
}

fn keys_by_count(
    emitter: &mut Emitter<'_>,
    (name, bits): (&'static str, u32),
    (owner, kind): (usize, usize),
    key: impl Fn(usize, u64) -> u128,
) -> Emit<usize> {
    if (emitter.code.tiles << bits) * 16 > MAX_COUNT_KEYS {
        return unsupported("stacks this high on this many tiles");
    }
    let kinds = emitter.program.kinds();
    Ok(emitter.table(name, owner * kinds + kind, |emitter| {
        let program = emitter.program;
        let mut keys = Vec::new();
        for tile in 0..emitter.code.tiles {
            let known = |count| if program.stacks(tile) { key(tile, count) } else { 0 };
            keys.extend((0..1u64 << bits).map(known));
        }
        emitter.keys(&keys)
    }))
}
