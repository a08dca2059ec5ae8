//! What the royal allows in a node.

use crate::bits::Bits;
use crate::id::TileId;

use super::super::shape::Shape;
use super::super::sight::Eye;
use super::Climb;
use super::node::{Code, Node};
use super::side::Side;

/// What the royal of the player who moves allows.
pub(super) struct Guard<const W: usize> {
    pub(super) royal: Option<TileId>,
    /// Where it could go, and where of those it is not attacked.
    pub(super) near: Bits<W>,
    pub(super) safe: Bits<W>,
    /// Where any other piece must go to end every attack; everywhere without one.
    pub(super) evasion: Bits<W>,
    /// Pieces that may only move along the line to the foe that pins them.
    pub(super) pinned: Bits<W>,
    pub(super) pinners: Bits<W>,
}

impl<const W: usize, E: Eye, S: Shape> Climb<'_, W, E, S> {
    /// The tiles seen from a tile by one of the sights.
    #[inline(always)]
    pub(super) fn see(&self, sight: usize, from: TileId, occupied: Bits<W>) -> Bits<W> {
        self.eye.see::<W, S>(self.lines, &self.tree.sights[sight], from, occupied)
    }

    /// Foes that attack a tile without sliding.
    #[inline(always)]
    fn leapers(&self, side: &Side<W>, node: &Node<W>, tile: TileId) -> Bits<W> {
        node.can[Code::LEAP] & side.from[0][tile]
            | node.can[Code::STEP] & side.from[1][tile]
            | node.can[Code::ROYAL] & side.from[2][tile]
    }

    /// Whether a foe attacks a tile past what occupies the board.
    #[inline(always)]
    pub(super) fn attacked(
        &self,
        side: &Side<W>,
        node: &Node<W>,
        tile: TileId,
        occupied: Bits<W>,
    ) -> bool {
        let slides =
            self.see(0, tile, occupied) & node.can[0] | self.see(1, tile, occupied) & node.can[1];
        !((slides | self.leapers(side, node, tile)) & node.foe).is_empty()
    }

    /// What the royal allows, with where it may go itself.
    #[inline(always)]
    pub(super) fn guard(&self, side: &Side<W>, node: &Node<W>, occupied: Bits<W>) -> Guard<W> {
        let mut guard = self.shield(side, node, occupied);
        if let Some(tile) = guard.royal {
            guard.near = side.royal[tile].without(node.own);
            guard.safe = self.safe(side, node, guard.near, occupied.without(Bits::of(tile)));
        }
        guard
    }

    /// What the royal allows other pieces.
    #[inline(always)]
    pub(super) fn shield(&self, side: &Side<W>, node: &Node<W>, occupied: Bits<W>) -> Guard<W> {
        let royal = (node.own & node.can[Code::ROYAL]).first();
        let (near, safe, evasion) = (Bits::EMPTY, Bits::EMPTY, Bits::FULL);
        let (mut pinned, mut pinners) = (Bits::EMPTY, Bits::EMPTY);
        let Some(tile) = royal else {
            return Guard { royal, near, safe, evasion, pinned, pinners };
        };
        let leapers = self.leapers(side, node, tile) & node.foe;
        let sights = &self.tree.sights;
        let snipers = sights[0].rays[tile] & node.can[0] | sights[1].rays[tile] & node.can[1];
        let mut attackers = leapers;
        // Which of the three a line is cannot be foretold, so that there is no branch for it.
        for sniper in snipers & node.foe {
            let between = self.lines.between(tile, sniper) & occupied;
            let (count, here) = (between.len(), Bits::of(sniper));
            let pin = between & node.own;
            let pins = count == 1 && !pin.is_empty();
            attackers |= here.when(count == 0);
            pinned |= pin.when(pins);
            pinners |= here.when(pins);
        }
        let evasion = match attackers.first() {
            None => Bits::FULL,
            Some(_) if !attackers.is_single() => Bits::EMPTY,
            // A leap is not ended by stepping between.
            Some(_) if !leapers.is_empty() => attackers,
            Some(attacker) => self.lines.between(tile, attacker) | attackers,
        };
        Guard { royal, near, safe, evasion, pinned, pinners }
    }

    /// Where a piece may go that is not royal.
    #[inline(always)]
    pub(super) fn allowed(&self, node: &Node<W>, guard: &Guard<W>, from: TileId) -> Bits<W> {
        if !guard.pinned.contains(from) {
            return guard.evasion;
        }
        let mut allowed = Bits::EMPTY;
        self.each_pinned(node, guard, |pinned, line| {
            if pinned == from {
                allowed = line;
            }
        });
        allowed
    }

    /// Those of some tiles that no foe attacks past what occupies the board.
    #[inline(always)]
    fn safe(&self, side: &Side<W>, node: &Node<W>, near: Bits<W>, past: Bits<W>) -> Bits<W> {
        if near.is_empty() {
            return near;
        }
        let mut safe = near;
        let steppers = node.can[Code::STEP] & node.foe;
        for (source, turn) in side.strikes {
            safe = safe.without((steppers & source).turn(turn));
        }
        for (ability, onto) in [Code::LEAP, Code::ROYAL].into_iter().zip(&side.onto) {
            for from in node.can[ability] & node.foe {
                safe = safe.without(onto[from]);
            }
        }
        let sliders = [node.can[0] & node.foe, node.can[1] & node.foe];
        // Few foes are looked along from where they stand, many from the tiles.
        if sliders[0].len() + sliders[1].len() <= 2 * safe.len() {
            for (sight, sliders) in sliders.into_iter().enumerate() {
                for from in sliders {
                    safe = safe.without(self.see(sight, from, past));
                }
            }
            return safe;
        }
        for to in safe {
            let seen = self.see(0, to, past) & sliders[0] | self.see(1, to, past) & sliders[1];
            safe = safe.without(Bits::of(to).when(!seen.is_empty()));
        }
        safe
    }
}
