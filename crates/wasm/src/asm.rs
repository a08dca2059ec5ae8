//! One WebAssembly function being written: its instructions, its locals and its open blocks.

use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};

/// A block that a branch can leave, or a loop that a branch can repeat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(u32);

/// Instructions with the locals they use.
pub(crate) struct Asm {
    code: Vec<u8>,
    params: u32,
    locals: Vec<ValType>,
    depth: u32,
    /// Locals in which keys are gathered before they are taken into the hash of a state.
    pub(crate) gathered: Option<[u32; 2]>,
}

impl Asm {
    /// An empty function with this many parameters.
    pub(crate) fn new(params: usize) -> Asm {
        Asm {
            code: Vec::new(),
            params: params as u32,
            locals: Vec::new(),
            depth: 0,
            gathered: None,
        }
    }

    /// The next instruction.
    pub(crate) fn op(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    pub(crate) fn local(&mut self, of: ValType) -> u32 {
        self.locals.push(of);
        self.params + self.locals.len() as u32 - 1
    }

    pub(crate) fn local64(&mut self) -> u32 {
        self.local(ValType::I64)
    }

    pub(crate) fn local32(&mut self) -> u32 {
        self.local(ValType::I32)
    }

    pub(crate) fn get(&mut self, local: u32) -> &mut Self {
        self.op().local_get(local);
        self
    }

    pub(crate) fn set(&mut self, local: u32) -> &mut Self {
        self.op().local_set(local);
        self
    }

    pub(crate) fn tee(&mut self, local: u32) -> &mut Self {
        self.op().local_tee(local);
        self
    }

    pub(crate) fn i64(&mut self, number: i64) -> &mut Self {
        self.op().i64_const(number);
        self
    }

    pub(crate) fn i32(&mut self, number: i32) -> &mut Self {
        self.op().i32_const(number);
        self
    }

    /// Loads a word at the address on the stack plus an offset in bytes.
    pub(crate) fn load(&mut self, offset: usize) -> &mut Self {
        self.op().i64_load(word_at(offset));
        self
    }

    /// Stores the word on the stack at the address below it plus an offset in bytes.
    pub(crate) fn store(&mut self, offset: usize) -> &mut Self {
        self.op().i64_store(word_at(offset));
        self
    }

    pub(crate) fn block(&mut self, fill: impl FnOnce(&mut Self, Label)) {
        self.open(fill, |sink| {
            sink.block(BlockType::Empty);
        });
    }

    pub(crate) fn repeat(&mut self, fill: impl FnOnce(&mut Self, Label)) {
        self.open(fill, |sink| {
            sink.loop_(BlockType::Empty);
        });
    }

    /// Runs code where the truth on the stack holds.
    pub(crate) fn when(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open(
            |asm, _| fill(asm),
            |sink| {
                sink.if_(BlockType::Empty);
            },
        );
    }

    fn open(
        &mut self,
        fill: impl FnOnce(&mut Self, Label),
        begin: impl FnOnce(&mut InstructionSink<'_>),
    ) {
        begin(&mut self.op());
        self.enter();
        let label = Label(self.depth);
        fill(self, label);
        self.leave();
    }

    /// Begins what `leave` ends, for code that is written between by others.
    pub(crate) fn enter(&mut self) -> Label {
        self.depth += 1;
        Label(self.depth)
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
        self.op().end();
    }

    pub(crate) fn begin_block(&mut self) -> Label {
        self.op().block(BlockType::Empty);
        self.enter()
    }

    pub(crate) fn begin_loop(&mut self) -> Label {
        self.op().loop_(BlockType::Empty);
        self.enter()
    }

    pub(crate) fn begin_if(&mut self) -> Label {
        self.op().if_(BlockType::Empty);
        self.enter()
    }

    pub(crate) fn br(&mut self, label: Label) {
        let depth = self.depth - label.0;
        self.op().br(depth);
    }

    pub(crate) fn br_if(&mut self, label: Label) {
        let depth = self.depth - label.0;
        self.op().br_if(depth);
    }

    /// Chooses one of several codes by the number on the stack, the last one for any greater.
    pub(crate) fn switch(&mut self, cases: usize, mut case: impl FnMut(&mut Self, usize)) {
        if cases == 0 {
            self.op().drop();
            return;
        }
        let end = self.local32();
        self.set(end);
        let done = self.begin_block();
        for _ in 0..cases {
            self.begin_block();
        }
        self.get(end);
        let targets: Vec<u32> = (0..cases as u32 - 1).collect();
        self.op().br_table(targets, cases as u32 - 1);
        for at in 0..cases {
            self.leave();
            case(self, at);
            if at + 1 < cases {
                self.br(done);
            }
        }
        self.leave();
    }

    /// The finished function.
    pub(crate) fn finish(mut self) -> Function {
        self.op().end();
        let mut runs: Vec<(u32, ValType)> = Vec::new();
        for &local in &self.locals {
            match runs.last_mut() {
                Some((count, of)) if *of == local => *count += 1,
                _ => runs.push((1, local)),
            }
        }
        let mut function = Function::new(runs);
        function.raw(self.code);
        function
    }

    pub(crate) fn size(&self) -> usize {
        self.code.len()
    }
}

/// An aligned word at an offset in bytes.
pub(crate) fn word_at(offset: usize) -> MemArg {
    MemArg { offset: offset as u64, align: 3, memory_index: 0 }
}

/// A value of some bytes, a power of two as its exponent, at an offset.
pub(crate) fn value_at(offset: usize, align: u32) -> MemArg {
    MemArg { offset: offset as u64, align, memory_index: 0 }
}
