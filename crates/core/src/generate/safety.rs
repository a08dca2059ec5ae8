//! Royal safety by tables: where a piece may go without leaving its royal attacked.
//!
//! This answers, for moves that change nothing but the tiles they leave and enter, the closing
//! check "no royal of mine is attacked" for one royal. Pins and checks are read off the rays.

use crate::bits::Bits;
use crate::id::{PlayerId, TileId};

use super::Tables;
use super::board::Board;

/// What a player's royal allows.
pub(crate) struct Safety<const W: usize> {
    /// The royal's tile.
    pub(crate) royal: TileId,
    /// Where a piece that is not royal must go to end every attack; everywhere without one.
    evasion: Bits<W>,
    /// Pieces that may only move along a line.
    pinned: Bits<W>,
    pins: Vec<(TileId, Bits<W>)>,
}

impl<const W: usize> Tables<W> {
    /// What the mover's royal allows; none where the mover has not exactly one.
    pub(crate) fn safety(&self, board: &Board<'_, W>) -> Option<Safety<W>> {
        let royals = board.game.royals.iter();
        let royals = royals.fold(Bits::EMPTY, |all, &kind| all | board.kind(kind)) & board.own;
        let royal = royals.first().filter(|_| royals.len() == 1)?;
        let mut safety =
            Safety { royal, evasion: Bits::FULL, pinned: Bits::EMPTY, pins: Vec::new() };
        for foe in self.foes(board) {
            self.look_back(board, foe, &mut safety);
        }
        Some(safety)
    }

    fn foes(&self, board: &Board<'_, W>) -> impl Iterator<Item = PlayerId> + use<'_, W> {
        let friends = board.game.friends[board.mover.index()];
        (0..self.attacks.len()).filter(move |foe| friends >> foe & 1 == 0).map(PlayerId::at)
    }

    /// Looks from the royal back along every line a foe may attack by.
    fn look_back(&self, board: &Board<'_, W>, foe: PlayerId, safety: &mut Safety<W>) {
        let attacks = &self.attacks[foe.index()];
        let royal = safety.royal;
        for attacker in attacks.leapers(board, royal) {
            safety.evasion &= Bits::of(attacker);
        }
        for slide in attacks.slides() {
            let sliders = attacks.sliders(board, slide);
            let beyond = board.occupied.without(board.own);
            // The first tile not of the mover's own decides whether the line is an attack at all.
            let (line, Some(first)) = self.lines.until(royal, slide.back, beyond) else { continue };
            if !sliders.contains(first) {
                continue;
            }
            let between = line & board.own;
            match between.len() {
                0 => safety.evasion &= line,
                1 => {
                    safety.pinned |= between;
                    safety.pins.extend(between.first().map(|tile| (tile, line)));
                }
                _ => {}
            }
        }
    }

    /// Whether a royal would be attacked on a tile after it left its own.
    #[inline]
    pub(crate) fn is_royal_attacked(
        &self,
        board: &Board<'_, W>,
        safety: &Safety<W>,
        to: TileId,
    ) -> bool {
        let occupied = board.occupied.without(Bits::of(safety.royal));
        self.foes(board).any(|foe| {
            let attacks = &self.attacks[foe.index()];
            attacks.leapers(board, to).into_iter().any(|from| from != to)
                || attacks.slides().iter().any(|slide| {
                    let first = self.lines.first(to, slide.back, occupied);
                    first.is_some_and(|first| attacks.sliders(board, slide).contains(first))
                })
        })
    }
}

impl<const W: usize> Safety<W> {
    /// Where a piece on a tile that is not royal may go.
    #[inline]
    pub(crate) fn allowed(&self, from: TileId) -> Bits<W> {
        if !self.pinned.contains(from) {
            return self.evasion;
        }
        let lines = self.pins.iter().filter(|(tile, _)| *tile == from);
        lines.fold(self.evasion, |all, (_, line)| all & *line)
    }
}
