//! Between which bounds the numbers of a function lie, as far as that is known when it is translated.

use senet_core::ir::{Arithmetic, FIRST_FREE, Function, NumReg, Op, visit, written_number};

/// The least and the greatest value of a number.
pub(crate) type Range = (i64, i64);

/// The bounds of each register, where it is written once and by an operation whose bounds are known.
pub(crate) fn ranges(function: &Function, registers: usize, tiles: usize) -> Vec<Option<Range>> {
    let mut writes = vec![0u32; registers];
    // What events are made of comes from elsewhere.
    writes[..usize::from(FIRST_FREE).min(registers)].fill(2);
    visit(&function.body, &mut |op| {
        if let Some(NumReg(to)) = written_number(op) {
            writes[usize::from(to)] += 1;
        }
    });
    let mut ranges: Vec<Option<Range>> = vec![None; registers];
    visit(&function.body, &mut |op| {
        if let Some(NumReg(to)) = written_number(op)
            && writes[usize::from(to)] == 1
        {
            ranges[usize::from(to)] = range(op, &ranges, tiles);
        }
    });
    ranges
}

/// The bounds of what an operation gives, from those of what it is given.
fn range(op: &Op, ranges: &[Option<Range>], tiles: usize) -> Option<Range> {
    let known = |register: NumReg| ranges[usize::from(register.0)];
    match *op {
        Op::Number(_, number) => Some((number, number)),
        Op::Move(_, from) => known(from),
        Op::Count(..) => Some((0, tiles as i64)),
        Op::Field(_, field, least) if field.bits() < 63 => {
            Some((least, least.checked_add((1 << field.bits()) - 1)?))
        }
        Op::Has(..) | Op::Any(..) | Op::HasLine(..) | Op::Compare(..) | Op::Not(..) => Some((0, 1)),
        Op::Arithmetic(_, what, one, other) => arithmetic(what, known(one)?, known(other)?),
        _ => None,
    }
}

/// The bounds of a result that no bound of 64 bits holds back.
fn arithmetic(what: Arithmetic, one: Range, other: Range) -> Option<Range> {
    Some(match what {
        Arithmetic::Add => (one.0.checked_add(other.0)?, one.1.checked_add(other.1)?),
        Arithmetic::Subtract => (one.0.checked_sub(other.1)?, one.1.checked_sub(other.0)?),
        Arithmetic::Min => (one.0.min(other.0), one.1.min(other.1)),
        Arithmetic::Max => (one.0.max(other.0), one.1.max(other.1)),
        Arithmetic::Multiply => return None,
    })
}
