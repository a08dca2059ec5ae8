//! Writes out a function of the intermediate representation as flat code.

mod register;
#[cfg(test)]
mod tests;

use crate::ir::{
    ANSWER, Access, Arithmetic, Block, Code, FOUND, Function, NumReg, Op, SetReg, registers_mut,
    visit,
};

use super::assign::assign;
use super::code::{Flat, Inst, Label, other};
use super::simplify::simplify;
use register::{Usage, is_shared};

/// What becomes of the events that code finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// They are told one by one.
    Tell,
    /// They are counted.
    Count,
}

/// Flat code being written.
struct Flattening<'c> {
    code: &'c Code,
    purpose: Purpose,
    /// How many events a target stands for, by the rule whose events code counts.
    choices: u16,
    flat: Flat,
    sets: Vec<Usage>,
    numbers: Vec<Usage>,
    /// Whether it is known how often each register is written and read.
    counted: bool,
    /// Whether the state may change while the function runs.
    edits: bool,
    /// Where the straight code begins that the next instruction continues.
    straight: usize,
    /// Registers that are not written yet, because until now their names do for them.
    pending_sets: Vec<SetReg>,
    pending_numbers: Vec<NumReg>,
    /// How many there were when the last instruction was added.
    pending_before: usize,
    /// For each loop around, the jumps that leave it.
    leaving: Vec<Vec<usize>>,
}

/// The flat code of a function: written once to count what registers are used for, and again when
/// that is known.
pub(super) fn flatten(code: &Code, function: &Function, purpose: Purpose) -> Flat {
    let simpler = (purpose == Purpose::Count).then(|| simplify(code, function));
    let function = simpler.as_ref().unwrap_or(function);
    let mut edits = false;
    visit(&function.body, &mut |op| edits |= matches!(op, Op::Edit(_)));
    let sets = function.sets.max(FOUND.0 + 1);
    let numbers = function.numbers.max(ANSWER.0 + 1);
    let mut writing = Flattening {
        code,
        purpose,
        choices: 1,
        flat: Flat::default(),
        sets: vec![Usage::NONE; sets.into()],
        numbers: vec![Usage::NONE; numbers.into()],
        counted: false,
        edits,
        straight: 0,
        pending_sets: Vec::new(),
        pending_numbers: Vec::new(),
        pending_before: 0,
        leaving: Vec::new(),
    };
    for counted in [false, true] {
        writing.flat = Flat { sets, numbers, ..Flat::default() };
        (writing.counted, writing.straight, writing.choices) = (counted, 0, 1);
        writing.block(&function.body);
        writing.settle();
    }
    let mut flat = writing.flat;
    assign(&mut flat);
    flat
}

impl Flattening<'_> {
    fn here(&self) -> usize {
        self.flat.code.len()
    }

    /// Lets jumps lead to the next instruction.
    fn label(&mut self, jumps: &[usize]) {
        let here = self.here() as Label;
        for &jump in jumps {
            if let Some(target) = self.flat.code[jump].target() {
                *target = here;
            }
        }
        self.straight = self.here();
    }

    /// Adds an instruction, together with the one before it where one instruction does both.
    fn push(&mut self, inst: Inst) -> usize {
        let mut inst = inst;
        while self.counted && self.here() > self.straight {
            let Some(&last) = self.flat.code.last() else { break };
            let Some(fused) = self.fuse(last, inst) else { break };
            self.flat.code.pop();
            inst = fused;
        }
        self.flat.code.push(inst);
        self.pending_before = self.pending();
        self.here() - 1
    }

    fn pending(&self) -> usize {
        self.pending_sets.len() + self.pending_numbers.len()
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|op| self.op(op));
    }

    fn op(&mut self, op: &Op) {
        match *op {
            Op::If(truth, ref yes, ref no) => self.branch(truth, yes, no),
            Op::ForTiles(set, tile, ref body) => self.for_tiles(set, tile, body),
            Op::ForGroups { of, links, group, ref body } => {
                let (rest, of) = (self.new_set(), self.s(of));
                self.push(Inst::Copy(rest, of));
                self.repeated(Inst::NextGroup(rest, links, group, 0), body);
            }
            Op::Repeat(times, ref body) => {
                let (left, times) = (self.new_number(), self.n(times));
                self.push(Inst::Move(left, times));
                self.repeated(Inst::Countdown(left, 0), body);
            }
            Op::Break => {
                self.settle();
                let jump = self.push(Inst::Jump(Label::MAX));
                if let Some(leaving) = self.leaving.last_mut() {
                    leaving.push(jump);
                }
            }
            Op::Rare | Op::Seldom(_) => {}
            ref op => {
                let Some(mut inst) = self.plain(op) else { return };
                if let Some(set) = inst.set().copied() {
                    self.wrote_set(set);
                } else if let Some(number) = inst.number() {
                    self.wrote_number(number);
                }
                self.push(inst);
            }
        }
    }

    fn branch(&mut self, truth: NumReg, yes: &Block, no: &Block) {
        let truth = self.n(truth);
        if let Some(known) = self.known(truth) {
            return self.block(if known != 0 { yes } else { no });
        }
        // What is pending is written before the test, so that both remain together.
        let is_last = self.here() > self.straight && self.pending() == self.pending_before;
        let test = self.flat.code.pop_if(|last| is_last && last.number() == Some(truth));
        self.settle();
        self.flat.code.extend(test);
        let skip = self.push(Inst::Unless(truth, 0));
        self.label(&[]);
        self.block(yes);
        self.settle();
        if no.is_empty() {
            return self.label(&[skip]);
        }
        let done = self.push(Inst::Jump(0));
        self.label(&[skip]);
        self.block(no);
        self.settle();
        self.label(&[done]);
    }

    fn for_tiles(&mut self, set: SetReg, tile: NumReg, body: &Block) {
        // A set that was just found and that nobody else reads can be used up.
        let usage = &self.sets[usize::from(set.0)];
        let fresh = usage.name.is_none() && usage.block == self.straight;
        let (own, from) = (fresh && self.once(set), self.s(set));
        self.settle();
        let rest = if own { from } else { self.new_set() };
        if !own {
            self.push(Inst::Copy(rest, from));
        }
        let copied = self.flat.code.last().is_some_and(|last| last.copies(rest, from)) && !own;
        let (before, straight) = (self.here() - usize::from(copied), self.straight);
        self.wrote_number(tile);
        let none = self.push(Inst::Next(rest, tile, 0));
        self.leaving.push(vec![none]);
        self.label(&[]);
        let start = self.here();
        self.block(body);
        self.settle();
        self.label(&[]);
        let all = if copied { from } else { rest };
        let whole = Inst::for_each(&self.flat.code[start..], all, tile, |set| self.once(set));
        if let Some(whole) = whole {
            self.flat.code.truncate(before);
            self.leaving.pop();
            self.straight = straight;
            self.push(whole);
            return;
        }
        self.push(Inst::Again(rest, tile, start as Label));
        let leaving = self.leaving.pop().unwrap_or_default();
        self.label(&leaving);
    }

    /// A loop that begins with an instruction that may leave it.
    fn repeated(&mut self, mut head: Inst, body: &Block) {
        self.settle();
        self.label(&[]);
        let start = self.push(head);
        if let Some(group) = head.set() {
            self.wrote_set(*group);
        }
        self.leaving.push(vec![start]);
        self.label(&[]);
        self.block(body);
        self.settle();
        self.push(Inst::Jump(start as Label));
        let leaving = self.leaving.pop().unwrap_or_default();
        self.label(&leaving);
    }

    /// An operation that is one instruction, or none.
    fn plain(&mut self, op: &Op) -> Option<Inst> {
        Some(match *op {
            Op::Constant(to, id) => {
                let name = self.constant(id);
                self.name_set(to, name);
                return None;
            }
            Op::Plane(to, first) if self.edits => Inst::Plane(to, first as u16),
            Op::Plane(to, first) => {
                let name = self.plane(first as u16);
                self.name_set(to, name);
                return None;
            }
            Op::Copy(to, from) => Inst::Copy(to, self.s(from)),
            Op::And(to, a, b) => Inst::And(to, self.s(a), self.s(b)),
            Op::Or(to, a, b) => match (self.s(a), self.s(b)) {
                (a, b) if self.is_empty(a) => Inst::Copy(to, b),
                (a, b) if self.is_empty(b) => Inst::Copy(to, a),
                (a, b) => Inst::Or(to, a, b),
            },
            Op::AndNot(to, a, b) => Inst::AndNot(to, self.s(a), self.s(b)),
            Op::Image(to, from, map) => Inst::Image(to, self.s(from), map),
            Op::Preimage(to, of, map) => Inst::Preimage(to, self.s(of), map),
            Op::Single(to, tile) => Inst::Single(to, self.n(tile)),
            Op::Row(to, rows, tile) => Inst::Row(to, rows, self.n(tile)),
            Op::Slide(to, slide, tile, stops) => {
                Inst::Slide(to, slide, self.n(tile), self.s(stops))
            }
            Op::Between(to, slide, one, other) => {
                Inst::Between(to, slide, self.n(one), self.n(other))
            }
            Op::Load(to, tile) => {
                self.flat.keeps = true;
                Inst::Load(to, self.n(tile))
            }
            Op::Store(tile, set) => {
                self.flat.keeps = true;
                Inst::Store(self.n(tile), self.s(set))
            }
            Op::Call(to, function) => Inst::Call(to, function),
            ref op if self.purpose == Purpose::Count && is_emission(op) => return self.tally(op),
            Op::Rule(rule, ordered) => Inst::Rule(rule, ordered),
            Op::EmitFrom(from, targets) => Inst::EmitFrom(self.n(from), self.s(targets)),
            Op::EmitImages(map, targets) => Inst::EmitImages(map, self.s(targets)),
            Op::EmitEvent => Inst::EmitEvent,
            Op::EmitDie { from, to, pips } => Inst::EmitDie(self.n(from), self.n(to), self.n(pips)),
            Op::EmitPut(kind, targets) => Inst::EmitPut(kind, self.s(targets)),
            Op::EmitPick(action, targets) => Inst::EmitPick(action, self.s(targets)),
            ref op => return self.plain_number(op),
        })
    }

    /// What counts the events that an operation finds.
    fn tally(&mut self, op: &Op) -> Option<Inst> {
        Some(match *op {
            Op::Rule(rule, _) => {
                self.choices = self.code.choices[rule.index()].len().max(1) as u16;
                return None;
            }
            Op::EmitFrom(from, targets) => {
                Inst::TallyFrom(self.n(from), self.s(targets), self.choices)
            }
            Op::EmitImages(_, targets) => Inst::Tally(self.s(targets), self.choices),
            Op::EmitPut(_, targets) | Op::EmitPick(_, targets) => Inst::Tally(self.s(targets), 1),
            _ => return None,
        })
    }

    /// The same for operations whose result is a number, and for those that say more than an
    /// instruction holds.
    fn plain_number(&mut self, op: &Op) -> Option<Inst> {
        Some(match *op {
            Op::Number(to, number) => {
                let name = self.value(number);
                if !is_shared(to) {
                    self.name_number(to, name);
                    return None;
                }
                Inst::Move(to, name)
            }
            Op::Move(to, from) => Inst::Move(to, self.n(from)),
            Op::Count(to, set) => Inst::Count(to, self.s(set)),
            Op::First(to, set) => Inst::First(to, self.s(set)),
            Op::Only(to, set) => Inst::Only(to, self.s(set)),
            Op::Has(to, set, tile) => Inst::Has(to, self.s(set), self.n(tile)),
            Op::Any(to, set) => Inst::Any(to, self.s(set)),
            Op::Step(to, map, tile) => Inst::Step(to, map, self.n(tile)),
            Op::FirstAlong(to, slide, tile, set) => {
                Inst::FirstAlong(to, slide, self.n(tile), self.s(set))
            }
            Op::Track { to, track, pips, from } => {
                Inst::Track(to, track, self.n(pips), self.n(from))
            }
            Op::Field(to, field, least) => Inst::Field(to, field, self.value(least)),
            Op::Arithmetic(to, what, a, b) => Inst::Arithmetic(to, what, self.n(a), self.n(b)),
            Op::Compare(to, is, a, b) => {
                let (a, b) = (self.n(a), self.n(b));
                if let (Some(x), Some(y)) = (self.known(a), self.known(b))
                    && !is_shared(to)
                {
                    let name = self.value(is.holds(x, y).into());
                    self.name_number(to, name);
                    return None;
                }
                Inst::Compare(to, is, a, b)
            }
            Op::Not(to, from) => Inst::Not(to, self.n(from)),
            Op::Stuck(to) => Inst::Stuck(to),
            Op::StuckInRule(to) => Inst::StuckInRule(to),
            Op::Repeats(to, times) => Inst::Repeats(to, times),
            Op::Trial { to, make, check } => Inst::Trial(to, make, check),
            ref other => {
                let other = self.other(other);
                let index = self.flat.others.len() as u32;
                let emits = matches!(other, Op::EmitDice { .. });
                self.flat.others.push(other);
                if emits { Inst::EmitDice(index) } else { Inst::Other(index) }
            }
        })
    }

    /// An operation with its registers as flat code names them.
    fn other(&mut self, op: &Op) -> Op {
        let mut op = op.clone();
        registers_mut(&mut op, &mut |access| match access {
            Access::Takes(set) => *set = self.s(*set),
            Access::Asks(number) => *number = self.n(*number),
            Access::Puts(set) => self.wrote_set(*set),
            Access::Sets(number) => self.wrote_number(*number),
        });
        op
    }

    /// One instruction for two, where what the first one writes is read by the second alone.
    fn fuse(&self, first: Inst, second: Inst) -> Option<Inst> {
        match (first, second) {
            (Inst::And(t, x, y), Inst::UnlessAny(set, label)) if set == t => {
                Some(Inst::UnlessCommon(t, x, y, label))
            }
            (Inst::Copy(to, from), Inst::Next(rest, tile, label)) if rest == to => {
                Some(Inst::NextOf(rest, from, tile, label))
            }
            (mut first, Inst::Copy(to, from)) => {
                let written = first.set().filter(|set| **set == from && self.once(from))?;
                *written = to;
                Some(first)
            }
            (Inst::And(t, x, y), next) if self.once(t) => next.after_and(t, x, y),
            (Inst::Or(t, x, y), next) if self.once(t) => next.after_or(t, x, y),
            (Inst::AndNot(t, x, y), next) if self.once(t) => next.after_and_not(t, x, y),
            (Inst::Count(t, set), Inst::UnlessCompare(is, a, b, label))
                if a == t && b != t && self.once_number(t) =>
            {
                Some(Inst::UnlessCount(is, set, b, label))
            }
            (Inst::RowAnd(t, rows, tile, within), Inst::UnlessAny(set, label)) if set == t => {
                Some(Inst::UnlessRowAnd(t, rows, tile, within, label))
            }
            (Inst::RowAnd(t, rows, tile, within), next) if self.once(t) => match next {
                Inst::RowsOr(to, of, all) if all == t && to != t => {
                    Some(Inst::RowRowsOr(to, of, rows, tile, within))
                }
                Inst::SlidesOr(to, slide, all, stops) if all == t && to != t && stops != t => {
                    Some(Inst::RowSlidesOr(to, slide, rows, tile, within, stops))
                }
                Inst::Or(to, a, b) => first.joined(to, other(t, a, b)?),
                _ => None,
            },
            // The number that is added to a field is small, so the sum fits.
            (Inst::Field(t, field, zero), Inst::Arithmetic(to, Arithmetic::Add, a, b))
                if a == t && self.once_number(t) && self.known(zero) == Some(0) =>
            {
                let small = { self.known(b) }.is_some_and(|one| i32::try_from(one).is_ok());
                (small && field.bits() <= 32).then_some(Inst::Field(to, field, b))
            }
            (first, Inst::Unless(truth, label)) if self.once_number(truth) => match first {
                Inst::Compare(t, is, a, b) if t == truth => {
                    Some(Inst::UnlessCompare(is, a, b, label))
                }
                Inst::Not(t, a) if t == truth => Some(Inst::UnlessNot(a, label)),
                Inst::Any(t, set) if t == truth => Some(Inst::UnlessAny(set, label)),
                Inst::Has(t, set, tile) if t == truth => Some(Inst::UnlessHas(set, tile, label)),
                _ => None,
            },
            (mut first, next) => {
                let written = first.set().copied().filter(|set| self.once(*set))?;
                match next {
                    Inst::And(to, a, b) => first.within(to, other(written, a, b)?),
                    Inst::Or(to, a, b) => first.joined(to, other(written, a, b)?),
                    Inst::Tally(set, times) if set == written => match first {
                        Inst::ImageAnd(_, from, map, b) => {
                            Some(Inst::TallyImageAnd(from, map, b, times))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    }
}

/// Whether what becomes of an operation depends on whether events are counted by sets of targets.
fn is_emission(op: &Op) -> bool {
    matches!(
        op,
        Op::Rule(..) | Op::EmitFrom(..) | Op::EmitImages(..) | Op::EmitPut(..) | Op::EmitPick(..)
    )
}
