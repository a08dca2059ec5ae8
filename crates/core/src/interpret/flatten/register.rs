//! The registers of flat code: which hold the same, and how often each is used.

use crate::ir::{ANSWER, ConstId, FOUND, NumReg, SetReg};

use super::super::code::Inst;
use super::Flattening;

/// What is known of a register.
#[derive(Clone)]
pub(super) struct Usage {
    /// How many operations write it.
    sources: u32,
    /// How many instructions write and read it.
    writes: u32,
    reads: u32,
    /// A register that holds the same: everywhere, or in the straight code that is being written.
    pub(super) name: Option<u16>,
    /// The straight code in which an operation last wrote it.
    pub(super) block: usize,
}

impl Usage {
    pub(super) const NONE: Usage =
        Usage { sources: 0, writes: 0, reads: 0, name: None, block: usize::MAX };
}

/// Whether a register is read and written by others too.
pub(super) fn is_shared(register: NumReg) -> bool {
    register <= ANSWER
}

impl Flattening<'_> {
    /// A register that is read.
    pub(super) fn s(&mut self, register: SetReg) -> SetReg {
        let usage = &mut self.sets[usize::from(register.0)];
        if let Some(name) = usage.name {
            return SetReg(name);
        }
        usage.reads += u32::from(!self.counted);
        register
    }

    pub(super) fn n(&mut self, register: NumReg) -> NumReg {
        let usage = &mut self.numbers[usize::from(register.0)];
        if let Some(name) = usage.name {
            return NumReg(name);
        }
        usage.reads += u32::from(!self.counted);
        register
    }

    /// Takes note that an instruction writes a register.
    pub(super) fn wrote_set(&mut self, register: SetReg) {
        if let Some(usage) = self.sets.get_mut(usize::from(register.0)) {
            usage.writes += u32::from(!self.counted);
            usage.sources += u32::from(!self.counted);
            (usage.name, usage.block) = (None, self.straight);
        }
    }

    pub(super) fn wrote_number(&mut self, register: NumReg) {
        if let Some(usage) = self.numbers.get_mut(usize::from(register.0)) {
            usage.writes += u32::from(!self.counted);
            usage.sources += u32::from(!self.counted);
            usage.name = None;
        }
    }

    /// Lets another register do for one: for good where nothing else is ever written to it, else
    /// until the straight code ends.
    pub(super) fn name_set(&mut self, register: SetReg, name: SetReg) {
        let usage = &mut self.sets[usize::from(register.0)];
        usage.sources += u32::from(!self.counted);
        usage.name = Some(name.0);
        if !self.counted || usage.sources > 1 || register == FOUND {
            self.pending_sets.push(register);
        }
    }

    pub(super) fn name_number(&mut self, register: NumReg, name: NumReg) {
        let usage = &mut self.numbers[usize::from(register.0)];
        usage.sources += u32::from(!self.counted);
        usage.name = Some(name.0);
        if !self.counted || usage.sources > 1 {
            self.pending_numbers.push(register);
        }
    }

    /// Writes what is still pending, unless nobody reads it.
    pub(super) fn settle(&mut self) {
        for register in std::mem::take(&mut self.pending_sets) {
            let usage = &mut self.sets[usize::from(register.0)];
            let Some(name) = usage.name.take() else { continue };
            usage.writes += u32::from(!self.counted);
            usage.block = usize::MAX;
            if usage.reads > 0 || register == FOUND {
                self.flat.code.push(Inst::Copy(register, SetReg(name)));
            }
        }
        for register in std::mem::take(&mut self.pending_numbers) {
            let usage = &mut self.numbers[usize::from(register.0)];
            let Some(name) = usage.name.take() else { continue };
            usage.writes += u32::from(!self.counted);
            if usage.reads > 0 {
                self.flat.code.push(Inst::Move(register, NumReg(name)));
            }
        }
    }

    /// Whether a register is written at one place and read at one.
    pub(super) fn once(&self, register: SetReg) -> bool {
        let usage = self.sets.get(usize::from(register.0));
        let once = usage.is_some_and(|usage| usage.writes == 1 && usage.reads == 1);
        self.counted && once && register != FOUND
    }

    pub(super) fn once_number(&self, register: NumReg) -> bool {
        let usage = self.numbers.get(usize::from(register.0));
        let once = usage.is_some_and(|usage| usage.writes == 1 && usage.reads == 1);
        self.counted && once && !is_shared(register)
    }

    pub(super) fn new_set(&mut self) -> SetReg {
        self.flat.sets += 1;
        SetReg(self.flat.sets - 1)
    }

    pub(super) fn new_number(&mut self) -> NumReg {
        self.flat.numbers += 1;
        NumReg(self.flat.numbers - 1)
    }

    /// A register with a constant.
    pub(super) fn constant(&mut self, id: ConstId) -> SetReg {
        if let Some((register, _)) = self.flat.constants.iter().find(|(_, known)| *known == id) {
            return *register;
        }
        let register = self.new_set();
        self.flat.constants.push((register, id));
        register
    }

    /// Whether a register holds the constant that has no tile.
    pub(super) fn is_empty(&self, register: SetReg) -> bool {
        let constant = self.flat.constants.iter().find(|(one, _)| *one == register);
        constant.is_some_and(|(_, id)| {
            let words = &self.code.constants[id.index() * self.code.width..][..self.code.width];
            words.iter().all(|&word| word == 0)
        })
    }

    /// A register with a plane of a state that stays as it is.
    pub(super) fn plane(&mut self, first: u16) -> SetReg {
        if let Some((register, _)) = self.flat.planes.iter().find(|(_, known)| *known == first) {
            return *register;
        }
        let register = self.new_set();
        self.flat.planes.push((register, first));
        register
    }

    /// A register with a number that never changes.
    pub(super) fn value(&mut self, number: i64) -> NumReg {
        if let Some((register, _)) = self.flat.values.iter().find(|(_, value)| *value == number) {
            return *register;
        }
        let register = self.new_number();
        self.flat.values.push((register, number));
        register
    }

    /// The number in a register, where it never changes.
    pub(super) fn known(&self, register: NumReg) -> Option<i64> {
        let value = self.flat.values.iter().find(|(one, _)| *one == register);
        value.map(|(_, value)| *value)
    }
}
