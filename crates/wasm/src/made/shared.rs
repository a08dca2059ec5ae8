//! What every event of a batch does alike, so that it is done once for all of them.
//!
//! The turn passes and a clock ticks whatever the target is.

use std::collections::BTreeSet;

use senet_core::ir::{Block, Edit, Function, NumReg, Op, read_numbers, visit, written_number};
use senet_core::program::Program;

/// A function in two: what it does alike for all events of a batch, and the rest, which may come after it.
/// Flags that end with a turn are clear, if that is known.
pub(super) fn split(
    program: Program<'_>,
    function: &Function,
    flags_are_clear: bool,
) -> (Function, Function) {
    let mut shared: Vec<bool> = function.body.iter().map(is_simple).collect();
    loop {
        let rest = Rest::of(program, function, &shared);
        let known: BTreeSet<NumReg> =
            parts(&function.body, &shared, true).iter().filter_map(written_number).collect();
        let stays = |(op, is_shared): (&Op, &bool)| {
            let mut fits = !rest.forbids(op, flags_are_clear);
            read_numbers(op, &mut |number| fits &= known.contains(&number));
            *is_shared && fits
        };
        let next: Vec<bool> = function.body.iter().zip(&shared).map(stays).collect();
        if next == shared {
            break;
        }
        shared = next;
    }
    let part = |is_shared| Function {
        body: parts(&function.body, &shared, is_shared),
        ..function.clone()
    };
    (part(true), part(false))
}

fn parts(block: &Block, shared: &[bool], is_shared: bool) -> Block {
    let part = block.iter().zip(shared).filter(|(_, one)| **one == is_shared);
    part.map(|(op, _)| op.clone()).collect()
}

/// Whether an operation reads and writes numbers alone, or what is not on the board.
fn is_simple(op: &Op) -> bool {
    matches!(
        op,
        Op::Number(..)
            | Op::Move(..)
            | Op::Field(..)
            | Op::Arithmetic(..)
            | Op::Compare(..)
            | Op::Not(..)
            | Op::Edit(Edit::Variable { .. } | Edit::Turn { .. })
    )
}

/// What operations that are not shared read and write.
struct Rest<'g> {
    program: Program<'g>,
    reads: BTreeSet<NumReg>,
    writes: BTreeSet<NumReg>,
    /// Variables, by number, that they read or write, and whether they ask for the turn or set flags that
    /// end with it.
    variables: BTreeSet<usize>,
    turn: bool,
    /// How often each register is written anywhere.
    times: Vec<usize>,
}

impl<'g> Rest<'g> {
    fn of(program: Program<'g>, function: &Function, shared: &[bool]) -> Rest<'g> {
        let mut rest = Rest {
            program,
            reads: BTreeSet::new(),
            writes: BTreeSet::new(),
            variables: BTreeSet::new(),
            turn: false,
            times: vec![0; usize::from(function.numbers) + 1],
        };
        visit(&function.body, &mut |op| {
            if let Some(number) = written_number(op)
                && let Some(times) = rest.times.get_mut(usize::from(number.0))
            {
                *times += 1;
            }
        });
        let ephemeral = program.ephemeral().into_iter().fold(0u64, |all, flag| all | 1 << flag);
        visit(&parts(&function.body, shared, false), &mut |op| {
            read_numbers(op, &mut |number| {
                rest.reads.insert(number);
            });
            rest.writes.extend(written_number(op));
            rest.variables.extend(rest.variable(op));
            rest.turn |= match op {
                Op::Field(_, field, _) => *field == program.turn_field(),
                Op::Edit(Edit::Turn { .. }) => true,
                Op::Edit(Edit::Flag { set, .. }) => set & ephemeral != 0,
                _ => false,
            };
        });
        rest
    }

    /// The variable that an operation reads or writes.
    fn variable(&self, op: &Op) -> Option<usize> {
        match op {
            Op::Field(_, field, _) => {
                let shapes = self.program.variables();
                shapes.iter().position(|shape| shape.fields.contains(field))
            }
            Op::Edit(Edit::Variable { variable, .. }) => Some(variable.index()),
            _ => None,
        }
    }

    /// Whether an operation may not come before these.
    fn forbids(&self, op: &Op, flags_are_clear: bool) -> bool {
        let register = written_number(op).is_some_and(|number| {
            self.reads.contains(&number)
                || self.writes.contains(&number)
                || self.times.get(usize::from(number.0)).is_none_or(|times| *times != 1)
        });
        let variable = self.variable(op);
        let field = matches!(op, Op::Field(..)) && variable.is_none();
        let turn = matches!(op, Op::Edit(Edit::Turn { .. }))
            && (self.turn || !flags_are_clear && !self.program.ephemeral().is_empty());
        register || field || turn || variable.is_some_and(|one| self.variables.contains(&one))
    }
}
