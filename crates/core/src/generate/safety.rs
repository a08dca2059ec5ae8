//! Royal safety by tables: where a piece may go without leaving its royal attacked.
//!
//! This answers, for moves that change nothing but the tiles they leave and enter, the closing
//! check "no royal of mine is attacked" for one royal. Pins and checks are read off the rays.

use crate::bits::Bits;
use crate::id::{PlayerId, TileId};

use super::Tables;
use super::board::Board;
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

impl<const W: usize> Tables<W> {
    /// What the mover's royal allows; none where the mover has several.
    #[inline(always)]
    pub(crate) fn safety<S: Shape>(&self, board: &Board<'_, W>) -> Option<Safety<W>> {
        let royals = board.game.royals.iter();
        let royals = royals.fold(Bits::EMPTY, |all, &kind| all | board.kind(kind)) & board.own;
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
        for &foe in S::cut(&self.foes[board.mover.index()], S::FOES) {
            self.look_back::<S>(board, foe, royal, &mut safety);
        }
        if let Some(attacker) = safety.attackers.first() {
            let alone = safety.attackers.without(Bits::of(attacker)).is_empty();
            let line = self.lines.between(royal, attacker) | Bits::of(attacker);
            // A leap is not ended by stepping between.
            safety.evasion = match (alone, safety.leapers.contains(attacker)) {
                (false, _) => Bits::EMPTY,
                (true, false) => line,
                (true, true) => Bits::of(attacker),
            };
        }
        Some(safety)
    }

    /// Looks from the royal back along every line a foe may attack by.
    #[inline(always)]
    fn look_back<S: Shape>(
        &self,
        board: &Board<'_, W>,
        foe: usize,
        royal: TileId,
        safety: &mut Safety<W>,
    ) {
        let attacks = &self.attacks[foe];
        let theirs = board.owner(PlayerId::at(foe));
        safety.leapers |= attacks.leapers::<S>(board.words, royal) & theirs;
        safety.attackers |= safety.leapers;
        let mut snipers = Bits::EMPTY;
        for (kinds, sight) in S::cut(&attacks.slides, S::SLIDES) {
            let rays = self.sights[*sight].rays[royal.index()];
            snipers |= kinds.read(board.words, S::SLIDE_KINDS) & rays & theirs;
        }
        for sniper in snipers {
            let between = self.lines.between(royal, sniper) & board.occupied;
            if between.is_empty() {
                safety.attackers.insert(sniper);
            } else if !(between & board.own).is_empty() && between.only().is_some() {
                safety.pinned |= between;
                safety.pinners.insert(sniper);
            }
        }
    }

    /// Where a piece on a tile that is not royal may go.
    #[inline(always)]
    pub(crate) fn allowed(&self, safety: &Safety<W>, from: TileId) -> Bits<W> {
        if safety.pinned.contains(from) { self.line_of_pin(safety, from) } else { safety.evasion }
    }

    #[cold]
    fn line_of_pin(&self, safety: &Safety<W>, from: TileId) -> Bits<W> {
        let Some(royal) = safety.royal else { return safety.evasion };
        let lines = safety.pinners.into_iter().map(|pinner| {
            self.lines.between(royal, pinner) | Bits::of(pinner)
        });
        let mut own = lines.filter(|line| line.contains(from));
        own.next().map_or(safety.evasion, |line| line & safety.evasion)
    }
}
