//! Writes out a function of the intermediate representation as flat code.

mod register;
#[cfg(test)]
mod tests;

use crate::ir::{ANSWER, Block, Code, Edit, FOUND, Fate, Function, NumReg, Op, SetReg, visit};

use super::code::{Flat, Inst, Label, other};
use register::{Usage, is_shared};

/// Flat code being written.
struct Flattening<'c> {
    code: &'c Code,
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
pub(super) fn flatten(code: &Code, function: &Function) -> Flat {
    let mut edits = false;
    visit(&function.body, &mut |op| edits |= matches!(op, Op::Edit(_)));
    let sets = function.sets.max(FOUND.0 + 1);
    let numbers = function.numbers.max(ANSWER.0 + 1);
    let mut writing = Flattening {
        code,
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
        (writing.counted, writing.straight) = (counted, 0);
        writing.block(&function.body);
        writing.settle();
    }
    writing.flat
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
        let rest = if own { from } else { self.new_set() };
        if !own {
            self.push(Inst::Copy(rest, from));
        }
        self.settle();
        self.wrote_number(tile);
        let none = self.push(Inst::Next(rest, tile, 0));
        self.leaving.push(vec![none]);
        self.label(&[]);
        let start = self.here() as Label;
        self.block(body);
        self.settle();
        self.label(&[]);
        self.push(Inst::Again(rest, tile, start));
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
        match &mut op {
            Op::Images { to, from, over, .. } | Op::Flood { to, from, over, .. } => {
                (*from, *over) = (self.s(*from), self.s(*over));
                self.wrote_set(*to);
            }
            Op::Span(to, one, other) => {
                (*one, *other) = (self.n(*one), self.n(*other));
                self.wrote_set(*to);
            }
            Op::Stacked { to, .. } => self.wrote_set(*to),
            Op::Lines(to, _, of) => {
                *of = self.s(*of);
                self.wrote_set(*to);
            }
            Op::Travel { to, from, through, .. } => {
                (*from, *through) = (self.n(*from), self.s(*through));
                self.wrote_set(*to);
            }
            Op::HasLine(to, _, of) | Op::Groups(to, of, _) | Op::Pieces { to, on: of, .. } => {
                *of = self.s(*of);
                self.wrote_number(*to);
            }
            Op::MovingKind { to, from, .. } => {
                *from = self.n(*from);
                self.wrote_number(*to);
            }
            Op::Custom { to, tiles, .. } => {
                *tiles = (self.n(tiles.0), self.n(tiles.1));
                self.wrote_number(*to);
            }
            Op::EmitDice { from, onto, dice, .. } => {
                (*from, *onto) = (self.s(*from), self.s(*onto));
                dice.iter_mut().for_each(|die| *die = self.n(*die));
            }
            Op::Edit(edit) => self.edit(edit),
            _ => {}
        }
        op
    }

    fn edit(&mut self, edit: &mut Edit) {
        match edit {
            Edit::Capture { on, to, .. } => {
                *on = self.s(*on);
                if let Fate::Tile(to) = to {
                    *to = self.n(*to);
                }
            }
            Edit::Carry { from, to } => (*from, *to) = (self.n(*from), self.n(*to)),
            Edit::Together(moves) => {
                moves.iter_mut().for_each(|(from, to)| (*from, *to) = (self.n(*from), self.n(*to)));
            }
            Edit::Clear(on)
            | Edit::Shift { on, .. }
            | Edit::Flag { on, .. }
            | Edit::Mark { on, .. }
            | Edit::Become { on, .. }
            | Edit::Give { on, .. }
            | Edit::Place { on, .. } => *on = self.s(*on),
            Edit::Variable { to, .. } | Edit::Die(_, to) => *to = self.n(*to),
            Edit::Sow { from, skip, .. } => (*from, *skip) = (self.n(*from), self.s(*skip)),
            Edit::MovePiece { .. }
            | Edit::PutPiece(_)
            | Edit::Spend(_)
            | Edit::Roll
            | Edit::Turn { .. }
            | Edit::Reset
            | Edit::Custom(_) => {}
        }
    }

    /// One instruction for two, where what the first one writes is read by the second alone.
    fn fuse(&self, first: Inst, second: Inst) -> Option<Inst> {
        match (first, second) {
            (Inst::And(t, x, y), Inst::UnlessAny(set, label)) if set == t => {
                Some(Inst::UnlessCommon(t, x, y, label))
            }
            (mut first, Inst::Copy(to, from)) => {
                let written = first.set().filter(|set| **set == from && self.once(from))?;
                *written = to;
                Some(first)
            }
            (Inst::And(t, x, y), next) if self.once(t) => next.after_and(t, x, y),
            (Inst::Or(t, x, y), next) if self.once(t) => next.after_or(t, x, y),
            (Inst::AndNot(t, x, y), next) if self.once(t) => next.after_and_not(t, x, y),
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
                    Inst::EmitImages(by, targets) if targets == written => match first {
                        Inst::ImageAnd(_, from, map, b) => {
                            Some(Inst::EmitImageAnd(by, from, map, b))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    }
}
