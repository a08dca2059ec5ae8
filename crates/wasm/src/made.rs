//! Events of a batch that are carried out one after another in one state.
//!
//! A node has one copy of its state. An event writes there the words that its rule may change, made from
//! those of the node, which locals hold; so nothing is copied or undone from one event to the next, and
//! what does not depend on the target is done once for all. When the last event is done, those words are
//! what they were. Leaves have loops of their own, so that what they need stays in registers: one for events
//! that take nothing, and one that takes pieces kind by kind.

mod leaf;
mod shared;
mod take;
mod target;

use std::collections::BTreeSet;

use senet_core::ir::{Edit, Function, FunctionId, Op, visit, written_number};
use senet_core::program::Turns;

use crate::asm::{Asm, word_at};
use crate::batch::Source;
use crate::edit::Taken;
use crate::function::{Body, locals};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global};
use crate::set::next_tile;
use crate::tree::{next_mover, want_count};

use shared::split;
use take::{leave_own, unread};
use target::where_held_by;

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
    /// They are leaves of a node in which no flag is set that serves rules.
    Leaves,
    /// Anything.
    Any,
}

/// The bit of a depth that says that a flag is set which serves rules.
const SERVED: i32 = 1 << 16;

/// The depth below a node as functions for batches take it, on the stack.
pub(crate) fn push_depth(emitter: &Emitter<'_>, asm: &mut Asm, depth: u32) {
    asm.get(depth);
    let words = serving_words(emitter);
    if words.is_empty() {
        return;
    }
    asm.get(depth).i32(SERVED).op().i32_or();
    asm.i64(0);
    for offset in words {
        asm.get(STATE).load(offset).op().i64_or();
    }
    asm.op().i64_eqz().select();
}

impl Emitter<'_> {
    /// The function that carries out events of a rule in one state, if there is one.
    pub(crate) fn want_made(
        &mut self,
        rule: usize,
        player: usize,
        source: Source,
        hash: Hash,
    ) -> Option<u32> {
        let before = match source {
            Source::Tile => None,
            Source::Before(map) => Some(map),
            Source::Put(_) | Source::Pick(_) => return None,
        };
        let make = self.program.rule_functions(rule, player).make;
        let settles = self.program.turns(make) != Turns::Never
            && self.program.serving().iter().any(|(flag, _)| !self.program.serves_alone(*flag));
        let below = match hash {
            Hash::Kept if self.program.turns(make) == Turns::Sometimes && self.tells_turns => {
                return None;
            }
            Hash::Kept => Below::Leaves,
            Hash::Ignored if settles => return None,
            Hash::Ignored => Below::Any,
        };
        self.holds(make).then(|| {
            let make = self.representative(make.0);
            self.want(Key::Made(make, before, below, hash))
        })
    }

    /// The words that every event of a node writes which is carried out in its one state, so that they need not
    /// be what they were before the next: the hash, and where the mover's pieces stand.
    fn always_written(&self, function: &Function, hash: Hash) -> BTreeSet<usize> {
        let own = mover(function).map(|(owner, _)| self.program.owner_plane(owner));
        let own = own.into_iter().flat_map(|plane| plane..plane + self.width);
        let hashes = [self.hash_at(), self.hash_at() + 8].into_iter();
        let hashes = hashes.filter(|_| hash == Hash::Kept);
        own.map(|word| word * 8).chain(hashes).collect()
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
    (below, hash): (Below, Hash),
) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Made(make, before, below, hash));
    let function = &emitter.code.functions[usize::from(make)];
    let (child, [to, choice, pips, total, sum]) =
        (asm.local32(), std::array::from_fn(|_| asm.local64()));
    let (unkeyed, bare) = match below {
        Below::Leaves => leave_others(emitter, &mut asm, (make, before), function),
        Below::Any => (0, 0),
    };
    if below == Below::Leaves {
        asm.i64(0);
        for word in 0..emitter.width as u32 {
            asm.get(TARGETS + word).op().i64_popcnt().i64_add();
        }
        asm.set(total);
    }
    if below == Below::Any && hash == Hash::Kept {
        let depth = TARGETS + emitter.width as u32;
        asm.get(depth).i32(SERVED - 1).op().i32_and();
        asm.set(depth);
    }
    asm.op().global_get(global::COPY);
    asm.set(child);
    asm.i64(-1).set(choice);
    let event = [FROM, to, choice, pips];
    let mut rounds =
        Rounds { make, before, child, event, total, sum, below, hash, unkeyed, bare, taken: None };
    let quiet = |op: &Op| matches!(op, Op::Edit(Edit::MovePiece { quiet: true, .. }));
    let owner = emitter.sole_foe(function).filter(|_| below == Below::Leaves);
    let written = match (function.body.iter().any(quiet), below, hash) {
        (true, ..) | (_, Below::Any, Hash::Kept) => {
            rounds.write(emitter, &mut asm, function, TARGETS)?
        }
        _ => {
            let alone = where_held_by(emitter.program, function, None);
            let empty = take_empty(emitter, &mut asm);
            let written = rounds.write(emitter, &mut asm, &alone, empty)?;
            let place = asm.here();
            let others = match owner {
                Some(owner) => rounds.take(emitter, &mut asm, function, owner)?,
                None => rounds.write(emitter, &mut asm, function, TARGETS)?,
            };
            // What is written by the first rounds alone must not be left for the others.
            let stale: BTreeSet<usize> = written.difference(&others).copied().collect();
            asm.insert(place, |asm| restore(asm, child, &stale));
            &written | &others
        }
    };
    let always = emitter.always_written(function, hash);
    restore(&mut asm, child, &written.difference(&always).copied().collect());
    if hash == Hash::Kept {
        asm.op().global_get(global::SUM);
        asm.get(sum).op().i64_add().global_set(global::SUM);
    }
    if owner.is_some() {
        leave_own(emitter, &mut asm, (make, before));
    }
    asm.get(total);
    Ok(asm)
}

/// Takes those targets out on which nobody stands, into locals.
fn take_empty(emitter: &Emitter<'_>, asm: &mut Asm) -> u32 {
    let empty = locals(asm, emitter.width);
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
    empty
}

/// Leaves batches to another function unless their events are leaves of a node in which no flag is set that
/// serves rules, by pieces that have no other flags. Gives the flags that events set whose keys are taken
/// into the hash only where they serve, and those that no piece has which moves.
fn leave_others(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (make, before): (u16, Option<u16>),
    function: &Function,
) -> (u64, u64) {
    let any = emitter.want(Key::Made(make, before, Below::Any, Hash::Kept));
    let (depth, program) = (TARGETS + emitter.width as u32, emitter.program);
    let serving = program.serving().into_iter().fold(0u64, |all, (flag, _)| all | 1 << flag);
    let (mut set_here, mut changed) = (0, 0);
    visit(&function.body, &mut |op| {
        if let Op::Edit(Edit::Flag { set, clear, .. }) = op {
            set_here |= set & serving;
            changed |= set | clear;
        }
    });
    let settles = program.turns(FunctionId(make)) == Turns::Always && !program.can_come_to_stop();
    let bare: Vec<usize> =
        (0..program.flags()).filter(|flag| (serving | changed) >> flag & 1 == 0).collect();
    // Who asks marks the depth where a flag is set.
    asm.get(depth).i32(if set_here != 0 && !settles { 0 } else { 1 }).op().i32_ne();
    for &flag in &bare {
        push_flagged(emitter, asm, before, (function, flag));
        asm.op().i32_or();
    }
    asm.begin_if();
    (0..=depth).for_each(|param| {
        asm.get(param);
    });
    asm.op().call(any).return_();
    asm.leave();
    let bare = bare.into_iter().fold(0, |all, flag| all | 1 << flag);
    (if settles { set_here } else { 0 }, bare)
}

/// Whether a piece that may move has a flag, on the stack as a truth.
fn push_flagged(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    before: Option<u16>,
    (function, flag): (&Function, usize),
) {
    let (program, plane) = (emitter.program, emitter.program.flag_plane(flag));
    let Some((owner, kind)) = mover(function).filter(|_| before.is_some()) else {
        emitter.push_plane_bit(asm, STATE, plane, FROM);
        asm.op().i32_wrap_i64();
        return;
    };
    asm.i64(0);
    for word in 0..emitter.width {
        asm.get(STATE).load((plane + word) * 8);
        for plane in [program.owner_plane(owner), program.kind_plane(kind)] {
            asm.get(STATE).load((plane + word) * 8).op().i64_and();
        }
        asm.op().i64_or();
    }
    asm.i64(0).op().i64_ne();
}

/// Whether a set has a tile, on the stack.
fn push_any(asm: &mut Asm, width: usize, set: u32) {
    asm.i64(0);
    for word in 0..width as u32 {
        asm.get(set + word).op().i64_or();
    }
    asm.i64(0).op().i64_ne();
}

/// Where the words of flags lie that clear where the rules they serve have no event.
pub(crate) fn serving_words(emitter: &Emitter<'_>) -> Vec<usize> {
    let planes = emitter.program.serving().into_iter().flat_map(|(flag, _)| {
        let plane = emitter.program.flag_plane(flag);
        plane..plane + emitter.width
    });
    planes.map(|plane| plane * 8).collect()
}

/// Makes words of a state what they are in that of the node, two at once where they follow each other.
fn restore(asm: &mut Asm, child: u32, words: &BTreeSet<usize>) {
    let mut left = words.iter().copied().peekable();
    while let Some(offset) = left.next() {
        asm.get(child).get(STATE);
        if left.next_if_eq(&(offset + 8)).is_some() {
            asm.op().v128_load(word_at(offset)).v128_store(word_at(offset));
        } else {
            asm.load(offset).store(offset);
        }
    }
}

/// Loops that carry out an event a round.
struct Rounds {
    make: u16,
    before: Option<u16>,
    child: u32,
    event: [u32; 4],
    total: u32,
    sum: u32,
    below: Below,
    hash: Hash,
    /// Flags whose keys are taken into the hash only where they serve.
    unkeyed: u64,
    /// Flags that no piece has which moves.
    bare: u64,
    /// Who stands on the targets, if that is known.
    taken: Option<Taken>,
}

impl Rounds {
    /// Carries out the events with the targets in some locals. Gives the words that they change.
    fn write(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        function: &Function,
        targets: u32,
    ) -> Emit<BTreeSet<usize>> {
        push_any(asm, emitter.width, targets);
        asm.begin_if();
        let (rest, mut written) = self.share(emitter, asm, function)?;
        let start = asm.here();
        let ready = written.iter().copied().collect();
        written.extend(self.each(emitter, asm, (&rest, start, ready), targets)?);
        asm.leave();
        Ok(written)
    }

    /// Does what all events do alike. Gives the words that changed, and the rest of the function.
    fn share(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        function: &Function,
    ) -> Emit<(Function, BTreeSet<usize>)> {
        let program = emitter.program;
        let serves = |flag: &usize| program.serving().iter().any(|(one, _)| one == flag);
        let clear = self.below == Below::Leaves && program.ephemeral().iter().all(serves);
        let (shared, rest) = split(program, function, clear);
        if shared.body.is_empty() {
            return Ok((rest, BTreeSet::new()));
        }
        let start = asm.here();
        let body = self.body(emitter, asm, (&shared, start, Vec::new()))?;
        *asm = body;
        Ok((rest, asm.release().into_iter().collect()))
    }

    /// The code of a function for a state that is held.
    fn body(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        (function, start, ready): (&Function, usize, Vec<usize>),
    ) -> Emit<Asm> {
        let (mode, whole) = (Mode::Make(self.hash), std::mem::replace(asm, Asm::new(0)));
        let clear = match self.below {
            Below::Leaves => serving_words(emitter),
            Below::Any => Vec::new(),
        };
        let program = emitter.program;
        let mut body = Body::within(emitter, function, whole, (mode, Some(self.event)));
        (body.state, body.taken) = (self.child, self.taken);
        body.stays = self.before.is_none();
        body.unread = unread(program, function);
        (body.asm.unkeyed, body.asm.bare) = (self.unkeyed, self.bare);
        body.event_has_tiles();
        body.asm.hold((self.child, STATE), start, (clear, ready));
        for gathered in body.asm.gathered.into_iter().flatten() {
            body.asm.i64(0).set(gathered);
        }
        body.block(&function.body)?;
        body.end();
        (body.asm.unkeyed, body.asm.bare) = (0, 0);
        Ok(body.asm)
    }

    /// The same where the loop is known to have a round; what all rounds share is found at a place before.
    fn each(
        &self,
        emitter: &mut Emitter<'_>,
        asm: &mut Asm,
        whole: (&Function, usize, Vec<usize>),
        targets: u32,
    ) -> Emit<BTreeSet<usize>> {
        let done = asm.begin_block();
        let again = asm.begin_loop();
        next_tile(asm, emitter.width, targets, self.event[1], done);
        if let Some(map) = self.before {
            emitter.push_origin(asm, map, self.event[1]);
            asm.set(FROM);
        }
        *asm = self.body(emitter, asm, whole)?;
        let changed = match self.below {
            Below::Leaves => self.add_leaf(emitter, asm)?,
            Below::Any => self.go_on(emitter, asm),
        };
        asm.br(again);
        (0..2).for_each(|_| asm.leave());
        Ok(changed.into_iter().collect())
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
    fn go_on(&self, emitter: &mut Emitter<'_>, asm: &mut Asm) -> Vec<usize> {
        let served = match (emitter.program.turns(FunctionId(self.make)), self.hash) {
            (Turns::Always, Hash::Kept) => self.touch_served(emitter, asm),
            _ => None,
        };
        let changed = asm.release();
        if let Some(served) = served {
            let settle = emitter.want(Key::Settle);
            asm.get(served).i64(0).op().i64_ne();
            asm.begin_if();
            asm.get(self.child).op().call(settle);
            asm.leave();
        }
        let mover = next_mover(emitter, self.make);
        let (depth, tree) =
            (TARGETS + emitter.width as u32, emitter.want(Key::Tree(self.hash, mover)));
        asm.get(depth);
        match self.hash {
            Hash::Kept => {
                asm.i32(1).op().i32_eq();
                asm.begin_if();
                asm.get(self.sum).get(self.child).load(emitter.hash_at()).op().i64_add();
                asm.set(self.sum);
                asm.get(self.total).i64(1).op().i64_add();
            }
            Hash::Ignored => {
                let count = want_count(emitter, mover);
                asm.i32(2).op().i32_eq();
                asm.begin_if();
                asm.get(self.child).op().call(count);
                asm.get(self.total).op().i64_add();
            }
        }
        asm.set(self.total);
        asm.op().else_();
        asm.get(self.child).get(depth).i32(1).op().i32_sub().call(tree);
        asm.get(self.total).op().i64_add();
        asm.set(self.total);
        asm.leave();
        changed
    }
}

/// Whose piece a function moves, and of which kind it is.
fn mover(function: &Function) -> Option<(usize, usize)> {
    function.body.iter().find_map(|op| match op {
        Op::Edit(Edit::MovePiece { player, mover: Some(kind), .. }) => {
            Some((player.index(), kind.index()))
        }
        _ => None,
    })
}
