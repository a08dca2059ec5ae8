//! Attacks by tables: which of a player's pieces could capture on a tile.

use crate::bits::Bits;
use crate::game::Game;
use crate::id::{DirectionId, KindId, PlayerId, TileId};
use crate::path::{CompiledPattern, Mobility};
use crate::pattern::Reach;
use crate::plan::{Wanted, Way};

use super::board::{Board, Lines};

/// How a player's pieces attack.
pub(crate) struct Attacks<const W: usize> {
    player: PlayerId,
    slides: Vec<Slide>,
    leaps: Vec<Leap<W>>,
}

/// Kinds that slide along a direction, met when looking back from the tile they attack.
pub(crate) struct Slide {
    pub(crate) back: DirectionId,
    kinds: Vec<KindId>,
}

/// A kind that attacks single tiles: for each tile those from which it does.
struct Leap<const W: usize> {
    kind: KindId,
    from: Vec<Bits<W>>,
}

impl<const W: usize> Attacks<W> {
    /// A player's attacks, if tables can say them: every threatening rule asks nothing of its
    /// source or way, and every direction that is slid along can be looked back.
    pub(crate) fn new(game: &Game, lines: &Lines<W>, player: PlayerId) -> Option<Self> {
        let mut attacks = Attacks { player, slides: Vec::new(), leaps: Vec::new() };
        for id in &game.threatening {
            let rule = &game.rules[id.index()];
            let Wanted::Move(movement) = &rule.wants else { continue };
            if !movement.source.is_any() || !movement.through.is_any() {
                return None;
            }
            for kind in game.kinds().filter(|&kind| movement.kinds.contains(kind)) {
                let mobility = match &movement.way {
                    Way::Own => game.mobility(player, kind),
                    Way::Pattern(by_player) => &by_player[player.index()],
                    Way::First(_) | Way::Dice(_) => continue,
                };
                attacks.add(game, lines, kind, mobility)?;
            }
        }
        Some(attacks)
    }

    fn add(
        &mut self,
        game: &Game,
        lines: &Lines<W>,
        kind: KindId,
        mobility: &Mobility,
    ) -> Option<()> {
        for pattern in mobility.compiled() {
            for &direction in slid_along(pattern) {
                let back = lines.inverse(direction)?;
                match self.slides.iter_mut().find(|slide| slide.back == back) {
                    Some(slide) if slide.kinds.contains(&kind) => {}
                    Some(slide) => slide.kinds.push(kind),
                    None => self.slides.push(Slide { back, kinds: vec![kind] }),
                }
            }
        }
        let targets = single_targets(game, mobility);
        if targets.iter().all(|tiles: &Bits<W>| tiles.is_empty()) {
            return Some(());
        }
        let at = match self.leaps.iter().position(|leap| leap.kind == kind) {
            Some(at) => at,
            None => {
                self.leaps.push(Leap { kind, from: vec![Bits::EMPTY; game.tile_count()] });
                self.leaps.len() - 1
            }
        };
        for (from, tiles) in targets.into_iter().enumerate() {
            for to in tiles {
                self.leaps[at].from[to.index()].insert(TileId::at(from));
            }
        }
        Some(())
    }

    /// The directions in which to look back for sliding pieces.
    #[inline]
    pub(crate) fn slides(&self) -> &[Slide] {
        &self.slides
    }

    /// This player's pieces that slide along a direction.
    #[inline]
    pub(crate) fn sliders(&self, board: &Board<'_, W>, slide: &Slide) -> Bits<W> {
        let kinds = slide.kinds.iter().fold(Bits::EMPTY, |all, &kind| all | board.kind(kind));
        kinds & board.owner(self.player)
    }

    /// This player's pieces that attack a tile without sliding.
    #[inline]
    pub(crate) fn leapers(&self, board: &Board<'_, W>, tile: TileId) -> Bits<W> {
        let from = |leap: &Leap<W>| leap.from[tile.index()] & board.kind(leap.kind);
        let all = self.leaps.iter().fold(Bits::EMPTY, |all, leap| all | from(leap));
        all & board.owner(self.player)
    }

    /// Whether this player attacks a tile past what occupies the board.
    #[inline]
    pub(crate) fn reaches(
        &self,
        board: &Board<'_, W>,
        lines: &Lines<W>,
        tile: TileId,
        occupied: Bits<W>,
    ) -> bool {
        if !self.leapers(board, tile).is_empty() {
            return true;
        }
        self.slides.iter().any(|slide| {
            let first = lines.first(tile, slide.back, occupied);
            first.is_some_and(|first| self.sliders(board, slide).contains(first))
        })
    }
}

/// The directions that a pattern repeats.
pub(super) fn slid_along(pattern: &CompiledPattern) -> &[DirectionId] {
    match pattern {
        CompiledPattern::Ray { direction, reach: Reach::Repeat } => std::slice::from_ref(direction),
        CompiledPattern::MultiRay { directions, reach: Reach::Repeat } => directions,
        _ => &[],
    }
}

/// For each tile the tiles that patterns reach without repeating.
pub(super) fn single_targets<const W: usize>(game: &Game, mobility: &Mobility) -> Vec<Bits<W>> {
    let topology = game.topology();
    let reach = |from: TileId| {
        let mut tiles = Bits::EMPTY;
        for pattern in mobility.compiled() {
            match pattern {
                CompiledPattern::Fixed(steps) => {
                    let end = steps.iter().try_fold(from, |tile, step| topology.next(tile, *step));
                    end.into_iter().for_each(|end| tiles.insert(end));
                }
                CompiledPattern::Ray { direction, reach: Reach::Once } => {
                    let end = topology.next(from, *direction);
                    end.into_iter().for_each(|end| tiles.insert(end));
                }
                CompiledPattern::MultiRay { directions, reach: Reach::Once } => {
                    let ends = directions.iter().filter_map(|one| topology.next(from, *one));
                    ends.for_each(|end| tiles.insert(end));
                }
                _ => {}
            }
        }
        tiles.without(Bits::of(from))
    };
    game.tiles().map(reach).collect()
}
