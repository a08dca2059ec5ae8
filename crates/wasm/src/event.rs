//! Events that code finds: counted, listed, or taken as a sign that there is one.
//!
//! A listed event is a word: source, target, argument and rule, 16 bits each from the top. The
//! argument of a move is one more than the kind it chooses, or 0; of a move by dice the number used;
//! of a put the kind; of a roll the outcome.

use senet_core::ir::{Block, CHOICE, FROM, NumReg, Op, SetReg, TO, visit};

use senet_core::program::Wants;

use crate::asm::Asm;
use crate::batch::{Batch, Source, Use};
use crate::function::Body;
use crate::module::{Emit, Hash, Key, Mode};
use crate::set::push_bit;

/// The parameter with the depth, of functions that walk a tree.
pub(crate) const DEPTH: u32 = 1;

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
pub(crate) const PICK: i64 = 0xfffc << FROM_SHIFT;

impl Body<'_, '_> {
    pub(crate) fn emission(&mut self, op: &Op) -> Emit {
        match *op {
            Op::Rule(rule, ordered) => self.start_rule(rule.index(), ordered),
            Op::EmitFrom(from, targets) => self.emit_batch(Source::Tile, Some(from), targets),
            Op::EmitImages(map, targets) => {
                self.emit_batch(Source::Before(map.index() as u16), None, targets);
            }
            Op::EmitEvent => self.emit_one(
                |body| {
                    body.push_tiles();
                    body.push_number(CHOICE);
                    body.asm.i64(1).op().i64_add();
                    body.asm.i64(ARG_SHIFT).op().i64_shl().i64_or();
                },
                |body| {
                    [FROM, TO, CHOICE].into_iter().for_each(|part| body.push_number(part));
                    body.asm.i64(0);
                },
            ),
            Op::EmitDie { from, to, pips } => {
                // Where there is no tile, there is no event.
                self.push_number(from);
                self.push_number(to);
                self.asm.op().i64_or();
                self.asm.i64(0).op().i64_ge_s();
                self.asm.begin_if();
                self.emit_one(
                    |body| body.push_advance(from, to, pips),
                    |body| {
                        [from, to].into_iter().for_each(|part| body.push_number(part));
                        body.asm.i64(-1);
                        body.push_number(pips);
                    },
                );
                self.asm.leave();
            }
            Op::EmitDice { from, onto, track, ref dice } => {
                self.emit_dice((from, onto), track, dice);
            }
            Op::EmitPut(kind, targets) => {
                self.emit_batch(Source::Put(kind.index() as u16), None, targets);
            }
            Op::EmitPick(action, targets) => {
                self.emit_batch(Source::Pick(action.index() as u16), None, targets);
            }
            _ => {}
        }
        Ok(())
    }

    /// The word of a move by a die without its rule, on the stack.
    fn push_advance(&mut self, from: NumReg, to: NumReg, pips: NumReg) {
        self.push_number(from);
        self.asm.i64(FROM_SHIFT).op().i64_shl();
        self.push_number(to);
        self.asm.i64(TO_SHIFT).op().i64_shl().i64_or();
        self.push_number(pips);
        self.asm.i64(BY_DICE).op().i64_or();
        self.asm.i64(ARG_SHIFT).op().i64_shl().i64_or();
    }

    /// Lists a move by a die where a truth holds: it is written down in any case, and the list grows
    /// where it counts, because whether it does is as good as random. Says whether that can be done.
    pub(crate) fn list_die_if(&mut self, truth: NumReg, then: &[Op]) -> bool {
        let [Op::EmitDie { from, to, pips }] = *then else { return false };
        if self.mode != Mode::List {
            return false;
        }
        let grows = self.asm.local32();
        self.push_truth(truth);
        self.push_number(from);
        self.push_number(to);
        self.asm.op().i64_or();
        self.asm.i64(0).op().i64_ge_s().i32_and();
        self.asm.set(grows);
        self.either(
            |body| {
                body.asm.get(body.total).get(grows).op().i64_extend_i32_u().i64_add();
                body.asm.set(body.total);
            },
            |body| {
                body.asm.get(body.out);
                body.push_advance(from, to, pips);
                body.asm.i64(body.rule as i64).op().i64_or();
                body.asm.store(0);
                body.asm.get(grows).i32(3).op().i32_shl();
                body.asm.get(body.out).op().i32_add();
                body.asm.set(body.out);
            },
        );
        true
    }

    fn push_tiles(&mut self) {
        self.push_number(FROM);
        self.asm.i64(FROM_SHIFT).op().i64_shl();
        self.push_number(TO);
        self.asm.i64(TO_SHIFT).op().i64_shl().i64_or();
    }

    /// One event, of which one code puts the word but for the rule on the stack, and another the
    /// four numbers.
    fn emit_one(&mut self, push: impl FnOnce(&mut Self), parts: impl FnOnce(&mut Self)) {
        let count = |body: &mut Self| {
            body.asm.get(body.total).i64(1).op().i64_add();
            body.asm.set(body.total);
        };
        match self.mode {
            Mode::Exists => self.leave_found(),
            Mode::List => self.either(count, |body| {
                body.asm.get(body.out);
                push(body);
                body.asm.i64(body.rule as i64).op().i64_or();
                body.asm.store(0);
                body.advance();
            }),
            Mode::Count => count(self),
            Mode::Walk(hash, player) => self.descend(hash, player, parts),
            Mode::Note => self.note_one(push),
            Mode::Answer | Mode::Find | Mode::Make(_) | Mode::Results(_) => {}
        }
    }

    /// Runs one code where events are only counted and another where there is a place to list them.
    pub(crate) fn either(
        &mut self,
        count: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.asm.get(self.out).op().i32_eqz();
        self.asm.begin_if();
        count(self);
        self.asm.op().else_();
        otherwise(self);
        self.asm.leave();
    }

    /// Counts the leaves below an event, whose four numbers are put on the stack.
    pub(crate) fn descend(&mut self, hash: Hash, player: u8, parts: impl FnOnce(&mut Self)) {
        let made = match hash {
            Hash::Kept => self.emitter.want_made(self.rule, player.into(), Source::Tile, hash),
            Hash::Ignored => None,
        };
        self.asm.get(self.state);
        if let Some(made) = made {
            // A batch of one event, which chooses nothing.
            parts(self);
            let to = self.asm.local64();
            self.asm.op().drop().drop();
            self.asm.set(to);
            for word in 0..self.width() as u32 {
                push_bit(&mut self.asm, self.emitter.width, to, word);
            }
            self.asm.get(self.below).op().call(made);
        } else {
            let descend = self.emitter.want_descent(self.rule, player.into(), hash);
            self.asm.get(DEPTH);
            parts(self);
            self.asm.op().call(descend);
        }
        self.asm.get(self.total).op().i64_add();
        self.asm.set(self.total);
    }

    fn advance(&mut self) {
        self.asm.get(self.out).i32(8).op().i32_add();
        self.asm.set(self.out);
    }

    /// Counts the tiles of a set so often.
    fn tally(&mut self, targets: u32, times: usize) {
        self.push_count(targets);
        if times > 1 {
            self.asm.i64(times as i64).op().i64_mul();
        }
        self.asm.get(self.total).op().i64_add();
        self.asm.set(self.total);
    }

    /// Leaves if a set has a tile.
    pub(crate) fn leave_if_any(&mut self, targets: u32) {
        self.push_any(targets);
        self.asm.begin_if();
        self.leave_found();
        self.asm.leave();
    }

    /// Leaves code that looks for an event where there is one.
    fn leave_found(&mut self) {
        self.release();
        match self.found {
            Some(found) => self.asm.br(found),
            None => {
                self.asm.i32(1).op().return_();
            }
        }
    }

    /// Events of the running rule with these targets, each as often as there is a choice.
    fn emit_batch(&mut self, source: Source, from: Option<NumReg>, targets: SetReg) {
        let targets = self.set(targets);
        let times = match source {
            Source::Tile | Source::Before(_) => self.emitter.code.choices[self.rule].len().max(1),
            Source::Put(_) | Source::Pick(_) => 1,
        };
        let rule = self.rule as u16;
        match self.mode {
            Mode::Exists => self.leave_if_any(targets),
            Mode::Count => self.tally(targets, times),
            Mode::Note => {
                let push = |body: &mut Self| body.push_source(from);
                self.note_batch(source, push, targets, times);
            }
            Mode::List => {
                let batch = Batch { rule, player: 0, source, used: Use::List };
                let count = |body: &mut Self| body.tally(targets, times);
                self.either(count, |body| {
                    let list = body.emitter.want(Key::Batch(batch));
                    let restriction = body.emitter.restriction();
                    let targets =
                        restriction.map_or(targets, |at| body.within_restriction(targets, at));
                    if restriction.is_some() {
                        body.push_any(targets);
                        body.asm.begin_if();
                    }
                    body.push_batch(body.out, from, targets);
                    body.asm.op().call(list);
                    body.asm.set(body.out);
                    if restriction.is_some() {
                        body.asm.leave();
                    }
                });
            }
            Mode::Walk(hash, player) => {
                let batch = Batch { rule, player, source, used: Use::Walk(hash) };
                let made = self.emitter.want_made(self.rule, player.into(), source, hash);
                let (walk, depth) = match made {
                    Some(made) => (made, self.below),
                    None => (self.emitter.want(Key::Batch(batch)), DEPTH),
                };
                self.push_any(targets);
                self.asm.begin_if();
                self.push_batch(self.state, from, targets);
                self.asm.get(depth).op().call(walk);
                self.asm.get(self.total).op().i64_add();
                self.asm.set(self.total);
                self.asm.leave();
            }
            Mode::Answer | Mode::Find | Mode::Make(_) | Mode::Results(_) => {}
        }
    }

    /// Locals for the tiles of a set that lie in the one at an address.
    fn within_restriction(&mut self, set: u32, at: usize) -> u32 {
        let within = self.spare_set();
        for word in 0..self.width() {
            let local = word as u32;
            self.asm.get(set + local).i32(0).load(at + word * 8).op().i64_and();
            self.asm.set(within + local);
        }
        within
    }

    /// Leaves those tiles of a loop over sources or targets that lists are restricted to.
    pub(crate) fn restrict_loop(&mut self, left: u32, tile: NumReg, body: &Block) {
        let mut emits = false;
        visit(body, &mut |op| emits |= matches!(op, Op::EmitFrom(FROM, _) | Op::EmitEvent));
        if self.mode != Mode::List || !emits || !matches!(tile, FROM | TO) {
            return;
        }
        let Some(restriction) = self.emitter.restriction() else { return };
        let at = restriction + if tile == FROM { self.width() * 8 } else { 0 };
        for word in 0..self.width() {
            let local = left + word as u32;
            // What is only counted is not restricted.
            self.asm.i32(0).load(at + word * 8).i64(-1).get(self.out).op().select();
            self.asm.get(local).op().i64_and();
            self.asm.set(local);
        }
    }

    /// Puts what a function for a batch is given on the stack.
    fn push_batch(&mut self, into: u32, from: Option<NumReg>, targets: u32) {
        self.asm.get(into);
        self.push_source(from);
        for word in 0..self.width() as u32 {
            self.asm.get(targets + word);
        }
    }

    fn push_source(&mut self, from: Option<NumReg>) {
        match from {
            Some(from) => self.push_number(from),
            None => {
                self.asm.i64(-1);
            }
        }
    }

    fn start_rule(&mut self, rule: usize, ordered: bool) {
        (self.rule, self.ordered) = (rule, ordered);
        if self.mode == Mode::Note && !ordered {
            self.asm.get(self.out).set(self.first);
        }
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
