//! What lies where in the memory of a module: constants, tables that are filled at start-up, and
//! room to work in.

use wasm_encoder::{ConstExpr, GlobalSection, GlobalType, ValType};

use crate::module::HOST;

/// Where the first table may lie. What lies before it is never read.
const FIRST: usize = 64;

/// The memory of a module, laid out from low addresses to high ones.
#[derive(Default)]
pub(crate) struct Memory {
    end: usize,
    /// Bytes that are there from the start, by address.
    segments: Vec<(usize, Vec<u8>)>,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { end: FIRST, segments: Vec::new() }
    }

    /// Room of this many bytes, all zero at the start.
    pub(crate) fn room(&mut self, bytes: usize) -> usize {
        // An entry whose size divides a cache line lies in one.
        let at = self.end.next_multiple_of(64);
        self.end = at + bytes;
        at
    }

    /// A constant table of words.
    pub(crate) fn words(&mut self, words: &[u64]) -> usize {
        self.bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// A constant table of 16-bit numbers.
    pub(crate) fn shorts(&mut self, numbers: &[u16]) -> usize {
        self.bytes(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
    }

    /// A constant table of 32-bit numbers.
    pub(crate) fn ints(&mut self, numbers: &[u32]) -> usize {
        self.bytes(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
    }

    /// A constant table of bytes.
    pub(crate) fn bytes(&mut self, bytes: Vec<u8>) -> usize {
        let at = self.room(bytes.len());
        self.segments.push((at, bytes));
        at
    }

    /// A table with a set for each tile, and an empty one before the first, for no tile.
    pub(crate) fn rows(&mut self, rows: &[u64], width: usize) -> usize {
        let mut words = vec![0; width];
        words.extend_from_slice(rows);
        self.words(&words) + width * 8
    }

    pub(crate) fn end(&self) -> usize {
        self.end
    }

    pub(crate) fn segments(&self) -> &[(usize, Vec<u8>)] {
        &self.segments
    }
}

/// The global variables, in the order of their numbers.
pub(crate) fn globals(work: usize, room: usize) -> GlobalSection {
    let mut globals = GlobalSection::new();
    let number = |val_type| GlobalType { val_type, mutable: true, shared: false };
    globals.global(number(ValType::I32), &ConstExpr::i32_const((work + HOST) as i32));
    globals.global(number(ValType::I64), &ConstExpr::i64_const(i64::MAX));
    globals.global(number(ValType::I64), &ConstExpr::i64_const(0));
    let fixed = GlobalType { val_type: ValType::I32, mutable: false, shared: false };
    globals.global(fixed, &ConstExpr::i32_const(work as i32));
    globals.global(fixed, &ConstExpr::i32_const(room as i32));
    globals.global(number(ValType::I32), &ConstExpr::i32_const(0));
    globals.global(number(ValType::I32), &ConstExpr::i32_const(0));
    globals.global(number(ValType::I64), &ConstExpr::i64_const(0));
    globals.global(number(ValType::I32), &ConstExpr::i32_const(0));
    globals.global(number(ValType::I32), &ConstExpr::i32_const(0));
    globals
}
