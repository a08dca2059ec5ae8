//! Royal safety by tables: where a piece may go without leaving its royal attacked.
//!
//! This answers, for moves that change nothing but the tiles they leave and enter, the closing
//! check "no royal of mine is attacked" for one royal. Pins and checks are read off the rays.

use crate::bits::Bits;
use crate::id::TileId;

use super::Side;
use super::attack::Attacks;
use super::board::Board;
use super::line::Lines;
use super::shape::Shape;

/// What a player's royal allows.
#[derive(Clone, Copy)]
pub(crate) struct Safety<const W: usize> {
    /// The royal's tile; none where nothing can happen to the player.
    pub(crate) royal: Option<TileId>,
    /// Foes that attack the royal.
    pub(crate) attackers: Bits<W>,
    /// Those of them that leap.
    leapers: Bits<W>,
    /// Where a piece that is not royal must go to end every attack; everywhere without one.
    pub(crate) evasion: Bits<W>,
    /// Pieces that may only move along the line to the foe that pins them.
    pub(crate) pinned: Bits<W>,
    pinners: Bits<W>,
}

impl<const W: usize> Side<W> {
    /// What the mover's royal allows; none where the mover has several.
    #[inline(always)]
    pub(crate) fn safety<S: Shape>(
        &self,
        lines: &Lines<W>,
        board: &Board<'_, W>,
    ) -> Option<Safety<W>> {
        let mut royals = Bits::EMPTY;
        for &kind in &board.game.royals {
            royals |= board.kind(kind) & board.own;
        }
        let mut safety = Safety {
            royal: None,
            attackers: Bits::EMPTY,
            leapers: Bits::EMPTY,
            evasion: Bits::FULL,
            pinned: Bits::EMPTY,
            pinners: Bits::EMPTY,
        };
        let Some(royal) = royals.first() else { return Some(safety) };
        if !royals.without(Bits::of(royal)).is_empty() {
            return None;
        }
        safety.royal = Some(royal);
        for foe in S::cut(&self.foes, S::FOES) {
            foe.look_back::<S>(lines, board, royal, &mut safety);
        }
        if let Some(attacker) = safety.attackers.first() {
            let alone = safety.attackers.without(Bits::of(attacker)).is_empty();
            let line = lines.between(royal, attacker) | Bits::of(attacker);
            // A leap is not ended by stepping between.
            safety.evasion = match (alone, safety.leapers.contains(attacker)) {
                (false, _) => Bits::EMPTY,
                (true, false) => line,
                (true, true) => Bits::of(attacker),
            };
        }
        Some(safety)
    }
}

impl<const W: usize> Attacks<W> {
    /// Looks from the royal back along every line a foe may attack by.
    #[inline(always)]
    fn look_back<S: Shape>(
        &self,
        lines: &Lines<W>,
        board: &Board<'_, W>,
        royal: TileId,
        safety: &mut Safety<W>,
    ) {
        let theirs = self.holds(board.words);
        safety.leapers |= self.leapers::<S>(board.words, royal) & theirs;
        safety.attackers |= safety.leapers;
        let mut snipers = Bits::EMPTY;
        for (kinds, sight) in S::cut(&self.slides, S::SLIDES) {
            let rays = sight.rays[royal];
            snipers |= kinds.read(board.words, S::SLIDE_KINDS) & rays & theirs;
        }
        for sniper in snipers {
            let between = lines.between(royal, sniper) & board.occupied;
            if between.is_empty() {
                safety.attackers.insert(sniper);
            } else if !(between & board.own).is_empty() && between.only().is_some() {
                safety.pinned |= between;
                safety.pinners.insert(sniper);
            }
        }
    }
}

impl<const W: usize> Safety<W> {
    /// Where a piece on a tile that is not royal may go.
    #[inline(always)]
    pub(crate) fn allowed(&self, lines: &Lines<W>, from: TileId) -> Bits<W> {
        if self.pinned.contains(from) { self.line_of_pin(lines, from) } else { self.evasion }
    }

    #[cold]
    fn line_of_pin(&self, lines: &Lines<W>, from: TileId) -> Bits<W> {
        let Some(royal) = self.royal else { return self.evasion };
        let pins = self.pinners.into_iter();
        let pins = pins.map(|pinner| lines.between(royal, pinner) | Bits::of(pinner));
        let mut own = pins.filter(|line| line.contains(from));
        own.next().map_or(self.evasion, |line| line & self.evasion)
    }
}
