//! Counting the moves of a node without making them.

use crate::bits::Bits;
use crate::id::TileId;

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{Code, Node};
use super::side::Side;

impl<const W: usize, E: Eye, S: Shape> Climb<'_, W, E, S> {
    /// How many moves a node has.
    #[inline(always)]
    pub(super) fn count(&self, player: usize, node: &Node<W>) -> u64 {
        let side = &self.tree.sides[player];
        let occupied = node.occupied();
        let guard = self.guard(side, node, occupied);
        let mut count = u64::from(guard.safe.len());
        if guard.evasion.is_empty() {
            return count;
        }
        let free = node.own.without(guard.pinned);
        count += self.count_pieces(side, node, free, guard.evasion);
        if !guard.pinned.is_empty() {
            count += self.count_pinned(side, node, &guard);
        }
        if !(node.lasting & node.own).is_empty() {
            self.each_link(side, node, &guard, |_, _, _| count += 1);
        }
        if !node.fleeting.is_empty() {
            self.each_pass(player, node, |_, _| count += 1);
        }
        count
    }

    #[inline(always)]
    fn count_pieces(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        movers: Bits<W>,
        allowed: Bits<W>,
    ) -> u64 {
        let occupied = node.occupied();
        let land = allowed.without(node.own);
        let mut count = 0;
        for from in node.can[0] & movers {
            count += (self.see(0, from, occupied) & land).len();
        }
        for from in node.can[1] & movers {
            count += (self.see(1, from, occupied) & land).len();
        }
        for from in node.can[Code::LEAP] & movers {
            count += (side.leap[from] & land).len();
        }
        let mut become_other = 0;
        let steppers = node.can[Code::STEP] & movers;
        for step in &side.steps {
            let targets = step.targets(steppers, occupied, node.foe) & allowed;
            count += targets.without(step.choice).len();
            become_other += (targets & step.choice).len();
        }
        u64::from(count) + u64::from(become_other) * side.choices.len() as u64
    }

    #[inline(always)]
    fn count_pinned(&self, side: &Side<W>, node: &Node<W>, guard: &Guard<W>) -> u64 {
        let mut count = 0;
        self.each_pinned(node, guard, |from, line| {
            count += self.count_pieces(side, node, Bits::of(from), line);
        });
        count
    }

    /// Every pinned piece, with where it may go.
    #[inline(always)]
    pub(super) fn each_pinned(
        &self,
        node: &Node<W>,
        guard: &Guard<W>,
        mut take: impl FnMut(TileId, Bits<W>),
    ) {
        let Some(royal) = guard.royal else { return };
        for pinner in guard.pinners {
            let line = self.lines.between(royal, pinner) | Bits::of(pinner);
            let allowed = line & guard.evasion;
            if let Some(from) = (line & node.own).first()
                && !allowed.is_empty()
            {
                take(from, allowed);
            }
        }
    }
}
