//! Trees and random play.

use crate::asm::Asm;
use crate::flow::{copy_all, copy_state};
use crate::module::{Emit, Emitter, Hash, Key, global};

const STATE: u32 = 0;
const DEPTH: u32 = 1;
const ROOM: u32 = 2;

/// Counts a node against the budget; where it is spent, the function ends with a result of 0.
pub(crate) fn tick(asm: &mut Asm) {
    asm.op().global_get(global::BUDGET);
    asm.i64(1).op().i64_sub();
    let left = asm.local64();
    asm.tee(left).op().global_set(global::BUDGET);
    asm.get(left).i64(0).op().i64_lt_s();
    asm.begin_if();
    asm.i64(0).op().return_();
    asm.leave();
}

/// The function that counts the leaves of a tree of at least one event: of a state, a depth, and
/// free room for lists and states below.
pub(crate) fn perft(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Perft);
    let (count, play) = (emitter.want(Key::Count), emitter.want(Key::Play(Hash::Ignored)));
    let perft = emitter.want(Key::Perft);
    asm.get(DEPTH).i32(1).op().i32_le_s();
    asm.begin_if();
    asm.get(STATE).op().call(count).return_();
    asm.leave();
    let stride = emitter.stride();
    walk(emitter, &mut asm, |emitter, asm, next, child| {
        copy_state(emitter, asm, STATE, child);
        asm.get(child).get(next).load(0).op().call(play);
        asm.get(child).get(DEPTH).i32(1).op().i32_sub();
        asm.get(child).i32(stride as i32).op().i32_add();
        asm.op().call(perft);
    });
    asm
}

/// The same with every leaf made; the sum of hashes is a global variable.
pub(crate) fn perft_made(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::PerftMade);
    let (play, perft) = (emitter.want(Key::Play(Hash::Kept)), emitter.want(Key::PerftMade));
    let (stride, hash) = (emitter.stride(), emitter.hash_at());
    asm.get(DEPTH).op().i32_eqz();
    asm.begin_if();
    asm.op().global_get(global::SUM);
    asm.get(STATE).load(hash).op().i64_add().global_set(global::SUM);
    asm.i64(1).op().return_();
    asm.leave();
    walk(emitter, &mut asm, |emitter, asm, next, child| {
        copy_all(emitter, asm, STATE, child);
        asm.get(child).get(next).load(0).op().call(play);
        asm.get(child).get(DEPTH).i32(1).op().i32_sub();
        asm.get(child).i32(stride as i32).op().i32_add();
        asm.op().call(perft);
    });
    asm
}

/// Adds up what code finds for each legal event, given where the event and a state lie.
fn walk(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    each: impl FnOnce(&Emitter<'_>, &mut Asm, u32, u32),
) {
    let legal = emitter.want(Key::Legal);
    let [next, end, child, free] = std::array::from_fn(|_| asm.local32());
    let total = asm.local64();
    tick(asm);
    // Trials take their room behind the list that is being filled.
    asm.op().global_get(global::FREE);
    asm.set(free);
    asm.get(ROOM).i32(LIST).op().i32_add().global_set(global::FREE);
    asm.get(STATE).get(ROOM).i32(0).op().call(legal);
    asm.tee(end).set(child);
    crate::list::trap_beyond(asm, end, ROOM, LIST);
    asm.get(ROOM).set(next);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(child).i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
            each(emitter, asm, next, child);
            asm.get(total).op().i64_add();
            asm.set(total);
            asm.get(next).i32(8).op().i32_add();
            asm.set(next);
            asm.br(again);
        });
    });
    asm.get(free).op().global_set(global::FREE);
    asm.get(total);
}

/// Room for the list of one node.
const LIST: i32 = 1 << 18;

/// The function that draws a number below a bound from the source at an address: four words of
/// xoshiro256**.
pub(crate) fn below(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Below);
    let (source, bound) = (0, 1);
    let [draw, rest, high, t] = std::array::from_fn(|_| asm.local64());
    let words: [u32; 4] = std::array::from_fn(|_| asm.local64());
    asm.get(bound).i64(2).op().i64_lt_u();
    asm.begin_if();
    asm.i64(0).op().return_();
    asm.leave();
    asm.repeat(|asm, again| {
        for (at, &word) in words.iter().enumerate() {
            asm.get(source).load(at * 8).set(word);
        }
        asm.get(words[1]).i64(5).op().i64_mul();
        asm.i64(7).op().i64_rotl();
        asm.i64(9).op().i64_mul();
        asm.set(draw);
        asm.get(words[1]).i64(17).op().i64_shl();
        asm.set(t);
        for (to, from) in [(2, 0), (3, 1), (1, 2), (0, 3)] {
            asm.get(words[to]).get(words[from]).op().i64_xor();
            asm.set(words[to]);
        }
        asm.get(words[2]).get(t).op().i64_xor();
        asm.set(words[2]);
        asm.get(words[3]).i64(45).op().i64_rotl();
        asm.set(words[3]);
        for (at, &word) in words.iter().enumerate() {
            asm.get(source).get(word).store(at * 8);
        }
        // The product has 128 bits; the bound has 32 at most.
        asm.get(draw).get(bound).op().i64_mul();
        asm.set(rest);
        asm.get(draw).i64(32).op().i64_shr_u();
        asm.get(bound).op().i64_mul();
        asm.get(draw).i64(0xffff_ffff).op().i64_and();
        asm.get(bound).op().i64_mul();
        asm.i64(32).op().i64_shr_u().i64_add();
        asm.i64(32).op().i64_shr_u();
        asm.set(high);
        // A number that would favour some answers is drawn again.
        asm.get(rest).get(bound).op().i64_lt_u();
        asm.begin_if();
        asm.get(rest);
        asm.i64(0).get(bound).op().i64_sub();
        asm.get(bound).op().i64_rem_u();
        asm.op().i64_lt_u();
        asm.br_if(again);
        asm.leave();
    });
    asm.get(high);
    asm
}

/// The function that plays at random: of a state that it changes, a source, a number of events, and
/// room for a list. It gives the number of events played.
pub(crate) fn playout(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Playout);
    let (state, source, limit, room) = (0, 1, 2, 3);
    let legal = emitter.want(Key::Legal);
    let play = emitter.want(Key::Play(Hash::Kept));
    let (below, ending) = (emitter.want(Key::Below), emitter.want(Key::Ending));
    let [played, end, free] = std::array::from_fn(|_| asm.local32());
    asm.op().global_get(global::FREE);
    asm.set(free);
    asm.get(room).i32(LIST).op().i32_add().global_set(global::FREE);
    let by_chance = !crate::chance::rolls(emitter).is_empty();
    let (rule, event) = (asm.local32(), asm.local64());
    let mut drawn = Ok(());
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            let count_and_go_on = |asm: &mut Asm| {
                asm.get(played).i32(1).op().i32_add();
                asm.set(played);
                asm.br(again);
            };
            // The first event is played whatever the endings say, as the host does.
            let leave_if_over = |asm: &mut Asm| {
                asm.get(played).i32(0).op().i32_ne();
                asm.begin_if();
                asm.get(state).op().call(ending);
                asm.br_if(done);
                asm.leave();
            };
            asm.get(played).get(limit).op().i32_ge_u();
            asm.br_if(done);
            if by_chance {
                let awaited = emitter.want(Key::Chance);
                asm.get(state).op().call(awaited);
                asm.tee(rule);
                asm.begin_if();
                leave_if_over(asm);
                drawn = crate::chance::draw(emitter, asm, (source, rule), event);
                asm.get(state).get(event).op().call(play);
                count_and_go_on(asm);
                asm.leave();
            }
            asm.get(state).get(room).i32(1).op().call(legal);
            asm.tee(end).get(room).op().i32_eq();
            asm.br_if(done);
            leave_if_over(asm);
            asm.get(state);
            asm.get(source);
            asm.get(end).get(room).op().i32_sub();
            asm.i32(3).op().i32_shr_u().i64_extend_i32_u();
            asm.op().call(below).i32_wrap_i64();
            asm.i32(3).op().i32_shl();
            asm.get(room).op().i32_add();
            asm.load(0).op().call(play);
            count_and_go_on(asm);
        });
    });
    drawn?;
    asm.get(free).op().global_set(global::FREE);
    asm.get(played);
    Ok(asm)
}

/// The function that writes the start of the game to an address.
pub(crate) fn start(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Start);
    let start = emitter.program.start();
    let words = start.words()[..emitter.program.tree_words()].iter().copied();
    let hash = start.hash128();
    for (at, word) in words.chain([hash as u64, (hash >> 64) as u64]).enumerate() {
        asm.get(0).i64(word as i64).store(at * 8);
    }
    asm
}

/// The function that gives the lower half of the hash of a state.
pub(crate) fn digest(emitter: &Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Digest);
    asm.get(0).load(emitter.hash_at());
    asm
}
