//! The move at a place among those of a node, in the order in which the rules list them.

use crate::bits::Bits;
use crate::event::Event;
use crate::id::{RuleId, TileId};

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{Code, Node};
use super::side::{Herd, STEPS, Side, Step, Tread, What};

/// Games with more rules than this have no tree.
pub(super) const ENTRIES: usize = 32;

/// How many moves there are by each rule.
type Counts = [u32; ENTRIES];

/// The rule of the move at a place, and how many of its moves come before that one.
#[inline(always)]
fn rule_at(counts: &Counts, place: u32) -> (usize, u32) {
    let mut left = place;
    for (rule, &count) in counts.iter().enumerate() {
        if left < count {
            return (rule, left);
        }
        left -= count;
    }
    (ENTRIES, left)
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

impl<const W: usize> Search<'_, W> {
    #[inline(always)]
    fn herd(&self, herd: &Herd) -> Bits<W> {
        Bits::read(self.words, herd.plane) & self.node.own
    }
}

impl<const W: usize> Tread<W> {
    /// How many moves there are where pieces step to these tiles.
    #[inline(always)]
    fn count(&self, stepped: &[Bits<W>; STEPS]) -> u32 {
        let mut count = 0;
        for (step, within) in self.strides {
            count += (stepped[usize::from(step) % STEPS] & within).len();
        }
        count * self.times
    }
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
        let mut counts: Counts = [0; ENTRIES];
        counts[side.royals % ENTRIES] = search.guard.safe.len();
        for herd in &side.herds {
            counts[herd.entry % ENTRIES] = self.count_herd(&search, herd);
        }
        let mut stepped = [Bits::EMPTY; STEPS];
        let steppers = node.own & node.can[Code::STEP];
        if !steppers.is_empty() {
            for (slot, step) in stepped.iter_mut().zip(&side.steps) {
                *slot = self.stepped(&search, steppers, step);
            }
            for tread in &side.treads {
                counts[tread.entry % ENTRIES] = tread.count(&stepped);
            }
        }
        if !(node.fleeting | node.lasting & node.own).is_empty() {
            self.count_flagged(player, &search, &mut counts);
        }
        let all: u32 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let place = u32::try_from(place(all.into())).ok().filter(|&place| place < all)?;
        let (rule, left) = rule_at(&counts, place);
        let entry = side.entries.get(rule)?;
        let event = self.find(player, &search, &stepped, entry.what, left);
        event.map(|event| (event, entry.rule))
    }

    /// How many moves the pieces of a kind have.
    #[inline(always)]
    fn count_herd(&self, search: &Search<'_, W>, herd: &Herd) -> u32 {
        let Search { side, node, occupied, guard, .. } = search;
        let (pieces, open) = (search.herd(herd), guard.evasion.without(node.own));
        let mut count = 0;
        for from in pieces.without(guard.pinned) {
            count += (self.reach(side, herd.code, from, *occupied) & open).len();
        }
        for from in pieces & guard.pinned {
            count += self.targets(search, herd.code, from).len();
        }
        count
    }

    /// Counts the moves that flags allow.
    #[inline(always)]
    fn count_flagged(&self, player: usize, search: &Search<'_, W>, counts: &mut Counts) {
        for (at, entry) in search.side.entries.iter().enumerate() {
            let count = &mut counts[at % ENTRIES];
            match entry.what {
                What::Pass => self.each_pass(player, search.node, |_, _| *count += 1),
                What::Link(link) => *count = self.find_link(search, link).is_some().into(),
                What::Herd(_) | What::Tread(_) | What::Royal => {}
            }
        }
    }

    /// The move at a place among those by a rule.
    #[inline(always)]
    fn find(
        &self,
        player: usize,
        search: &Search<'_, W>,
        stepped: &[Bits<W>; STEPS],
        what: What,
        left: u32,
    ) -> Option<Event> {
        let Search { side, node, guard, .. } = search;
        match what {
            What::Herd(herd) => self.find_herd(search, side.herds.get(herd)?, left),
            What::Tread(tread) => self.find_step(side, stepped, side.treads.get(tread)?, left),
            What::Royal => {
                let to = self.eye.pick(guard.safe, left);
                guard.royal.zip(to).map(|(from, to)| Event::step(from, to))
            }
            What::Pass => self.find_pass(player, node, left),
            What::Link(link) => {
                self.find_link(search, link).map(|(from, to)| Event::step(from, to))
            }
        }
    }

    #[inline(always)]
    fn find_herd(&self, search: &Search<'_, W>, herd: &Herd, left: u32) -> Option<Event> {
        let mut left = left;
        for from in search.herd(herd) {
            let targets = self.targets(search, herd.code, from);
            let Some(rest) = left.checked_sub(targets.len()) else {
                return self.eye.pick(targets, left).map(|to| Event::step(from, to));
            };
            left = rest;
        }
        None
    }

    /// The royal and the other piece, if a link may be followed.
    #[inline(always)]
    fn find_link(&self, search: &Search<'_, W>, link: usize) -> Option<(TileId, TileId)> {
        let mut found = None;
        let link = search.side.links.get(link)?;
        self.each_way(search.side, search.node, &search.guard, link, |royal, with| {
            found = Some((royal, with));
        });
        found
    }

    /// Where a piece that slides or leaps goes.
    #[inline(always)]
    fn targets(&self, search: &Search<'_, W>, code: Code, from: TileId) -> Bits<W> {
        let allowed = self.allowed(search.node, &search.guard, from);
        self.reach(search.side, code, from, search.occupied) & allowed.without(search.node.own)
    }

    /// Where a piece slides or leaps, whoever stands there.
    #[inline(always)]
    pub(super) fn reach(
        &self,
        side: &Side<W>,
        code: Code,
        from: TileId,
        occupied: Bits<W>,
    ) -> Bits<W> {
        let mut targets = Bits::EMPTY;
        if code.can(0) {
            targets |= self.see(0, from, occupied);
        }
        if code.can(1) {
            targets |= self.see(1, from, occupied);
        }
        if code.can(Code::LEAP) {
            targets |= side.leap[from];
        }
        targets
    }

    /// Where pieces step to by one way of stepping.
    #[inline(always)]
    fn stepped(&self, search: &Search<'_, W>, steppers: Bits<W>, step: &Step<W>) -> Bits<W> {
        let Search { node, occupied, guard, .. } = search;
        let pinned = steppers & guard.pinned;
        let free = steppers.without(pinned);
        let mut targets = step.targets(free, *occupied, node.foe) & guard.evasion;
        for from in pinned {
            let one = step.targets(Bits::of(from), *occupied, node.foe);
            targets |= one & self.allowed(node, guard, from);
        }
        targets
    }

    #[inline(always)]
    fn find_step(
        &self,
        side: &Side<W>,
        stepped: &[Bits<W>; STEPS],
        tread: &Tread<W>,
        left: u32,
    ) -> Option<Event> {
        let mut left = left;
        let mut sources: Bits<W> = Bits::EMPTY;
        let strides = tread.strides.map(|(step, within)| (usize::from(step) % STEPS, within));
        for (step, within) in strides {
            let turn = 64 * W as u32 - side.steps[step].turn();
            sources |= (stepped[step] & within).turn(turn);
        }
        for from in sources {
            let mut targets = Bits::EMPTY;
            for (step, within) in strides {
                let to = Bits::of(from).turn(side.steps[step].turn());
                targets |= stepped[step] & within & to;
            }
            for to in targets {
                if left < tread.times {
                    let choice = self.tree.choices.get(left as usize).copied();
                    let choice = choice.filter(|_| tread.becomes);
                    return Some(Event::Move { from, to, choice });
                }
                left -= tread.times;
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
