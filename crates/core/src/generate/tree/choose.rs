//! The move at a place among those of a node, in the order in which the rules list them.

use crate::bits::Bits;
use crate::event::Event;
use crate::id::{KindId, RuleId, TileId};

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{CODES, Code, Node};
use super::side::{Entry, STEPS, Side, Step, What};

/// Games with more rules than this have no tree, nor have those with more links and strides.
pub(super) const ENTRIES: usize = 24;
pub(super) const LINKS: usize = 4;
pub(super) const STRIDES: usize = 16;

/// Slots of a census: how many moves there are of each sort.
pub(super) struct Slot;

impl Slot {
    const ALL: usize = 64;
    pub(super) const PASS: u8 = Slot::ALL as u8 - 1;
    /// A slot that stays empty: no piece can do nothing.
    pub(super) const NOTHING: u8 = 0;

    pub(super) fn code(code: Code) -> u8 {
        code.0
    }

    pub(super) fn stride(at: usize) -> u8 {
        (CODES + at) as u8
    }

    pub(super) fn link(at: usize) -> u8 {
        (CODES + STRIDES + at) as u8
    }
}

/// What is known of a node while a move is looked for.
struct Search<'a, const W: usize> {
    side: &'a Side<W>,
    node: &'a Node<W>,
    /// The words of the state that it was made from, for the tiles of each kind.
    words: &'a [u64],
    occupied: Bits<W>,
    guard: Guard<W>,
}

impl<const W: usize, E: Eye, S: Shape> Climb<'_, W, E, S> {
    /// The move at a place, which is asked for when it is known how many there are.
    #[inline(always)]
    pub(super) fn choose(
        &self,
        player: usize,
        node: &Node<W>,
        words: &[u64],
        place: impl FnOnce(u64) -> u64,
    ) -> Option<(Event, RuleId)> {
        let side = &self.tree.sides[player];
        let occupied = node.occupied();
        let guard = self.guard(side, node, occupied);
        let search = Search { side, node, words, occupied, guard };
        let mut census = [0u32; Slot::ALL];
        let mut links = [None; LINKS];
        if !(node.lasting & node.own).is_empty() {
            self.each_link(side, node, &search.guard, |at, royal, with| {
                links[at % LINKS] = Some((royal, with));
                census[CODES + STRIDES + at % LINKS] = 1;
            });
        }
        if !node.fleeting.is_empty() {
            self.each_pass(player, node, |_, _| census[usize::from(Slot::PASS)] += 1);
        }
        for from in (node.can[0] | node.can[1] | node.can[Code::LEAP]) & node.own {
            let code = node.code_at(from);
            census[usize::from(code.0) % CODES] += self.targets(&search, code, from).len();
        }
        census[usize::from(Code::SOVEREIGN.0)] = search.guard.safe.len();
        let mut stepped = [Bits::EMPTY; STEPS];
        let steppers = node.own & node.can[Code::STEP];
        if !steppers.is_empty() {
            for (slot, step) in stepped.iter_mut().zip(&side.steps) {
                *slot = self.stepped(&search, steppers, step);
            }
            for (slot, &(step, within)) in census[CODES..].iter_mut().zip(&side.strides) {
                *slot = (stepped[step % STEPS] & within).len();
            }
        }
        let mut before = [0u32; ENTRIES];
        let mut all = 0;
        for (entry, slot) in side.entries.iter().zip(&mut before) {
            *slot = all;
            let [one, two] = entry.slots.map(|slot| census[usize::from(slot) % Slot::ALL]);
            all += (one + two) * entry.times;
        }
        if all == 0 {
            return None;
        }
        let place = u32::try_from(place(all.into())).ok().filter(|&place| place < all)?;
        // The last rule that begins at or before the place, found without a branch; rules that
        // have no move begin where the next one does.
        let mut at = 0;
        for &begin in before.iter().take(side.entries.len()).skip(1) {
            at += usize::from(begin <= place);
        }
        let (entry, left) = (side.entries.get(at)?, place - before[at]);
        let event = match &entry.what {
            What::Pieces(kind, code) => self.find_piece(&search, *kind, *code, left),
            What::Steps(strides) => self.find_step(side, &stepped, strides, entry, left),
            What::Royal => {
                let to = self.eye.pick(search.guard.safe, left);
                search.guard.royal.zip(to).map(|(from, to)| Event::step(from, to))
            }
            What::Pass => self.find_pass(player, node, left),
            What::Link(at) => links[at % LINKS].map(|(from, to)| Event::step(from, to)),
        };
        event.map(|event| (event, entry.rule))
    }

    /// Where a piece may go that is not royal.
    #[inline(always)]
    fn allowed(&self, search: &Search<'_, W>, from: TileId) -> Bits<W> {
        let guard = &search.guard;
        if !guard.pinned.contains(from) {
            return guard.evasion;
        }
        let mut allowed = Bits::EMPTY;
        self.each_pinned(search.node, guard, |pinned, line| {
            if pinned == from {
                allowed = line;
            }
        });
        allowed
    }

    /// Where a piece that slides or leaps goes.
    #[inline(always)]
    fn targets(&self, search: &Search<'_, W>, code: Code, from: TileId) -> Bits<W> {
        let targets = self.see(0, from, search.occupied).when(code.can(0))
            | self.see(1, from, search.occupied).when(code.can(1))
            | search.side.leap[from].when(code.can(Code::LEAP));
        (targets & self.allowed(search, from)).without(search.node.own)
    }

    #[inline(always)]
    fn of_kind(&self, search: &Search<'_, W>, kind: KindId) -> Bits<W> {
        Bits::read(search.words, self.tree.first_kind + kind.index() * W) & search.node.own
    }

    #[inline(always)]
    fn find_piece(
        &self,
        search: &Search<'_, W>,
        kind: KindId,
        code: Code,
        left: u32,
    ) -> Option<Event> {
        let mut left = left;
        for from in self.of_kind(search, kind) {
            let targets = self.targets(search, code, from);
            if left < targets.len() {
                let to = self.eye.pick(targets, left)?;
                return Some(Event::step(from, to));
            }
            left -= targets.len();
        }
        None
    }

    /// Where pieces step to by one way of stepping.
    #[inline(always)]
    fn stepped(&self, search: &Search<'_, W>, steppers: Bits<W>, step: &Step<W>) -> Bits<W> {
        let Search { node, occupied, guard, .. } = search;
        let free = steppers.without(guard.pinned);
        let mut targets = step.targets(free, *occupied, node.foe) & guard.evasion;
        for from in steppers & guard.pinned {
            let one = step.targets(Bits::of(from), *occupied, node.foe);
            targets |= one & self.allowed(search, from);
        }
        targets
    }

    #[inline(always)]
    fn find_step(
        &self,
        side: &Side<W>,
        stepped: &[Bits<W>; STEPS],
        steps: &[(usize, Bits<W>)],
        entry: &Entry<W>,
        left: u32,
    ) -> Option<Event> {
        let mut left = left;
        let mut sources: Bits<W> = Bits::EMPTY;
        for &(step, within) in steps {
            let turn = 64 * W as u32 - side.steps[step % STEPS].turn();
            sources |= (stepped[step % STEPS] & within).turn(turn);
        }
        for from in sources {
            let mut targets = Bits::EMPTY;
            for &(step, within) in steps {
                let to = Bits::of(from).turn(side.steps[step % STEPS].turn());
                targets |= stepped[step % STEPS] & within & to;
            }
            for to in targets {
                if left < entry.times {
                    let choice = self.tree.choices.get(left as usize).copied();
                    let choice = choice.filter(|_| entry.becomes);
                    return Some(Event::Move { from, to, choice });
                }
                left -= entry.times;
            }
        }
        None
    }

    #[inline(always)]
    fn find_pass(&self, player: usize, node: &Node<W>, left: u32) -> Option<Event> {
        let (mut left, mut found) = (left, None);
        self.each_pass(player, node, |(from, to), _| match left.checked_sub(1) {
            None if found.is_none() => found = Some(Event::step(from, to)),
            rest => left = rest.unwrap_or(0),
        });
        found
    }
}
