//! Events that code finds: counted, listed, or taken as a sign that there is one.
//!
//! A listed event is a word: source, target, argument and rule, 16 bits each from the top. The
//! argument of a move is one more than the kind it chooses, or 0; of a move by dice the number used;
//! of a put the kind; of a roll the outcome.

use senet_core::ir::{CHOICE, FROM, MapId, NumReg, Op, SetReg, TO};

use senet_core::program::Wants;

use crate::asm::Asm;
use crate::function::Body;
use crate::module::{Emit, Key, Mode};

/// Where the parts of an event begin in its word.
pub(crate) const FROM_SHIFT: i64 = 48;
pub(crate) const TO_SHIFT: i64 = 32;
pub(crate) const ARG_SHIFT: i64 = 16;

/// What tells moves by dice from others, in the argument.
pub(crate) const BY_DICE: i64 = 0x8000;

/// What stands in the place of a source where there is none.
pub(crate) const PUT: i64 = 0xffff << FROM_SHIFT;
pub(crate) const ROLL: i64 = 0xfffe << FROM_SHIFT;
pub(crate) const ACT: i64 = 0xfffd << FROM_SHIFT;
const PICK: i64 = 0xfffc << FROM_SHIFT;

impl Body<'_, '_> {
    pub(crate) fn emission(&mut self, op: &Op) -> Emit {
        match *op {
            Op::Rule(rule, ordered) => self.start_rule(rule.index(), ordered),
            Op::EmitFrom(from, targets) => {
                let targets = self.set(targets);
                let source = Source::Register(from);
                self.emit_moves(targets, source);
            }
            Op::EmitImages(map, targets) => {
                let targets = self.set(targets);
                self.emit_moves(targets, Source::Before(map));
            }
            Op::EmitEvent => self.emit_one(|body| {
                body.push_tiles();
                body.push_number(CHOICE);
                body.asm.i64(1).op().i64_add();
                body.asm.i64(ARG_SHIFT).op().i64_shl().i64_or();
            }),
            Op::EmitDie { from, to, pips } => {
                // Where there is no tile, there is no event.
                self.push_number(from);
                self.push_number(to);
                self.asm.op().i64_or();
                self.asm.i64(0).op().i64_ge_s();
                self.asm.begin_if();
                self.emit_one(|body| {
                    body.push_number(from);
                    body.asm.i64(FROM_SHIFT).op().i64_shl();
                    body.push_number(to);
                    body.asm.i64(TO_SHIFT).op().i64_shl().i64_or();
                    body.push_number(pips);
                    body.asm.i64(BY_DICE).op().i64_or();
                    body.asm.i64(ARG_SHIFT).op().i64_shl().i64_or();
                });
                self.asm.leave();
            }
            Op::EmitPut(kind, targets) => self.emit_named(PUT, kind.index(), targets),
            Op::EmitPick(action, targets) => self.emit_named(PICK, action.index(), targets),
            _ => {}
        }
        Ok(())
    }

    fn push_tiles(&mut self) {
        self.push_number(FROM);
        self.asm.i64(FROM_SHIFT).op().i64_shl();
        self.push_number(TO);
        self.asm.i64(TO_SHIFT).op().i64_shl().i64_or();
    }

    /// One event, whose parts but the rule are put on the stack.
    fn emit_one(&mut self, push: impl FnOnce(&mut Self)) {
        match self.mode {
            Mode::Count => {
                self.asm.get(self.total).i64(1).op().i64_add();
                self.asm.set(self.total);
            }
            Mode::Exists => {
                self.release();
                self.asm.i32(1).op().return_();
            }
            Mode::List => {
                self.asm.get(self.out);
                push(self);
                self.asm.i64(self.rule as i64).op().i64_or();
                self.asm.store(0);
                self.advance();
            }
            Mode::Answer | Mode::Make(_) => {}
        }
    }

    fn advance(&mut self) {
        self.asm.get(self.out).i32(8).op().i32_add();
        self.asm.set(self.out);
    }

    /// Counts the tiles of a set so often, or leaves if there is one.
    fn tally(&mut self, targets: u32, times: usize) {
        match self.mode {
            Mode::Count => {
                self.push_count(targets);
                if times > 1 {
                    self.asm.i64(times as i64).op().i64_mul();
                }
                self.asm.get(self.total).op().i64_add();
                self.asm.set(self.total);
            }
            Mode::Exists => {
                self.push_any(targets);
                self.asm.begin_if();
                self.release();
                self.asm.i32(1).op().return_();
                self.asm.leave();
            }
            Mode::List | Mode::Answer | Mode::Make(_) => {}
        }
    }

    fn emit_moves(&mut self, targets: u32, source: Source) {
        let choices: Vec<usize> =
            self.emitter.code.choices[self.rule].iter().map(|kind| kind.index()).collect();
        self.tally(targets, choices.len().max(1));
        if self.mode != Mode::List {
            return;
        }
        let args: Vec<i64> = match choices.is_empty() {
            true => vec![0],
            false => choices.iter().map(|&kind| kind as i64 + 1).collect(),
        };
        let fixed = self.asm.local64();
        if let Source::Register(from) = source {
            self.push_number(from);
            self.asm.i64(FROM_SHIFT).op().i64_shl();
            self.asm.i64(self.rule as i64).op().i64_or();
            self.asm.set(fixed);
        }
        let rule = self.rule as i64;
        let before = match source {
            Source::Before(map) => Some(self.origins(map)),
            Source::Register(_) => None,
        };
        self.each_tile(targets, |body, to| {
            if let Some(before) = before {
                body.push_origin(before, to);
                body.asm.i64(FROM_SHIFT).op().i64_shl();
                body.asm.i64(rule).op().i64_or();
                body.asm.set(fixed);
            }
            for arg in args {
                body.asm.get(body.out);
                body.asm.get(to).i64(TO_SHIFT).op().i64_shl();
                body.asm.get(fixed).op().i64_or();
                if arg != 0 {
                    body.asm.i64(arg << ARG_SHIFT).op().i64_or();
                }
                body.asm.store(0);
                body.advance();
            }
        });
    }

    /// How the tile before one is found along a map.
    fn origins(&mut self, map: MapId) -> Origins {
        let of = &self.emitter.code.maps[map.index()];
        if let Some(offset) = of.offset {
            return Origins::Offset(offset);
        }
        Origins::Table(self.emitter.table("origins", map.index(), |emitter| {
            let of = &emitter.code.maps[map.index()];
            let mut origins = vec![u16::MAX; of.images.len()];
            for (from, &to) in of.images.iter().enumerate().filter(|(_, to)| **to != u16::MAX) {
                origins[usize::from(to)] = from as u16;
            }
            emitter.memory.shorts(&origins)
        }))
    }

    fn push_origin(&mut self, origins: Origins, to: u32) {
        self.asm.get(to);
        match origins {
            Origins::Offset(offset) => {
                self.asm.i64(offset.into()).op().i64_sub();
            }
            Origins::Table(table) => {
                self.asm.op().i32_wrap_i64();
                self.asm.i32(1).op().i32_shl();
                self.asm.op().i64_load16_u(crate::asm::value_at(table, 1));
            }
        }
    }

    /// Events that name one tile each.
    fn emit_named(&mut self, mark: i64, arg: usize, targets: SetReg) {
        let targets = self.set(targets);
        self.tally(targets, 1);
        if self.mode != Mode::List {
            return;
        }
        let rest = mark | (arg as i64) << ARG_SHIFT | self.rule as i64;
        self.each_tile(targets, |body, to| {
            body.asm.get(body.out);
            body.asm.get(to).i64(TO_SHIFT).op().i64_shl();
            body.asm.i64(rest).op().i64_or();
            body.asm.store(0);
            body.advance();
        });
    }

    fn start_rule(&mut self, rule: usize, ordered: bool) {
        self.rule = rule;
        if self.mode != Mode::List {
            return;
        }
        self.finish_rule();
        self.asm.i32((!ordered).into()).set(self.unordered);
        self.asm.get(self.out).set(self.first);
    }

    /// Puts the events of the rule that ends into their order, where that is asked for.
    pub(crate) fn finish_rule(&mut self) {
        let sort = self.emitter.want(Key::Sort);
        self.asm.get(self.unordered).get(2).op().i32_and();
        self.asm.begin_if();
        self.asm.get(self.first).get(self.out).op().call(sort);
        self.asm.leave();
    }
}

/// Where moves come from.
#[derive(Clone, Copy)]
enum Source {
    /// The tile in a register.
    Register(NumReg),
    /// The tile of which the target is the image.
    Before(MapId),
}

#[derive(Clone, Copy)]
enum Origins {
    Offset(i32),
    Table(usize),
}

/// The numbers of the event in a local that a rule about such events is given, on the stack: source,
/// target, choice and pips.
pub(crate) fn push_parts(asm: &mut Asm, event: u32, wants: Wants) {
    let tiles = matches!(wants, Wants::Move | Wants::Advance);
    match tiles {
        true => asm.get(event).i64(FROM_SHIFT).op().i64_shr_u(),
        false => asm.i64(-1).op().nop(),
    };
    match tiles || matches!(wants, Wants::Put | Wants::Pick(_)) {
        true => asm.get(event).i64(TO_SHIFT).op().i64_shr_u().i64_const(0xffff).i64_and(),
        false => asm.i64(-1).op().nop(),
    };
    match wants {
        Wants::Move => {
            push_arg(asm, event);
            asm.i64(1).op().i64_sub();
            asm.i64(0);
        }
        Wants::Advance => {
            asm.i64(-1);
            push_arg(asm, event);
            asm.i64(BY_DICE - 1).op().i64_and();
        }
        Wants::Put | Wants::Roll { .. } => {
            push_arg(asm, event);
            asm.i64(0);
        }
        Wants::Act(_) | Wants::Pick(_) => {
            asm.i64(-1).i64(0);
        }
    }
}

/// The argument of the event in a local, on the stack.
fn push_arg(asm: &mut Asm, event: u32) {
    asm.get(event).i64(ARG_SHIFT).op().i64_shr_u();
    asm.i64(0xffff).op().i64_and();
}
