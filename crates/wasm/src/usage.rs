//! Turns that must use as much of the dice as they can.
//!
//! What a turn uses is one number: how many dice from bit 8 on, and below it the sum of what they
//! show, so that greater numbers use more. Moves by dice spend a die each and show none, so that a
//! turn never uses more than is shown, and the moves of a turn with one die left all use as much.

use std::collections::BTreeSet;

use senet_core::ir::{Block, Edit, NumReg, Op, visit, written_number};
use senet_core::program::{Independent, Wants};
use senet_core::written::Usage;

use crate::asm::Asm;
use crate::event::{ARG_SHIFT, BY_DICE, FROM_SHIFT, push_parts};
use crate::flow::copy_state;
use crate::list::{push_mover, push_stops};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global, unsupported};
use crate::number::{push_field, push_stack};
use crate::tally::Tally;

const STATE: u32 = 0;

/// One die, as part of what a turn uses.
pub(crate) const DIE: i32 = 1 << 8;
const PIPS: i32 = DIE - 1;

/// The moves by dice of a phase for one player.
#[derive(Clone)]
pub(crate) struct DicePhase {
    phase: usize,
    player: usize,
    rules: Vec<usize>,
    dice: Vec<usize>,
    /// Whether every move of the phase is by dice.
    pub(crate) plain: bool,
    /// Rules whose moves are independent of each other, by all dice of the phase.
    pub(crate) independent: Vec<Independent>,
}

impl DicePhase {
    pub(crate) fn new(emitter: &Emitter<'_>, phase: usize, player: usize) -> Emit<DicePhase> {
        let shape = &emitter.phases[phase];
        let by_dice = |rule: &&usize| emitter.rules[**rule].wants == Wants::Advance;
        let rules: Vec<usize> = shape.rules[0].iter().filter(by_dice).copied().collect();
        let dice = rules.iter().flat_map(|&rule| &emitter.rules[rule].dice).copied();
        let dice: BTreeSet<usize> = dice.collect();
        let plain = rules.len() == shape.rules[0].len();
        let dice: Vec<usize> = dice.into_iter().collect();
        // Dice that are spent move up in the order in which they are numbered.
        let mut independent = emitter.program.independent(phase, player);
        independent.retain(|one| emitter.rules[one.rule].dice == dice);
        let phase = DicePhase { phase, player, rules, dice, plain, independent };
        match phase.rules.iter().any(|&rule| phase.shows_dice(emitter, rule)) {
            true => unsupported("a move by dice that shows dice anew"),
            false => Ok(phase),
        }
    }

    /// Its rules, in order, and the player whose moves they are.
    pub(crate) fn rules(&self) -> &[usize] {
        &self.rules
    }

    pub(crate) fn player(&self) -> usize {
        self.player
    }

    /// Whether a move by a rule may show dice that the phase uses.
    fn shows_dice(&self, emitter: &Emitter<'_>, rule: usize) -> bool {
        let make = emitter.program.rule_functions(rule, self.player).make;
        let body = &emitter.code.function(make).body;
        let mut shows = false;
        visit(body, &mut |op| {
            shows |= match op {
                Op::Edit(Edit::Roll) => true,
                Op::Edit(Edit::Die(die, value)) => {
                    self.dice.contains(&die.index()) && !is_zero(body, *value)
                }
                _ => false,
            };
        });
        shows
    }

    /// What the dice show that the phase may use, on the stack.
    pub(crate) fn push_shown(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
        let fields = emitter.program.dice();
        let (count, sum, shows) = (asm.local32(), asm.local32(), asm.local32());
        asm.i32(0).tee(count).set(sum);
        for &die in &self.dice {
            push_field(asm, state, fields[die].0);
            asm.op().i32_wrap_i64();
            asm.tee(shows).get(sum).op().i32_add();
            asm.set(sum);
            asm.get(count);
            asm.get(shows).i32(0).op().i32_ne().i32_add();
            asm.set(count);
        }
        asm.get(count).i32(8).op().i32_shl();
        push_least(asm, sum, PIPS);
        asm.op().i32_or();
    }

    /// What each die of the phase shows, in locals.
    pub(crate) fn shown(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) -> Vec<u32> {
        let fields = emitter.program.dice();
        let shows = |&die: &usize| {
            let local = asm.local32();
            push_field(asm, state, fields[die].0);
            asm.op().i32_wrap_i64();
            asm.set(local);
            local
        };
        self.dice.iter().map(shows).collect()
    }

    /// Whether no die that shows nothing comes before one that shows something, on the stack.
    pub(crate) fn push_packed(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
        let shown = self.shown(emitter, asm, state);
        asm.i32(1);
        for pair in shown.windows(2) {
            asm.get(pair[0]).i32(0).op().i32_ne();
            asm.get(pair[1]).op().i32_eqz().i32_or().i32_and();
        }
    }

    /// Whether the event in a local is of an independent rule, on the stack.
    pub(crate) fn push_independent(&self, asm: &mut Asm, event: u32) {
        let all: Vec<usize> = self.independent.iter().map(|one| one.rule).collect();
        push_is_of(asm, event, &all);
    }

    /// Whether the player's turn goes on after the event in a local while a die is left, on the stack.
    pub(crate) fn push_stays(&self, asm: &mut Asm, event: u32) {
        let stays = self.independent.iter().filter(|one| one.stays);
        let stays: Vec<usize> = stays.map(|one| one.rule).collect();
        push_is_of(asm, event, &stays);
    }

    /// What the first die shows, on the stack: nothing where all are spent.
    pub(crate) fn push_first_die(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
        match self.dice.first() {
            Some(&die) => push_field(asm, state, emitter.program.dice()[die].0),
            None => {
                asm.i64(0);
            }
        }
        asm.op().i32_wrap_i64();
    }

    /// Whether no die shows another number than the first, on the stack.
    pub(crate) fn push_same(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
        let shown = self.shown(emitter, asm, state);
        asm.i32(1);
        for &die in shown.iter().skip(1) {
            asm.get(die).op().i32_eqz();
            asm.get(die).get(shown[0]).op().i32_eq().i32_or().i32_and();
        }
    }

    /// Whether no die but the first shows anything, on the stack.
    pub(crate) fn push_one_left(&self, emitter: &Emitter<'_>, asm: &mut Asm, state: u32) {
        let fields = emitter.program.dice();
        asm.i64(0);
        for &die in self.dice.iter().skip(1) {
            push_field(asm, state, fields[die].0);
            asm.op().i64_or();
        }
        asm.op().i64_eqz();
    }

    /// How many pieces of the player stand on the source of the event in a local, on the stack; for
    /// independent moves, where there is one kind.
    pub(crate) fn push_source_count(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        state: u32,
        event: u32,
    ) {
        let from = asm.local64();
        asm.get(event).i64(FROM_SHIFT).op().i64_shr_u();
        asm.set(from);
        self.push_count_on(emitter, asm, state, from);
    }

    /// The same for the tile in a local.
    pub(crate) fn push_count_on(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        state: u32,
        tile: u32,
    ) {
        let (table, bits) = (emitter.stack_fields(self.player, 0), emitter.stack_bits());
        push_stack(asm, state, tile, table, bits);
        asm.op().i32_wrap_i64();
    }

    /// Carries out the move by dice in a local on a copy of a state.
    pub(crate) fn play(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (state, copy): (u32, u32),
        event: u32,
    ) {
        copy_state(emitter, asm, state, copy);
        if !emitter.program.serving().is_empty() {
            let play = emitter.want(Key::Play(Hash::Ignored));
            asm.get(copy).get(event).op().call(play);
            return;
        }
        let first = self.rules.first().copied().unwrap_or(0);
        let cases = self.rules.last().map_or(0, |last| last - first + 1);
        asm.get(event).op().i32_wrap_i64();
        asm.i32(0xffff).op().i32_and();
        asm.i32(first as i32).op().i32_sub();
        asm.switch(cases, |asm, at| {
            let rule = first + at;
            if self.rules.contains(&rule) {
                let functions = emitter.program.rule_functions(rule, self.player);
                let make = emitter.want_lowered(functions.make, Mode::Make(Hash::Ignored));
                asm.get(copy);
                push_parts(asm, event, Wants::Advance);
                asm.op().call(make);
            }
        });
    }

    /// How much a turn can use that goes on with the move by dice in a local, on the stack.
    fn push_used(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (state, copy): (u32, u32),
        event: u32,
    ) {
        let (pips, more) = (asm.local32(), asm.local32());
        self.play(emitter, asm, (state, copy), event);
        push_pips(asm, event);
        asm.set(pips);
        asm.i32(0).set(more);
        let usable = emitter.want(Key::Usable(self.phase, self.player));
        asm.block(|asm, ends| {
            self.leave_if_over(emitter, asm, copy, ends);
            asm.get(copy).op().call(usable);
            asm.set(more);
        });
        // Dice are added to dice and pips to pips, which have an upper bound.
        asm.get(more).i32(!PIPS).op().i32_and();
        asm.i32(DIE).op().i32_add();
        asm.get(more).i32(PIPS).op().i32_and();
        asm.get(pips).op().i32_add();
        asm.set(pips);
        push_least(asm, pips, PIPS);
        asm.op().i32_or();
    }

    /// Branches where the player's turn does not go on in the phase.
    pub(crate) fn leave_if_over(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        state: u32,
        ends: crate::asm::Label,
    ) {
        push_mover(emitter, asm, state);
        asm.i32(self.player as i32).op().i32_ne();
        asm.br_if(ends);
        if emitter.program.stops().is_some() {
            push_stops(emitter, asm, state);
            asm.br_if(ends);
        }
        if emitter.program.sole_phase().is_none() {
            let phase = emitter.want(Key::Phase);
            asm.get(state).op().call(phase);
            asm.i32(self.phase as i32).op().i32_ne();
            asm.br_if(ends);
        }
    }

    /// Lists the moves of the phase, of whatever use and some perhaps twice, at an address; the end is
    /// on the stack.
    pub(crate) fn push_list(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (state, at): (u32, u32),
        sort: i32,
    ) {
        let moves = emitter.program.moves(self.phase, self.player);
        let list = emitter.want_lowered(moves, Mode::List);
        asm.get(state).get(at).i32(sort).op().call(list);
    }

    /// Room for a list of the moves of the phase.
    pub(crate) fn room(&self, emitter: &Emitter<'_>) -> i32 {
        match self.plain {
            true => (emitter.code.tiles * self.dice.len() * self.rules.len() * 8) as i32,
            false => 1 << 18,
        }
    }
}

/// The smaller one of the number in a local and a constant, on the stack.
fn push_least(asm: &mut Asm, local: u32, most: i32) {
    asm.get(local).i32(most).get(local).i32(most).op().i32_lt_u().select();
}

/// Whether nothing but 0 is ever written to a register.
fn is_zero(block: &Block, register: NumReg) -> bool {
    let mut zero = register.0 >= senet_core::ir::FIRST_FREE;
    visit(block, &mut |op| {
        zero &= match *op {
            Op::Number(_, 0) => true,
            _ => written_number(op) != Some(register),
        };
    });
    zero
}

/// Whether the event in a local is of one of some rules, on the stack.
pub(crate) fn push_is_of(asm: &mut Asm, event: u32, rules: &[usize]) {
    let (first, last) = (rules.iter().min(), rules.iter().max());
    let (Some(&first), Some(&last)) = (first, last) else {
        asm.i32(0);
        return;
    };
    let number = |asm: &mut Asm| {
        asm.get(event).op().i32_wrap_i64();
        asm.i32(0xffff).op().i32_and();
    };
    if last - first + 1 == rules.len() {
        number(asm);
        asm.i32(first as i32).op().i32_sub();
        asm.i32(rules.len() as i32).op().i32_lt_u();
        return;
    }
    asm.i32(0);
    for &rule in rules {
        number(asm);
        asm.i32(rule as i32).op().i32_eq().i32_or();
    }
}

/// The number that the move by dice in a local uses, on the stack.
pub(crate) fn push_pips(asm: &mut Asm, event: u32) {
    asm.get(event).i64(ARG_SHIFT).op().i64_shr_u().i32_wrap_i64();
    asm.i32(BY_DICE as i32 - 1).op().i32_and();
}

/// The source of the event in a local, on the stack.
pub(crate) fn push_source(asm: &mut Asm, event: u32) {
    asm.get(event).i64(FROM_SHIFT).op().i64_shr_u().i32_wrap_i64();
}

/// Whether the event in a local is a move by dice, on the stack.
fn push_by_dice(asm: &mut Asm, event: u32) {
    asm.get(event).op().i32_wrap_i64();
    asm.i32((BY_DICE << ARG_SHIFT) as i32).op().i32_and();
}

/// The function that keeps of the moves between two addresses those with which a turn uses as much
/// of the dice as it can; it gives the end of what is kept.
pub(crate) fn keep(emitter: &mut Emitter<'_>, phase: usize, player: usize) -> Emit<Asm> {
    let moves = DicePhase::new(emitter, phase, player)?;
    let mut asm = emitter.asm(Key::Usage(phase, player));
    let (first, end) = (1, 2);
    let [free, copy, used, most, least] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    let shown = asm.local32();
    moves.push_shown(emitter, &mut asm, STATE);
    asm.tee(shown).i32(2 * DIE).op().i32_lt_u();
    asm.begin_if();
    asm.get(end).op().return_();
    asm.leave();
    let tally = (!moves.independent.is_empty())
        .then(|| Tally::new(&moves, emitter, &mut asm, (first, end)));
    if let Some(tally) = &tally {
        tally.push_any_uses_all(&mut asm);
        asm.begin_if();
        asm.get(end).op().return_();
        asm.leave();
    }
    // What each move uses is kept in free room, beside a copy of the state.
    asm.op().global_get(global::FREE);
    asm.tee(free).get(end).op().i32_add();
    asm.get(first).op().i32_sub();
    asm.tee(copy).i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    asm.i32(i32::MAX).set(least);
    each_event(&mut asm, (first, end), |asm, next| {
        asm.get(next).load(0).set(event);
        asm.i32(0).set(used);
        push_by_dice(asm, event);
        asm.begin_if();
        asm.get(shown).set(used);
        match &tally {
            Some(tally) => tally.push_uses_all(&moves, emitter, asm, event),
            None => {
                asm.i32(0);
            }
        }
        asm.op().i32_eqz();
        asm.begin_if();
        moves.push_used(emitter, asm, (STATE, copy), event);
        asm.set(used);
        asm.leave();
        if emitter.phases[phase].usage == Usage::Most {
            asm.get(used).i32(!PIPS).op().i32_and();
            asm.set(used);
        }
        asm.get(used).get(most).get(used).get(most).op().i32_gt_u().select();
        asm.set(most);
        asm.get(used).get(least).get(used).get(least).op().i32_lt_u().select();
        asm.set(least);
        asm.leave();
        asm.get(next).get(first).op().i32_sub();
        asm.get(free).op().i32_add();
        asm.get(used).op().i64_extend_i32_u();
        asm.store(0);
    });
    asm.get(free).op().global_set(global::FREE);
    // Mostly every move is kept.
    asm.get(least).get(most).op().i32_ge_u();
    asm.begin_if();
    asm.get(end).op().return_();
    asm.leave();
    keep_most(&mut asm, (first, end), (free, most));
    Ok(asm)
}

/// Keeps of the moves between two addresses those that use the most, which was noted for each; the end of
/// what is kept is on the stack.
fn keep_most(asm: &mut Asm, (first, end): (u32, u32), (noted, most): (u32, u32)) {
    let (kept, event) = (asm.local32(), asm.local64());
    asm.get(first).set(kept);
    each_event(asm, (first, end), |asm, next| {
        asm.get(next).load(0).set(event);
        asm.get(kept).get(event).store(0);
        asm.get(kept).i32(8).op().i32_add();
        asm.get(kept);
        push_by_dice(asm, event);
        asm.op().i32_eqz();
        asm.get(next).get(first).op().i32_sub();
        asm.get(noted).op().i32_add();
        asm.load(0).op().i32_wrap_i64();
        asm.get(most).op().i32_ge_u().i32_or().select();
        asm.set(kept);
    });
    asm.get(kept);
}

/// Runs code for each event between two addresses, with the local that has its address.
pub(crate) fn each_event(
    asm: &mut Asm,
    (first, end): (u32, u32),
    fill: impl FnOnce(&mut Asm, u32),
) {
    let next = asm.local32();
    asm.get(first).set(next);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            fill(asm, next);
            asm.get(next).i32(8).op().i32_add();
            asm.set(next);
            asm.br(again);
        });
    });
}

/// The function that says how much of the dice a turn can use.
pub(crate) fn usable(emitter: &mut Emitter<'_>, phase: usize, player: usize) -> Emit<Asm> {
    let moves = DicePhase::new(emitter, phase, player)?;
    let mut asm = emitter.asm(Key::Usable(phase, player));
    let [shown, free, end, copy, most, used] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    moves.push_shown(emitter, &mut asm, STATE);
    asm.tee(shown).op().i32_eqz();
    asm.begin_if();
    asm.i32(0).op().return_();
    asm.leave();
    if moves.plain {
        // Whatever move uses the last die uses all of it.
        let exists = emitter.want_lowered(emitter.program.moves(phase, player), Mode::Exists);
        asm.get(shown).i32(2 * DIE).op().i32_lt_u();
        asm.begin_if();
        asm.get(shown).i32(0).get(STATE).op().call(exists).select().return_();
        asm.leave();
    }
    asm.op().global_get(global::FREE);
    asm.tee(free).i32(moves.room(emitter)).op().i32_add().global_set(global::FREE);
    moves.push_list(emitter, &mut asm, (STATE, free), 0);
    asm.tee(end).tee(copy).i32(emitter.stride() as i32).op().i32_add();
    asm.op().global_set(global::FREE);
    asm.block(|asm, all| {
        each_event(asm, (free, end), |asm, next| {
            asm.get(next).load(0).set(event);
            push_by_dice(asm, event);
            asm.begin_if();
            moves.push_used(emitter, asm, (STATE, copy), event);
            asm.tee(used).get(most).get(used).get(most).op().i32_gt_u().select();
            asm.tee(most).get(shown).op().i32_eq();
            asm.br_if(all);
            asm.leave();
        });
    });
    asm.get(free).op().global_set(global::FREE);
    asm.get(most);
    Ok(asm)
}
