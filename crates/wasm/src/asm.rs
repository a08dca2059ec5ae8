//! One WebAssembly function being written: its instructions, its locals and its open blocks.

use std::collections::BTreeMap;

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
    /// Flags whose keys are not taken into the hash yet.
    pub(crate) unkeyed: u64,
    /// Flags that no piece has which moves.
    pub(crate) bare: u64,
    /// The state whose words are held in locals, if there is one.
    held: Option<Held>,
}

/// A state whose words are held in locals for a round of a loop. Each round begins with what they are
/// before the loop, so that nothing need be undone.
struct Held {
    /// The local with the address of the state, and the one of where its words are before the loop.
    state: u32,
    source: u32,
    /// By offset in bytes: the local, and whether it is written.
    words: BTreeMap<usize, (u32, bool)>,
    /// The offsets of words that are 0 when a round begins, and of those that lie in the state itself before
    /// the loop.
    clear: Vec<usize>,
    ready: Vec<usize>,
    /// The offsets of words that are written without being held.
    passed: Vec<usize>,
    /// Where in the code the loop begins, and a round of it.
    before: usize,
    round: usize,
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
            unkeyed: 0,
            bare: 0,
            held: None,
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

    /// Loads a word of a state, whose address is in a local, from an offset in bytes.
    pub(crate) fn load_word(&mut self, state: u32, offset: usize) -> &mut Self {
        match self.held_word(state, offset) {
            Some(local) => self.get(local),
            None => self.get(state).load(offset),
        }
    }

    /// Stores a word of a state, which code puts on the stack.
    pub(crate) fn store_word(
        &mut self,
        state: u32,
        offset: usize,
        push: impl FnOnce(&mut Self),
    ) -> &mut Self {
        if let Some(local) = self.held_word(state, offset) {
            push(self);
            if let Some(held) = &mut self.held {
                held.words.insert(offset, (local, true));
            }
            return self.set(local);
        }
        self.get(state);
        push(self);
        self.store(offset)
    }

    /// Whether the words of a state are held in locals.
    pub(crate) fn holds(&self, state: u32) -> bool {
        self.held.as_ref().is_some_and(|held| held.state == state)
    }

    /// The place in the code that comes next.
    pub(crate) fn here(&self) -> usize {
        self.code.len()
    }

    /// Holds the words of a state in locals from here on, for a round of the loop that begins at a
    /// place in the code. They are read from where they are before the loop: some from the state itself, and
    /// some are known to be 0.
    pub(crate) fn hold(
        &mut self,
        (state, source): (u32, u32),
        before: usize,
        (clear, ready): (Vec<usize>, Vec<usize>),
    ) {
        let (words, passed, round) = (BTreeMap::new(), Vec::new(), self.here());
        self.held = Some(Held { state, source, words, clear, ready, passed, before, round });
    }

    /// Writes a word of a held state at once, made from what it is before the loop. Nothing else of the round
    /// may read or write it.
    pub(crate) fn pass_word(&mut self, offset: usize, change: impl FnOnce(&mut Self)) {
        let Some(held) = &mut self.held else { return };
        held.passed.push(offset);
        let (state, source) = (held.state, held.source);
        self.get(state).get(source).load(offset);
        change(self);
        self.store(offset);
    }

    /// Whether a word of a state is 0 whatever ran before this place in the code.
    pub(crate) fn is_clear(&self, state: u32, offset: usize) -> bool {
        let written = |held: &Held| held.words.get(&offset).is_some_and(|(_, written)| *written);
        let held = self.held.as_ref().filter(|held| held.state == state);
        held.is_some_and(|held| held.clear.contains(&offset) && !written(held))
    }

    /// Writes the words that have changed to the state, which is no longer held, and gives their offsets.
    pub(crate) fn release(&mut self) -> Vec<usize> {
        let Some(held) = self.held.take() else { return Vec::new() };
        let mut written = held.passed;
        for (offset, (local, _)) in held.words.into_iter().filter(|(_, (_, written))| *written) {
            self.get(held.state).get(local).store(offset);
            written.push(offset);
        }
        written
    }

    /// Runs code once, before the loop in whose rounds words are held.
    pub(crate) fn hoist(&mut self, fill: impl FnOnce(&mut Self)) {
        let Some((before, size)) = self.held.as_ref().map(|held| (held.before, self.here())) else {
            return fill(self);
        };
        self.insert(before, fill);
        let grown = self.here() - size;
        if let Some(held) = &mut self.held {
            held.round += grown;
        }
    }

    /// Writes code at a place before.
    pub(crate) fn insert(&mut self, at: usize, fill: impl FnOnce(&mut Self)) {
        let rest = self.code.split_off(at);
        fill(self);
        self.code.extend(rest);
    }

    /// The local that holds a word of a state, if that is held.
    fn held_word(&mut self, state: u32, offset: usize) -> Option<u32> {
        let held = self.held.as_ref().filter(|held| held.state == state)?;
        if let Some(&(local, _)) = held.words.get(&offset) {
            return Some(local);
        }
        let (round, clear) = (held.round, held.clear.contains(&offset));
        let source = if held.ready.contains(&offset) { held.state } else { held.source };
        let local = self.local64();
        if clear {
            self.insert(round, |asm| {
                asm.i64(0).set(local);
            });
            if let Some(held) = &mut self.held {
                held.words.insert(offset, (local, false));
            }
            return Some(local);
        }
        let before = self.local64();
        self.insert(round, |asm| {
            asm.get(before).set(local);
        });
        self.hoist(|asm| {
            asm.get(source).load(offset).set(before);
        });
        if let Some(held) = &mut self.held {
            held.words.insert(offset, (local, false));
        }
        Some(local)
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
