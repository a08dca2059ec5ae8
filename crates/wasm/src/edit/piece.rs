//! Functions of a module that take pieces off tiles and put them down.

use crate::asm::Asm;
use crate::module::{Emit, Emitter, Hash, Key};
use crate::number::push_stack;
use crate::set::push_bit;

use super::FLAGS;

/// A function that takes the first piece off a tile.
pub(crate) fn lift(emitter: &mut Emitter<'_>, hash: Hash) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Lift(hash));
    let (state, tile, code) = (0, 1, asm.local64());
    let exclusive = emitter.all_exclusive();
    if !exclusive {
        push_is_stack(emitter, &mut asm, tile);
        asm.begin_if();
        let done = asm.begin_block();
        for (owner, kind) in emitter.sorts() {
            let (table, bits) = (emitter.stack_fields(owner, kind), emitter.stack_bits());
            push_stack(&mut asm, state, tile, table, bits);
            asm.i64(0).op().i64_ne();
            let recount = emitter.want(Key::Recount(owner, kind, hash));
            let number = owner * emitter.program.kinds() + kind + 1;
            asm.begin_if();
            asm.get(state).get(tile).i64(-1).op().call(recount);
            asm.i64(number as i64).set(code);
            asm.br(done);
            asm.leave();
        }
        asm.leave();
        asm.op().else_();
    }
    lift_only(emitter, &mut asm, (state, tile), code, hash);
    if !exclusive {
        asm.leave();
    }
    asm.get(code);
    Ok(asm)
}

/// Whether the tile in a local holds many pieces, on the stack.
pub(super) fn push_is_stack(emitter: &mut Emitter<'_>, asm: &mut Asm, tile: u32) {
    let exclusive = emitter.program.exclusive();
    asm.i64(0);
    for (word, &tiles) in exclusive.iter().enumerate() {
        let stacks = !tiles;
        push_bit(asm, emitter.width, tile, word as u32);
        asm.i64(stacks as i64).op().i64_and().i64_or();
    }
    asm.i64(0).op().i64_ne();
}

/// Takes the piece off a tile that holds one, into a local.
pub(super) fn lift_only(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    code: u32,
    hash: Hash,
) {
    let program = emitter.program;
    let (players, kinds, width) = (program.players(), program.kinds(), emitter.width);
    let (bit, flags) = (asm.local64(), asm.local64());
    asm.i64(0).set(code);
    asm.i64(0).set(flags);
    let held = asm.holds(state);
    let at = if held { state } else { emitter.word_of(asm, state, tile) };
    // The bit of the tile in a plane goes away; it stays in a local as 0 or 1.
    let take = |asm: &mut Asm, plane: usize| {
        if held {
            return take_held(asm, (state, tile), (plane, width), bit);
        }
        let word = asm.local64();
        asm.get(at).load(plane * 8).tee(word).get(tile).op().i64_shr_u();
        asm.i64(1).op().i64_and();
        asm.set(bit);
        asm.get(at).get(word).get(bit).get(tile).op().i64_shl().i64_xor();
        asm.store(plane * 8);
    };
    let worth = |owner: usize| (program.owner_plane(owner), (owner * kinds + 1) as i64);
    let owners: Vec<(usize, i64)> = (0..players).map(worth).collect();
    let kinds: Vec<(usize, i64)> =
        (0..kinds).map(|kind| (program.kind_plane(kind), kind as i64)).collect();
    for planes in [owners, kinds] {
        if !held {
            take_first(asm, (at, tile), &planes, code);
            continue;
        }
        for (plane, worth) in planes {
            take(asm, plane);
            asm.get(bit).i64(worth).op().i64_mul();
            asm.get(code).op().i64_add();
            asm.set(code);
        }
    }
    if hash == Hash::Kept {
        let keys = emitter.piece_keys();
        fold_piece(emitter, asm, (state, tile), code, keys);
    }
    for flag in 0..program.flags() {
        take(asm, program.flag_plane(flag));
        asm.get(bit).i64(FLAGS + flag as i64).op().i64_shl();
        asm.get(flags).op().i64_or();
        asm.set(flags);
        if hash == Hash::Kept && asm.unkeyed >> flag & 1 == 0 {
            let keys = emitter.plane_keys("flag keys", flag);
            asm.get(bit).i64(0).op().i64_ne();
            asm.begin_if();
            emitter.fold_entry(asm, state, keys, tile);
            asm.leave();
        }
    }
    asm.get(code).get(flags).op().i64_or();
    asm.set(code);
}

/// Takes the bit of a tile out of the first of some planes that has it, and adds what that plane is worth to a
/// local.
fn take_first(asm: &mut Asm, (at, tile): (u32, u32), planes: &[(usize, i64)], code: u32) {
    let mask = asm.local64();
    asm.i64(1).get(tile).op().i64_shl();
    asm.set(mask);
    let found = asm.begin_block();
    for &(plane, worth) in planes {
        asm.get(at).load(plane * 8).get(mask).op().i64_and();
        asm.i64(0).op().i64_ne();
        asm.begin_if();
        asm.get(at).get(at).load(plane * 8).get(mask).op().i64_xor();
        asm.store(plane * 8);
        asm.get(code).i64(worth).op().i64_add();
        asm.set(code);
        asm.br(found);
        asm.leave();
    }
    asm.leave();
}

/// Takes the bit of a tile out of a plane of a state that is held, into a local as 0 or 1.
fn take_held(asm: &mut Asm, (state, tile): (u32, u32), (plane, width): (usize, usize), bit: u32) {
    let word = asm.local64();
    asm.i64(0).set(bit);
    for at in (plane..plane + width).map(|plane| plane * 8) {
        asm.load_word(state, at);
        push_bit(asm, width, tile, (at / 8 - plane) as u32);
        asm.op().i64_and();
        asm.tee(word).get(bit).op().i64_or();
        asm.set(bit);
        asm.store_word(state, at, |asm| {
            asm.load_word(state, at).get(word).op().i64_xor();
        });
    }
    asm.get(bit).i64(0).op().i64_ne().i64_extend_i32_u();
    asm.set(bit);
}

/// Takes whoever stands on the target off it, in a state that is held, unless a piece comes back to it. Some
/// planes are known to be read or written by nothing else.
pub(super) fn clear_held(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (state, from, to): (u32, u32, u32),
    unread: &[usize],
) {
    let (program, width) = (emitter.program, emitter.width);
    let owners = (0..program.players()).map(|owner| program.owner_plane(owner));
    let kinds = (0..program.kinds()).map(|kind| program.kind_plane(kind));
    let flags = (0..program.flags()).map(|flag| program.flag_plane(flag));
    let planes: Vec<usize> = owners.chain(kinds).chain(flags).collect();
    for word in 0..width {
        let stays = asm.local64();
        push_bit(asm, width, to, word as u32);
        asm.i64(0).get(from).get(to).op().i64_ne().select();
        asm.i64(-1).op().i64_xor();
        asm.set(stays);
        for &plane in &planes {
            let at = (plane + word) * 8;
            if unread.contains(&plane) {
                asm.pass_word(at, |asm| {
                    asm.get(stays).op().i64_and();
                });
                continue;
            }
            asm.store_word(state, at, |asm| {
                asm.load_word(state, at).get(stays).op().i64_and();
            });
        }
    }
}

/// Takes the key of the piece in a local, without flags, into the hash.
fn fold_piece(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    code: u32,
    keys: usize,
) {
    let index = asm.local64();
    asm.get(code).i64(emitter.code.tiles as i64).op().i64_mul();
    asm.get(tile).op().i64_add();
    asm.set(index);
    emitter.fold_entry(asm, state, keys, index);
}

/// A function that puts a piece onto a tile.
pub(crate) fn drop(emitter: &mut Emitter<'_>, hash: Hash) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Drop(hash));
    let (state, tile, lifted) = (0, 1, 2);
    let (code, exclusive) = (asm.local64(), emitter.all_exclusive());
    asm.get(lifted).i64((1 << FLAGS) - 1).op().i64_and();
    asm.set(code);
    asm.get(code).i64(0).op().i64_ne();
    asm.begin_if();
    if !exclusive {
        push_is_stack(emitter, &mut asm, tile);
        asm.begin_if();
        for (owner, kind) in emitter.sorts() {
            let number = owner * emitter.program.kinds() + kind + 1;
            let recount = emitter.want(Key::Recount(owner, kind, hash));
            asm.get(code).i64(number as i64).op().i64_eq();
            asm.begin_if();
            asm.get(state).get(tile).i64(1).op().call(recount);
            asm.leave();
        }
        asm.op().else_();
    }
    drop_only(emitter, &mut asm, (state, tile), (lifted, code), hash);
    if !exclusive {
        asm.leave();
    }
    asm.leave();
    Ok(asm)
}

/// Puts a piece onto an empty tile that holds one.
fn drop_only(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    (lifted, code): (u32, u32),
    hash: Hash,
) {
    let program = emitter.program;
    let (kinds, width) = (program.kinds() as i64, emitter.width as i32);
    let at = emitter.word_of(asm, state, tile);
    let (address, word) = (asm.local32(), asm.local64());
    let add = |asm: &mut Asm, plane: usize| {
        asm.get(address).load(plane * 8).set(word);
        asm.get(address).get(word).i64(1).get(tile).op().i64_shl().i64_or();
        asm.store(plane * 8);
    };
    for (part, plane) in [(0, program.owner_plane(0)), (1, program.kind_plane(0))] {
        asm.get(code).i64(1).op().i64_sub();
        asm.i64(kinds);
        match part {
            0 => asm.op().i64_div_u(),
            _ => asm.op().i64_rem_u(),
        };
        asm.op().i32_wrap_i64();
        asm.i32(width * 8).op().i32_mul();
        asm.get(at).op().i32_add();
        asm.set(address);
        add(asm, plane);
    }
    if hash == Hash::Kept {
        let keys = emitter.piece_keys();
        fold_piece(emitter, asm, (state, tile), code, keys);
    }
    asm.get(at).set(address);
    for flag in 0..program.flags() {
        asm.get(lifted).i64(FLAGS + flag as i64).op().i64_shr_u();
        asm.i64(1).op().i64_and().i32_wrap_i64();
        asm.begin_if();
        add(asm, program.flag_plane(flag));
        if hash == Hash::Kept {
            let keys = emitter.plane_keys("flag keys", flag);
            emitter.fold_entry(asm, state, keys, tile);
        }
        asm.leave();
    }
}

/// A function that moves the piece of a tile to another, both of which hold one, as another kind if
/// one is chosen.
pub(crate) fn carry(emitter: &mut Emitter<'_>, hash: Hash) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Carry(hash));
    let (state, from, to, choice) = (0, 1, 2, 3);
    let program = emitter.program;
    let (players, kinds) = (program.players(), program.kinds());
    if emitter.width > 1 {
        carry_wide(emitter, &mut asm, hash);
        return Ok(asm);
    }
    // An effect before the move may have taken the piece away.
    asm.i64(0);
    for owner in 0..players {
        asm.get(state).load(program.owner_plane(owner) * 8).op().i64_or();
    }
    asm.get(from).op().i64_shr_u().i32_wrap_i64();
    asm.i32(1).op().i32_and().i32_eqz();
    asm.begin_if();
    asm.op().return_();
    asm.leave();
    // Each plane takes the bit of the source to the target, whatever it is.
    let [kept, word, moving, met] = std::array::from_fn(|_| asm.local64());
    asm.i64(1).get(from).op().i64_shl();
    asm.i64(1).get(to).op().i64_shl().i64_or();
    asm.i64(-1).op().i64_xor();
    asm.set(kept);
    for plane in 0..players + kinds + program.flags() {
        let bit = asm.local64();
        asm.get(state);
        asm.get(state).load(plane * 8).tee(word).get(kept).op().i64_and();
        asm.get(word).get(from).op().i64_shr_u();
        asm.i64(1).op().i64_and();
        asm.tee(bit).get(to).op().i64_shl().i64_or();
        asm.store(plane * 8);
        if hash == Hash::Ignored {
            continue;
        }
        let there = asm.local64();
        asm.get(word).get(to).op().i64_shr_u();
        asm.i64(1).op().i64_and();
        asm.set(there);
        match plane.checked_sub(players + kinds) {
            // The number of a piece is the sum of what its planes are worth.
            None => {
                let worth = if plane < players { plane * kinds + 1 } else { plane - players };
                for (bit, code) in [(bit, moving), (there, met)] {
                    asm.get(bit).i64(worth as i64).op().i64_mul();
                    asm.get(code).op().i64_add();
                    asm.set(code);
                }
            }
            Some(flag) => {
                let bits = [(bit, from), (bit, to), (there, to)];
                fold_flag(emitter, &mut asm, state, flag, bits);
            }
        }
    }
    place_chosen(emitter, &mut asm, kept);
    if hash == Hash::Kept {
        let keys = emitter.piece_keys();
        fold_piece(emitter, &mut asm, (state, from), moving, keys);
        fold_piece(emitter, &mut asm, (state, to), met, keys);
        replace_kind(&mut asm, moving, choice, kinds);
        fold_piece(emitter, &mut asm, (state, to), moving, keys);
    }
    Ok(asm)
}

/// A piece of which more is known than its tile.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) owner: usize,
    pub(super) kind: usize,
    /// The local with the kind that it becomes, if it becomes another.
    pub(super) choice: Option<u32>,
    /// Whether it comes from the same tile in every round of the loop in which the state is held.
    pub(super) stays: bool,
    /// The local with the bits by which the plane of its kind changes on its target, if not by all: by none
    /// where it takes a piece of its kind.
    pub(super) enters: Option<u32>,
}

/// A piece of a known owner that is taken, by locals.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) owner: usize,
    /// The address of the state before the event, and of the one that changes, each with the place of the
    /// kind's plane among those of kinds added.
    pub(crate) source: u32,
    pub(crate) place: u32,
    /// The place of the kind's keys among those of its owner, in bytes.
    pub(crate) keys: u32,
    /// All bits, or none where the piece that moves is of its kind.
    pub(crate) enters: u32,
}

/// Takes a piece off a tile of a state that is held; the plane of its kind, which is not held, is written at
/// once.
pub(super) fn take_known(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, tile): (u32, u32),
    taken: Taken,
    hash: Hash,
) {
    let (program, width) = (emitter.program, emitter.width);
    emitter.turn_bits(asm, state, program.owner_plane(taken.owner), &[tile]);
    for word in 0..width {
        let at = (program.kind_plane(0) + word) * 8;
        asm.get(taken.place).get(taken.source).load(at);
        push_bit(asm, width, tile, word as u32);
        asm.op().i64_xor();
        asm.store(at);
    }
    if hash == Hash::Kept {
        let keys = emitter.piece_keys();
        let sort = taken.owner * program.kinds() + 1;
        asm.get(tile).op().i32_wrap_i64();
        asm.i32(4).op().i32_shl();
        asm.get(taken.keys).op().i32_add();
        asm.i32((keys + sort * emitter.code.tiles * 16) as i32).op().i32_add();
        emitter.fold_key(asm, state);
    }
    for flag in 0..program.flags() {
        let plane = program.flag_plane(flag);
        if emitter.is_clear(asm, state, plane) {
            continue;
        }
        emitter.push_plane_bit(asm, state, plane, tile);
        asm.op().i32_wrap_i64();
        asm.begin_if();
        emitter.turn_bits(asm, state, plane, &[tile]);
        if hash == Hash::Kept && asm.unkeyed >> flag & 1 == 0 {
            let keys = emitter.plane_keys("flag keys", flag);
            emitter.fold_entry(asm, state, keys, tile);
        }
        asm.leave();
    }
}

/// Moves a piece that is known from one tile to another that is empty, both of which hold one.
pub(super) fn carry_known(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, from, to): (u32, u32, u32),
    mover: Mover,
    hash: Hash,
) {
    let (program, width) = (emitter.program, emitter.width);
    let (owner, kind) = (program.owner_plane(mover.owner), program.kind_plane(mover.kind));
    emitter.turn_bits(asm, state, owner, &[from, to]);
    match mover.choice {
        None => match mover.enters {
            None => emitter.turn_bits(asm, state, kind, &[from, to]),
            Some(enters) => {
                emitter.turn_bits(asm, state, kind, &[from]);
                for word in 0..width {
                    let at = (kind + word) * 8;
                    asm.store_word(state, at, |asm| {
                        asm.load_word(state, at);
                        push_bit(asm, width, to, word as u32);
                        asm.get(enters).op().i64_and().i64_xor();
                    });
                }
            }
        },
        Some(choice) => {
            emitter.turn_bits(asm, state, kind, &[from]);
            let place = asm.local32();
            asm.get(choice).op().i32_wrap_i64();
            asm.i32(width as i32 * 8).op().i32_mul();
            asm.get(state).op().i32_add();
            asm.set(place);
            emitter.turn_bits(asm, place, program.kind_plane(0), &[to]);
        }
    }
    if hash == Hash::Kept {
        let keys = emitter.piece_keys();
        let (sort, tiles) = (mover.owner * program.kinds() + 1, emitter.code.tiles);
        let row = |kind: usize| keys + (sort + kind) * tiles * 16;
        match mover.stays {
            true => emitter.fold_same_entry(asm, state, row(mover.kind), from),
            false => emitter.fold_entry(asm, state, row(mover.kind), from),
        }
        match mover.choice {
            None => emitter.fold_entry(asm, state, row(mover.kind), to),
            Some(choice) => {
                let entered = asm.local64();
                asm.get(choice).i64(tiles as i64).op().i64_mul();
                asm.get(to).op().i64_add();
                asm.set(entered);
                emitter.fold_entry(asm, state, row(0), entered);
            }
        }
    }
    for flag in 0..program.flags() {
        carry_flag(emitter, asm, (state, from, to), flag, hash);
    }
}

/// Moves a flag, if it is set, from one tile to another where it is not.
fn carry_flag(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, from, to): (u32, u32, u32),
    flag: usize,
    hash: Hash,
) {
    let plane = emitter.program.flag_plane(flag);
    if asm.bare >> flag & 1 == 1 || emitter.is_clear(asm, state, plane) {
        return;
    }
    emitter.push_plane_bit(asm, state, plane, from);
    asm.op().i32_wrap_i64();
    asm.begin_if();
    emitter.turn_bits(asm, state, plane, &[from, to]);
    if hash == Hash::Kept && asm.unkeyed >> flag & 1 == 0 {
        let keys = emitter.plane_keys("flag keys", flag);
        emitter.fold_entry(asm, state, keys, from);
        emitter.fold_entry(asm, state, keys, to);
    }
    asm.leave();
}

/// Makes the piece that was carried the kind that is chosen, if one is.
fn place_chosen(emitter: &Emitter<'_>, asm: &mut Asm, kept: u32) {
    let (state, to, choice) = (0, 2, 3);
    asm.get(choice).i64(0).op().i64_ge_s();
    asm.begin_if();
    for kind in 0..emitter.program.kinds() {
        let at = emitter.program.kind_plane(kind) * 8;
        asm.get(state);
        asm.get(state).load(at).get(kept).op().i64_and();
        asm.get(choice).i64(kind as i64).op().i64_eq().i64_extend_i32_u();
        asm.get(to).op().i64_shl().i64_or();
        asm.store(at);
    }
    asm.leave();
}

/// The same as [`carry`] where a plane has several words.
fn carry_wide(emitter: &mut Emitter<'_>, asm: &mut Asm, hash: Hash) {
    let (state, from, to, choice) = (0, 1, 2, 3);
    let (code, met, bare) = (asm.local64(), asm.local64(), asm.local64());
    lift_only(emitter, asm, (state, from), code, hash);
    asm.get(code).i64(0).op().i64_ne();
    asm.begin_if();
    lift_only(emitter, asm, (state, to), met, hash);
    replace_kind(asm, code, choice, emitter.program.kinds());
    asm.get(code).i64((1 << FLAGS) - 1).op().i64_and();
    asm.set(bare);
    drop_only(emitter, asm, (state, to), (code, bare), hash);
    asm.leave();
}

/// Takes the keys of a flag on some tiles into the hash, each where its bit is set.
fn fold_flag(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    state: u32,
    flag: usize,
    bits: [(u32, u32); 3],
) {
    let keys = emitter.plane_keys("flag keys", flag);
    asm.get(bits[0].0).get(bits[2].0).op().i64_or();
    asm.i64(0).op().i64_ne();
    asm.begin_if();
    for (bit, tile) in bits {
        asm.get(bit).i64(0).op().i64_ne();
        asm.begin_if();
        emitter.fold_entry(asm, state, keys, tile);
        asm.leave();
    }
    asm.leave();
}

/// Gives a piece off its tile another kind, where one is chosen.
pub(super) fn replace_kind(asm: &mut Asm, code: u32, choice: u32, kinds: usize) {
    asm.get(choice).i64(0).op().i64_ge_s();
    asm.begin_if();
    let bare = asm.local64();
    asm.get(code).i64((1 << FLAGS) - 1).op().i64_and();
    asm.i64(1).op().i64_sub();
    asm.set(bare);
    asm.get(code).i64(-1 << FLAGS).op().i64_and();
    asm.get(bare).get(bare).i64(kinds as i64).op().i64_rem_u().i64_sub();
    asm.get(choice).op().i64_add();
    asm.i64(1).op().i64_add().i64_or();
    asm.set(code);
    asm.leave();
}
