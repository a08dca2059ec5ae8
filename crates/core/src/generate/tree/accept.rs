//! Whether a node has a move, and by which rule.

use crate::bits::Bits;
use crate::event::Event;
use crate::id::{KindId, RuleId, TileId};

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::guard::Guard;
use super::node::{Code, Node};
use super::side::{Side, Stride};

impl<const W: usize, E: Eye, S: Shape> Climb<'_, W, E, S> {
    /// The rule that accepts an event, if one does; none where the rows of the tables must say.
    /// What the royal allows is found out where it is needed and not yet known.
    #[inline(always)]
    pub(super) fn accept(
        &self,
        player: usize,
        node: &Node<W>,
        event: Event,
        guard: &mut Option<Guard<W>>,
    ) -> Option<Option<RuleId>> {
        let Event::Move { from, to, choice } = event else { return None };
        // Two pieces of one player move together, or none does.
        if !node.own.contains(from) || node.own.contains(to) {
            return None;
        }
        let side = &self.tree.sides[player];
        let code = node.code_at(from);
        if code == Code::STEPPER {
            return self.accept_step(side, node, (from, to, choice), guard);
        }
        if choice.is_some() {
            return Some(None);
        }
        let occupied = node.occupied();
        let accepts = if code == Code::SOVEREIGN {
            let past = occupied.without(Bits::of(from));
            side.royal[from].contains(to) && !self.attacked(side, node, to, past)
        } else {
            self.reach(side, code, from, occupied).contains(to)
                && self.is_allowed(side, node, (from, to), guard)
        };
        Some(side.rules[code].filter(|_| accepts))
    }

    /// Whether the royal allows a move of another piece; what it allows is found out once.
    #[inline(always)]
    fn is_allowed(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        (from, to): (TileId, TileId),
        guard: &mut Option<Guard<W>>,
    ) -> bool {
        let guard = guard.get_or_insert_with(|| self.shield(side, node, node.occupied()));
        self.allowed(node, guard, from).contains(to)
    }

    #[inline(always)]
    fn accept_step(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        (from, to, choice): (TileId, TileId, Option<KindId>),
        guard: &mut Option<Guard<W>>,
    ) -> Option<Option<RuleId>> {
        let occupied = node.occupied();
        let goes =
            |step: usize| side.steps[step].targets(Bits::of(from), occupied, node.foe).contains(to);
        let Some(step) = (0..side.steps.len()).find(|&step| goes(step)) else {
            // It may pass by a piece with the fleeting flag.
            return if node.fleeting.is_empty() { Some(None) } else { None };
        };
        if !self.is_allowed(side, node, (from, to), guard) {
            return Some(None);
        }
        let chosen = choice.is_none_or(|kind| self.tree.choices.contains(&kind));
        let leads = |&(one, within): &Stride<W>| usize::from(one) == step && within.contains(to);
        let tread = side
            .treads
            .iter()
            .find(|tread| tread.becomes == choice.is_some() && tread.strides.iter().any(leads));
        Some(tread.filter(|_| chosen).map(|tread| side.entries[tread.entry].rule))
    }
}
