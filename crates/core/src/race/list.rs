//! The results of a roll as [`super::bulk`] counts them, one by one: none is found twice, so that
//! none is looked for.

use crate::id::TileId;

use super::bulk::{Bulk, each};
use super::set::{Tiles, bit};
use super::{Shown, Stand, nibble};

/// One number used several times.
#[derive(Clone, Copy)]
struct Even {
    pips: u8,
    /// Where a piece could leave.
    open: Tiles,
}

impl Bulk<'_> {
    /// Takes every distinct result of a roll of some pieces. Says whether that could be done.
    pub(super) fn each_result(
        &self,
        stand: Stand,
        shown: Shown,
        take: &mut impl FnMut(Stand),
    ) -> bool {
        let dice = shown.all();
        if self.gate != 0 || (self.guards as usize) < dice.len() {
            return false;
        }
        match *dice {
            [one, two] if one != two => self.each_pair(stand, [one, two], take),
            [pips, ..] if shown.is_even() => {
                let even = Even { pips, open: self.scope(pips).open };
                let mut any = false;
                self.each_even(
                    even,
                    stand,
                    (self.ground.own, Tiles::MAX),
                    dice.len(),
                    &mut |one| {
                        any = true;
                        take(one);
                    },
                );
                any
            }
            _ => false,
        }
    }

    /// The results of using both numbers, if both can be used.
    fn each_pair(&self, stand: Stand, pips: [u8; 2], take: &mut impl FnMut(Stand)) -> bool {
        let [one, two] = pips.map(|pips| *self.scope(pips));
        let [by_one, by_two] = pips.map(|pips| self.reach.number(pips));
        // One piece goes on by the other number. Where it can do so in either order and hits
        // nothing on the way, both come to the same.
        let first = one.from & by_one.sources(two.open);
        let second = two.from & by_two.sources(one.open);
        let same = first & second & !(one.hits | two.hits);
        let mut any = false;
        let mut go_on = |tiles: Tiles, [pips, then]: [u8; 2]| {
            for tile in each(tiles) {
                any = true;
                let to = self.reach.hop(tile.index(), pips).to;
                take(self.after(self.after(stand, tile, pips), to, then));
            }
        };
        // Where a piece of the mover's stands on the way, it may as well be the one that goes on:
        // so the result is among those of two pieces.
        go_on(first & !one.joins & !same, pips);
        go_on(second & !two.joins & !(same & one.joins), [pips[1], pips[0]]);
        let twice = same & one.joins & two.joins;
        for tile in each(one.from) {
            let torn = bit(tile) & !self.many;
            let after = self.after(stand, tile, pips[0]);
            for other in each(two.from & !torn & !(twice & by_two.sources(bit(tile)))) {
                any = true;
                take(self.after(after, other, pips[1]));
            }
        }
        any
    }

    /// The results of so many moves by one number: each from a tile that is not behind the one
    /// before, so that every choice of moves is made in one order.
    fn each_even(
        &self,
        even: Even,
        stand: Stand,
        (own, ahead): (Tiles, Tiles),
        moves: usize,
        take: &mut impl FnMut(Stand),
    ) {
        for tile in each(own & ahead & even.open) {
            let after = self.after(stand, tile, even.pips);
            if moves == 1 {
                take(after);
                continue;
            }
            let left = if nibble(after.own, tile) == 0 { bit(tile) } else { 0 };
            let own = own & !left | bit(self.reach.hop(tile.index(), even.pips).to);
            self.each_even(even, after, (own, self.reach.ahead(tile)), moves - 1, take);
        }
    }

    /// The pieces after a step that is possible.
    #[inline(always)]
    fn after(&self, stand: Stand, from: TileId, pips: u8) -> Stand {
        let hop = self.reach.hop(from.index(), pips);
        // One foe at most, for two block.
        let hit = 0u128.wrapping_sub(nibble(stand.foe, hop.to).into());
        let own = stand.own.wrapping_add(hop.moved);
        Stand { own, foe: stand.foe.wrapping_add(hop.sent & hit) }
    }
}
