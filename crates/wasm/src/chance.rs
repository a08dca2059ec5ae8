//! Chance in random play: which roll is awaited, and what is drawn for it.

use senet_core::program::Wants;

use crate::asm::{Asm, value_at};
use crate::event::{ARG_SHIFT, ROLL};
use crate::list::{by_case, push_answer, push_case, push_stops};
use crate::module::{Emit, Emitter, Key, Mode, global, unsupported};

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
pub(crate) fn awaited(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Chance);
    let found = asm.local32();
    if emitter.program.stops().is_some() {
        push_stops(emitter, &mut asm, STATE);
        asm.begin_if();
        asm.i32(0).op().global_set(global::CASE);
        asm.i32(0).op().return_();
        asm.leave();
    }
    let open = asm.local32();
    push_case(emitter, &mut asm, STATE);
    asm.tee(open).i32(1).op().i32_add().global_set(global::CASE);
    asm.get(open);
    by_case(emitter, &mut asm, |emitter, asm, phase, player| {
        let done = asm.begin_block();
        for rule in emitter.phases[phase].rules[2].clone() {
            let functions = emitter.program.rule_functions(rule, player);
            if emitter.rules[rule].closes || functions.ensures.is_some() {
                return unsupported("a roll that must ensure something or gives way to others");
            }
            let when = emitter.want_lowered(functions.when, Mode::Answer);
            push_answer(asm, STATE, when);
            asm.i64(0).op().i64_ne();
            asm.begin_if();
            asm.i32(rule as i32 + 1).set(found);
            asm.br(done);
            asm.leave();
        }
        asm.leave();
        Ok(())
    })?;
    asm.get(found);
    Ok(asm)
}

/// Draws one of the outcomes of the roll whose rule is in a local, each as likely as it is, into a
/// local.
pub(crate) fn draw(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (source, rule): (u32, u32),
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
        asm.leave();
    }
    Ok(())
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
