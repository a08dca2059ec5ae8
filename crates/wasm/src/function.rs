//! Functions of the intermediate representation, operation by operation.
//!
//! A register for a set is as many locals as a set has words; a register for a number is one local:
//! of 32 bits where only truths are written to it, of 64 bits otherwise.

use senet_core::ir::{
    ANSWER, Block, CHOICE, ConstId, FOUND, FROM, Function, NumReg, Op, PIPS, SetReg, TO, visit,
    where_empty, written_number, written_set,
};
use wasm_encoder::ValType;

use crate::asm::{Asm, Label};
use crate::event::DEPTH;
use crate::module::{Emit, Emitter, Hash, Key, Mode, global};
use crate::order::{Registers, calls, needed};
use crate::range::{Range, ranges};
use crate::support::live_words;

/// A function being translated.
pub(crate) struct Body<'e, 'g> {
    pub(crate) emitter: &'e mut Emitter<'g>,
    pub(crate) asm: Asm,
    pub(crate) mode: Mode,
    /// The number of the function, where it is translated as a whole.
    pub(crate) id: Option<u16>,
    /// Where code that counts calls functions: what is needed after it, block by block.
    pub(crate) later: Vec<Registers>,
    /// The local with the address of the state.
    pub(crate) state: u32,
    numbers: Vec<u32>,
    truths: Vec<bool>,
    sets: Vec<u32>,
    /// The words of sets that may have a tile.
    live: Vec<Vec<bool>>,
    /// Between which bounds registers lie.
    ranges: Vec<Option<Range>>,
    /// For registers that hold the one tile of a number and nothing else, that number.
    singles: Vec<Option<NumReg>>,
    /// For registers that hold one constant and nothing else, that constant.
    constants: Vec<Option<ConstId>>,
    /// Registers that hold a tile for sure where code is now.
    tiles: Vec<bool>,
    /// The loops around the code being written.
    pub(crate) loops: Vec<Label>,
    /// The block to leave where an event is found, if that is not the function.
    pub(crate) found: Option<Label>,
    /// The local with what is counted.
    pub(crate) total: u32,
    /// The local with the address of the next event, and the one with that of the running rule's
    /// first event.
    pub(crate) out: u32,
    pub(crate) first: u32,
    /// Whether the events of the running rule are out of order.
    pub(crate) unordered: u32,
    /// The local with the address of the sets kept for tiles.
    kept: Option<u32>,
    /// The local with the depth of a tree as functions that carry out batches take it.
    pub(crate) below: u32,
    /// Whether pieces come from the same tile in every round of the loop in which a state is held.
    pub(crate) stays: bool,
    /// Who stands on the target where a piece moves there, if that is known.
    pub(crate) taken: Option<crate::edit::Taken>,
    /// Planes that only who is taken leaves.
    pub(crate) unread: Vec<usize>,
    /// The running rule, and whether its events come in the order of the list.
    pub(crate) rule: usize,
    pub(crate) ordered: bool,
}

/// Translates a function.
pub(crate) fn lowered(emitter: &mut Emitter<'_>, id: u16, mode: Mode) -> Emit<Asm> {
    let function = &emitter.code.functions[usize::from(id)];
    let mut body = Body::new(emitter, function, Key::Lowered(id, mode), mode);
    body.id = Some(id);
    if let Mode::Walk(Hash::Kept, _) = mode {
        body.below = body.asm.local32();
        crate::made::push_depth(body.emitter, &mut body.asm, DEPTH);
        body.asm.set(body.below);
    }
    body.block(&function.body)?;
    body.end();
    Ok(body.asm)
}

impl<'e, 'g> Body<'e, 'g> {
    pub(crate) fn new(
        emitter: &'e mut Emitter<'g>,
        function: &Function,
        key: Key,
        mode: Mode,
    ) -> Self {
        let asm = emitter.asm(key);
        let given = matches!(mode, Mode::Answer | Mode::Make(_));
        // The depth of a tree comes before the event.
        let first = if matches!(key, Key::Descend(..)) { 2 } else { 1 };
        let event = given.then(|| std::array::from_fn(|part| first + part as u32));
        Self::within(emitter, function, asm, (mode, event))
    }

    /// The same as part of other code, which may have the four numbers of the event in locals.
    pub(crate) fn within(
        emitter: &'e mut Emitter<'g>,
        function: &Function,
        mut asm: Asm,
        (mode, event): (Mode, Option<[u32; 4]>),
    ) -> Self {
        emitter.note_asked(function);
        let numbers_used = usize::from(function.numbers.max(ANSWER.0 + 1));
        let truths = find_truths(function, numbers_used);
        let mut numbers = Vec::new();
        for (number, &truth) in truths.iter().enumerate() {
            numbers.push(match event.and_then(|event| event.get(number).copied()) {
                Some(given) => given,
                None if truth => asm.local32(),
                None => asm.local64(),
            });
        }
        if event.is_none() {
            for register in [FROM, TO, CHOICE] {
                asm.i64(-1).set(numbers[usize::from(register.0)]);
            }
        }
        let width = emitter.width;
        let sets = (0..function.sets.max(1)).map(|_| locals(&mut asm, width)).collect();
        let (total, first, unordered) = (asm.local64(), asm.local32(), asm.local32());
        let kept = stores(&function.body).then(|| asm.local32());
        let ranges = ranges(function, numbers.len(), emitter.code.tiles);
        let live = live_words(function, emitter.code);
        let mut body = Body {
            emitter,
            asm,
            mode,
            id: None,
            later: Vec::new(),
            state: 0,
            live,
            ranges,
            tiles: vec![false; numbers.len()],
            numbers,
            truths,
            sets,
            singles: find_singles(function),
            constants: find_constants(function),
            loops: Vec::new(),
            found: None,
            total,
            out: 1,
            first,
            unordered,
            kept,
            below: DEPTH,
            stays: false,
            taken: None,
            unread: Vec::new(),
            rule: 0,
            ordered: true,
        };
        match mode {
            Mode::List => body.asm.get(1).set(first),
            _ => &mut body.asm,
        };
        if mode == Mode::Note {
            body.begin_notes();
        }
        if mode == Mode::Make(Hash::Kept) {
            body.asm.gathered = Some(std::array::from_fn(|_| body.asm.local64()));
        }
        body.take_room();
        body
    }

    /// Takes room for sets kept for tiles.
    fn take_room(&mut self) {
        let Some(kept) = self.kept else { return };
        let bytes = self.emitter.code.tiles * self.width() * 8;
        if self.mode == Mode::Count {
            // Functions that count are not called again before they end.
            let room = self.emitter.memory.room(bytes);
            self.asm.i32(room as i32).set(kept);
            return;
        }
        self.asm.op().global_get(global::FREE);
        self.asm.tee(kept).i32(bytes as i32);
        self.asm.op().i32_add().global_set(global::FREE);
    }

    /// Whether the function takes room for sets kept for tiles.
    pub(crate) fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// Gives back the room taken for sets kept for tiles.
    pub(crate) fn release(&mut self) {
        if let Some(kept) = self.kept.filter(|_| self.mode != Mode::Count) {
            self.asm.get(kept);
            self.asm.op().global_set(global::FREE);
        }
    }

    /// Leaves the result on the stack.
    pub(crate) fn end(&mut self) {
        match self.mode {
            Mode::Answer => {
                self.release();
                self.push_number(ANSWER);
            }
            Mode::Find => {
                self.release();
                let found = self.set(FOUND);
                (0..self.width() as u32).for_each(|word| {
                    self.asm.get(found + word);
                });
            }
            Mode::Count | Mode::Walk(..) => {
                self.release();
                self.asm.get(self.total);
            }
            Mode::List => {
                self.finish_rule();
                self.release();
                self.asm.get(self.out).get(self.total).op().i32_wrap_i64();
                self.asm.op().i32_add();
            }
            Mode::Exists => {
                self.release();
                self.asm.i32(0);
            }
            Mode::Note => {
                self.release();
                self.end_notes();
            }
            Mode::Results(_) => {
                self.release();
                self.asm.i64(0);
            }
            Mode::Make(_) => {
                self.emitter.fold_gathered(&mut self.asm, self.state);
                self.release();
            }
        }
    }

    /// The first local of a set.
    pub(crate) fn set(&self, register: SetReg) -> u32 {
        self.sets[usize::from(register.0)]
    }

    pub(crate) fn width(&self) -> usize {
        self.emitter.width
    }

    /// The words of a set that may have a tile.
    pub(crate) fn live(&self, register: SetReg) -> Vec<u32> {
        let live = &self.live[usize::from(register.0)];
        (0..live.len()).filter(|&word| live[word]).map(|word| word as u32).collect()
    }

    /// The constant that a register is, if it is.
    pub(crate) fn constant(&self, register: SetReg) -> Option<ConstId> {
        self.constants[usize::from(register.0)]
    }

    /// The number of whose tile a register is the set, if it is.
    pub(crate) fn sole_tile(&self, register: SetReg) -> Option<NumReg> {
        self.singles[usize::from(register.0)]
    }

    /// Locals for a set that no register names.
    pub(crate) fn spare_set(&mut self) -> u32 {
        let width = self.width();
        locals(&mut self.asm, width)
    }

    pub(crate) fn hash(&self) -> Hash {
        match self.mode {
            Mode::Make(hash) => hash,
            _ => Hash::Ignored,
        }
    }

    /// The local of a register for numbers.
    pub(crate) fn number(&self, register: NumReg) -> u32 {
        self.numbers[usize::from(register.0)]
    }

    /// Puts the number of a register on the stack.
    pub(crate) fn push_number(&mut self, register: NumReg) {
        let at = usize::from(register.0);
        self.asm.get(self.numbers[at]);
        if self.truths[at] {
            self.asm.op().i64_extend_i32_u();
        }
    }

    /// Puts the truth of a register on the stack, as 0 or another number of 32 bits.
    pub(crate) fn push_truth(&mut self, register: NumReg) {
        let at = usize::from(register.0);
        self.asm.get(self.numbers[at]);
        if !self.truths[at] {
            self.asm.i64(0);
            self.asm.op().i64_ne();
        }
    }

    /// Takes a number off the stack into a register.
    pub(crate) fn pop_number(&mut self, register: NumReg) {
        let at = usize::from(register.0);
        self.tiles[at] = false;
        if self.truths[at] {
            self.asm.op().i32_wrap_i64();
        }
        self.asm.set(self.numbers[at]);
    }

    /// Takes a truth off the stack into a register.
    pub(crate) fn pop_truth(&mut self, register: NumReg) {
        let at = usize::from(register.0);
        self.tiles[at] = false;
        if !self.truths[at] {
            self.asm.op().i64_extend_i32_u();
        }
        self.asm.set(self.numbers[at]);
    }

    /// Between which bounds the number of a register lies, where that is known.
    pub(crate) fn range(&self, register: NumReg) -> Option<Range> {
        self.ranges[usize::from(register.0)]
    }

    /// Whether a register holds a tile for sure.
    pub(crate) fn is_tile(&self, register: NumReg) -> bool {
        self.tiles[usize::from(register.0)]
    }

    /// Runs code in which a register holds a tile.
    pub(crate) fn with_tile(
        &mut self,
        register: NumReg,
        fill: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let before = std::mem::replace(&mut self.tiles[usize::from(register.0)], true);
        fill(self)?;
        self.tiles[usize::from(register.0)] = before;
        Ok(())
    }

    /// Takes the source and the target of the event for tiles, which they are for sure.
    pub(crate) fn event_has_tiles(&mut self) {
        for register in [FROM, TO] {
            self.tiles[usize::from(register.0)] = true;
        }
    }

    /// Puts the four numbers of the event on the stack.
    pub(crate) fn push_event(&mut self) {
        for register in [FROM, TO, CHOICE, PIPS] {
            self.push_number(register);
        }
    }

    /// The address of the set kept for a tile, on the stack.
    pub(crate) fn push_kept(&mut self, tile: NumReg) {
        let row = self.width() as i32 * 8;
        let kept = self.kept.unwrap_or(self.state);
        self.push_number(tile);
        self.asm.op().i32_wrap_i64();
        self.asm.i32(row);
        self.asm.op().i32_mul();
        self.asm.get(kept);
        self.asm.op().i32_add();
    }

    pub(crate) fn block(&mut self, block: &[Op]) -> Emit {
        let ordered = match self.mode {
            Mode::Count => crate::order::by_need(block),
            _ => None,
        };
        let block = ordered.as_deref().unwrap_or(block);
        for (at, op) in block.iter().enumerate() {
            match op {
                Op::Rare => {
                    self.asm.op().unreachable();
                    break;
                }
                Op::Seldom(sets) => return self.either_way(sets, &block[at + 1..]),
                _ if self.mode == Mode::Count && calls(std::slice::from_ref(op)) => {
                    self.later.push(needed(&block[at + 1..]));
                    self.op(op)?;
                    self.later.pop();
                }
                _ => self.op(op)?,
            }
        }
        Ok(())
    }

    /// The code of a block, where it only counts once more for states in which some sets are empty.
    fn either_way(&mut self, sets: &[SetReg], block: &[Op]) -> Emit {
        let simpler = match self.mode {
            Mode::Count => where_empty(self.emitter.code, block, sets),
            _ => None,
        };
        let Some(simpler) = simpler else { return self.block(block) };
        self.asm.i64(0);
        for set in sets {
            for word in 0..self.width() as u32 {
                self.asm.get(self.set(*set) + word).op().i64_or();
            }
        }
        self.asm.op().i64_eqz();
        self.asm.begin_if();
        self.block(&simpler)?;
        self.asm.op().else_();
        self.block(block)?;
        self.asm.leave();
        Ok(())
    }

    fn op(&mut self, op: &Op) -> Emit {
        match op {
            Op::If(..)
            | Op::ForTiles(..)
            | Op::ForGroups { .. }
            | Op::Repeat(..)
            | Op::Break
            | Op::Trial { .. } => self.control(op),
            Op::Rule(..)
            | Op::EmitFrom(..)
            | Op::EmitImages(..)
            | Op::EmitEvent
            | Op::EmitDie { .. }
            | Op::EmitDice { .. }
            | Op::EmitPut(..)
            | Op::EmitPick(..) => self.emission(op),
            Op::Edit(edit) => self.edit(edit),
            Op::Constant(..)
            | Op::Plane(..)
            | Op::Copy(..)
            | Op::And(..)
            | Op::Or(..)
            | Op::AndNot(..)
            | Op::Image(..)
            | Op::Preimage(..)
            | Op::Images { .. }
            | Op::Single(..)
            | Op::Row(..)
            | Op::Slide(..)
            | Op::Between(..)
            | Op::Span(..)
            | Op::Flood { .. }
            | Op::Stacked { .. }
            | Op::Lines(..)
            | Op::Travel { .. }
            | Op::Load(..)
            | Op::Call(..)
            | Op::Store(..) => self.set_op(op),
            _ => self.number_op(op),
        }
    }
}

/// New locals for a set, one after another.
pub(crate) fn locals(asm: &mut Asm, width: usize) -> u32 {
    let first = asm.local(ValType::I64);
    (1..width).for_each(|_| {
        asm.local(ValType::I64);
    });
    first
}

/// Whether code keeps sets for tiles.
fn stores(block: &Block) -> bool {
    let mut found = false;
    visit(block, &mut |op| found |= matches!(op, Op::Store(..) | Op::Load(..)));
    found
}

/// For each register for sets the number whose tile it is: where it is written once, and the number
/// comes with the event and is never written.
fn find_singles(function: &Function) -> Vec<Option<NumReg>> {
    let mut singles = vec![None; usize::from(function.sets.max(1))];
    let mut written = vec![0; singles.len()];
    let mut kept = [true; 2];
    visit(&function.body, &mut |op| {
        if let Some(set) = written_set(op) {
            written[usize::from(set.0)] += 1;
        }
        if let Op::Single(set, tile @ (FROM | TO)) = *op {
            singles[usize::from(set.0)] = Some(tile);
        }
        if let Some(number @ (FROM | TO)) = written_number(op) {
            kept[usize::from(number.0)] = false;
        }
    });
    let holds = |(single, times): (Option<NumReg>, &i32)| {
        single.filter(|tile| *times == 1 && kept[usize::from(tile.0)])
    };
    singles.into_iter().zip(&written).map(holds).collect()
}

/// For each register for sets the constant that it is, where it is written once.
fn find_constants(function: &Function) -> Vec<Option<ConstId>> {
    let mut constants = vec![None; usize::from(function.sets.max(1))];
    let mut written = vec![0; constants.len()];
    visit(&function.body, &mut |op| {
        if let Some(set) = written_set(op) {
            written[usize::from(set.0)] += 1;
        }
        if let Op::Constant(set, constant) = *op {
            constants[usize::from(set.0)] = Some(constant);
        }
    });
    let holds = |(constant, times): (Option<ConstId>, &i32)| constant.filter(|_| *times == 1);
    constants.into_iter().zip(&written).map(holds).collect()
}

/// The registers to which truths alone are written.
fn find_truths(function: &Function, count: usize) -> Vec<bool> {
    let mut truths = vec![true; count];
    truths[..=usize::from(ANSWER.0)].fill(false);
    let mut written = vec![false; count];
    let mut changed = true;
    while changed {
        changed = false;
        visit(&function.body, &mut |op| {
            let (to, truth) = match *op {
                Op::Has(to, ..)
                | Op::Any(to, _)
                | Op::HasLine(to, ..)
                | Op::Compare(to, ..)
                | Op::Not(to, _)
                | Op::Stuck(to)
                | Op::StuckInRule(to)
                | Op::Trial { to, .. } => (to, true),
                Op::Number(to, number) => (to, (0..2).contains(&number)),
                Op::Move(to, from) => (to, truths[usize::from(from.0)]),
                Op::Count(to, _)
                | Op::First(to, _)
                | Op::Only(to, _)
                | Op::Step(to, ..)
                | Op::FirstAlong(to, ..)
                | Op::Track { to, .. }
                | Op::Field(to, ..)
                | Op::Pieces { to, .. }
                | Op::Groups(to, ..)
                | Op::Arithmetic(to, ..)
                | Op::MovingKind { to, .. }
                | Op::Custom { to, .. } => (to, false),
                Op::ForTiles(_, to, _) => (to, false),
                _ => return,
            };
            let at = usize::from(to.0);
            written[at] = true;
            if truths[at] && !truth {
                truths[at] = false;
                changed = true;
            }
        });
    }
    truths.iter().zip(&written).map(|(&truth, &written)| truth && written).collect()
}
