//! Loops that call functions, taken out of functions that count.
//!
//! Where code calls another, what it needs afterwards lies in memory, and so does what all the rest of the
//! function works with. A loop over candidates that are tried is seldom run: as a function of its own
//! it costs a call there, and nothing elsewhere.

use senet_core::ir::{NumReg, Op, SetReg, visit};
use wasm_encoder::ValType;

use crate::asm::Asm;
use crate::function::Body;
use crate::module::{Emit, Emitter, Key, Mode};
use crate::order::{calls, needed, written};

/// A loop that is a function of its own.
pub(crate) struct Apart {
    /// The function of which it is a part, the rule that runs there, and the loop.
    function: u16,
    rule: usize,
    op: Op,
    /// The registers that it reads.
    sets: Vec<SetReg>,
    numbers: Vec<NumReg>,
}

impl Apart {
    /// The state, then the words of sets, then numbers.
    pub(crate) fn params(&self, width: usize) -> Vec<ValType> {
        let words = self.sets.len() * width + self.numbers.len();
        [vec![ValType::I32], vec![ValType::I64; words]].concat()
    }
}

impl Body<'_, '_> {
    /// Whether a loop becomes a function of its own: it calls others, is in no other loop, finds nothing
    /// that is needed after it, and needs no sets that are kept for tiles.
    pub(crate) fn is_apart(&self, op: &Op) -> bool {
        let (block, mut keeps) = (std::slice::from_ref(op), false);
        visit(block, &mut |op| keeps |= matches!(op, Op::Load(..) | Op::Store(..)));
        self.mode == Mode::Count
            && self.id.is_some()
            && self.loops.is_empty()
            && calls(block)
            && !keeps
            && !self.later.iter().any(|later| later.meet(&written(block)))
    }

    /// Counts the events that a loop finds in a function of its own.
    pub(crate) fn count_apart(&mut self, op: &Op) -> Emit {
        let (&Op::ForTiles(over, ..), Some(function)) = (op, self.id) else { return Ok(()) };
        let needed = needed(std::slice::from_ref(op));
        let (sets, numbers) = (needed.sets, needed.numbers);
        let (sets, numbers) = (Vec::from_iter(sets), Vec::from_iter(numbers));
        let over = self.set(over);
        self.push_any(over);
        self.asm.begin_if();
        self.asm.get(self.state);
        for &set in &sets {
            (0..self.width() as u32).for_each(|word| {
                self.asm.get(self.set(set) + word);
            });
        }
        numbers.iter().for_each(|&number| self.push_number(number));
        let number = self.emitter.apart.len() as u16;
        let (rule, op) = (self.rule, op.clone());
        self.emitter.apart.push(Apart { function, rule, op, sets, numbers });
        let apart = self.emitter.want(Key::Apart(number));
        self.asm.op().call(apart);
        self.asm.get(self.total).op().i64_add();
        self.asm.set(self.total);
        self.asm.leave();
        Ok(())
    }
}

/// The function of a loop.
pub(crate) fn apart(emitter: &mut Emitter<'_>, number: u16) -> Emit<Asm> {
    let Apart { function, rule, op, sets, numbers } = &emitter.apart[usize::from(number)];
    let (rule, op) = (*rule, op.clone());
    let (sets, numbers) = (sets.clone(), numbers.clone());
    let function = &emitter.code.functions[usize::from(*function)];
    let mut body = Body::new(emitter, function, Key::Apart(number), Mode::Count);
    body.rule = rule;
    let mut param = 1;
    for set in sets {
        for word in 0..body.width() as u32 {
            let to = body.set(set) + word;
            body.asm.get(param).set(to);
            param += 1;
        }
    }
    for number in numbers {
        body.asm.get(param);
        body.pop_number(number);
        param += 1;
    }
    body.block(&[op])?;
    body.end();
    Ok(body.asm)
}
