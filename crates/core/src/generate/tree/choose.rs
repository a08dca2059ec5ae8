//! The move at a place among those of a node, in the order in which the rules list them.

use crate::bits::Bits;
use crate::event::Event;
use crate::id::{KindId, RuleId, TileId};

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{Code, Node};
use super::side::{Entry, STEPS, STRIDES, Side, Step, Stride, What};

/// Games with more rules than this have no tree, nor have those with more links.
pub(super) const ENTRIES: usize = 24;
pub(super) const LINKS: usize = 4;

/// Where there are more groups of moves than this, moves are listed.
const GROUPS: usize = 32;

/// Moves that are listed one after another: those of a rule, or of one piece by a rule.
struct Groups {
    /// How many moves come before each.
    begins: [i16; GROUPS],
    /// Which rule they are of, and the tile of the piece where they are of one.
    of: [(u16, TileId); GROUPS],
    len: usize,
    all: u32,
}

impl Groups {
    #[inline(always)]
    fn new() -> Groups {
        Groups { begins: [i16::MAX; GROUPS], of: [(0, TileId(0)); GROUPS], len: 0, all: 0 }
    }

    #[inline(always)]
    fn push(&mut self, entry: usize, from: TileId, count: u32) {
        self.begins[self.len % GROUPS] = self.all as i16;
        self.of[self.len % GROUPS] = (entry as u16, from);
        self.len += 1;
        self.all += count;
    }

    /// The rule and the piece of the move at a place, and how many moves of the group come before
    /// it: the last group that begins at or before the place, found without a branch. Groups
    /// without a move begin where the next one does.
    #[inline(always)]
    fn find(&self, place: u32) -> (usize, TileId, u32) {
        let mut known = 0u16;
        for begin in &self.begins {
            known += u16::from(*begin <= place as i16);
        }
        let at = usize::from(known).wrapping_sub(1) % GROUPS;
        let (entry, from) = self.of[at];
        (entry.into(), from, place - self.begins[at] as u32)
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
    /// The move at a place, which is asked for when it is known how many there are; none where
    /// moves must be listed.
    #[inline(always)]
    pub(super) fn choose(
        &self,
        player: usize,
        node: &Node<W>,
        words: &[u64],
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Option<(Event, RuleId)>> {
        let side = &self.tree.sides[player];
        let occupied = node.occupied();
        let guard = self.guard(side, node, occupied);
        let search = Search { side, node, words, occupied, guard };
        let mut links = [None; LINKS];
        if !(node.lasting & node.own).is_empty() {
            self.each_link(side, node, &search.guard, |at, royal, with| {
                links[at % LINKS] = Some((royal, with));
            });
        }
        let mut stepped = [Bits::EMPTY; STEPS];
        let steppers = node.own & node.can[Code::STEP];
        if !steppers.is_empty() {
            for (slot, step) in stepped.iter_mut().zip(&side.steps) {
                *slot = self.stepped(&search, steppers, step);
            }
        }
        let mut groups = Groups::new();
        let mut awake = side.awake[0]
            | if steppers.is_empty() { 0 } else { side.awake[1] }
            | if node.fleeting.is_empty() { 0 } else { side.awake[2] }
            | if (node.lasting & node.own).is_empty() { 0 } else { side.awake[3] };
        while awake != 0 {
            let at = awake.trailing_zeros() as usize;
            awake &= awake - 1;
            let entry = &side.entries[at];
            let count = match &entry.what {
                What::Pieces(kind, code) => {
                    for from in self.of_kind(&search, *kind) {
                        groups.push(at, from, self.targets(&search, *code, from).len());
                    }
                    continue;
                }
                What::Steps(strides) => {
                    let [one, two] = strides
                        .map(|(step, within)| (stepped[usize::from(step) % STEPS] & within).len());
                    (one + two) * entry.times
                }
                What::Royal => search.guard.safe.len(),
                What::Pass => {
                    let mut count = 0;
                    self.each_pass(player, node, |_, _| count += 1);
                    count
                }
                What::Link(at) => links[at % LINKS].is_some().into(),
            };
            groups.push(at, TileId(0), count);
        }
        // Places are told apart by sixteen bits.
        if groups.len > GROUPS || groups.all >= i16::MAX as u32 {
            return None;
        }
        Some(self.choose_from(player, &search, &groups, &stepped, &links, place))
    }

    #[inline(always)]
    fn choose_from(
        &self,
        player: usize,
        search: &Search<'_, W>,
        groups: &Groups,
        stepped: &[Bits<W>; STEPS],
        links: &[Option<(TileId, TileId)>; LINKS],
        place: impl FnOnce(u64) -> u64,
    ) -> Option<(Event, RuleId)> {
        if groups.all == 0 {
            return None;
        }
        let place = u32::try_from(place(groups.all.into())).ok();
        let (at, from, left) = groups.find(place.filter(|&place| place < groups.all)?);
        let entry = search.side.entries.get(at)?;
        let event = match &entry.what {
            What::Pieces(_, code) => {
                let to = self.eye.pick(self.targets(search, *code, from), left);
                to.map(|to| Event::step(from, to))
            }
            What::Steps(strides) => self.find_step(search.side, stepped, strides, entry, left),
            What::Royal => {
                let to = self.eye.pick(search.guard.safe, left);
                search.guard.royal.zip(to).map(|(from, to)| Event::step(from, to))
            }
            What::Pass => self.find_pass(player, search.node, left),
            What::Link(at) => links[at % LINKS].map(|(from, to)| Event::step(from, to)),
        };
        event.map(|event| (event, entry.rule))
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
        for sight in (0..2).filter(|&sight| code.can(sight)) {
            targets |= self.see(sight, from, occupied);
        }
        if code.can(Code::LEAP) {
            targets |= side.leap[from];
        }
        targets
    }

    #[inline(always)]
    fn of_kind(&self, search: &Search<'_, W>, kind: KindId) -> Bits<W> {
        Bits::read(search.words, self.tree.first_kind + kind.index() * W) & search.node.own
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
        strides: &[Stride<W>; STRIDES],
        entry: &Entry<W>,
        left: u32,
    ) -> Option<Event> {
        let mut left = left;
        let mut sources: Bits<W> = Bits::EMPTY;
        let strides = strides.map(|(step, within)| (usize::from(step) % STEPS, within));
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
