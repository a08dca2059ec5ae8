//! The registers that operations read and write.

use super::{CHOICE, Edit, FROM, Fate, NumReg, Op, PIPS, SetReg, TO};

/// What an operation does to a register.
pub(crate) enum Access<S, N> {
    /// It writes a set.
    Puts(S),
    /// It reads a set.
    Takes(S),
    /// It writes a number.
    Sets(N),
    /// It reads a number.
    Asks(N),
}

/// Visits the registers that an operation names, without those of blocks inside it.
macro_rules! visitor {
    ($(#[$doc:meta])* $visibility:vis $visit:ident, $edit:ident $(, $mut:ident)?) => {
        $(#[$doc])*
        $visibility fn $visit(
            op: &$($mut)? Op,
            sink: &mut dyn FnMut(Access<&$($mut)? SetReg, &$($mut)? NumReg>),
        ) {
            use Access::{Asks, Puts, Sets, Takes};
            match op {
                Op::Constant(to, _)
                | Op::Plane(to, _)
                | Op::Stacked { to, .. }
                | Op::Call(to, _) => sink(Puts(to)),
                Op::Copy(to, a) | Op::Image(to, a, _) | Op::Preimage(to, a, _) | Op::Lines(to, _, a) => {
                    sink(Takes(a));
                    sink(Puts(to));
                }
                Op::And(to, a, b)
                | Op::Or(to, a, b)
                | Op::AndNot(to, a, b)
                | Op::Images { to, from: a, over: b, .. }
                | Op::Flood { to, from: a, over: b, .. } => {
                    sink(Takes(a));
                    sink(Takes(b));
                    sink(Puts(to));
                }
                Op::Single(to, n) | Op::Row(to, _, n) | Op::Load(to, n) => {
                    sink(Asks(n));
                    sink(Puts(to));
                }
                Op::Slide(to, _, n, a) | Op::Travel { to, from: n, through: a, .. } => {
                    sink(Asks(n));
                    sink(Takes(a));
                    sink(Puts(to));
                }
                Op::Between(to, _, n, m) | Op::Span(to, n, m) => {
                    sink(Asks(n));
                    sink(Asks(m));
                    sink(Puts(to));
                }
                Op::Store(n, a) | Op::EmitFrom(n, a) => {
                    sink(Asks(n));
                    sink(Takes(a));
                }
                Op::Number(to, _)
                | Op::Field(to, ..)
                | Op::Stuck(to)
                | Op::StuckInRule(to)
                | Op::Repeats(to, _)
                | Op::Trial { to, .. } => sink(Sets(to)),
                Op::Move(to, n)
                | Op::Not(to, n)
                | Op::Step(to, _, n)
                | Op::MovingKind { to, from: n, .. } => {
                    sink(Asks(n));
                    sink(Sets(to));
                }
                Op::Count(to, a)
                | Op::First(to, a)
                | Op::Only(to, a)
                | Op::Any(to, a)
                | Op::HasLine(to, _, a)
                | Op::Pieces { to, on: a, .. }
                | Op::Groups(to, a, _)
                | Op::ForTiles(a, to, _) => {
                    sink(Takes(a));
                    sink(Sets(to));
                }
                Op::Has(to, a, n) | Op::FirstAlong(to, _, n, a) => {
                    sink(Takes(a));
                    sink(Asks(n));
                    sink(Sets(to));
                }
                Op::Track { to, pips: n, from: m, .. }
                | Op::Arithmetic(to, _, n, m)
                | Op::Compare(to, _, n, m)
                | Op::Custom { to, tiles: (n, m), .. } => {
                    sink(Asks(n));
                    sink(Asks(m));
                    sink(Sets(to));
                }
                Op::If(n, ..) | Op::Repeat(n, _) => sink(Asks(n)),
                Op::ForGroups { of, group, .. } => {
                    sink(Takes(of));
                    sink(Puts(group));
                }
                Op::Seldom(sets) => {
                    for set in sets {
                        sink(Takes(set));
                    }
                }
                Op::EmitImages(_, a) | Op::EmitPut(_, a) | Op::EmitPick(_, a) => sink(Takes(a)),
                Op::EmitDie { from, to, pips } => {
                    sink(Asks(from));
                    sink(Asks(to));
                    sink(Asks(pips));
                }
                Op::EmitDice { from, onto, dice, .. } => {
                    sink(Takes(from));
                    sink(Takes(onto));
                    for die in dice {
                        sink(Asks(die));
                    }
                }
                Op::Edit(edit) => $edit(edit, sink),
                Op::Break | Op::Rare | Op::Rule(..) | Op::EmitEvent => {}
            }
        }

        fn $edit(
            edit: &$($mut)? Edit,
            sink: &mut dyn FnMut(Access<&$($mut)? SetReg, &$($mut)? NumReg>),
        ) {
            use Access::{Asks, Takes};
            match edit {
                Edit::Capture { on, to, .. } => {
                    sink(Takes(on));
                    if let Fate::Tile(to) = to {
                        sink(Asks(to));
                    }
                }
                Edit::Carry { from, to } => {
                    sink(Asks(from));
                    sink(Asks(to));
                }
                Edit::Together(pairs) => {
                    for (from, to) in pairs {
                        sink(Asks(from));
                        sink(Asks(to));
                    }
                }
                Edit::Clear(on)
                | Edit::Shift { on, .. }
                | Edit::Flag { on, .. }
                | Edit::Mark { on, .. }
                | Edit::Become { on, .. }
                | Edit::Give { on, .. }
                | Edit::Place { on, .. } => sink(Takes(on)),
                Edit::Variable { to, .. } | Edit::Die(_, to) => sink(Asks(to)),
                Edit::Sow { from, skip, .. } => {
                    sink(Asks(from));
                    sink(Takes(skip));
                }
                Edit::MovePiece { .. }
                | Edit::PutPiece(_)
                | Edit::Spend(_)
                | Edit::Roll
                | Edit::Turn { .. }
                | Edit::Reset
                | Edit::Custom(_) => {}
            }
        }
    };
}

visitor! {
    /// Shows a sink the registers that an operation names, those it reads first, without those of
    /// blocks inside it.
    pub(crate) registers, edit_registers
}

visitor! {
    /// The same, to give them other names.
    pub(crate) registers_mut, edit_registers_mut, mut
}

/// The register for sets that an operation writes.
pub fn written_set(op: &Op) -> Option<SetReg> {
    let mut written = None;
    registers(op, &mut |access| {
        if let Access::Puts(set) = access {
            written = Some(*set);
        }
    });
    written
}

/// The register for numbers that an operation writes.
pub fn written_number(op: &Op) -> Option<NumReg> {
    let mut written = None;
    registers(op, &mut |access| {
        if let Access::Sets(number) = access {
            written = Some(*number);
        }
    });
    written
}

/// The registers for sets that an operation reads, without those of blocks inside it.
pub fn read_sets(op: &Op, sink: &mut dyn FnMut(SetReg)) {
    registers(op, &mut |access| {
        if let Access::Takes(set) = access {
            sink(*set);
        }
    });
}

/// The registers for numbers that an operation reads, without those of blocks inside it, and without
/// those of the event where it is emitted or carried out.
pub fn read_numbers(op: &Op, sink: &mut dyn FnMut(NumReg)) {
    registers(op, &mut |access| {
        if let Access::Asks(number) = access {
            sink(*number);
        }
    });
    // What is tried is the event.
    if let Op::Trial { .. } = op {
        [FROM, TO, CHOICE, PIPS].into_iter().for_each(sink);
    }
}
