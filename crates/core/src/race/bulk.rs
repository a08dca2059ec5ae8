//! How many results a roll has, without the results.
//!
//! A result is known by what was moved: with equal dice by how many pieces left each tile, with two
//! numbers by one source for each. That two choices lead to the same position happens in one way
//! alone: the same piece moves by both numbers, one first or the other, and hits nothing on the way
//! between. What this takes of the steps is made sure of when the tables are made, and steps that
//! are otherwise are counted one by one wherever they could be made within the roll.

use std::collections::BTreeSet;

use crate::id::{PlayerId, TileId};
use crate::rule::Usage;

use super::set::{Ground, Number, Reach, Steps, Tiles, bit, holding};
use super::{Lane, Race, Shown, Stand, Step, nibble, one};

/// The most equal dice.
const DICE: usize = 4;

/// The most numbers of a die.
const SIDES: usize = 8;

/// How many choices there are of no move, one, two and so on, twelve bits for each. So a product
/// is the choices of both. What is beyond four moves is lost at the upper end; and of four moves by
/// fifteen pieces there are 3060 choices at most.
type Choices = u64;

const WIDTH: usize = 12;

/// The pieces before a roll, as far as they decide how many results it has.
pub(super) struct Bulk<'r> {
    pub(super) reach: &'r Reach,
    usage: Usage,
    pieces: u128,
    pub(super) ground: Ground,
    /// The mover's tiles with more pieces than one.
    pub(super) many: Tiles,
    /// What holds some pieces of the mover's that must leave first, if any must.
    pub(super) gate: Tiles,
    /// How many pieces of the mover's keep steps away that cannot be counted in bulk.
    pub(super) guards: u32,
    /// For each number from 1 on.
    scopes: [Scope; SIDES],
}

/// What a number can do: some sets of sources.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope {
    /// Where a piece could leave.
    pub(super) open: Tiles,
    /// Where pieces do, and how many tiles that is.
    pub(super) from: Tiles,
    count: u64,
    /// From where it leads to a piece of the mover's.
    pub(super) joins: Tiles,
    /// From where it leads to a piece that is hit.
    pub(super) hits: Tiles,
}

/// With how many of the needs the steps are such that their results can be counted in bulk.
pub(super) fn plain(lane: &Lane, sides: u8, needs: &[u128]) -> usize {
    let fits =
        |&count: &usize| usize::from(sides) <= SIDES && is_plain(lane, sides, &needs[..count]);
    (1..=needs.len()).take_while(fits).last().unwrap_or(0)
}

/// Whether steps do no more than lead to a target of their own and hit at most the one piece
/// there, and two numbers lead to one tile in either order.
fn is_plain(lane: &Lane, sides: u8, needs: &[u128]) -> bool {
    let listed = |step: &&Step| needs.contains(&step.need);
    let steps = || Steps::of(lane, sides).filter(|(.., step)| listed(step));
    let to = |from: TileId, pips: u8| lane.step(sides, from, pips).filter(listed).map(|s| s.to);
    let Some((.., first)) = steps().next() else { return true };
    let alike = |step: &Step| (step.block, step.hit, step.last) == (first.block, first.hit, 0);
    let meets = |from: TileId, one: u8, two: u8| {
        let (Some(by_one), Some(by_two)) = (to(from, one), to(from, two)) else { return true };
        let ends = to(by_one, two).zip(to(by_two, one));
        by_one != by_two && ends.is_none_or(|(one, two)| one == two)
    };
    let mut targets = BTreeSet::new();
    (first.block == 1 || first.block == 2 && first.hit.is_some())
        && steps().all(|(from, pips, step)| {
            alike(step)
                && targets.insert((pips, step.to))
                && (1..pips).all(|one| meets(from, one, pips))
        })
}

impl Race {
    /// The pieces before a roll of a player, if results can be counted in bulk.
    pub(super) fn bulk(&self, player: PlayerId, stand: Stand) -> Option<Bulk<'_>> {
        let sets = self.sets.as_ref()?;
        let reach = &sets.reaches[player.index()];
        let own = holding(stand.own, 1);
        let ground = Ground { own, blocked: holding(stand.foe, sets.block) };
        let level = reach.level(own);
        if level > reach.plain {
            return None;
        }
        let need = |at: usize| reach.stairs.get(at).map(|stair| stair.need);
        // One foe at most, for two block.
        let hittable = holding(stand.foe, 1) & !ground.blocked;
        let mut scopes = [Scope::default(); SIDES];
        for (scope, (number, pips)) in scopes.iter_mut().zip(reach.numbers.iter().zip(1..)) {
            let open = reach.open(ground, pips);
            let from = open & own;
            let (joins, hits) = (number.sources(own), number.sources(hittable));
            *scope = Scope { open, from, count: count(from, 0), joins, hits };
        }
        Some(Bulk {
            reach,
            usage: self.usage,
            pieces: stand.own,
            ground,
            many: holding(stand.own, 2),
            gate: need(level).filter(|_| level < reach.plain).unwrap_or(0) & own,
            guards: need(reach.plain).map_or(u32::MAX, |need| sum(stand.own, need & own)),
            scopes,
        })
    }
}

/// How many pieces are on some tiles.
fn sum(pieces: u128, tiles: Tiles) -> u32 {
    each(tiles).map(|tile| u32::from(nibble(pieces, tile))).sum()
}

#[inline]
pub(super) fn each(mut tiles: Tiles) -> impl Iterator<Item = TileId> {
    std::iter::from_fn(move || {
        let tile = (tiles != 0).then(|| TileId::at(tiles.trailing_zeros() as usize));
        tiles &= tiles.wrapping_sub(1);
        tile
    })
}

/// The tile of a set of one.
#[inline]
fn only(tiles: Tiles) -> Option<TileId> {
    tiles.is_power_of_two().then(|| TileId::at(tiles.trailing_zeros() as usize))
}

impl Reach {
    /// How many needs are met.
    #[inline]
    fn level(&self, own: Tiles) -> usize {
        self.stairs.iter().take_while(|stair| stair.need & own == 0).count()
    }

    #[inline]
    pub(super) fn number(&self, pips: u8) -> &Number {
        &self.numbers[usize::from(pips) - 1]
    }
}

impl Bulk<'_> {
    /// How many results a roll has, if that can be told.
    #[inline]
    pub(super) fn count(&self, shown: Shown) -> Option<u64> {
        let dice = shown.all();
        // While one of them is left, what it keeps away cannot be made.
        if (self.guards as usize) < dice.len() {
            return None;
        }
        match *dice {
            [one, two] if one != two => self.pair([one, two]),
            [one, ..] if shown.is_even() && dice.len() <= DICE => self.even(one, dice.len()),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn scope(&self, pips: u8) -> &Scope {
        &self.scopes[usize::from(pips) - 1]
    }

    /// The results of two numbers.
    fn pair(&self, pips: [u8; 2]) -> Option<u64> {
        let [one, two] = pips.map(|pips| self.scope(pips));
        let both = match only(self.gate).filter(|_| self.gate & self.many == 0) {
            Some(tile) => self.past(tile, pips)?,
            None => self.freely(pips),
        };
        if both > 0 {
            return Some(both);
        }
        let (greater, less) = if pips[0] > pips[1] { (one, two) } else { (two, one) };
        Some(match self.usage {
            Usage::MostThenGreatest if greater.count > 0 => greater.count,
            _ => (greater.count + less.count).max(1),
        })
    }

    /// The results of using both numbers, where a step opens no way but on from its target.
    #[inline]
    fn freely(&self, pips: [u8; 2]) -> u64 {
        let [one, two] = pips.map(|pips| self.scope(pips));
        let [by_one, by_two] = pips.map(|pips| self.reach.number(pips));
        // One piece goes on by the other number.
        let first = one.from & by_one.sources(two.open);
        let second = two.from & by_two.sources(one.open);
        let more = count(first & !one.joins, second & !two.joins);
        let torn = one.from & two.from & !self.many;
        let same = first & second & !(one.hits | two.hits);
        one.count * two.count + more - count(torn, same)
    }

    /// The results of using both numbers, where one piece alone must leave a tile before others
    /// may.
    fn past(&self, tile: TileId, pips: [u8; 2]) -> Option<u64> {
        let from = bit(tile);
        let [one, two] = pips.map(|pips| self.scope(pips));
        if (one.from | two.from) & !from != 0 {
            return None;
        }
        // The sources for the other number, and whether the same piece can go on by it.
        let after = |scope: &Scope, pips: u8, other: u8| {
            if scope.from == 0 {
                return (0, false);
            }
            let to = bit(self.reach.hop(tile.index(), pips).to);
            let ground = Ground { own: self.ground.own ^ from | to, ..self.ground };
            let sources = self.reach.open(ground, other) & ground.own;
            (sources, sources & to != 0)
        };
        let (first, goes_on) = after(one, pips[0], pips[1]);
        let (second, goes_too) = after(two, pips[1], pips[0]);
        let same = goes_on && goes_too && (one.hits | two.hits) & from == 0;
        Some(count(first, second) - u64::from(same))
    }

    /// The results of one number used several times.
    fn even(&self, pips: u8, dice: usize) -> Option<u64> {
        let Scope { open, from, .. } = *self.scope(pips);
        if self.gate == 0 {
            let choice = Choice { reach: self.reach, pips, open, pieces: self.pieces };
            return Some(choice.count(self.ground.own, dice));
        }
        // What must leave leaves first, if it can, from one tile and no further.
        let tile = only(self.gate)?;
        let to = self.reach.hop(tile.index(), pips).to;
        if from & !self.gate != 0 || open & bit(to) != 0 {
            return None;
        }
        let count = nibble(self.pieces, tile);
        if from == 0 || usize::from(count) >= dice {
            return Some(1);
        }
        let own = self.ground.own ^ self.gate | bit(to);
        if self.reach.level(own) != self.reach.plain {
            return None;
        }
        let pieces = self.pieces + u128::from(count) * one(to) - u128::from(count) * one(tile);
        let open = self.reach.open(Ground { own, ..self.ground }, pips);
        let choice = Choice { reach: self.reach, pips, open, pieces };
        Some(choice.count(own, dice - usize::from(count)))
    }
}

/// How many bits two sets have.
#[inline]
fn count(one: Tiles, two: Tiles) -> u64 {
    (u64::from(one) << 32 | u64::from(two)).count_ones().into()
}

/// Several moves by one number.
struct Choice<'r> {
    reach: &'r Reach,
    pips: u8,
    open: Tiles,
    pieces: u128,
}

impl Choice<'_> {
    /// How many choices there are of so many moves, or of as many as there can be.
    fn count(&self, own: Tiles, moves: usize) -> u64 {
        let number = self.reach.number(self.pips);
        let mut live = own & self.open;
        for _ in 1..moves {
            live |= number.targets(live) & self.open;
        }
        let mut all: Choices = 1;
        for tile in each(live & !number.targets(live)) {
            all = all.wrapping_mul(self.from(tile, live)[0]);
        }
        let of = |moves: usize| all >> (WIDTH * moves) & ((1 << WIDTH) - 1);
        (0..=moves).rev().map(of).find(|&count| count > 0).unwrap_or(1)
    }

    /// The choices of moves from a tile and from where they lead, for each number of pieces that
    /// come to it.
    fn from(&self, tile: TileId, live: Tiles) -> [Choices; DICE + 1] {
        if live & bit(tile) == 0 {
            return [1; DICE + 1];
        }
        let beyond = self.from(self.reach.hop(tile.index(), self.pips).to, live);
        // With so many pieces, no more than so many leave.
        let mut with = beyond;
        for leave in 1..=DICE {
            with[leave] = with[leave - 1].wrapping_add(beyond[leave] << (WIDTH * leave));
        }
        let here = usize::from(nibble(self.pieces, tile));
        std::array::from_fn(|come| with[(here + come).min(DICE)])
    }
}
