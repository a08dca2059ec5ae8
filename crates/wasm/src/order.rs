//! The order of code that counts: what needs the most registers comes first, what calls functions last.
//!
//! What lives across a call lies in memory, or in one of the few registers that a call leaves alone. So
//! rules that call others, as where candidates are tried on a copy of the state, are counted when
//! little is needed any more.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use senet_core::ir::{
    Block, NumReg, Op, SetReg, read_numbers, read_sets, visit, written_number, written_set,
};

/// The registers that some code reads before it writes them, and those it writes.
#[derive(Clone, Default)]
struct Access {
    reads: Registers,
    writes: Registers,
}

#[derive(Clone, Default)]
pub(crate) struct Registers {
    pub(crate) sets: BTreeSet<SetReg>,
    pub(crate) numbers: BTreeSet<NumReg>,
}

impl Registers {
    pub(crate) fn meet(&self, other: &Registers) -> bool {
        !self.sets.is_disjoint(&other.sets) || !self.numbers.is_disjoint(&other.numbers)
    }
}

impl Access {
    /// Adds a block; what it writes is written after it for sure.
    fn block(&mut self, block: &[Op]) {
        for op in block {
            read_sets(op, &mut |set| {
                if !self.writes.sets.contains(&set) {
                    self.reads.sets.insert(set);
                }
            });
            read_numbers(op, &mut |number| {
                if !self.writes.numbers.contains(&number) {
                    self.reads.numbers.insert(number);
                }
            });
            match op {
                Op::If(_, yes, no) => [yes, no].into_iter().for_each(|part| self.inside(op, part)),
                Op::ForTiles(_, _, body) | Op::ForGroups { body, .. } | Op::Repeat(_, body) => {
                    self.inside(op, body);
                }
                _ => {}
            }
            self.writes.sets.extend(written_set(op));
            self.writes.numbers.extend(written_number(op));
        }
    }

    /// Adds a block that may not be run, and that begins with what an operation writes.
    fn inside(&mut self, op: &Op, block: &[Op]) {
        let mut inner = self.clone();
        inner.writes.sets.extend(written_set(op));
        inner.writes.numbers.extend(written_number(op));
        inner.block(block);
        self.reads = inner.reads;
    }
}

/// The registers that some code reads and another must have written.
pub(crate) fn needed(block: &[Op]) -> Registers {
    let mut access = Access::default();
    access.block(block);
    access.reads
}

/// The registers that some code may write.
pub(crate) fn written(block: &[Op]) -> Registers {
    let mut all = Registers::default();
    visit(block, &mut |op| {
        all.sets.extend(written_set(op));
        all.numbers.extend(written_number(op));
    });
    all
}

/// Whether some code calls functions.
pub(crate) fn calls(block: &[Op]) -> bool {
    let mut found = false;
    visit(block, &mut |op| {
        found |= matches!(
            op,
            Op::Trial { .. }
                | Op::Call(..)
                | Op::Stuck(_)
                | Op::StuckInRule(_)
                | Op::Flood { .. }
                | Op::Groups(..)
                | Op::ForGroups { .. }
        );
    });
    found
}

/// A block with its rules in the order in which they are counted best, as far as none needs what another
/// finds: those first that need the most registers, and those last that call functions.
pub(crate) fn by_need(block: &[Op]) -> Option<Block> {
    let starts: Vec<usize> =
        (0..block.len()).filter(|&at| matches!(block[at], Op::Rule(..))).collect();
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    let rules: Vec<&[Op]> =
        starts.iter().zip(ends).map(|(&start, end)| &block[start..end]).collect();
    let reads: Vec<Registers> = rules.iter().map(|rule| needed(rule)).collect();
    let writes: Vec<Registers> = rules.iter().map(|rule| written(rule)).collect();
    let apart = |one: usize, other: usize| {
        !reads[other].meet(&writes[one]) && !reads[one].meet(&writes[other])
    };
    let rank = |at: usize| (calls(rules[at]), Reverse(reads[at].sets.len()));
    let mut order: Vec<usize> = (0..rules.len()).collect();
    for end in 1..order.len() {
        let mut at = end;
        while at > 0 && rank(order[at]) < rank(order[at - 1]) && apart(order[at - 1], order[at]) {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    let begin = &block[..*starts.first()?];
    Some(begin.iter().chain(order.into_iter().flat_map(|at| rules[at])).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::by_need;
    use senet_core::Options;
    use senet_core::ir::{FROM, FunctionId, NumReg, Op, SetReg, visit};

    /// The rules of a block in the order in which they are counted.
    fn rules(block: &[Op]) -> Vec<usize> {
        let ordered = by_need(block).expect("rules");
        let rules = ordered.iter().filter_map(|op| match op {
            Op::Rule(rule, _) => Some(rule.index()),
            _ => None,
        });
        rules.collect()
    }

    /// A rule that tries its candidates, and one that needs a set, which the first may write.
    fn block(written: SetReg) -> Vec<Op> {
        let entry = senet_registry::find("chess").expect("a game of the registry");
        let game = entry.definition().compile(Options::default()).expect("a sound definition");
        let mut rules = Vec::new();
        let moves = game.program().code().function(game.program().moves(0, 0));
        visit(&moves.body, &mut |op| rules.extend(matches!(op, Op::Rule(..)).then(|| op.clone())));
        let trial = Op::Trial { to: NumReg(6), make: FunctionId(0), check: FunctionId(0) };
        vec![
            rules[0].clone(),
            Op::Plane(written, 0),
            Op::ForTiles(SetReg(2), FROM, vec![trial]),
            rules[1].clone(),
            Op::EmitFrom(NumReg(7), SetReg(1)),
        ]
    }

    #[test]
    fn rules_that_call_functions_are_counted_last_unless_others_need_what_they_find() {
        assert_eq!(rules(&block(SetReg(3))), [1, 0]);
        assert_eq!(rules(&block(SetReg(1))), [0, 1]);
    }
}
