//! Attacks by tables: which of a player's pieces could capture on a tile.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::bits::{Bits, ByTile};
use crate::game::Game;
use crate::id::{DirectionId, KindId, PlayerId, TileId};
use crate::path::{CompiledPattern, Mobility};
use crate::pattern::Reach;
use crate::plan::{Wanted, Way};

use super::Side;
use super::board::Board;
use super::line::Lines;
use super::shape::Shape;
use super::sight::{Eye, Sight};

/// So many kinds are looked up together.
const TOGETHER: usize = 4;

/// Kinds that do the same, by the words where their planes begin; the first repeated to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds {
    planes: [u16; TOGETHER],
    pub(crate) len: usize,
}

impl Kinds {
    /// No kind.
    pub(crate) const NONE: Kinds = Kinds { planes: [0; TOGETHER], len: 0 };

    /// The tiles of all of them.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(&self, words: &[u64], len: usize) -> Bits<W> {
        let len = if len > 0 { len } else { self.len };
        let mut tiles = Bits::EMPTY;
        for &plane in &self.planes[..len] {
            tiles |= Bits::read(words, plane.into());
        }
        tiles
    }

    /// The kinds themselves.
    pub(crate) fn list(&self, game: &Game) -> impl Iterator<Item = KindId> {
        let first = game.layout.players;
        let kind = move |&plane: &u16| KindId::at(usize::from(plane) / game.layout.width - first);
        self.planes[..self.len].iter().map(kind)
    }

    /// Kinds in groups of as many as are looked up together.
    pub(crate) fn group(game: &Game, kinds: &[KindId]) -> Vec<Kinds> {
        let plane = |kind: &KindId| game.layout.kind(*kind) as u16;
        let group = |some: &[KindId]| {
            let mut planes = [plane(&some[0]); TOGETHER];
            some.iter().zip(&mut planes).for_each(|(kind, slot)| *slot = plane(kind));
            Kinds { planes, len: some.len() }
        };
        kinds.chunks(TOGETHER).map(group).collect()
    }
}

/// How a player's pieces attack.
#[derive(Clone)]
pub(crate) struct Attacks<const W: usize> {
    player: PlayerId,
    /// Kinds that slide, with the sight by which they are met when looking back.
    pub(crate) slides: Vec<(Kinds, Arc<Sight<W>>)>,
    /// Kinds that attack single tiles, and for each tile those from which they do.
    pub(crate) leaps: Vec<(Kinds, ByTile<Bits<W>, W>)>,
}

impl<const W: usize> Attacks<W> {
    /// A player's attacks, if tables can say them: every threatening rule asks nothing of its
    /// source or way, and every direction that is slid along can be looked back.
    pub(crate) fn new(
        game: &Game,
        lines: &Lines<W>,
        sights: &[Arc<Sight<W>>],
        player: PlayerId,
    ) -> Option<Self> {
        let mut slides: Vec<(usize, Vec<KindId>)> = Vec::new();
        let mut leaps: Vec<(KindId, ByTile<Bits<W>, W>)> = Vec::new();
        for (kind, mobility) in threatening(game, player)? {
            let along = mobility.compiled().iter().flat_map(slid_along);
            let back: Option<Vec<DirectionId>> = along.map(|&one| lines.inverse(one)).collect();
            for sight in sights_of(sights, &back?) {
                match slides.iter_mut().find(|(one, _)| *one == sight) {
                    Some((_, kinds)) if kinds.contains(&kind) => {}
                    Some((_, kinds)) => kinds.push(kind),
                    None => slides.push((sight, vec![kind])),
                }
            }
            let targets = single_targets(game, mobility);
            if targets.iter().all(|tiles| tiles.is_empty()) {
                continue;
            }
            let from = reversed(&targets);
            match leaps.iter_mut().find(|(one, _)| *one == kind) {
                Some((_, old)) => {
                    old.iter_mut().zip(from.iter()).for_each(|(old, new)| *old |= *new);
                }
                None => leaps.push((kind, from)),
            }
        }
        let slides = slides.into_iter().flat_map(|(sight, kinds)| {
            let groups = Kinds::group(game, &kinds).into_iter();
            groups.map(move |kinds| (kinds, sights[sight].clone()))
        });
        Some(Attacks { player, slides: slides.collect(), leaps: together(game, leaps) })
    }

    /// The tiles that the player holds.
    #[inline(always)]
    pub(crate) fn holds(&self, words: &[u64]) -> Bits<W> {
        Bits::read(words, self.player.index() * W)
    }

    /// Pieces of the kinds that attack a tile without sliding, whoever's they are.
    #[inline(always)]
    pub(crate) fn leapers<S: Shape>(&self, words: &[u64], tile: TileId) -> Bits<W> {
        let mut leapers = Bits::EMPTY;
        for (kinds, from) in S::cut(&self.leaps, S::FOE_LEAPS) {
            leapers |= kinds.read(words, S::FOE_LEAP_KINDS) & from[tile];
        }
        leapers
    }

    /// Whether the player attacks a tile past what occupies the board.
    #[inline(always)]
    pub(crate) fn reaches<S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: impl Eye,
        words: &[u64],
        tile: TileId,
        occupied: Bits<W>,
    ) -> bool {
        let mut reach = self.leapers::<S>(words, tile);
        for (kinds, sight) in S::cut(&self.slides, S::SLIDES) {
            let seen = eye.see::<W, S>(lines, sight, tile, occupied);
            reach |= seen & kinds.read(words, S::SLIDE_KINDS);
        }
        !(reach & self.holds(words)).is_empty()
    }
}

/// Groups kinds that leap alike.
pub(super) fn together<const W: usize>(
    game: &Game,
    leaps: Vec<(KindId, ByTile<Bits<W>, W>)>,
) -> Vec<(Kinds, ByTile<Bits<W>, W>)> {
    let mut groups: Vec<(Vec<KindId>, ByTile<Bits<W>, W>)> = Vec::new();
    for (kind, tiles) in leaps {
        match groups.iter_mut().find(|(_, other)| *other == tiles) {
            Some((kinds, _)) => kinds.push(kind),
            None => groups.push((vec![kind], tiles)),
        }
    }
    let groups = groups.into_iter().flat_map(|(kinds, tiles)| {
        Kinds::group(game, &kinds).into_iter().map(move |kinds| (kinds, tiles.clone()))
    });
    groups.collect()
}

fn reversed<const W: usize>(targets: &ByTile<Bits<W>, W>) -> ByTile<Bits<W>, W> {
    let mut from = vec![Bits::EMPTY; 64 * W];
    for (source, tiles) in targets.iter().enumerate() {
        for to in *tiles {
            from[to.index()].insert(TileId::at(source));
        }
    }
    ByTile::new(from, Bits::EMPTY)
}

/// The kinds of a player that threaten, and how; none where a table cannot say it.
fn threatening(game: &Game, player: PlayerId) -> Option<Vec<(KindId, &Mobility)>> {
    let mut ways = Vec::new();
    for id in &game.threatening {
        let Wanted::Move(movement) = &game.rules[id.index()].wants else { continue };
        if !movement.source.is_any() || !movement.through.is_any() {
            return None;
        }
        let kinds = game.kinds().filter(|&kind| movement.kinds.contains(kind));
        ways.extend(kinds.filter_map(|kind| match &movement.way {
            Way::Own => Some((kind, game.mobility(player, kind))),
            Way::Pattern(by_player) => Some((kind, &by_player[player.index()])),
            Way::First(_) | Way::Dice(_) => None,
        }));
    }
    Some(ways)
}

/// The board's sights: sets of directions that are slid along by the same pieces, forth or back.
pub(super) fn sights<const W: usize>(game: &Game, lines: &Lines<W>) -> Vec<Sight<W>> {
    let mut uses: BTreeSet<(DirectionId, usize)> = BTreeSet::new();
    let mut tag = 0;
    for rule in &game.rules {
        let Wanted::Move(movement) = &rule.wants else { continue };
        for player in game.players() {
            for kind in game.kinds().filter(|&kind| movement.kinds.contains(kind)) {
                let mobility = match &movement.way {
                    Way::Own => game.mobility(player, kind),
                    Way::Pattern(by_player) => &by_player[player.index()],
                    Way::First(_) | Way::Dice(_) => continue,
                };
                for &one in mobility.compiled().iter().flat_map(slid_along) {
                    uses.insert((one, tag));
                    uses.extend(lines.inverse(one).map(|back| (back, tag + 1)));
                }
                tag += 2;
            }
        }
    }
    let users = |direction: DirectionId| -> Vec<usize> {
        uses.iter().filter(|(one, _)| *one == direction).map(|(_, tag)| *tag).collect()
    };
    let mut sets: Vec<(Vec<usize>, Vec<DirectionId>)> = Vec::new();
    for direction in game.directions() {
        let users = users(direction);
        match sets.iter_mut().find(|(other, _)| *other == users) {
            _ if users.is_empty() => {}
            Some((_, directions)) => directions.push(direction),
            None => sets.push((users, vec![direction])),
        }
    }
    sets.into_iter().map(|(_, one)| Sight::new(lines, one, game.tile_count())).collect()
}

/// The sights that a set of directions is made of.
pub(super) fn sights_of<const W: usize>(
    sights: &[Arc<Sight<W>>],
    directions: &[DirectionId],
) -> Vec<usize> {
    let within = |sight: &Sight<W>| sight.directions.iter().all(|one| directions.contains(one));
    (0..sights.len()).filter(|&at| within(&sights[at])).collect()
}

/// The directions that a pattern repeats.
pub(super) fn slid_along(pattern: &CompiledPattern) -> &[DirectionId] {
    match pattern {
        CompiledPattern::Ray { direction, reach: Reach::Repeat } => std::slice::from_ref(direction),
        CompiledPattern::MultiRay { directions, reach: Reach::Repeat } => directions,
        _ => &[],
    }
}

/// The patterns of a piece that do not repeat, each as the steps it takes.
pub(super) fn strides(mobility: &Mobility) -> Vec<Vec<DirectionId>> {
    let mut strides = Vec::new();
    for pattern in mobility.compiled() {
        match pattern {
            CompiledPattern::Fixed(steps) => strides.push(steps.to_vec()),
            CompiledPattern::Ray { direction, reach: Reach::Once } => {
                strides.push(vec![*direction]);
            }
            CompiledPattern::MultiRay { directions, reach: Reach::Once } => {
                strides.extend(directions.iter().map(|&one| vec![one]));
            }
            _ => {}
        }
    }
    strides
}

/// For each tile the tiles that patterns reach without repeating.
pub(super) fn single_targets<const W: usize>(
    game: &Game,
    mobility: &Mobility,
) -> ByTile<Bits<W>, W> {
    let topology = game.topology();
    let strides = strides(mobility);
    let reach = |from: TileId| {
        let end = |steps: &Vec<DirectionId>| {
            steps.iter().try_fold(from, |tile, step| topology.next(tile, *step))
        };
        let ends = strides.iter().filter_map(end);
        ends.fold(Bits::EMPTY, |all, end| all | Bits::of(end)).without(Bits::of(from))
    };
    ByTile::new(game.tiles().map(reach), Bits::EMPTY)
}

impl<const W: usize> Side<W> {
    /// Whether a foe of the mover attacks a tile past what occupies the board.
    #[inline(always)]
    pub(super) fn is_attacked<S: Shape>(
        &self,
        lines: &Lines<W>,
        board: &Board<'_, W>,
        eye: impl Eye,
        tile: TileId,
        occupied: Bits<W>,
    ) -> bool {
        for foe in S::cut(&self.foes, S::FOES) {
            if foe.reaches::<S>(lines, eye, board.words, tile, occupied) {
                return true;
            }
        }
        false
    }
}
