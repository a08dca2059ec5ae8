//! Making every child of a node.

use crate::bits::Bits;
use crate::id::TileId;

use super::super::link::{Link, Watch};
use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{Code, Node};
use super::side::{Side, Step};

/// Takes the children of a node.
pub(super) trait Visit<const W: usize> {
    fn child(&mut self, child: &Node<W>);
}

/// What is known of attacks on the player who moves, whose royal is not attacked.
struct Seen<'a, const W: usize, E, S> {
    climb: &'a Climb<'a, W, E, S>,
    side: &'a Side<W>,
    node: &'a Node<W>,
    guard: &'a Guard<W>,
    royal: TileId,
}

impl<const W: usize, E: Eye, S: Shape> Watch<W> for Seen<'_, W, E, S> {
    #[inline(always)]
    fn attacked(&self, tile: TileId, past: Bits<W>) -> bool {
        // A royal that is not attacked hides nothing from those who attack along a line.
        let unchanged = past == self.node.occupied();
        match unchanged {
            true if tile == self.royal => false,
            true if self.guard.near.contains(tile) => !self.guard.safe.contains(tile),
            _ => self.climb.attacked(self.side, self.node, tile, past),
        }
    }
}

/// A piece about to move, and where it may go.
struct Going<const W: usize> {
    from: TileId,
    code: Code,
    targets: Bits<W>,
}

impl<const W: usize, E: Eye, S: Shape> Climb<'_, W, E, S> {
    /// Makes every child of a node.
    #[inline(always)]
    pub(super) fn each(&self, player: usize, node: &Node<W>, visit: &mut impl Visit<W>) {
        let side = &self.tree.sides[player];
        let occupied = node.occupied();
        let guard = self.guard(side, node, occupied);
        let base = node.passed(&self.tree.keys);
        if let Some(from) = guard.royal.filter(|_| !guard.safe.is_empty()) {
            let going = Going { from, code: Code::SOVEREIGN, targets: guard.safe };
            self.go(player, node, &base, &going, visit);
        }
        if guard.evasion.is_empty() {
            return;
        }
        let land = guard.evasion.without(node.own);
        let free = node.own.without(guard.pinned);
        for sight in 0..2 {
            for from in node.can[sight] & free {
                let targets = self.see(sight, from, occupied) & land;
                self.go_from(player, node, &base, (from, targets), visit);
            }
        }
        for from in node.can[Code::LEAP] & free {
            self.go_from(player, node, &base, (from, side.leap[from] & land), visit);
        }
        for step in &side.steps {
            let steppers = node.can[Code::STEP] & free;
            let targets = step.targets(steppers, occupied, node.foe) & guard.evasion;
            self.step(player, node, &base, (step, targets), visit);
        }
        if !guard.pinned.is_empty() {
            self.each_pinned_child(player, node, &base, &guard, visit);
        }
        if !(node.lasting & node.own).is_empty() {
            self.each_linked(player, node, &base, &guard, visit);
        }
        if !node.fleeting.is_empty() {
            self.each_pass(player, node, |_, child| visit.child(child));
        }
    }

    #[inline(always)]
    fn go_from(
        &self,
        player: usize,
        node: &Node<W>,
        base: &Node<W>,
        (from, targets): (TileId, Bits<W>),
        visit: &mut impl Visit<W>,
    ) {
        if !targets.is_empty() {
            let going = Going { from, code: node.code_at(from), targets };
            self.go(player, node, base, &going, visit);
        }
    }

    /// Makes the moves of a piece to each of its targets.
    #[inline(always)]
    fn go(
        &self,
        player: usize,
        node: &Node<W>,
        base: &Node<W>,
        going: &Going<W>,
        visit: &mut impl Visit<W>,
    ) {
        let (side, other) = (&self.tree.sides[player], &self.tree.sides[1 - player]);
        let keys = &self.tree.keys;
        let mut lifted = *base;
        lifted.lift(side, going.from, going.code, keys);
        if going.code == Code::SOVEREIGN && side.sweeps {
            lifted.unflag(lifted.lasting & lifted.foe, keys);
        }
        for to in going.targets.without(node.foe) {
            let mut child = lifted;
            child.place(side, to, going.code);
            visit.child(&child);
        }
        for to in going.targets & node.foe {
            let mut child = lifted;
            child.capture(other, to, keys);
            child.place(side, to, going.code);
            visit.child(&child);
        }
    }

    /// Makes the moves of pieces that step one way.
    #[inline(always)]
    fn step(
        &self,
        player: usize,
        node: &Node<W>,
        base: &Node<W>,
        (step, targets): (&Step<W>, Bits<W>),
        visit: &mut impl Visit<W>,
    ) {
        let (side, other) = (&self.tree.sides[player], &self.tree.sides[1 - player]);
        let keys = &self.tree.keys;
        for to in targets {
            let mut child = *base;
            child.lift(side, step.origin(to), Code::STEPPER, keys);
            if node.foe.contains(to) {
                child.capture(other, to, keys);
            }
            if step.choice.contains(to) {
                for &code in &side.choices {
                    let mut child = child;
                    child.place(side, to, code);
                    visit.child(&child);
                }
                continue;
            }
            child.place(side, to, Code::STEPPER);
            if step.sets {
                child.fleeting = Bits::of(to);
                if self.tree.serves && !self.may_pass(1 - player, &child) {
                    child.fleeting = Bits::EMPTY;
                } else {
                    child.hash ^= keys.fleeting[to];
                }
            }
            visit.child(&child);
        }
    }

    #[inline(always)]
    fn each_pinned_child(
        &self,
        player: usize,
        node: &Node<W>,
        base: &Node<W>,
        guard: &Guard<W>,
        visit: &mut impl Visit<W>,
    ) {
        let side = &self.tree.sides[player];
        let occupied = node.occupied();
        self.each_pinned(node, guard, |from, allowed| {
            let code = node.code_at(from);
            if code == Code::STEPPER {
                for step in &side.steps {
                    let targets = step.targets(Bits::of(from), occupied, node.foe) & allowed;
                    self.step(player, node, base, (step, targets), visit);
                }
                return;
            }
            let targets = (self.reach(side, code, from, occupied) & allowed).without(node.own);
            self.go_from(player, node, base, (from, targets), visit);
        });
    }

    #[inline(always)]
    fn each_linked(
        &self,
        player: usize,
        node: &Node<W>,
        base: &Node<W>,
        guard: &Guard<W>,
        visit: &mut impl Visit<W>,
    ) {
        let (side, keys) = (&self.tree.sides[player], &self.tree.keys);
        self.each_link(side, node, guard, |at, royal, with| {
            let (link, code) = &side.links[at];
            let code = *code;
            let mut child = *base;
            child.lift(side, royal, Code::SOVEREIGN, keys);
            child.lift(side, with, code, keys);
            child.unflag(child.lasting & child.foe, keys);
            child.place(side, link.to.0, Code::SOVEREIGN);
            child.place(side, link.to.1, code);
            visit.child(&child);
        });
    }

    /// Every link that may be followed, and where both pieces stand.
    #[inline(always)]
    pub(super) fn each_link(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        guard: &Guard<W>,
        mut take: impl FnMut(usize, TileId, TileId),
    ) {
        for (at, link) in side.links.iter().enumerate() {
            self.each_way(side, node, guard, link, |royal, with| take(at, royal, with));
        }
    }

    /// Where both pieces stand that may follow a link.
    #[inline(always)]
    pub(super) fn each_way(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        guard: &Guard<W>,
        (link, code): &(Link, Code),
        mut take: impl FnMut(TileId, TileId),
    ) {
        // Every link asks that the royal is not attacked.
        let Some(royal) = guard.royal.filter(|_| guard.evasion == Bits::FULL) else { return };
        let occupied = node.occupied();
        let seen = Seen { climb: self, side, node, guard, royal };
        let flagged = node.own & node.lasting;
        for &direction in &link.directions {
            let first = self.lines.first(royal, direction, occupied);
            let Some(to) = first.filter(|&to| flagged.contains(to)) else { continue };
            if node.code_at(to) == *code
                && link.allows(self.lines, occupied, (royal, to), &seen) == Some(true)
            {
                take(royal, to);
            }
        }
    }

    /// Every child by a capture past a piece with the fleeting flag.
    #[inline(always)]
    pub(super) fn each_pass(
        &self,
        player: usize,
        node: &Node<W>,
        mut take: impl FnMut((TileId, TileId), &Node<W>),
    ) {
        let (side, other) = (&self.tree.sides[player], &self.tree.sides[1 - player]);
        let keys = &self.tree.keys;
        let Some(pass) = &side.pass else { return };
        let victims = node.fleeting & node.foe & node.can[Code::STEP];
        let targets = victims.turn(pass.back) & pass.targets;
        for to in targets.without(node.occupied()) {
            for from in pass.sources(to) & node.own & node.can[Code::STEP] {
                let mut child = node.passed(keys);
                child.lift(side, from, Code::STEPPER, keys);
                child.capture(other, pass.victim(to), keys);
                child.place(side, to, Code::STEPPER);
                let royal = (child.foe & child.can[Code::ROYAL]).first();
                // The one who moved looks at what he left behind.
                let seen = Node { own: child.foe, foe: child.own, ..child };
                let attacked = |royal| self.attacked(side, &seen, royal, seen.occupied());
                if !royal.is_some_and(attacked) {
                    take((from, to), &child);
                }
            }
        }
    }

    /// Whether there is such a capture.
    #[inline(always)]
    fn may_pass(&self, player: usize, node: &Node<W>) -> bool {
        let mut any = false;
        self.each_pass(player, node, |_, _| any = true);
        any
    }
}
