//! Positions of a turn by dice in which a die is spent already.
//!
//! A move by dice is carried out in two parts that do not read what the other writes: pieces move, and
//! a die is spent with what follows from that. The second part is the same for all moves of a position
//! by one number, so that it is done once and the first part on a copy of it.

use std::collections::BTreeSet;

use senet_core::ir::{Block, Edit, Fate, FunctionId, NumReg, Op, PIPS, written_number};
use senet_core::program::{Independent, Wants};

use crate::asm::Asm;
use crate::event::push_parts;
use crate::flow::copy_state;
use crate::function::Body;
use crate::module::{Emit, Emitter, Hash, Key, Mode};
use crate::usage::{DicePhase, push_pips};

const STATE: u32 = 0;

/// A part of a function that carries out a move by dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Pieces move.
    Pieces,
    /// A die is spent, with what follows.
    Dice,
}

/// How many bytes the positions of a level take, one for each number of a die.
pub(crate) fn template_bytes(emitter: &Emitter<'_>) -> usize {
    let sides = emitter.program.dice().iter().map(|(_, sides)| usize::from(*sides)).max();
    (sides.unwrap_or(0) + 1) * emitter.stride()
}

/// Where the second part of a function begins, if it has two.
fn split(body: &Block) -> Option<usize> {
    let at = body.iter().position(|op| matches!(op, Op::Edit(Edit::Spend(_))))?;
    let (pieces, dice) = body.split_at(at);
    let moves = |op: &Op| match op {
        Op::Edit(Edit::MovePiece { .. }) => true,
        Op::Edit(Edit::Capture { to, .. }) => !matches!(to, Fate::Hand(_)),
        Op::Number(..) | Op::Single(..) | Op::Constant(..) => true,
        _ => false,
    };
    let apart = pieces.iter().all(moves) && is_about_dice(dice, &mut BTreeSet::from([PIPS.0]));
    apart.then_some(at)
}

/// Whether a function moves pieces by a move by dice, and whatever else it does is the same for every move
/// and every board.
pub(crate) fn forgets_moves(body: &Block) -> bool {
    split(body).is_some_and(|at| is_about_dice(&body[at..], &mut BTreeSet::new()))
}

/// Whether code reads nothing of the event but the number used, and nothing of the board.
fn is_about_dice(block: &[Op], known: &mut BTreeSet<u16>) -> bool {
    block.iter().all(|op| {
        let mut reads = Vec::new();
        let fits = match op {
            Op::Number(..) | Op::Field(..) | Op::Edit(Edit::Spend(_) | Edit::Turn { .. }) => true,
            Op::Move(_, from) | Op::Not(_, from) => {
                reads.push(*from);
                true
            }
            Op::Compare(_, _, one, other) | Op::Arithmetic(_, _, one, other) => {
                reads.extend([*one, *other]);
                true
            }
            Op::Edit(Edit::Variable { to: value, .. } | Edit::Die(_, value)) => {
                reads.push(*value);
                true
            }
            Op::If(truth, yes, no) => {
                reads.push(*truth);
                [yes, no].into_iter().all(|block| is_about_dice(block, &mut known.clone()))
            }
            _ => false,
        };
        let read = |number: &NumReg| known.contains(&number.0);
        let fits = fits && reads.iter().all(read);
        known.extend(written_number(op).map(|number| number.0));
        fits
    })
}

/// A part of a function that carries out a move by dice, as a function of its own.
pub(crate) fn part(emitter: &mut Emitter<'_>, make: u16, part: Part) -> Emit<Asm> {
    let function = &emitter.code.functions[usize::from(make)];
    let at = split(&function.body).unwrap_or(0);
    let (pieces, dice) = function.body.split_at(at);
    let key = Key::MakePart(make, part);
    let mut body = Body::new(emitter, function, key, Mode::Make(Hash::Ignored));
    let block = match part {
        Part::Pieces => pieces,
        Part::Dice => dice,
    };
    body.block(block)?;
    body.end();
    Ok(body.asm)
}

/// The rule of a phase whose moves are carried out in two parts.
#[derive(Clone, Copy)]
pub(crate) struct Templates {
    rule: usize,
    make: FunctionId,
    /// The local with the level, and the address of the positions of the first one.
    level: u32,
    base: usize,
    /// The local that says for which numbers there is a position already.
    ready: u32,
}

impl Templates {
    pub(crate) fn of(
        emitter: &Emitter<'_>,
        asm: &mut Asm,
        moves: &DicePhase,
        (level, base): (u32, usize),
    ) -> Option<Templates> {
        let program = emitter.program;
        let sides = program.dice().iter().map(|(_, sides)| *sides).max();
        let few = sides.is_some_and(|sides| sides < 64);
        if !few || !program.serving().is_empty() || !program.ephemeral().is_empty() {
            return None;
        }
        let made = |&rule: &usize| (rule, program.rule_functions(rule, moves.player()).make);
        let mut made = moves.rules().iter().map(made);
        let (rule, make) =
            made.find(|(_, make)| split(&emitter.code.function(*make).body).is_some())?;
        let ready = asm.local64();
        asm.i64(0).set(ready);
        Some(Templates { rule, make, level, base, ready })
    }

    /// What is known of the rule's moves, where they are independent of each other.
    pub(crate) fn independent(self, moves: &DicePhase) -> Option<Independent> {
        moves.independent.iter().find(|one| one.rule == self.rule).copied()
    }

    /// Whether the event in a local is one of the rule, on the stack.
    pub(crate) fn push_applies(self, asm: &mut Asm, event: u32) {
        asm.get(event).op().i32_wrap_i64();
        asm.i32(0xffff).op().i32_and();
        asm.i32(self.rule as i32).op().i32_eq();
    }

    /// Carries out the event in a local on a copy of the position for its number.
    pub(crate) fn play(self, emitter: &mut Emitter<'_>, asm: &mut Asm, event: u32, copy: u32) {
        let template = self.prepare(emitter, asm, event);
        self.play_on(emitter, asm, template, (event, copy));
    }

    /// Makes the position for the number of the event in a local, unless it is there: a local has its
    /// address.
    pub(crate) fn prepare(self, emitter: &mut Emitter<'_>, asm: &mut Asm, event: u32) -> u32 {
        let (template, pips) = (asm.local32(), asm.local32());
        push_pips(asm, event);
        asm.tee(pips).i32(emitter.stride() as i32).op().i32_mul();
        asm.get(self.level).i32(template_bytes(emitter) as i32).op().i32_mul().i32_add();
        asm.i32(self.base as i32).op().i32_add();
        asm.set(template);
        let bit = |asm: &mut Asm| {
            asm.i64(1).get(pips).op().i64_extend_i32_u().i64_shl();
        };
        asm.get(self.ready);
        bit(asm);
        asm.op().i64_and().i64_eqz();
        asm.begin_if();
        copy_state(emitter, asm, STATE, template);
        let spend = emitter.want(Key::MakePart(self.make.0, Part::Dice));
        asm.get(template).i64(-1).i64(-1).i64(-1).get(pips).op().i64_extend_i32_u();
        asm.op().call(spend);
        asm.get(self.ready);
        bit(asm);
        asm.op().i64_or();
        asm.set(self.ready);
        asm.leave();
        template
    }

    /// Carries out the event in a local on a copy of the position at the address of a local.
    pub(crate) fn play_on(
        self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        template: u32,
        (event, copy): (u32, u32),
    ) {
        copy_state(emitter, asm, template, copy);
        let pieces = emitter.want(Key::MakePart(self.make.0, Part::Pieces));
        asm.get(copy);
        push_parts(asm, event, Wants::Advance);
        asm.op().call(pieces);
    }
}
