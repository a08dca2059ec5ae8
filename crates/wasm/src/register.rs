//! The registers that operations read and write.

use senet_core::ir::{CHOICE, Edit, FROM, Fate, NumReg, Op, PIPS, SetReg, TO};

/// The register for sets that an operation writes.
pub(crate) fn written_set(op: &Op) -> Option<SetReg> {
    match *op {
        Op::Constant(to, ..)
        | Op::Plane(to, ..)
        | Op::Copy(to, ..)
        | Op::And(to, ..)
        | Op::Or(to, ..)
        | Op::AndNot(to, ..)
        | Op::Image(to, ..)
        | Op::Preimage(to, ..)
        | Op::Images { to, .. }
        | Op::Single(to, ..)
        | Op::Row(to, ..)
        | Op::Slide(to, ..)
        | Op::Between(to, ..)
        | Op::Span(to, ..)
        | Op::Flood { to, .. }
        | Op::Stacked { to, .. }
        | Op::Lines(to, ..)
        | Op::Travel { to, .. }
        | Op::Load(to, ..)
        | Op::Call(to, ..) => Some(to),
        Op::ForGroups { group, .. } => Some(group),
        _ => None,
    }
}

/// The register for numbers that an operation writes.
pub(crate) fn written_number(op: &Op) -> Option<NumReg> {
    match *op {
        Op::Number(to, _)
        | Op::Move(to, _)
        | Op::Count(to, _)
        | Op::First(to, _)
        | Op::Only(to, _)
        | Op::Has(to, ..)
        | Op::Any(to, _)
        | Op::HasLine(to, ..)
        | Op::Step(to, ..)
        | Op::FirstAlong(to, ..)
        | Op::Track { to, .. }
        | Op::Field(to, ..)
        | Op::Pieces { to, .. }
        | Op::Groups(to, ..)
        | Op::Arithmetic(to, ..)
        | Op::Compare(to, ..)
        | Op::Not(to, _)
        | Op::MovingKind { to, .. }
        | Op::Stuck(to)
        | Op::StuckInRule(to)
        | Op::Repeats(to, _)
        | Op::Custom { to, .. }
        | Op::Trial { to, .. }
        | Op::ForTiles(_, to, _) => Some(to),
        _ => None,
    }
}

/// The registers for numbers that an operation reads, without those of blocks inside it, and without
/// those of the event where it is emitted or carried out.
pub(crate) fn read_numbers(op: &Op, sink: &mut dyn FnMut(NumReg)) {
    match *op {
        Op::Single(_, n) | Op::Row(_, _, n) | Op::Slide(_, _, n, _) | Op::Load(_, n) => sink(n),
        Op::Between(_, _, a, b) | Op::Span(_, a, b) => [a, b].into_iter().for_each(sink),
        Op::Travel { from, .. } | Op::MovingKind { from, .. } => sink(from),
        Op::Store(n, _) | Op::Move(_, n) | Op::Has(_, _, n) | Op::Step(_, _, n) => sink(n),
        Op::FirstAlong(_, _, n, _) | Op::Not(_, n) => sink(n),
        Op::Track { pips, from, .. } => [pips, from].into_iter().for_each(sink),
        Op::Arithmetic(_, _, a, b) | Op::Compare(_, _, a, b) => {
            [a, b].into_iter().for_each(sink);
        }
        Op::Custom { tiles: (a, b), .. } => [a, b].into_iter().for_each(sink),
        Op::If(n, ..) | Op::Repeat(n, _) | Op::EmitFrom(n, _) => sink(n),
        Op::EmitDie { from, to, pips } => [from, to, pips].into_iter().for_each(sink),
        Op::EmitDice { ref dice, .. } => dice.iter().copied().for_each(sink),
        // What is tried is the event.
        Op::Trial { .. } => [FROM, TO, CHOICE, PIPS].into_iter().for_each(sink),
        Op::Edit(ref edit) => edit_reads(edit, sink),
        Op::Constant(..)
        | Op::Plane(..)
        | Op::Copy(..)
        | Op::And(..)
        | Op::Or(..)
        | Op::AndNot(..)
        | Op::Image(..)
        | Op::Preimage(..)
        | Op::Images { .. }
        | Op::Flood { .. }
        | Op::Stacked { .. }
        | Op::Lines(..)
        | Op::Call(..)
        | Op::Number(..)
        | Op::Count(..)
        | Op::First(..)
        | Op::Only(..)
        | Op::Any(..)
        | Op::HasLine(..)
        | Op::Field(..)
        | Op::Pieces { .. }
        | Op::Groups(..)
        | Op::Stuck(_)
        | Op::StuckInRule(_)
        | Op::Repeats(..)
        | Op::ForTiles(..)
        | Op::ForGroups { .. }
        | Op::Break
        | Op::Rare
        | Op::Seldom(_)
        | Op::Rule(..)
        | Op::EmitImages(..)
        | Op::EmitEvent
        | Op::EmitPut(..)
        | Op::EmitPick(..) => {}
    }
}

/// The same for an edit.
fn edit_reads(edit: &Edit, sink: &mut dyn FnMut(NumReg)) {
    match *edit {
        Edit::Capture { to: Fate::Tile(n), .. } | Edit::Die(_, n) => sink(n),
        Edit::Carry { from, to } => [from, to].into_iter().for_each(sink),
        Edit::Together(ref pairs) => pairs.iter().for_each(|&(from, to)| {
            sink(from);
            sink(to);
        }),
        Edit::Variable { to, .. } => sink(to),
        Edit::Sow { from, .. } => sink(from),
        Edit::MovePiece { .. }
        | Edit::PutPiece(_)
        | Edit::Spend(_)
        | Edit::Roll
        | Edit::Capture { .. }
        | Edit::Clear(_)
        | Edit::Shift { .. }
        | Edit::Flag { .. }
        | Edit::Mark { .. }
        | Edit::Become { .. }
        | Edit::Give { .. }
        | Edit::Place { .. }
        | Edit::Turn { .. }
        | Edit::Reset
        | Edit::Custom(_) => {}
    }
}

/// The registers for sets that an operation reads, without those of blocks inside it.
pub(crate) fn read_sets(op: &Op, sink: &mut dyn FnMut(SetReg)) {
    match *op {
        Op::Copy(_, set)
        | Op::Image(_, set, _)
        | Op::Preimage(_, set, _)
        | Op::Slide(_, _, _, set)
        | Op::Lines(_, _, set)
        | Op::Travel { through: set, .. }
        | Op::Store(_, set)
        | Op::Count(_, set)
        | Op::First(_, set)
        | Op::Only(_, set)
        | Op::Has(_, set, _)
        | Op::Any(_, set)
        | Op::HasLine(_, _, set)
        | Op::FirstAlong(_, _, _, set)
        | Op::Pieces { on: set, .. }
        | Op::Groups(_, set, _)
        | Op::ForTiles(set, ..)
        | Op::ForGroups { of: set, .. }
        | Op::EmitFrom(_, set)
        | Op::EmitImages(_, set)
        | Op::EmitPut(_, set)
        | Op::EmitPick(_, set) => sink(set),
        Op::And(_, a, b)
        | Op::Or(_, a, b)
        | Op::AndNot(_, a, b)
        | Op::Images { from: a, over: b, .. }
        | Op::Flood { from: a, over: b, .. }
        | Op::EmitDice { from: a, onto: b, .. } => [a, b].into_iter().for_each(sink),
        Op::Seldom(ref sets) => sets.iter().copied().for_each(sink),
        Op::Edit(ref edit) => edit_read_sets(edit, sink),
        Op::Constant(..)
        | Op::Plane(..)
        | Op::Single(..)
        | Op::Row(..)
        | Op::Between(..)
        | Op::Span(..)
        | Op::Stacked { .. }
        | Op::Load(..)
        | Op::Call(..)
        | Op::Number(..)
        | Op::Move(..)
        | Op::Step(..)
        | Op::Track { .. }
        | Op::Field(..)
        | Op::Arithmetic(..)
        | Op::Compare(..)
        | Op::Not(..)
        | Op::MovingKind { .. }
        | Op::Stuck(_)
        | Op::StuckInRule(_)
        | Op::Repeats(..)
        | Op::Custom { .. }
        | Op::Trial { .. }
        | Op::If(..)
        | Op::Repeat(..)
        | Op::Break
        | Op::Rare
        | Op::Rule(..)
        | Op::EmitEvent
        | Op::EmitDie { .. } => {}
    }
}

/// The register for the tiles that an edit is about.
fn edit_read_sets(edit: &Edit, sink: &mut dyn FnMut(SetReg)) {
    match *edit {
        Edit::Capture { on, .. }
        | Edit::Clear(on)
        | Edit::Shift { on, .. }
        | Edit::Flag { on, .. }
        | Edit::Mark { on, .. }
        | Edit::Become { on, .. }
        | Edit::Give { on, .. }
        | Edit::Place { on, .. }
        | Edit::Sow { skip: on, .. } => sink(on),
        Edit::MovePiece { .. }
        | Edit::PutPiece(_)
        | Edit::Spend(_)
        | Edit::Roll
        | Edit::Carry { .. }
        | Edit::Together(_)
        | Edit::Variable { .. }
        | Edit::Turn { .. }
        | Edit::Die(..)
        | Edit::Reset
        | Edit::Custom(_) => {}
    }
}
