//! Chance in random play: which roll is awaited, and what is drawn for it.

use senet_core::program::Wants;

use crate::asm::{Asm, value_at};
use crate::event::{ARG_SHIFT, ROLL, push_parts};
use crate::list::{push_answer, push_case, push_stops};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global, unsupported};

const STATE: u32 = 0;

/// The most throws of dice that a table lists.
const MAX_THROWS: u64 = 1 << 16;

/// The rules about rolls, in order.
pub(crate) fn rolls(emitter: &Emitter<'_>) -> Vec<usize> {
    let is_roll = |rule: &usize| matches!(emitter.rules[*rule].wants, Wants::Roll { .. });
    (0..emitter.rules.len()).filter(is_roll).collect()
}

/// The function that finds the first roll that the open phase accepts: the number of its rule plus
/// one, or 0. A global variable says which phase is open and who is to move, plus one, or 0 where
/// play has stopped.
pub(crate) fn awaited(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Chance);
    if emitter.program.stops().is_some() {
        push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.i32(0).op().global_set(global::CASE);
        asm.i32(0).op().return_();
        asm.leave();
    }
    let in_play = emitter.want(Key::ChanceInPlay);
    asm.get(STATE).op().call(in_play);
    asm
}

/// The same where play has not stopped.
pub(crate) fn awaited_in_play(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::ChanceInPlay);
    let (found, open) = (asm.local32(), asm.local32());
    let players = emitter.program.seats();
    push_case(emitter, &mut asm, STATE);
    asm.tee(open).i32(1).op().i32_add().global_set(global::CASE);
    let phases: Vec<(usize, usize)> = match emitter.program.sole_phase() {
        Some(phase) => vec![(phase, 0)],
        None => (0..emitter.phases.len()).map(|phase| (phase, phase * players)).collect(),
    };
    let done = asm.begin_block();
    for (phase, first) in phases {
        let rolls = emitter.phases[phase].rules[2].clone();
        if rolls.is_empty() {
            continue;
        }
        let mut asked = Vec::new();
        for player in 0..players {
            asked.push(conditions(emitter, &rolls, player)?);
        }
        // Few phases await chance: which is open is easier foretold one by one.
        let player = asm.local32();
        asm.get(open).i32(first as i32).op().i32_sub();
        asm.tee(player).i32(players as i32).op().i32_lt_u();
        asm.begin_if();
        if asked.windows(2).all(|pair| pair[0] == pair[1]) {
            find_roll(&mut asm, &rolls, &asked[0], found);
        } else {
            asm.get(player);
            asm.switch(players, |asm, player| find_roll(asm, &rolls, &asked[player], found));
        }
        asm.br(done);
        asm.leave();
    }
    asm.leave();
    asm.get(found);
    Ok(asm)
}

/// The functions that say whether rolls are accepted, of a player.
fn conditions(emitter: &mut Emitter<'_>, rolls: &[usize], player: usize) -> Emit<Vec<u32>> {
    let mut asked = Vec::new();
    for &rule in rolls {
        let functions = emitter.program.rule_functions(rule, player);
        if emitter.rules[rule].closes || functions.ensures.is_some() {
            return unsupported("a roll that must ensure something or gives way to others");
        }
        asked.push(emitter.want_lowered(functions.when, Mode::Answer));
    }
    Ok(asked)
}

/// Leaves the first roll that is accepted in a local.
fn find_roll(asm: &mut Asm, rolls: &[usize], asked: &[u32], found: u32) {
    let done = asm.begin_block();
    for (&rule, &when) in rolls.iter().zip(asked) {
        push_answer(asm, STATE, when);
        asm.i64(0).op().i64_ne();
        asm.begin_if();
        asm.i32(rule as i32 + 1).set(found);
        asm.br(done);
        asm.leave();
    }
    asm.leave();
}

/// Draws one of the outcomes of the roll whose rule is in a local, each as likely as it is, into a
/// local, and plays it.
pub(crate) fn roll(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, source, rule): (u32, u32, u32),
    event: u32,
) -> Emit {
    let (rolls, below) = (rolls(emitter), emitter.want(Key::Below));
    let mut tables = Vec::new();
    for &roll in &rolls {
        tables.push(throws(emitter, roll)?);
    }
    for (&roll, (table, count)) in rolls.iter().zip(tables) {
        asm.get(rule).i32(roll as i32 + 1).op().i32_eq();
        asm.begin_if();
        asm.get(source).i64(count as i64).op().call(below).i32_wrap_i64();
        asm.i32(1).op().i32_shl().i64_load16_u(value_at(table, 1));
        asm.i64(ARG_SHIFT).op().i64_shl();
        asm.i64(ROLL | roll as i64).op().i64_or();
        asm.set(event);
        play_roll(emitter, asm, (state, event), roll);
        asm.leave();
    }
    Ok(())
}

/// Plays an outcome of a roll: by the code of its rule, where that is the same for all players and all
/// there is to do.
fn play_roll(emitter: &mut Emitter<'_>, asm: &mut Asm, (state, event): (u32, u32), roll: usize) {
    let program = emitter.program;
    let makes = (0..program.seats()).map(|player| program.rule_functions(roll, player).make);
    let makes: Vec<u32> =
        makes.map(|make| emitter.want_lowered(make, Mode::Make(Hash::Ignored))).collect();
    let alike = makes.windows(2).all(|pair| pair[0] == pair[1]);
    asm.get(state);
    match makes.first() {
        Some(&make) if alike && program.serving().is_empty() => {
            push_parts(asm, event, emitter.rules[roll].wants);
            asm.op().call(make);
        }
        _ => {
            let play = emitter.want(Key::Play(Hash::Ignored));
            asm.get(event).op().call(play);
        }
    }
}

/// A table with the outcome of each throw of a roll, and how many throws there are.
fn throws(emitter: &mut Emitter<'_>, rule: usize) -> Emit<(usize, u64)> {
    let Wants::Roll { first, last } = emitter.rules[rule].wants else {
        return unsupported("a roll without outcomes");
    };
    let outcomes = emitter.program.outcomes();
    let total = outcomes.get(first).map_or(0, |outcome| outcome.total);
    if total > MAX_THROWS {
        return unsupported("a roll of this many dice");
    }
    let outcomes = (first..=last).zip(&outcomes[first..]);
    let throws: Vec<u16> = outcomes
        .flat_map(|(number, outcome)| std::iter::repeat_n(number as u16, outcome.weight as usize))
        .collect();
    if throws.len() as u64 != total {
        return unsupported("a roll whose outcomes are not all its throws");
    }
    let table = emitter.table("throws", rule, |emitter| emitter.memory.shorts(&throws));
    Ok((table, total))
}
