//! Counting the moves of a state without listing them.

use std::sync::Arc;

use crate::bits::{Bits, ByTile};
use crate::game::Game;
use crate::id::{DirectionId, KindId, PlayerId, TileId};
use crate::legal::Count;
use crate::plan::{Movement, Wanted, Way};

use super::Side;
use super::attack::{Kinds, strides, together};
use super::board::Board;
use super::land::{Ground, Land};
use super::line::Lines;
use super::row::{Check, Reach, Row};
use super::safety::Safety;
use super::shape::Shape;
use super::sight::{Eye, Sight};

/// The movement rules of a phase for a player, by what has to be done to count their moves.
pub(crate) struct Tally<const W: usize> {
    /// Kinds that slide to any tile not held by a friend, and by which sight.
    pub(super) slides: Vec<(Kinds, Arc<Sight<W>>)>,
    /// Kinds that leap to any such tile, and by tile where to.
    pub(super) leaps: Vec<(Kinds, ByTile<Bits<W>, W>)>,
    /// By tile: where the royal goes.
    royal: ByTile<Bits<W>, W>,
    pub(super) strides: Vec<Stride<W>>,
    /// Rows that move two pieces together.
    links: Vec<usize>,
    /// Rows of which each candidate is asked.
    asked: Vec<usize>,
}

/// One way of stepping of all pieces of a kind at once.
pub(crate) struct Stride<const W: usize> {
    kinds: Kinds,
    source: Bits<W>,
    legs: [Leg<W>; 2],
    /// Whether there is a second leg.
    two: bool,
    /// Whether the tile between the legs must be empty.
    guarded: bool,
    ground: Ground,
    /// Targets that count once.
    once: Bits<W>,
    /// Others, and how often each counts.
    often: Vec<(Bits<W>, u64)>,
}

/// A direction as a turn of the ids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Leg<const W: usize> {
    pub(super) turn: u32,
    /// The tiles that it leads to.
    pub(super) domain: Bits<W>,
}

impl<const W: usize> Tally<W> {
    pub(super) fn new(
        game: &Game,
        sights: &[Arc<Sight<W>>],
        rows: &[Row<W>],
        player: PlayerId,
    ) -> Tally<W> {
        let mut tally = Sorted::default();
        for (at, row) in rows.iter().enumerate() {
            let Wanted::Move(movement) = &game.rules[row.rule.index()].wants else { continue };
            if row.link.is_some() {
                tally.links.push(at);
            } else if tally.row(game, row, movement, player).is_none() {
                tally.asked.push(at);
            }
        }
        let slides = tally.slides.into_iter().flat_map(|(sight, kinds)| {
            let groups = Kinds::group(game, &kinds).into_iter();
            groups.map(move |kinds| (kinds, sights[sight].clone()))
        });
        Tally {
            slides: slides.collect(),
            leaps: together(game, tally.leaps),
            royal: tally.royal.unwrap_or_else(|| ByTile::new([], Bits::EMPTY)),
            strides: tally.strides,
            links: tally.links,
            asked: tally.asked,
        }
    }
}

/// Rows sorted by what has to be done, kinds still one by one.
#[derive(Default)]
struct Sorted<const W: usize> {
    slides: Vec<(usize, Vec<KindId>)>,
    leaps: Vec<(KindId, ByTile<Bits<W>, W>)>,
    royal: Option<ByTile<Bits<W>, W>>,
    strides: Vec<Stride<W>>,
    links: Vec<usize>,
    asked: Vec<usize>,
}

impl<const W: usize> Sorted<W> {
    /// Sorts a row in; none, and nothing done, where it is not of a usual sort.
    fn row(
        &mut self,
        game: &Game,
        row: &Row<W>,
        movement: &Movement,
        player: PlayerId,
    ) -> Option<()> {
        let usual = match row.check {
            Check::Royal => true,
            Check::Nothing => game.royals.is_empty(),
            Check::Rule | Check::RuleAlone => false,
        };
        let open = row.source == Land::ANYWHERE
            && movement.through.is_any()
            && row.onto == Land::ANYWHERE
            && movement.choice.is_empty();
        let royal = |kind: &KindId| game.royals.contains(kind);
        if !usual || row.contested {
            return None;
        }
        if open && row.reaches.iter().all(|(kind, _)| !royal(kind)) {
            row.reaches.iter().all(|(_, reach)| reach.apart).then_some(())?;
            row.reaches.iter().for_each(|(kind, reach)| self.open(*kind, reach));
            return Some(());
        }
        match row.reaches.as_slice() {
            [(kind, reach)] if royal(kind) && open => {
                let fits = self.royal.is_none() && reach.slides.is_empty();
                fits.then(|| self.royal = Some(reach.singles.clone()))
            }
            [(kind, _)] if !royal(kind) => self.stepping(game, row, movement, (*kind, player)),
            _ => None,
        }
    }

    fn open(&mut self, kind: KindId, reach: &Reach<W>) {
        for &sight in &reach.slides {
            match self.slides.iter_mut().find(|(one, _)| *one == sight) {
                Some((_, kinds)) => kinds.push(kind),
                None => self.slides.push((sight, vec![kind])),
            }
        }
        if reach.singles.iter().any(|tiles| !tiles.is_empty()) {
            self.leaps.push((kind, reach.singles.clone()));
        }
    }

    /// Sorts in a row of steps that may ask what stands on their way and target.
    fn stepping(
        &mut self,
        game: &Game,
        row: &Row<W>,
        movement: &Movement,
        (kind, player): (KindId, PlayerId),
    ) -> Option<()> {
        let mobility = match &movement.way {
            Way::Own => game.mobility(player, kind),
            Way::Pattern(by_player) => &by_player[player.index()],
            Way::First(_) | Way::Dice(_) => return None,
        };
        let guarded = match (movement.through.is_any(), row.through.ground) {
            (true, _) => false,
            (_, Ground::Empty) if row.through.is_plain() && row.through.within == Bits::FULL => {
                true
            }
            _ => return None,
        };
        let sound = row.source.ground == Ground::Any
            && row.source.is_plain()
            && row.onto.is_plain()
            && row.onto.ground != Ground::Own
            && row.reaches.iter().all(|(_, reach)| reach.slides.is_empty());
        let steps = strides(mobility);
        let mut ends = std::collections::BTreeSet::new();
        let mut new = Vec::new();
        for steps in steps {
            let legs: Option<Vec<Leg<W>>> = steps.iter().map(|&one| leg(game, one)).collect();
            let legs = legs?;
            let (first, last) = (*legs.first()?, *legs.last()?);
            let turn = legs.iter().fold(0, |all, leg| all + leg.turn) % (64 * W as u32);
            // Two patterns that end on one tile would be counted twice.
            if legs.len() > 2 || !sound || turn == 0 || !ends.insert(turn) {
                return None;
            }
            new.push(Stride {
                kinds: Kinds::group(game, &[kind])[0],
                source: row.source.within,
                legs: [first, last],
                two: legs.len() == 2,
                guarded,
                ground: row.onto.ground,
                once: Bits::EMPTY,
                often: vec![(row.onto.within, movement.choice.len().max(1) as u64)],
            });
        }
        new.into_iter().for_each(|stride| self.merge(stride));
        Some(())
    }

    /// Adds a stride, to one that differs only in its targets if there is one.
    fn merge(&mut self, stride: Stride<W>) {
        let same = |other: &&mut Stride<W>| {
            other.kinds == stride.kinds
                && other.source == stride.source
                && other.legs == stride.legs
                && (other.two, other.guarded) == (stride.two, stride.guarded)
                && other.ground == stride.ground
        };
        let often = stride.often.clone();
        let at = match self.strides.iter_mut().find(same) {
            Some(other) => other,
            None => {
                self.strides.push(Stride { often: Vec::new(), ..stride });
                let last = self.strides.len() - 1;
                &mut self.strides[last]
            }
        };
        for (within, times) in often {
            match times {
                1 if at.once.is_empty() => at.once = within,
                _ => at.often.push((within, times)),
            }
        }
    }
}

/// A direction as a turn, if it is the same turn on every tile.
pub(super) fn leg<const W: usize>(game: &Game, direction: DirectionId) -> Option<Leg<W>> {
    let steps = || {
        let next = |from: TileId| Some((from, game.topology().next(from, direction)?));
        game.tiles().filter_map(next)
    };
    let whole = 64 * W as i64;
    let by = |(from, to): (TileId, TileId)| {
        (to.index() as i64 - from.index() as i64).rem_euclid(whole) as u32
    };
    let turn = steps().next().map_or(0, by);
    let domain = steps().fold(Bits::EMPTY, |all, (_, to)| all | Bits::of(to));
    steps().all(|step| by(step) == turn).then_some(Leg { turn, domain })
}

impl<const W: usize> Side<W> {
    /// How many moves a phase has; none where the mover has several royals.
    #[inline(always)]
    pub(super) fn count<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
    ) -> Option<u64> {
        let safety = self.safety::<S>(lines, board)?;
        let (rows, tally) = (&self.rows, &self.tally);
        let mut count = 0;
        if let Some(royal) = safety.royal {
            let occupied = board.occupied.without(Bits::of(royal));
            for to in tally.royal[royal].without(board.friends) {
                count += u64::from(!self.is_attacked::<S>(lines, board, eye, to, occupied));
            }
            if safety.evasion.is_empty() {
                return Some(count);
            }
        }
        let free = board.own.without(safety.pinned);
        count += self.count_pieces::<E, S>(lines, eye, board, free, safety.evasion);
        if !safety.pinned.is_empty() {
            count += self.count_pinned::<E, S>(lines, eye, board, &safety);
        }
        for &at in &tally.links {
            count += self.count_link::<E, S>(lines, eye, board, &rows[at], &safety);
        }
        for &at in &tally.asked {
            let open = rows[at].needs.iter().all(|&flag| !board.flag(flag).is_empty());
            if open {
                count += self.count_asked::<E, S>(lines, eye, board, &rows[at], &safety);
            }
        }
        Some(count)
    }

    #[inline(always)]
    fn count_pieces<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        movers: Bits<W>,
        allowed: Bits<W>,
    ) -> u64 {
        let tally = &self.tally;
        let mut count = 0;
        let land = allowed.without(board.friends);
        for (kinds, sight) in S::cut(&tally.slides, S::SLIDES) {
            for from in kinds.read(board.words, S::SLIDE_KINDS) & movers {
                let seen = eye.see::<W, S>(lines, sight, from, board.occupied);
                count += u64::from((seen & land).len());
            }
        }
        for (kinds, targets) in S::cut(&tally.leaps, S::LEAPS) {
            for from in kinds.read(board.words, S::LEAP_KINDS) & movers {
                count += u64::from((targets[from] & land).len());
            }
        }
        for stride in S::cut(&tally.strides, S::STRIDES) {
            let targets = stride.targets(board, movers) & allowed;
            count += u64::from((targets & stride.once).len());
            let rest = targets.without(stride.once);
            if !rest.is_empty() {
                for (within, times) in &stride.often {
                    count += u64::from((rest & *within).len()) * times;
                }
            }
        }
        count
    }

    #[inline(never)]
    fn count_pinned<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        safety: &Safety<W>,
    ) -> u64 {
        let count = |from| {
            let allowed = safety.allowed(lines, from);
            self.count_pieces::<E, S>(lines, eye, board, Bits::of(from), allowed)
        };
        safety.pinned.into_iter().map(count).sum()
    }

    #[inline(always)]
    fn count_link<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        row: &Row<W>,
        safety: &Safety<W>,
    ) -> u64 {
        let mut count = Count(0);
        let _ = self.link::<E, S>(lines, eye, board, row, safety, &mut count);
        count.0
    }

    #[inline(never)]
    fn count_asked<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        row: &Row<W>,
        safety: &Safety<W>,
    ) -> u64 {
        let mut count = Count(0);
        let _ = self.row::<E, S>(lines, eye, board, Some(safety), row, &mut count);
        count.0
    }
}

impl<const W: usize> Stride<W> {
    /// Where the pieces of a set step to.
    #[inline(always)]
    fn targets(&self, board: &Board<'_, W>, movers: Bits<W>) -> Bits<W> {
        let sources = self.kinds.read(board.words, 1) & movers & self.source;
        let mut tiles = sources.turn(self.legs[0].turn) & self.legs[0].domain;
        if self.two {
            if self.guarded {
                tiles = tiles.without(board.occupied);
            }
            tiles = tiles.turn(self.legs[1].turn) & self.legs[1].domain;
        }
        match self.ground {
            Ground::Empty => tiles.without(board.occupied),
            Ground::Foe => tiles & board.foes,
            _ => tiles.without(board.friends),
        }
    }
}
