//! Trees and random play.

use senet_core::ir::FunctionId;
use senet_core::program::Turns;

use crate::asm::{Asm, Label};
use crate::flow::{copy_all, copy_state};
use crate::function::Body;
use crate::list::LIST;
use crate::made::serving_words;
use crate::module::{Emit, Emitter, Hash, Key, Mode, Mover, global};
use crate::note::NOTES;
use crate::play::{Within, settle};
use crate::usage::push_is_of;

const STATE: u32 = 0;
const DEPTH: u32 = 1;

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

/// The function that counts the leaves of a tree of a state and a depth; where hashes are kept every
/// leaf is made, and the sum of hashes is a global variable.
pub(crate) fn perft(emitter: &mut Emitter<'_>, hash: Hash) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Perft(hash));
    if !emitter.program.can_come_to_stop() {
        asm.get(DEPTH).i32(0).op().i32_gt_s();
        asm.begin_if();
        crate::list::leave_if_stopped(emitter, &mut asm, |asm| {
            asm.i64(0);
        });
        asm.leave();
    }
    let tree = emitter.want(Key::Tree(hash, None));
    asm.get(STATE).get(DEPTH).op().call(tree);
    Ok(asm)
}

/// The function that counts the leaves below a node.
pub(crate) fn tree(emitter: &mut Emitter<'_>, hash: Hash, mover: Mover) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Tree(hash, mover));
    let stops = emitter.program.can_come_to_stop();
    if hash == Hash::Ignored {
        let count = want_count(emitter, mover);
        asm.get(DEPTH).i32(1).op().i32_le_s();
        asm.begin_if();
        asm.get(STATE).op().call(count).return_();
        asm.leave();
    } else {
        asm.get(DEPTH).op().i32_eqz();
        asm.begin_if();
        add_leaf(emitter, &mut asm, STATE);
        asm.op().return_();
        asm.leave();
    }
    tick(&mut asm);
    if stops {
        crate::list::push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.i64(0).op().return_();
        asm.leave();
    }
    let total = asm.local64();
    let at = (STATE, mover);
    crate::list::by_mover(emitter, &mut asm, at, |emitter, asm, phase, player| {
        let shape = emitter.phases[phase].clone();
        if !shape.counts_moves {
            walk_list(emitter, asm, hash, Key::Listed);
            asm.set(total);
            return Ok(());
        }
        let program = emitter.program;
        let make = |rule: &usize| program.rule_functions(*rule, player).make;
        let holds = |rule: &usize| emitter.holds(make(rule));
        let in_one_state = shape.rules[0].iter().any(holds);
        let (child, outer) = (asm.local32(), asm.local32());
        if in_one_state {
            asm.op().global_get(global::COPY);
            asm.set(outer);
            take_child(emitter, asm, child);
            copy(emitter, asm, child, hash);
            asm.get(child).op().global_set(global::COPY);
        }
        for (kind, id) in [(0, program.moves(phase, player)), (1, program.puts(phase, player))] {
            if !shape.rules[kind].is_empty() {
                let walk = emitter.want_lowered(id, Mode::Walk(hash, player as u8));
                asm.get(STATE).get(DEPTH).op().call(walk);
                asm.get(total).op().i64_add();
                asm.set(total);
            }
        }
        walk_others(emitter, asm, (phase, player), hash, total);
        if in_one_state {
            asm.get(child).op().global_set(global::FREE);
            asm.get(outer).op().global_set(global::COPY);
        }
        Ok(())
    })?;
    asm.get(total);
    Ok(asm)
}

/// Adds the leaves below the events of a phase that are neither moves nor pieces that enter.
fn walk_others(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    hash: Hash,
    total: u32,
) {
    let shape = emitter.phases[phase].clone();
    if !shape.counts && !shape.ranked {
        walk_list(emitter, asm, hash, Key::Others(phase, player));
        asm.get(total).op().i64_add();
        asm.set(total);
    }
    // Where there are moves they are listed once more, and have no leaves.
    if shape.ranked || shape.has_otherwise {
        asm.get(total).op().i64_eqz();
        asm.begin_if();
        walk_list(emitter, asm, hash, Key::Listed);
        asm.set(total);
        asm.leave();
    }
}

/// The function that counts the leaves one event below a node.
pub(crate) fn want_count(emitter: &mut Emitter<'_>, mover: Mover) -> u32 {
    if emitter.program.can_come_to_stop() {
        return emitter.want(Key::Count(mover));
    }
    match (emitter.program.sole_phase(), mover) {
        (Some(phase), Some(player)) if emitter.counts_alone(phase) => {
            let moves = emitter.program.moves(phase, player.into());
            emitter.want_lowered(moves, Mode::Count)
        }
        _ => emitter.want(Key::Counted(mover)),
    }
}

/// Adds the hash of a leaf to the sum; its count is on the stack.
fn add_leaf(emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
    asm.op().global_get(global::SUM);
    asm.get(state).load(emitter.hash_at()).op().i64_add().global_set(global::SUM);
    asm.i64(1);
}

/// The function that carries out an event on a copy of the state and counts the leaves below: of
/// the state, the depth, and the four numbers of the event, of which the last are seldom asked for.
pub(crate) fn descend(emitter: &mut Emitter<'_>, make: u16, hash: Hash) -> Emit<Asm> {
    let code = emitter.code;
    let function = &code.functions[usize::from(make)];
    let mut body = Body::new(emitter, function, Key::Descend(make, hash), Mode::Make(hash));
    let (child, total) = (body.asm.local32(), body.asm.local64());
    take_child(body.emitter, &mut body.asm, child);
    copy(body.emitter, &mut body.asm, child, hash);
    let turns = body.emitter.program.turns(FunctionId(make));
    let depends = turns == Turns::Sometimes && body.emitter.tells_turns;
    if depends {
        body.asm.i32(0).op().global_set(global::TURNED);
    }
    body.state = child;
    body.block(&function.body)?;
    body.end();
    let (keeps, mut asm) = (body.keeps(), body.asm);
    if keeps {
        // The room that the code took for itself lies below the copy, and is free with it.
        asm.get(child).i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    }
    if turns == Turns::Always || depends {
        if depends {
            asm.op().global_get(global::TURNED);
            asm.begin_if();
        }
        end_turn(emitter, &mut asm, child, hash);
        if depends {
            asm.leave();
        }
    }
    let mover = next_mover(emitter, make);
    match hash {
        Hash::Kept => {
            // A leaf needs no call.
            asm.get(DEPTH).i32(1).op().i32_eq();
            asm.begin_if();
            add_leaf(emitter, &mut asm, child);
            asm.get(child).op().global_set(global::FREE);
            asm.op().return_();
        }
        Hash::Ignored => {
            let count = want_count(emitter, mover);
            asm.get(DEPTH).i32(2).op().i32_eq();
            asm.begin_if();
            asm.get(child).op().call(count);
            asm.get(child).op().global_set(global::FREE).return_();
        }
    }
    asm.leave();
    let below = emitter.want(Key::Tree(hash, mover));
    asm.get(child).get(DEPTH).i32(1).op().i32_sub().call(below);
    asm.set(total);
    asm.get(child).op().global_set(global::FREE);
    asm.get(total);
    Ok(asm)
}

/// Clears the flags whose time is over at the end of a turn.
fn end_turn(emitter: &mut Emitter<'_>, asm: &mut Asm, child: u32, hash: Hash) {
    if emitter.program.serving().is_empty() {
        return;
    }
    if hash == Hash::Ignored {
        return settle(emitter, asm, child, (hash, Within::Tree));
    }
    let settle = emitter.want(Key::Settle);
    asm.i64(0);
    for offset in serving_words(emitter) {
        asm.get(child).load(offset).op().i64_or();
    }
    asm.i64(0).op().i64_ne();
    asm.begin_if();
    asm.get(child).op().call(settle);
    asm.leave();
}

/// Who is to move after a function, where that and the phase are known.
pub(crate) fn next_mover(emitter: &Emitter<'_>, make: u16) -> Mover {
    let mover = emitter.program.next_mover(FunctionId(make)).map(|player| player as u8);
    mover.filter(|_| emitter.program.sole_phase().is_some())
}

/// Takes free room for a state.
fn take_child(emitter: &Emitter<'_>, asm: &mut Asm, child: u32) {
    asm.op().global_get(global::FREE);
    asm.tee(child).i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
}

fn copy(emitter: &Emitter<'_>, asm: &mut Asm, child: u32, hash: Hash) {
    match hash {
        Hash::Ignored => copy_state(emitter, asm, STATE, child),
        Hash::Kept => copy_all(emitter, asm, STATE, child),
    }
}

/// Counts the leaves below every legal event of a list, for phases whose rules have a say on each
/// other's events, and for events that are neither moves nor pieces that enter.
fn walk_list(emitter: &mut Emitter<'_>, asm: &mut Asm, hash: Hash, key: Key) {
    let listed = emitter.want(key);
    let (play, below) = (emitter.want(Key::Play(hash)), emitter.want(Key::Tree(hash, None)));
    let [room, next, end, child] = std::array::from_fn(|_| asm.local32());
    let total = asm.local64();
    // Trials take their room behind the list that is being filled.
    asm.op().global_get(global::FREE);
    asm.tee(room).i32(LIST).op().i32_add().global_set(global::FREE);
    asm.get(STATE).get(room).i32(0).op().call(listed);
    asm.tee(end).op().global_set(global::FREE);
    crate::list::trap_beyond(asm, end, room, LIST);
    take_child(emitter, asm, child);
    asm.get(room).set(next);
    asm.i64(0).set(total);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            copy(emitter, asm, child, hash);
            asm.get(child).get(next).load(0).op().call(play);
            asm.get(child).get(DEPTH).i32(1).op().i32_sub().call(below);
            asm.get(total).op().i64_add();
            asm.set(total);
            asm.get(next).i32(8).op().i32_add();
            asm.set(next);
            asm.br(again);
        });
    });
    asm.get(room).op().global_set(global::FREE);
    asm.get(total);
}

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
/// room for a list. It gives the number of events played and, from bit 32 on, the ending that holds then.
pub(crate) fn playout(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Playout);
    let (state, source, limit, room) = (0, 1, 2, 3);
    let [play, ending, outcome] =
        [Key::Play(Hash::Ignored), Key::Ending, Key::Outcome].map(|key| emitter.want(key));
    let [played, free, rule, asks] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    let stops = emitter.program.can_come_to_stop();
    if !stops {
        crate::list::leave_if_stopped(emitter, &mut asm, |asm| push_ending(asm, state, outcome));
    }
    asm.op().global_get(global::FREE);
    asm.set(free);
    asm.get(room).i32(NOTES + LIST).op().i32_add().global_set(global::FREE);
    let by_chance = !crate::chance::rolls(emitter).is_empty();
    // Whether an ending may have come to stop play since that was asked.
    asm.i32(1).set(asks);
    let stopping: Vec<usize> =
        (0..emitter.rules.len()).filter(|&rule| emitter.program.can_stop(rule)).collect();
    let mut drawn = Ok(());
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            let count_and_go_on = |asm: &mut Asm| {
                asm.get(played).i32(1).op().i32_add();
                asm.set(played);
                if stops {
                    push_is_of(asm, event, &stopping);
                    asm.set(asks);
                }
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
            if stops {
                asm.get(asks);
                asm.begin_if();
                crate::list::push_stops(emitter, asm, state);
                asm.br_if(done);
                asm.leave();
            }
            if by_chance {
                let awaited = emitter.want(Key::ChanceInPlay);
                asm.get(state).op().call(awaited);
                asm.tee(rule);
                asm.begin_if();
                leave_if_over(asm);
                drawn = crate::chance::roll(emitter, asm, (state, source, rule), event);
                count_and_go_on(asm);
                asm.leave();
            }
            asm.get(state);
            push_any_event(emitter, asm, Draw { state, source, room }, done, leave_if_over);
            asm.tee(event).op().call(play);
            count_and_go_on(asm);
        });
    });
    drawn?;
    push_ending(&mut asm, state, outcome);
    asm.get(played).op().i64_extend_i32_u().i64_or();
    asm.get(free).op().global_set(global::FREE);
    Ok(asm)
}

/// Puts the number of the ending that holds on the stack, from bit 32 on.
fn push_ending(asm: &mut Asm, state: u32, outcome: u32) {
    asm.get(state).op().call(outcome).i64_extend_i32_u();
    asm.i64(32).op().i64_shl();
}

/// The locals with a state, a source of random numbers, and room for a list.
#[derive(Clone, Copy)]
struct Draw {
    state: u32,
    source: u32,
    room: u32,
}

/// Puts one of the legal events of a state on the stack, each as likely as any other; leaves where there
/// is none, or by other code that runs before one is drawn.
fn push_any_event(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    Draw { state, source, room }: Draw,
    done: Label,
    leave_if_over: impl FnOnce(&mut Asm),
) {
    let [noted, drawn, below] = [Key::Noted, Key::Drawn, Key::Below].map(|key| emitter.want(key));
    let end = asm.local32();
    asm.get(state).get(room).i32(NOTES).op().i32_add();
    asm.i32(1).get(room).op().call(noted);
    asm.tee(end).get(room).op().i32_eq();
    asm.br_if(done);
    crate::list::trap_beyond(asm, end, room, NOTES);
    leave_if_over(asm);
    asm.get(end);
    asm.get(source).op().global_get(global::NOTED).call(below).call(drawn);
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
