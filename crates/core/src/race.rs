//! Turns by dice on tiles that stack, from tables: the movement rules of a phase as steps.
//!
//! The pieces of each player are counted in the nibbles of one number, one for each tile. A step
//! says from which tile a number leads to which, what must be empty for it, and how many foes block
//! it. What the tables cannot say is left to the rules: a phase that does not fit has no tables, and
//! a move after which something else happens than that the turn goes on or passes is carried out by
//! its rule.

mod bulk;
mod count;
mod fit;
mod line;
mod list;
mod set;

pub(crate) use fit::races;
pub(crate) use set::Sets;

use std::ops::ControlFlow;

use crate::event::Event;
use crate::game::Game;
use crate::id::{ActionId, DieId, PhaseId, PlayerId, RuleId, TileId};
use crate::legal::Sink;
use crate::make::Carrier;
use crate::rule::Usage;
use crate::state::State;

/// Nibbles of a number, and so the most tiles.
const NIBBLES: usize = 32;

/// A bit at the base of every nibble.
const ONES: u128 = u128::MAX / 15;

/// The pieces of the player to move and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub(crate) own: u128,
    pub(crate) foe: u128,
}

impl Stand {
    /// The same pieces with the other player to move.
    pub(crate) fn passed(self) -> Stand {
        Stand { own: self.foe, foe: self.own }
    }
}

/// Where a number leads from a tile, and what must hold for it.
#[derive(Clone, Copy)]
struct Step {
    /// What must be empty of the mover's pieces.
    need: u128,
    /// Where all is empty of the mover's pieces after it, its rule does something else.
    last: u128,
    rule: RuleId,
    to: TileId,
    /// How many foes on the target block it.
    block: u8,
    /// Among the candidates of which rule it is listed.
    listed: u8,
    /// Where a foe on the target goes, if it goes anywhere.
    hit: Option<TileId>,
}

/// The way of one player.
struct Lane {
    /// For each tile and number from 1 on.
    steps: Vec<Option<Step>>,
    /// For each tile, a bit at the base of its nibble and of those that lie ahead of it.
    ahead: Vec<u128>,
}

/// The movement rules of a phase as steps.
pub(crate) struct Race {
    usage: Usage,
    pub(crate) dice: Vec<DieId>,
    sides: u8,
    lanes: [Lane; 2],
    /// Whether rolls do the same whatever stands on the board.
    steady_rolls: bool,
    /// The rule by which the turn passes where no die can be used, and its act.
    pub(crate) pass: (RuleId, ActionId),
    /// The steps as sets of tiles, if they fit.
    pub(crate) sets: Option<Sets>,
    /// How they are carried out where the state lies, if that is known.
    pub(crate) carrier: Option<Carrier>,
}

/// What dice show, each number as often as it may be used, in the order of the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pips: [u8; 8],
    len: u8,
}

impl Shown {
    fn all(&self) -> &[u8] {
        &self.pips[..usize::from(self.len)]
    }

    /// What is left when the last die that shows a number is spent.
    fn without(mut self, pips: u8) -> Shown {
        if let Some(at) = self.all().iter().rposition(|&shown| shown == pips) {
            self.pips.copy_within(at + 1.., at);
            self.len -= 1;
        }
        self
    }

    /// Whether every die shows the same.
    fn is_even(&self) -> bool {
        self.all().iter().all(|&pips| pips == self.pips[0])
    }

    fn used(&self) -> (u8, u8) {
        (self.len, self.all().iter().fold(0, |sum: u8, &pips| sum.saturating_add(pips)))
    }

    /// Each number once, in the order of the dice.
    fn distinct(&self) -> impl Iterator<Item = u8> + '_ {
        let shown = self.all();
        let first = move |at: &usize| !shown[..*at].contains(&shown[*at]);
        (0..shown.len()).filter(first).map(move |at| shown[at])
    }
}

/// A bit at the base of every nibble that is not zero.
#[inline]
fn occupied(pieces: u128) -> u128 {
    let pairs = pieces | pieces >> 1;
    (pairs | pairs >> 2) & ONES
}

#[inline]
fn nibble(pieces: u128, tile: TileId) -> u8 {
    (pieces >> (4 * tile.index())) as u8 & 15
}

#[inline]
fn one(tile: TileId) -> u128 {
    1 << (4 * tile.index())
}

impl Lane {
    #[inline]
    fn step(&self, sides: u8, from: TileId, pips: u8) -> Option<&Step> {
        self.steps[from.index() * usize::from(sides) + usize::from(pips) - 1].as_ref()
    }
}

impl Step {
    /// The pieces after it, if it is possible.
    #[inline]
    fn take(&self, from: TileId, stand: Stand) -> Option<Stand> {
        if stand.own & self.need != 0 {
            return None;
        }
        let foes = nibble(stand.foe, self.to);
        if foes >= self.block {
            return None;
        }
        let own = stand.own - one(from) + one(self.to);
        let foe = match self.hit {
            Some(hit) if foes > 0 => stand.foe - one(self.to) + one(hit),
            _ => stand.foe,
        };
        Some(Stand { own, foe })
    }

    /// Whether something else happens after it than that the turn goes on or passes.
    #[inline]
    fn is_last(&self, after: Stand) -> bool {
        self.last != 0 && after.own & self.last == 0
    }
}

/// The tiles of a set, a bit at the base of the nibble of each.
#[inline]
fn each_tile(mut set: u128) -> impl Iterator<Item = TileId> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let tile = TileId::at(set.trailing_zeros() as usize / 4);
        set &= set - 1;
        Some(tile)
    })
}

/// Every tile that holds a piece.
#[inline]
fn each_source(own: u128) -> impl Iterator<Item = TileId> {
    each_tile(occupied(own))
}

impl Race {
    #[inline]
    fn lane(&self, player: PlayerId) -> &Lane {
        &self.lanes[player.index()]
    }

    /// The pieces of a state, for the player to move.
    fn stand(&self, game: &Game, state: &State, mover: PlayerId) -> Stand {
        let (words, kind) = (state.words(), crate::KindId(0));
        let count = |player: PlayerId| match game.layout.tally(player, kind) {
            Some(first) => {
                let tallies = words[first..first + game.tile_count().div_ceil(16)].iter();
                tallies.rev().fold(0u128, |all, &word| all << 64 | u128::from(word))
            }
            None => game.tiles().fold(0u128, |all, tile| {
                let field = game.layout.count(tile, player, kind);
                all | field.map_or(0, |field| u128::from(field.get(words))) << (4 * tile.index())
            }),
        };
        Stand { own: count(mover), foe: count(PlayerId::at(1 - mover.index())) }
    }

    /// What the dice of a state show; none where they show more than is kept.
    fn shown(&self, game: &Game, state: &State) -> Shown {
        let view = game.view(state);
        let mut shown = Shown { pips: [0; 8], len: 0 };
        for pips in self.dice.iter().filter_map(|&die| view.die(die)) {
            shown.pips[usize::from(shown.len)] = pips;
            shown.len += 1;
        }
        shown
    }

    /// How much of the dice a turn can use from here on.
    fn usable(&self, lane: &Lane, stand: Stand, shown: Shown) -> (u8, u8) {
        let all = shown.used();
        let mut most = (0, 0);
        for pips in shown.distinct() {
            let rest = shown.without(pips);
            for from in each_source(stand.own) {
                let Some(step) = lane.step(self.sides, from, pips) else { continue };
                let Some(after) = step.take(from, stand) else { continue };
                most = most.max(self.used_by(lane, step, after, pips, rest));
                if most == all {
                    return most;
                }
            }
        }
        most
    }

    fn used_by(&self, lane: &Lane, step: &Step, after: Stand, pips: u8, rest: Shown) -> (u8, u8) {
        if rest.len == 0 || step.is_last(after) {
            return (1, pips);
        }
        let more = self.usable(lane, after, rest);
        (more.0 + 1, more.1.saturating_add(pips))
    }

    fn falls_short(&self, would: (u8, u8), can: (u8, u8)) -> bool {
        match self.usage {
            Usage::Free => false,
            Usage::Most => would.0 < can.0,
            Usage::MostThenGreatest => would < can,
        }
    }

    /// Every step that a turn may go on with, in the order in which events are listed: rule, tile,
    /// die. Each with its source and what is left.
    fn each_legal(
        &self,
        player: PlayerId,
        (stand, shown): (Stand, Shown),
        mut take: impl FnMut(TileId, u8, &Step, Stand) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lane = self.lane(player);
        let mut found: Vec<(u8, TileId, usize, u8, Stand)> = Vec::with_capacity(32);
        let can = self.usable(lane, stand, shown);
        for (order, pips) in shown.distinct().enumerate() {
            let rest = shown.without(pips);
            for from in each_source(stand.own) {
                let Some(step) = lane.step(self.sides, from, pips) else { continue };
                let Some(after) = step.take(from, stand) else { continue };
                if !self.falls_short(self.used_by(lane, step, after, pips, rest), can) {
                    found.push((step.listed, from, order, pips, after));
                }
            }
        }
        found.sort_unstable_by_key(|&(listed, from, order, ..)| (listed, from, order));
        for (_, from, _, pips, after) in found {
            if let Some(step) = lane.step(self.sides, from, pips) {
                take(from, pips, step, after)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Game {
    /// The tables of a phase, if it has them.
    pub(crate) fn race(&self, phase: PhaseId) -> Option<&Race> {
        self.races.get(phase.index())?.as_ref()
    }

    /// Lists the moves by dice of a phase from its tables.
    pub(crate) fn each_step(
        &self,
        race: &Race,
        state: &State,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let player = self.view(state).player();
        let start = (race.stand(self, state, player), race.shown(self, state));
        race.each_legal(player, start, |from, pips, step, _| {
            sink.event(Event::Advance { from, to: step.to, pips }, Some(step.rule))
        })
    }

    /// How much of the dice a turn can use, and how much if it goes on with a move that its rule
    /// accepts.
    pub(crate) fn usage_from_tables(
        &self,
        race: &Race,
        state: &State,
        (from, pips): (TileId, u8),
    ) -> Option<((u8, u8), (u8, u8))> {
        let player = self.view(state).player();
        let lane = race.lane(player);
        let (stand, shown) = (race.stand(self, state, player), race.shown(self, state));
        let step = lane.step(race.sides, from, pips)?;
        let after = step.take(from, stand)?;
        let would = race.used_by(lane, step, after, pips, shown.without(pips));
        Some((race.usable(lane, stand, shown), would))
    }
}
