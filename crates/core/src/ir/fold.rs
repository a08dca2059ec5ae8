//! Code for states in which some sets are empty: what follows from that is left out.

use std::collections::BTreeMap;

use super::register::{written_number, written_set};
use super::{Block, Code, ConstId, NO_TILE, NumReg, Op, SetReg, visit};

/// Sets that are known without a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Empty,
    All,
}

/// What is known of registers at a place of the code.
#[derive(Clone)]
struct Known<'c> {
    code: &'c Code,
    sets: BTreeMap<SetReg, Extent>,
    numbers: BTreeMap<NumReg, i64>,
}

/// The code of a block where some sets are empty at its beginning; nothing where the code has no
/// constant for the empty set.
pub fn where_empty(code: &Code, block: &[Op], sets: &[SetReg]) -> Option<Block> {
    let mut known = Known { code, sets: BTreeMap::new(), numbers: BTreeMap::new() };
    let nothing = known.nothing()?;
    let mut out: Block = sets.iter().map(|&set| Op::Constant(set, nothing)).collect();
    known.sets.extend(sets.iter().map(|&set| (set, Extent::Empty)));
    known.block(block, &mut out);
    Some(out)
}

impl Known<'_> {
    /// The constant for the empty set.
    fn nothing(&self) -> Option<ConstId> {
        let count = self.code.constants.len() / self.code.width;
        let mut ids = (0..count).map(|at| ConstId(at as u16));
        ids.find(|&id| self.extent(id) == Some(Extent::Empty))
    }

    fn extent(&self, id: ConstId) -> Option<Extent> {
        let width = self.code.width;
        let words = &self.code.constants[id.index() * width..][..width];
        if words.iter().all(|&word| word == 0) {
            return Some(Extent::Empty);
        }
        let count: u32 = words.iter().map(|word| word.count_ones()).sum();
        (count as usize == self.code.tiles).then_some(Extent::All)
    }

    fn block(&mut self, block: &[Op], out: &mut Block) {
        block.iter().for_each(|op| self.op(op, out));
    }

    fn op(&mut self, op: &Op, out: &mut Block) {
        use Extent::{All, Empty};
        let is = |set: SetReg| self.sets.get(&set).copied();
        match *op {
            Op::Constant(to, id) => {
                self.keep(op, out);
                if let Some(extent) = self.extent(id) {
                    self.sets.insert(to, extent);
                }
            }
            Op::Copy(to, from) => self.copy(to, from, out),
            Op::And(to, a, b) => match (is(a), is(b)) {
                (Some(Empty), _) | (_, Some(All)) => self.copy(to, a, out),
                (_, Some(Empty)) | (Some(All), _) => self.copy(to, b, out),
                _ => self.keep(op, out),
            },
            Op::Or(to, a, b) => match (is(a), is(b)) {
                (Some(All), _) | (_, Some(Empty)) => self.copy(to, a, out),
                (_, Some(All)) | (Some(Empty), _) => self.copy(to, b, out),
                _ => self.keep(op, out),
            },
            Op::AndNot(to, a, b)
                if matches!((is(a), is(b)), (Some(Empty), _) | (_, Some(Empty))) =>
            {
                self.copy(to, a, out);
            }
            Op::Image(to, from, _) | Op::Preimage(to, from, _) if is(from) == Some(Empty) => {
                self.copy(to, from, out);
            }
            Op::Count(to, set) | Op::Any(to, set) | Op::Has(to, set, _)
                if is(set) == Some(Empty) =>
            {
                self.number(to, 0, out);
            }
            Op::First(to, set) | Op::Only(to, set) if is(set) == Some(Empty) => {
                self.number(to, NO_TILE, out);
            }
            Op::Number(to, number) => self.number(to, number, out),
            Op::Compare(to, how, a, b) => match [a, b].map(|one| self.numbers.get(&one)) {
                [Some(&a), Some(&b)] => self.number(to, how.holds(a, b).into(), out),
                _ => self.keep(op, out),
            },
            Op::Not(to, of) => match self.numbers.get(&of) {
                Some(&truth) => self.number(to, i64::from(truth == 0), out),
                None => self.keep(op, out),
            },
            Op::If(truth, ref yes, ref no) => match self.numbers.get(&truth) {
                Some(&truth) => self.block(if truth == 0 { no } else { yes }, out),
                None => {
                    let [yes, no] = [yes, no].map(|block| self.clone().inside(block));
                    self.forget(op);
                    out.push(Op::If(truth, yes, no));
                }
            },
            Op::ForTiles(set, tile, ref body) if is(set) != Some(Empty) => {
                self.forget(op);
                out.push(Op::ForTiles(set, tile, self.clone().inside(body)));
            }
            Op::EmitFrom(_, set) | Op::EmitImages(_, set) | Op::ForTiles(set, ..)
                if is(set) == Some(Empty) => {}
            _ => self.keep(op, out),
        }
    }

    fn inside(mut self, block: &[Op]) -> Block {
        let mut out = Block::new();
        self.block(block, &mut out);
        out
    }

    fn copy(&mut self, to: SetReg, from: SetReg, out: &mut Block) {
        let extent = self.sets.get(&from).copied();
        if to != from {
            self.keep(&Op::Copy(to, from), out);
        }
        self.sets.extend(extent.map(|extent| (to, extent)));
    }

    fn number(&mut self, to: NumReg, number: i64, out: &mut Block) {
        self.keep(&Op::Number(to, number), out);
        self.numbers.insert(to, number);
    }

    /// An operation that stays as it is.
    fn keep(&mut self, op: &Op, out: &mut Block) {
        self.forget(op);
        out.push(op.clone());
    }

    /// Forgets what an operation, or one inside it, may change.
    fn forget(&mut self, op: &Op) {
        visit(std::slice::from_ref(op), &mut |op| {
            written_set(op).map(|set| self.sets.remove(&set));
            written_number(op).map(|number| self.numbers.remove(&number));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::where_empty;
    use crate::ir::{Block, Code, ConstId, FROM, NumReg, Op, SetReg, visit};

    const S: [SetReg; 3] = [SetReg(0), SetReg(1), SetReg(2)];
    const HOLDS: NumReg = NumReg(5);

    /// The code of a block where the first set is empty, an operation a line.
    fn folded(block: Block) -> String {
        let code = Code { width: 1, tiles: 8, constants: vec![0xff, 0], ..Code::default() };
        let block = where_empty(&code, &block, &S[..1]).expect("a constant for the empty set");
        let mut lines = String::new();
        visit(&block, &mut |op| {
            let inside = matches!(op, Op::If(..) | Op::ForTiles(..));
            lines += &if inside { "block".into() } else { format!("{op:?}") };
            lines.push('\n');
        });
        lines
    }

    #[test]
    fn what_empty_sets_decide_is_left_out() {
        let found = folded(vec![
            Op::Any(HOLDS, S[0]),
            Op::If(HOLDS, vec![Op::Break], vec![Op::EmitFrom(FROM, S[1])]),
            Op::Constant(S[2], ConstId(0)),
            Op::And(S[2], S[1], S[2]),
            Op::And(S[1], S[1], S[0]),
            Op::EmitFrom(FROM, S[1]),
            Op::ForTiles(S[0], FROM, vec![Op::EmitEvent]),
        ]);
        assert_eq!(
            found,
            "Constant(SetReg(0), ConstId(1))\n\
             Number(NumReg(5), 0)\n\
             EmitFrom(NumReg(0), SetReg(1))\n\
             Constant(SetReg(2), ConstId(0))\n\
             Copy(SetReg(2), SetReg(1))\n\
             Copy(SetReg(1), SetReg(0))\n"
        );
    }

    #[test]
    fn what_a_loop_or_a_branch_writes_is_not_known_in_it_nor_after_it() {
        let asks = || [Op::Any(HOLDS, S[0]), Op::If(HOLDS, vec![Op::EmitEvent], Vec::new())];
        let round = asks().into_iter().chain([Op::Copy(S[0], S[1])]).collect();
        let found = folded(vec![Op::ForTiles(S[1], FROM, round)]);
        assert!(found.contains("EmitEvent"), "{found}");
        let branch = Op::If(NumReg(6), vec![Op::Copy(S[0], S[1])], Vec::new());
        let found = folded([branch].into_iter().chain(asks()).collect());
        assert!(found.contains("EmitEvent"), "{found}");
    }
}
