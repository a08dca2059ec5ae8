//! A position as planes of what its pieces can do.

use crate::bits::Bits;
use crate::id::TileId;

use super::side::{Keys, Side};

/// How many things there are that a piece can do.
pub(super) const ABILITIES: usize = 5;

/// How many codes there are.
pub(super) const CODES: usize = 1 << ABILITIES;

/// What a piece can do, a bit for each: slide by the first and by the second sight, leap, step,
/// and be royal. Every kind has a code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Code(pub(super) u8);

impl Code {
    pub(super) const LEAP: usize = 2;
    pub(super) const STEP: usize = 3;
    pub(super) const ROYAL: usize = 4;
    /// A piece that steps and does nothing else.
    pub(super) const STEPPER: Code = Code(1 << Code::STEP);
    /// The royal.
    pub(super) const SOVEREIGN: Code = Code(1 << Code::ROYAL);

    #[inline(always)]
    pub(super) fn can(self, ability: usize) -> bool {
        self.0 >> ability & 1 == 1
    }
}

/// A position, seen by the player who moves. It says as much as a state's position does.
#[derive(Clone, Copy)]
pub(crate) struct Node<const W: usize> {
    /// The tiles of the player who moves.
    pub(super) own: Bits<W>,
    pub(super) foe: Bits<W>,
    /// The tiles of the pieces that can do each thing.
    pub(super) can: [Bits<W>; ABILITIES],
    /// The tiles with the flag that lasts until its piece moves.
    pub(super) lasting: Bits<W>,
    /// The tiles with the flag that is gone when its owner moves again.
    pub(super) fleeting: Bits<W>,
    pub(super) hash: u64,
}

impl<const W: usize> Node<W> {
    #[inline(always)]
    pub(super) fn occupied(&self) -> Bits<W> {
        self.own | self.foe
    }

    /// What the piece on a tile can do; nothing where there is none.
    #[inline(always)]
    pub(super) fn code_at(&self, tile: TileId) -> Code {
        let mut code = 0;
        for ability in 0..ABILITIES {
            code |= u8::from(self.can[ability].contains(tile)) << ability;
        }
        Code(code)
    }

    /// The position when the turn has passed and nothing has moved.
    #[inline(always)]
    pub(super) fn passed(&self, keys: &Keys<W>) -> Node<W> {
        let mut hash = self.hash ^ keys.turn;
        for tile in self.fleeting {
            hash ^= keys.fleeting[tile];
        }
        Node { own: self.foe, foe: self.own, fleeting: Bits::EMPTY, hash, ..*self }
    }

    /// Takes up a piece of the player who moved, whose flags go with the move.
    #[inline(always)]
    pub(super) fn lift(&mut self, side: &Side<W>, tile: TileId, code: Code, keys: &Keys<W>) {
        let here = Bits::of(tile);
        self.foe = self.foe.without(here);
        for plane in &mut self.can {
            *plane = plane.without(here);
        }
        self.hash ^= side.keys[code][tile];
        self.unflag(self.lasting & here, keys);
    }

    /// Takes the lasting flag from tiles.
    #[inline(always)]
    pub(super) fn unflag(&mut self, tiles: Bits<W>, keys: &Keys<W>) {
        if !tiles.is_empty() {
            self.lasting = self.lasting.without(tiles);
            for tile in tiles {
                self.hash ^= keys.lasting[tile];
            }
        }
    }

    /// Captures a piece of the player whose turn it is now.
    #[inline(always)]
    pub(super) fn capture(&mut self, other: &Side<W>, tile: TileId, keys: &Keys<W>) {
        let here = Bits::of(tile);
        let code = self.code_at(tile);
        self.own = self.own.without(here);
        for plane in &mut self.can {
            *plane = plane.without(here);
        }
        self.hash ^= other.keys[code][tile];
        self.unflag(self.lasting & here, keys);
    }

    /// Puts a piece of the player who moved down on an empty tile.
    #[inline(always)]
    pub(super) fn place(&mut self, side: &Side<W>, tile: TileId, code: Code) {
        let here = Bits::of(tile);
        self.foe |= here;
        for ability in 0..ABILITIES {
            if code.can(ability) {
                self.can[ability] |= here;
            }
        }
        self.hash ^= side.keys[code][tile];
    }
}
