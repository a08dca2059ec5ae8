//! Functions made simpler before they are written out to count events: states in which some sets are
//! empty get code of their own, what is found twice is found once, and what nobody reads is left out.

use std::collections::BTreeMap;

use crate::ir::{
    ANSWER, Access, Block, Code, FOUND, Function, NumReg, Op, SetReg, registers, registers_mut,
    visit, where_empty,
};

/// How often each register is named.
#[derive(Default)]
struct Names {
    sets: BTreeMap<SetReg, usize>,
    numbers: BTreeMap<NumReg, usize>,
}

impl Names {
    /// The registers that operations of a block name in a way that a test accepts.
    fn of(block: &[Op], counts: impl Fn(&Access<&SetReg, &NumReg>) -> bool) -> Names {
        let mut names = Names::default();
        visit(block, &mut |op| {
            registers(op, &mut |access| match access {
                access if !counts(&access) => {}
                Access::Puts(set) | Access::Takes(set) => *names.sets.entry(*set).or_default() += 1,
                Access::Sets(one) | Access::Asks(one) => {
                    *names.numbers.entry(*one).or_default() += 1;
                }
            });
        });
        names
    }
}

/// A function that counts the same events. Such a function leaves the state as it is.
pub(super) fn simplify(code: &Code, function: &Function) -> Function {
    let mut function = function.clone();
    let mut body = std::mem::take(&mut function.body);
    let all = Names::of(&body, |_| true);
    either_way(code, &mut body, &all, &mut function);
    let writes = Names::of(&body, |access| matches!(access, Access::Puts(_) | Access::Sets(_)));
    let mut sharing = Sharing { writes, names: BTreeMap::new(), known: Vec::new() };
    sharing.block(&mut body);
    let mut reads = Names::of(&body, |access| matches!(access, Access::Takes(_) | Access::Asks(_)));
    leave_out_unread(&mut body, &mut reads);
    Function { body, ..function }
}

/// Where sets are seldom not empty, lets code ask whether they are, and has two sorts of code from
/// there on, of which the simpler one has registers of its own.
fn either_way(code: &Code, block: &mut Block, all: &Names, function: &mut Function) {
    for at in 0..block.len() {
        match &mut block[at] {
            Op::Seldom(sets) => {
                let (sets, rest) = (std::mem::take(sets), block.split_off(at + 1));
                let Some(mut simpler) = where_empty(code, &rest, &sets) else {
                    return block.extend(rest);
                };
                // That they are empty is known.
                simpler.drain(..sets.len());
                rename(&mut simpler, &Names::of(&rest, |_| true), all, function);
                let any = NumReg(function.numbers);
                function.numbers += 1;
                block.pop();
                let mut joined = sets[0];
                for &other in &sets[1..] {
                    block.push(Op::Or(SetReg(function.sets), joined, other));
                    joined = SetReg(function.sets);
                    function.sets += 1;
                }
                return block.extend([Op::Any(any, joined), Op::If(any, rest, simpler)]);
            }
            Op::If(_, yes, no) => {
                either_way(code, yes, all, function);
                either_way(code, no, all, function);
            }
            _ => {}
        }
    }
}

/// Gives other names to the registers that nothing but this code, or what it was made of, names.
fn rename(block: &mut Block, inside: &Names, all: &Names, function: &mut Function) {
    let mut sets = BTreeMap::new();
    for (set, _) in { inside.sets.iter() }.filter(|(set, count)| all.sets.get(set) == Some(count)) {
        sets.insert(*set, SetReg(function.sets));
        function.sets += 1;
    }
    let mut numbers = BTreeMap::new();
    let own = { inside.numbers.iter() }.filter(|(one, count)| all.numbers.get(one) == Some(count));
    for (one, _) in own.filter(|(one, _)| **one > ANSWER) {
        numbers.insert(*one, NumReg(function.numbers));
        function.numbers += 1;
    }
    each_mut(block, &mut |op| {
        registers_mut(op, &mut |access| match access {
            Access::Puts(set) | Access::Takes(set) => *set = *sets.get(set).unwrap_or(set),
            Access::Sets(one) | Access::Asks(one) => *one = *numbers.get(one).unwrap_or(one),
        });
    });
}

fn each_mut(block: &mut Block, sink: &mut dyn FnMut(&mut Op)) {
    for op in block {
        sink(op);
        inside(op).into_iter().for_each(|inner| each_mut(inner, sink));
    }
}

/// The blocks inside an operation.
fn inside(op: &mut Op) -> Vec<&mut Block> {
    match op {
        Op::If(_, yes, no) => vec![yes, no],
        Op::ForTiles(_, _, body) | Op::ForGroups { body, .. } | Op::Repeat(_, body) => vec![body],
        _ => Vec::new(),
    }
}

/// Code in which each set is found once where it is sure to be found.
struct Sharing {
    /// How many operations write each register.
    writes: Names,
    /// Registers that hold the same as another.
    names: BTreeMap<SetReg, SetReg>,
    /// What is found before the place in the code, and where.
    known: Vec<(String, SetReg)>,
}

impl Sharing {
    fn block(&mut self, block: &mut Block) {
        let before = self.known.len();
        block.retain_mut(|op| {
            registers_mut(op, &mut |access| {
                if let Access::Takes(set) = access {
                    *set = *self.names.get(set).unwrap_or(set);
                }
            });
            inside(op).into_iter().for_each(|inner| self.block(inner));
            !self.is_known(op)
        });
        self.known.truncate(before);
    }

    /// Whether another register is known to hold what an operation finds.
    fn is_known(&mut self, op: &mut Op) -> bool {
        if !finds_set(op) || !self.writes_alone(op) {
            return false;
        }
        let mut to = SetReg(u16::MAX);
        let swap = |op: &mut Op, to: &mut SetReg| {
            registers_mut(op, &mut |access| {
                if let Access::Puts(set) = access {
                    std::mem::swap(set, to);
                }
            });
        };
        if let &mut Op::Copy(to, from) = op {
            self.names.insert(to, from);
            return true;
        }
        swap(op, &mut to);
        let found = format!("{op:?}");
        swap(op, &mut to);
        let to = written(op);
        if let Some((_, name)) = self.known.iter().find(|(known, _)| *known == found) {
            self.names.insert(to, *name);
            return true;
        }
        self.known.push((found, to));
        false
    }

    /// Whether every register that an operation names is written at one place.
    fn writes_alone(&self, op: &Op) -> bool {
        let mut alone = true;
        registers(op, &mut |access| {
            alone &= match access {
                Access::Puts(set) | Access::Takes(set) => {
                    *set != FOUND && self.writes.sets.get(set) == Some(&1)
                }
                Access::Sets(one) | Access::Asks(one) => {
                    *one > ANSWER && self.writes.numbers.get(one) == Some(&1)
                }
            };
        });
        alone
    }
}

fn written(op: &Op) -> SetReg {
    crate::ir::written_set(op).unwrap_or(FOUND)
}

/// Whether an operation finds a set, and the same one whenever its registers hold the same.
fn finds_set(op: &Op) -> bool {
    matches!(
        op,
        Op::Constant(..)
            | Op::Plane(..)
            | Op::Copy(..)
            | Op::And(..)
            | Op::Or(..)
            | Op::AndNot(..)
            | Op::Image(..)
            | Op::Preimage(..)
            | Op::Single(..)
            | Op::Row(..)
            | Op::Slide(..)
    )
}

/// Leaves out operations whose result nobody reads.
fn leave_out_unread(block: &mut Block, reads: &mut Names) {
    let mut left = Block::new();
    for mut op in std::mem::take(block).into_iter().rev() {
        let unread = match op {
            Op::Number(to, _) | Op::Count(to, _) | Op::Any(to, _) | Op::Compare(to, ..) => {
                to > ANSWER && reads.numbers.get(&to).is_none_or(|&count| count == 0)
            }
            ref op if finds_set(op) => {
                let to = written(op);
                to != FOUND && reads.sets.get(&to).is_none_or(|&count| count == 0)
            }
            _ => false,
        };
        if unread {
            registers(&op, &mut |access| match access {
                Access::Takes(set) => *reads.sets.entry(*set).or_insert(1) -= 1,
                Access::Asks(one) => *reads.numbers.entry(*one).or_insert(1) -= 1,
                _ => {}
            });
            continue;
        }
        inside(&mut op).into_iter().for_each(|inner| leave_out_unread(inner, reads));
        left.push(op);
    }
    left.reverse();
    *block = left;
}
