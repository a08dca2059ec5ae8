//! Listing, counting and looking for the events of the open phase.

use std::collections::BTreeSet;

use senet_core::program::Wants;
use senet_core::written::{Listing, Usage};

use crate::asm::{Asm, word_at};
use crate::event::{ACT, ARG_SHIFT, ROLL};
use crate::flow::copy_state;
use crate::module::{Emit, Emitter, Hash, Key, Mode, Mover, global, unsupported};
use crate::number::push_field;

/// Parameters of functions that list events: the state, where events go, whether they are sorted.
const STATE: u32 = 0;
const OUT: u32 = 1;
const SORT: u32 = 2;

/// The player to move, on the stack as a number of 32 bits.
pub(crate) fn push_mover(emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
    push_field(asm, state, emitter.program.turn_field());
    asm.op().i32_wrap_i64();
}

/// Puts a call on the stack that answers where nobody proposes anything.
pub(crate) fn push_answer(asm: &mut Asm, state: u32, function: u32) {
    asm.get(state).i64(-1).i64(-1).i64(-1).i64(0).op().call(function);
}

/// Whether an ending stops play, on the stack.
pub(crate) fn push_stops(emitter: &mut Emitter<'_>, asm: &mut Asm, state: u32) {
    match emitter.program.stops() {
        None => {
            asm.i32(0);
        }
        Some(stops) => {
            let stops = emitter.want_lowered(stops, Mode::Answer);
            push_answer(asm, state, stops);
            asm.i64(0).op().i64_ne();
        }
    }
}

/// Leaves a function that begins a tree or a random game with a given result where an ending stops play.
/// Below, nothing need be asked where events of play cannot make an ending stop it; where it is only not
/// yet the turn of whom the ending is about, the function gives up and the host asks the interpreter.
pub(crate) fn leave_if_stopped(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    push: impl FnOnce(&mut Asm),
) {
    let Some(any) = emitter.program.stops_any() else { return };
    let any = emitter.want_lowered(any, Mode::Answer);
    push_answer(asm, STATE, any);
    asm.i64(0).op().i64_ne();
    asm.begin_if();
    push_stops(emitter, asm, STATE);
    asm.begin_if();
    push(asm);
    asm.op().return_();
    asm.leave();
    asm.op().unreachable();
    asm.leave();
}

/// Chooses code by the open phase and the player to move; none runs where no phase is open.
pub(crate) fn by_phase(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    state: u32,
    case: impl FnMut(&mut Emitter<'_>, &mut Asm, usize, usize) -> Emit,
) -> Emit {
    push_case(emitter, asm, state);
    by_case(emitter, asm, case)
}

/// The same where it may be known who is to move.
pub(crate) fn by_mover(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, mover): (u32, Mover),
    mut case: impl FnMut(&mut Emitter<'_>, &mut Asm, usize, usize) -> Emit,
) -> Emit {
    match (emitter.program.sole_phase(), mover) {
        (Some(phase), Some(mover)) => case(emitter, asm, phase, mover.into()),
        _ => by_phase(emitter, asm, state, case),
    }
}

/// The number of the open phase and the player to move, on the stack: a large one where no phase is
/// open.
pub(crate) fn push_case(emitter: &mut Emitter<'_>, asm: &mut Asm, state: u32) {
    if emitter.program.sole_phase().is_none() {
        let (phase, players) = (emitter.want(Key::Phase), emitter.program.seats());
        asm.get(state).op().call(phase);
        asm.i32(players as i32).op().i32_mul();
        push_mover(emitter, asm, state);
        asm.op().i32_add();
    } else {
        push_mover(emitter, asm, state);
    }
}

/// Chooses code by the number of a phase and a player on the stack.
pub(crate) fn by_case(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    mut case: impl FnMut(&mut Emitter<'_>, &mut Asm, usize, usize) -> Emit,
) -> Emit {
    let (players, phases) = (emitter.program.seats(), emitter.phases.len());
    let mut result = Ok(());
    let mut keep = |done: Emit| result = std::mem::replace(&mut result, Ok(())).and(done);
    match emitter.program.sole_phase() {
        Some(phase) => {
            asm.switch(players, |asm, player| keep(case(emitter, asm, phase, player)));
        }
        // No phase is the last case, because it is a large number without its sign.
        None => asm.switch(phases * players + 1, |asm, at| {
            if at < phases * players {
                keep(case(emitter, asm, at / players, at % players));
            }
        }),
    }
    result
}

/// The function that finds the open phase.
pub(crate) fn phase(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Phase);
    let found = asm.local32();
    push_mover(emitter, &mut asm, STATE);
    let functions: Vec<u32> = (0..emitter.program.seats())
        .map(|player| emitter.want_lowered(emitter.program.open_phase(player), Mode::Answer))
        .collect();
    asm.switch(functions.len(), |asm, player| {
        push_answer(asm, STATE, functions[player]);
        asm.op().i32_wrap_i64();
        asm.set(found);
    });
    asm.get(found);
    Ok(asm)
}

/// The function that lists legal events.
pub(crate) fn legal(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Legal);
    if emitter.program.stops().is_some() {
        push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.get(OUT).op().return_();
        asm.leave();
    }
    let listed = emitter.want(Key::Listed);
    asm.get(STATE).get(OUT).get(SORT).op().call(listed);
    Ok(asm)
}

/// The function that lists the legal events whose target is a tile, and others as well where the events
/// of a game depend on each other or come one by one.
pub(crate) fn onto(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Onto);
    let (tile, end, legal) = (2, asm.local32(), emitter.want(Key::Legal));
    if emitter.restriction().is_none() {
        asm.get(STATE).get(OUT).i32(1).op().call(legal);
        return Ok(asm);
    }
    if emitter.program.stops().is_some() {
        push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.get(OUT).op().return_();
        asm.leave();
    }
    emitter.restrict(&mut asm, tile, None);
    let listed = emitter.want(Key::Listed);
    asm.get(STATE).get(OUT).i32(1).op().call(listed);
    asm.set(end);
    emitter.lift_restriction(&mut asm);
    asm.get(end);
    Ok(asm)
}

/// The function that lists events whatever the endings say.
pub(crate) fn listed(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Listed);
    let first = asm.local32();
    asm.get(OUT).set(first);
    by_phase(emitter, &mut asm, STATE, |emitter, asm, phase, player| {
        list_phase(emitter, asm, (phase, player), first)
    })?;
    asm.get(OUT);
    Ok(asm)
}

/// The function that lists the events of a phase that are neither moves nor pieces that enter.
pub(crate) fn others(emitter: &mut Emitter<'_>, phase: usize, player: usize) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Others(phase, player));
    for kind in 2..5 {
        list_kind(emitter, &mut asm, (phase, player), kind)?;
    }
    asm.get(OUT);
    Ok(asm)
}

pub(crate) fn list_phase(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    first: u32,
) -> Emit {
    let shape = emitter.phases[phase].clone();
    if shape.preprocesses {
        return unsupported("a phase that makes other events of those proposed");
    }
    if shape.ranked {
        list_by_rank(emitter, asm, (phase, player), first)?;
    } else {
        for kind in 0..5 {
            list_kind(emitter, asm, (phase, player), kind)?;
        }
    }
    if shape.has_otherwise {
        asm.get(OUT).get(first).op().i32_eq();
        list_otherwise(emitter, asm, (phase, player))?;
    }
    Ok(())
}

/// Lists the events that a phase has where the truth on the stack holds: nothing else can be played.
pub(crate) fn list_otherwise(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
) -> Emit {
    asm.begin_if();
    for rule in emitter.phases[phase].clone().rules.iter().flatten() {
        if emitter.rules[*rule].listing == Listing::Otherwise {
            list_rule(emitter, asm, *rule, player)?;
        }
    }
    asm.leave();
    Ok(())
}

/// Lists the events of the lowest rank that has any.
fn list_by_rank(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    first: u32,
) -> Emit {
    let rules: Vec<usize> = emitter.phases[phase].rules.iter().flatten().copied().collect();
    let plays = |rule: &&usize| emitter.rules[**rule].listing == Listing::Play;
    let plays: Vec<usize> = rules.iter().filter(plays).copied().collect();
    let ranks: BTreeSet<u8> = plays.iter().map(|&rule| emitter.rules[rule].rank).collect();
    let (done, unique) = (asm.begin_block(), emitter.want(Key::Unique));
    for rank in ranks {
        let of_rank = plays.iter().filter(|&&rule| emitter.rules[rule].rank == rank);
        let (moves, others): (Vec<usize>, Vec<usize>) =
            of_rank.copied().partition(|rule| emitter.phases[phase].rules[0].contains(rule));
        for &rule in &moves {
            list_rule(emitter, asm, rule, player)?;
        }
        if !moves.is_empty() && emitter.phases[phase].usage != Usage::Free {
            let keep = emitter.want(Key::Usage(phase, player));
            asm.get(STATE).get(first);
            asm.get(first).get(OUT).op().call(unique).call(keep);
            asm.set(OUT);
        }
        for rule in others {
            list_rule(emitter, asm, rule, player)?;
        }
        asm.get(OUT).get(first).op().i32_ne();
        asm.br_if(done);
    }
    asm.leave();
    asm.get(first).get(OUT).op().call(unique);
    asm.set(OUT);
    Ok(())
}

pub(crate) fn list_kind(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    kind: usize,
) -> Emit {
    let shape = emitter.phases[phase].clone();
    let rules = &shape.rules[kind];
    if rules.is_empty() {
        return Ok(());
    }
    let start = asm.local32();
    asm.get(OUT).set(start);
    match kind {
        0 | 1 => {
            let program = emitter.program;
            let function = [program.moves(phase, player), program.puts(phase, player)][kind];
            let list = emitter.want_lowered(function, Mode::List);
            asm.get(STATE).get(OUT).get(SORT).op().call(list);
            asm.set(OUT);
        }
        _ => {
            for &rule in rules {
                if emitter.rules[rule].listing == Listing::Play {
                    list_rule(emitter, asm, rule, player)?;
                }
            }
        }
    }
    if shape.overlaps[kind] {
        if rules.iter().any(|&rule| emitter.rules[rule].listing == Listing::Aside) {
            return unsupported("an event that two rules accept, one of them beside play");
        }
        // A rule lists an event once, and rules come one after the other.
        let unique = emitter.want(Key::Unique);
        asm.get(start).get(OUT).op().i32_lt_u();
        asm.begin_if();
        asm.get(start).load(0);
        asm.get(OUT).i32(8).op().i32_sub().i64_load(word_at(0)).i64_xor();
        asm.i64(0xffff).op().i64_and();
        asm.i64(0).op().i64_ne();
        asm.begin_if();
        asm.get(start).get(OUT).op().call(unique);
        asm.set(OUT);
        asm.leave();
        asm.leave();
    }
    if kind == 0 && shape.usage != Usage::Free {
        let keep = emitter.want(Key::Usage(phase, player));
        asm.get(STATE).get(start).get(OUT).op().call(keep);
        asm.set(OUT);
    }
    Ok(())
}

/// Lists the events of one rule.
fn list_rule(emitter: &mut Emitter<'_>, asm: &mut Asm, rule: usize, player: usize) -> Emit {
    let functions = emitter.program.rule_functions(rule, player);
    match emitter.rules[rule].wants {
        Wants::Move | Wants::Advance | Wants::Put | Wants::Pick(_) => {
            let list = emitter.want_lowered(functions.generate, Mode::List);
            asm.get(STATE).get(OUT).get(SORT).op().call(list);
            asm.set(OUT);
        }
        Wants::Roll { first, last } => {
            if functions.ensures.is_some() {
                return unsupported("a roll that must ensure something");
            }
            let when = emitter.want_lowered(functions.when, Mode::Answer);
            push_answer(asm, STATE, when);
            asm.i64(0).op().i64_ne();
            asm.begin_if();
            let (event, count) = (asm.local64(), (last + 1).saturating_sub(first));
            asm.i64(ROLL | (first as i64) << ARG_SHIFT | rule as i64).set(event);
            let end = asm.local32();
            asm.get(OUT).i32(count as i32 * 8).op().i32_add();
            asm.set(end);
            asm.repeat(|asm, again| {
                asm.get(OUT).get(event).store(0);
                asm.get(event).i64(1 << ARG_SHIFT).op().i64_add();
                asm.set(event);
                asm.get(OUT).i32(8).op().i32_add();
                asm.tee(OUT).get(end).op().i32_lt_u();
                asm.br_if(again);
            });
            asm.leave();
        }
        Wants::Act(action) => {
            let when = emitter.want_lowered(functions.when, Mode::Answer);
            push_answer(asm, STATE, when);
            asm.i64(0).op().i64_ne();
            if let Some(ensures) = functions.ensures {
                let make = emitter.want_lowered(functions.make, Mode::Make(Hash::Ignored));
                let ensures = emitter.want_lowered(ensures, Mode::Answer);
                let (copy, holds) = (asm.local32(), asm.local32());
                asm.set(holds);
                asm.op().global_get(global::FREE);
                asm.tee(copy).i32(emitter.stride() as i32).op().i32_add();
                asm.op().global_set(global::FREE);
                copy_state(emitter, asm, STATE, copy);
                push_answer(asm, copy, make);
                push_answer(asm, copy, ensures);
                asm.i64(0).op().i64_ne();
                asm.get(copy).op().global_set(global::FREE);
                asm.get(holds).op().i32_and();
            }
            asm.begin_if();
            let event = ACT | (action as i64) << ARG_SHIFT | rule as i64;
            asm.get(OUT).i64(event).store(0);
            asm.get(OUT).i32(8).op().i32_add();
            asm.set(OUT);
            asm.leave();
        }
    }
    Ok(())
}

/// The function that counts legal events.
pub(crate) fn count(emitter: &mut Emitter<'_>, mover: Mover) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Count(mover));
    if emitter.program.stops().is_some() {
        push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.i64(0).op().return_();
        asm.leave();
    }
    let counted = emitter.want(Key::Counted(mover));
    asm.get(STATE).op().call(counted);
    Ok(asm)
}

/// The function that counts events whatever the endings say.
pub(crate) fn counted(emitter: &mut Emitter<'_>, mover: Mover) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Counted(mover));
    let total = asm.local64();
    by_mover(emitter, &mut asm, (STATE, mover), |emitter, asm, phase, player| {
        let shape = emitter.phases[phase].clone();
        if !shape.counts_moves {
            let listed = emitter.want(Key::Listed);
            push_listed(asm, listed);
            asm.set(total);
            return Ok(());
        }
        let program = emitter.program;
        asm.i64(0);
        if !shape.counts && !shape.ranked {
            let others = emitter.want(Key::Others(phase, player));
            push_listed(asm, others);
            asm.op().i64_add();
        }
        for (kind, id) in [(0, program.moves(phase, player)), (1, program.puts(phase, player))] {
            if !shape.rules[kind].is_empty() {
                emitter.push_count(asm, STATE, id);
                asm.op().i64_add();
            }
        }
        asm.set(total);
        if shape.ranked || shape.has_otherwise {
            let listed = emitter.want(Key::Listed);
            asm.get(total).op().i64_eqz();
            asm.begin_if();
            push_listed(asm, listed);
            asm.set(total);
            asm.leave();
        }
        Ok(())
    })?;
    asm.get(total);
    Ok(asm)
}

/// How many events a function lists, on the stack.
fn push_listed(asm: &mut Asm, listed: u32) {
    push_scratch_list(asm, listed);
    asm.op().global_get(global::FREE).i32_sub();
    asm.i32(3).op().i32_shr_u().i64_extend_i32_u();
}

/// Lists events into free room by a function; the end of the list is on the stack.
fn push_scratch_list(asm: &mut Asm, listed: u32) {
    // Trials take room of their own while events are listed, so the list has a part that they do
    // not reach.
    let (free, end) = (asm.local32(), asm.local32());
    asm.op().global_get(global::FREE);
    asm.tee(free).i32(SCRATCH).op().i32_add();
    asm.op().global_set(global::FREE);
    asm.get(STATE).get(free).i32(0).op().call(listed);
    asm.set(end);
    trap_beyond(asm, end, free, SCRATCH);
    asm.get(free).op().global_set(global::FREE);
    asm.get(end);
}

/// Gives up where a list is longer than the room it has: the host then asks the interpreter.
pub(crate) fn trap_beyond(asm: &mut Asm, end: u32, first: u32, room: i32) {
    asm.get(end).get(first).op().i32_sub();
    asm.i32(room).op().i32_gt_u();
    asm.begin_if();
    asm.op().unreachable();
    asm.leave();
}

/// Room for the list of one node.
pub(crate) const LIST: i32 = 1 << 18;

/// Room for a list whose events are only counted.
pub(crate) const SCRATCH: i32 = 1 << 19;

/// The function that says whether there is an event, whatever the endings say.
pub(crate) fn can_play(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::CanPlay);
    let found = asm.local32();
    by_phase(emitter, &mut asm, STATE, |emitter, asm, phase, player| {
        let shape = emitter.phases[phase].clone();
        if !shape.counts {
            let listed = emitter.want(Key::Listed);
            push_scratch_list(asm, listed);
            asm.op().global_get(global::FREE).i32_ne();
            asm.set(found);
            return Ok(());
        }
        // Whether there is any is seldom asked: counting them saves a third form of the code.
        let program = emitter.program;
        let done = asm.begin_block();
        for (kind, id) in [(0, program.moves(phase, player)), (1, program.puts(phase, player))] {
            if !shape.rules[kind].is_empty() {
                emitter.push_count(asm, STATE, id);
                asm.i64(0).op().i64_ne();
                asm.tee(found);
                asm.br_if(done);
            }
        }
        asm.leave();
        Ok(())
    })?;
    asm.get(found);
    Ok(asm)
}

/// The function that puts events into the order of their tiles, choices as they come.
pub(crate) fn sort(emitter: &Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Sort);
    let (first, end) = (0, 1);
    let (next, at) = (asm.local32(), asm.local32());
    let (event, before) = (asm.local64(), asm.local64());
    asm.get(first).set(next);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).i32(8).op().i32_add();
            asm.tee(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(next).tee(at).load(0).set(event);
            asm.block(|asm, placed| {
                asm.repeat(|asm, down| {
                    asm.get(at).get(first).op().i32_le_u();
                    asm.br_if(placed);
                    asm.get(at).i32(8).op().i32_sub().i64_load(word_at(0));
                    asm.tee(before).i64(32).op().i64_shr_u();
                    asm.get(event).i64(32).op().i64_shr_u().i64_le_u();
                    asm.br_if(placed);
                    asm.get(at).get(before).store(0);
                    asm.get(at).i32(8).op().i32_sub();
                    asm.set(at);
                    asm.br(down);
                });
            });
            asm.get(at).get(event).store(0);
            asm.br(again);
        });
    });
    asm
}

/// The function that removes events that are listed before; it gives the end of the list.
pub(crate) fn unique(emitter: &Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Unique);
    let (first, end) = (0, 1);
    let [next, kept, at] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    asm.get(first).tee(next).set(kept);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(next).load(0).set(event);
            asm.get(next).i32(8).op().i32_add();
            asm.set(next);
            asm.get(first).set(at);
            asm.block(|asm, fresh| {
                // A rule lists an event once, so that those of the first rule are all fresh.
                asm.get(first).load(0).get(event).op().i64_xor();
                asm.i64(0xffff).op().i64_and().i64_eqz();
                asm.br_if(fresh);
                asm.repeat(|asm, look| {
                    asm.get(at).get(kept).op().i32_ge_u();
                    asm.br_if(fresh);
                    asm.get(at).load(0).get(event).op().i64_xor();
                    asm.i64(ARG_SHIFT).op().i64_shr_u().i64_eqz();
                    asm.br_if(again);
                    asm.get(at).i32(8).op().i32_add();
                    asm.set(at);
                    asm.br(look);
                });
            });
            asm.get(kept).get(event).store(0);
            asm.get(kept).i32(8).op().i32_add();
            asm.set(kept);
            asm.br(again);
        });
    });
    asm.get(kept);
    asm
}
