//! Events of a batch that are carried out one after another in one state.
//!
//! A node has one copy of its state. An event writes there the words that its rule may change, made from
//! those of the node, which locals hold; so nothing is copied or undone from one event to the next, and
//! what does not depend on the target is done once for all. When the last event is done, those words are
//! what they were. Leaves have loops of their own that call nothing, so that what they need stays in
//! registers.

use std::collections::BTreeSet;

use senet_core::ir::{
    Block, Edit, Function, FunctionId, NumReg, Op, SetReg, TO, visit, written_number, written_set,
};
use senet_core::program::{Program, Turns};

use crate::asm::Asm;
use crate::batch::Source;
use crate::function::{Body, locals};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global, unsupported};
use crate::set::next_tile;
use crate::tree::next_mover;

/// Parameters: the state of the node, the source if it is the same for all, and the first word of
/// targets; then the depth.
const STATE: u32 = 0;
const FROM: u32 = 1;
const TARGETS: u32 = 2;

/// The most words of planes that are held in locals.
const MAX_WORDS: usize = 32;

/// What is below the events of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Below {
    /// They are leaves, in which no flag need be cleared.
    Leaves,
    /// Anything.
    Any,
}

impl Emitter<'_> {
    /// The function that carries out events of a rule in one state, if there is one.
    pub(crate) fn want_made(&mut self, rule: usize, player: usize, source: Source) -> Option<u32> {
        let before = match source {
            Source::Tile => None,
            Source::Before(map) => Some(map),
            Source::Put(_) | Source::Pick(_) => return None,
        };
        let make = self.program.rule_functions(rule, player).make;
        self.holds(make).then(|| {
            let make = self.representative(make.0);
            self.want(Key::Made(make, before, Below::Leaves))
        })
    }

    /// Whether the state can be held in locals while a function changes it: no other function is called
    /// with it, and which words change is known.
    pub(crate) fn holds(&self, make: FunctionId) -> bool {
        let program = self.program;
        let planes = program.players() + program.kinds() + program.flags();
        let body = &self.code.functions[usize::from(make.0)].body;
        let mut fits = self.all_exclusive() && planes * self.width <= MAX_WORDS;
        let mut moves = 0;
        visit(body, &mut |op| {
            fits &= is_local(op) && written_number(op).is_none_or(|number| number.0 > 3);
            moves += usize::from(is_move(op));
        });
        fits && moves == 1 && body.iter().any(is_move)
    }
}

fn is_move(op: &Op) -> bool {
    matches!(op, Op::Edit(Edit::MovePiece { .. }))
}

/// Whether an operation reads and writes words of the state whose places are known.
fn is_local(op: &Op) -> bool {
    match op {
        Op::Constant(..)
        | Op::Plane(..)
        | Op::Copy(..)
        | Op::And(..)
        | Op::Or(..)
        | Op::AndNot(..)
        | Op::Image(..)
        | Op::Preimage(..)
        | Op::Single(..)
        | Op::Row(..)
        | Op::Number(..)
        | Op::Move(..)
        | Op::Count(..)
        | Op::First(..)
        | Op::Only(..)
        | Op::Has(..)
        | Op::Any(..)
        | Op::Step(..)
        | Op::Field(..)
        | Op::Pieces { .. }
        | Op::Arithmetic(..)
        | Op::Compare(..)
        | Op::Not(..)
        | Op::If(..) => true,
        Op::Edit(edit) => match edit {
            Edit::MovePiece { mover, chooses, .. } => mover.is_some() && !chooses,
            Edit::Flag { .. } | Edit::Mark { .. } | Edit::Variable { .. } | Edit::Turn { .. } => {
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// The function that carries out events of a batch, and counts the leaves below.
pub(crate) fn made(
    emitter: &mut Emitter<'_>,
    make: u16,
    before: Option<u16>,
    below: Below,
) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Made(make, before, below));
    let function = &emitter.code.functions[usize::from(make)];
    if emitter.program.turns(FunctionId(make)) == Turns::Sometimes
        && !emitter.program.serving().is_empty()
    {
        return unsupported(crate::play::SOMETIMES);
    }
    let (child, [to, choice, pips, total, sum]) =
        (asm.local32(), std::array::from_fn(|_| asm.local64()));
    if below == Below::Leaves {
        let any = emitter.want(Key::Made(make, before, Below::Any));
        leave_others(emitter, &mut asm, function, any);
        asm.i64(0);
        for word in 0..emitter.width as u32 {
            asm.get(TARGETS + word).op().i64_popcnt().i64_add();
        }
        asm.set(total);
    }
    asm.op().global_get(global::COPY);
    asm.set(child);
    asm.i64(-1).set(choice);
    let rounds = Rounds { before, child, event: [FROM, to, choice, pips], total, sum, below };
    let quiet = |op: &Op| matches!(op, Op::Edit(Edit::MovePiece { quiet: true, .. }));
    let mut written = BTreeSet::new();
    // What captures write is more than what is written without one, so that nothing is left of a round.
    if function.body.iter().any(quiet) {
        asm = rounds.write(emitter, asm, (make, function), TARGETS, &mut written)?;
    } else {
        // Who goes where nobody stands takes nothing.
        let empty = locals(&mut asm, emitter.width);
        for word in 0..emitter.width {
            let (targets, empty) = (TARGETS + word as u32, empty + word as u32);
            asm.i64(0);
            for owner in 0..emitter.program.players() {
                let plane = emitter.program.owner_plane(owner) + word;
                asm.get(STATE).load(plane * 8).op().i64_or();
            }
            asm.get(targets).op().i64_and();
            asm.tee(empty).get(targets).op().i64_xor();
            asm.get(empty).set(targets);
            asm.set(empty);
        }
        let alone = Function { body: onto_empty(emitter.program, function), ..function.clone() };
        asm = rounds.write(emitter, asm, (make, &alone), empty, &mut written)?;
        asm = rounds.write(emitter, asm, (make, function), TARGETS, &mut written)?;
    }
    restore(&mut asm, child, &written);
    asm.op().global_get(global::SUM);
    asm.get(sum).op().i64_add().global_set(global::SUM);
    asm.get(total);
    Ok(asm)
}

/// Leaves batches to another function unless their events are leaves in which no flag need be cleared.
fn leave_others(emitter: &Emitter<'_>, asm: &mut Asm, function: &Function, any: u32) {
    let depth = TARGETS + emitter.width as u32;
    let serving =
        emitter.program.serving().into_iter().fold(0u64, |all, (flag, _)| all | 1 << flag);
    let mut sets = false;
    visit(&function.body, &mut |op| {
        sets |= matches!(op, Op::Edit(Edit::Flag { set, .. }) if set & serving != 0);
    });
    asm.i64(sets.into());
    for offset in serving_words(emitter) {
        asm.get(STATE).load(offset).op().i64_or();
    }
    asm.i64(0).op().i64_ne();
    asm.get(depth).i32(1).op().i32_ne().i32_or();
    asm.begin_if();
    (0..=depth).for_each(|param| {
        asm.get(param);
    });
    asm.op().call(any).return_();
    asm.leave();
}

/// Where the words of flags lie that clear where the rules they serve have no event.
fn serving_words(emitter: &Emitter<'_>) -> Vec<usize> {
    let planes = emitter.program.serving().into_iter().flat_map(|(flag, _)| {
        let plane = emitter.program.flag_plane(flag);
        plane..plane + emitter.width
    });
    planes.map(|plane| plane * 8).collect()
}

/// Makes words of a state what they are in that of the node.
fn restore(asm: &mut Asm, child: u32, words: &BTreeSet<usize>) {
    for &offset in words {
        asm.get(child).get(STATE).load(offset).store(offset);
    }
}

/// What a function does where nobody stands on the target before a piece moves there.
fn onto_empty(program: Program<'_>, function: &Function) -> Block {
    let mut known = Known { sets: BTreeSet::new(), truths: Vec::new(), moved: false };
    let pieces: BTreeSet<usize> = (0..program.players())
        .map(|owner| program.owner_plane(owner))
        .chain((0..program.kinds()).map(|kind| program.kind_plane(kind)))
        .collect();
    known.simplify(&pieces, &function.body)
}

/// What is known of registers where nobody stands on the target.
struct Known {
    /// Those for sets that do not have the target.
    sets: BTreeSet<SetReg>,
    truths: Vec<(NumReg, bool)>,
    /// Whether the piece has moved, so that somebody stands there.
    moved: bool,
}

impl Known {
    fn simplify(&mut self, pieces: &BTreeSet<usize>, block: &Block) -> Block {
        let mut simple = Vec::new();
        for op in block {
            if let Op::If(truth, yes, no) = op
                && let Some(holds) = self.truth(*truth)
            {
                simple.extend(self.simplify(pieces, if holds { yes } else { no }));
                continue;
            }
            self.learn(pieces, op);
            simple.push(match op.clone() {
                Op::Edit(Edit::MovePiece { player, rule, mover, chooses, .. }) => {
                    self.moved = true;
                    Op::Edit(Edit::MovePiece { player, rule, mover, quiet: true, chooses })
                }
                op => op,
            });
        }
        simple
    }

    fn truth(&self, register: NumReg) -> Option<bool> {
        self.truths.iter().find(|(one, _)| *one == register).map(|(_, truth)| *truth)
    }

    fn learn(&mut self, pieces: &BTreeSet<usize>, op: &Op) {
        let lacks = match op {
            Op::Plane(_, plane) => !self.moved && pieces.contains(plane),
            Op::Copy(_, from) | Op::AndNot(_, from, _) => self.sets.contains(from),
            Op::And(_, one, other) => self.sets.contains(one) || self.sets.contains(other),
            Op::Or(_, one, other) => self.sets.contains(one) && self.sets.contains(other),
            _ => false,
        };
        let truth = match op {
            Op::Has(_, set, TO) if self.sets.contains(set) => Some(false),
            Op::Not(_, from) => self.truth(*from).map(|truth| !truth),
            _ => None,
        };
        visit(std::slice::from_ref(op), &mut |op| {
            if let Some(set) = written_set(op) {
                self.sets.remove(&set);
            }
            if let Some(number) = written_number(op) {
                self.truths.retain(|(one, _)| *one != number);
            }
        });
        self.sets.extend(written_set(op).filter(|_| lacks));
        self.truths.extend(written_number(op).zip(truth));
    }
}

/// A loop that carries out an event a round.
struct Rounds {
    before: Option<u16>,
    child: u32,
    event: [u32; 4],
    total: u32,
    sum: u32,
    below: Below,
}

impl Rounds {
    fn write(
        &self,
        emitter: &mut Emitter<'_>,
        mut asm: Asm,
        (make, function): (u16, &Function),
        targets: u32,
        written: &mut BTreeSet<usize>,
    ) -> Emit<Asm> {
        let (width, child) = (emitter.width, self.child);
        asm.i64(0);
        for word in 0..width as u32 {
            asm.get(targets + word).op().i64_or();
        }
        asm.i64(0).op().i64_ne();
        asm.begin_if();
        let start = asm.here();
        let done = asm.begin_block();
        let again = asm.begin_loop();
        next_tile(&mut asm, width, targets, self.event[1], done);
        if let Some(map) = self.before {
            emitter.push_origin(&mut asm, map, self.event[1]);
            asm.set(FROM);
        }
        let mode = Mode::Make(Hash::Kept);
        let mut body = Body::within(emitter, function, asm, (mode, Some(self.event)));
        body.state = child;
        body.stays = self.before.is_none();
        body.event_has_tiles();
        body.asm.hold(child, STATE, start);
        for gathered in body.asm.gathered.into_iter().flatten() {
            body.asm.i64(0).set(gathered);
        }
        body.block(&function.body)?;
        body.end();
        let mut asm = body.asm;
        let changed = match self.below {
            Below::Leaves => {
                asm.get(self.sum).load_word(child, emitter.hash_at()).op().i64_add();
                asm.set(self.sum);
                asm.release()
            }
            Below::Any => self.go_on(emitter, &mut asm, make),
        };
        asm.br(again);
        (0..3).for_each(|_| asm.leave());
        written.extend(changed);
        Ok(asm)
    }

    /// A local that is not 0 where flags are set whose time may be over; they and the hash may then
    /// change once more.
    fn touch_served(&self, emitter: &Emitter<'_>, asm: &mut Asm) -> Option<u32> {
        let (child, any, planes) = (self.child, asm.local64(), serving_words(emitter));
        if planes.is_empty() {
            return None;
        }
        for offset in planes.iter().copied().chain([emitter.hash_at(), emitter.hash_at() + 8]) {
            asm.store_word(child, offset, |asm| {
                asm.load_word(child, offset);
            });
        }
        asm.i64(0);
        for &offset in &planes {
            asm.load_word(child, offset).op().i64_or();
        }
        asm.set(any);
        Some(any)
    }

    /// Clears flags whose time is over, and takes the hash of a leaf into the sum or counts the leaves
    /// below. Gives the words that an event changes.
    fn go_on(&self, emitter: &mut Emitter<'_>, asm: &mut Asm, make: u16) -> Vec<usize> {
        let served = match emitter.program.turns(FunctionId(make)) {
            Turns::Always => self.touch_served(emitter, asm),
            Turns::Sometimes | Turns::Never => None,
        };
        let changed = asm.release();
        if let Some(served) = served {
            let settle = emitter.want(Key::Settle);
            asm.get(served).i64(0).op().i64_ne();
            asm.begin_if();
            asm.get(self.child).op().call(settle);
            asm.leave();
        }
        let mover = next_mover(emitter, make);
        let (depth, tree) =
            (TARGETS + emitter.width as u32, emitter.want(Key::Tree(Hash::Kept, mover)));
        asm.get(depth).i32(1).op().i32_eq();
        asm.begin_if();
        asm.get(self.sum).get(self.child).load(emitter.hash_at()).op().i64_add();
        asm.set(self.sum);
        asm.get(self.total).i64(1).op().i64_add();
        asm.set(self.total);
        asm.op().else_();
        asm.get(self.child).get(depth).i32(1).op().i32_sub().call(tree);
        asm.get(self.total).op().i64_add();
        asm.set(self.total);
        asm.leave();
        changed
    }
}
