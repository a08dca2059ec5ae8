//! Counting turns from the tables, without a state for each.

use crate::draft::Draft;
use crate::event::Event;
use crate::game::Game;
use crate::id::{DieId, PlayerId};
use crate::rule::Usage;
use crate::setup::{Setup, Stand as Place};
use crate::state::State;

use super::bulk::Bulk;
use super::{Lane, Race, Shown, Stand, each_source, each_tile, nibble, occupied, one};

/// What a player whose turn it is can roll: what the dice then show.
struct Rolls {
    shown: Vec<Shown>,
}

/// The results of one roll: pieces after it, and whether something else happened than that the
/// turn passed.
#[derive(Default)]
struct Results {
    found: Vec<(Stand, bool)>,
    /// The places of results by their hash, each with the number of the search that filled it.
    slots: Vec<(u32, u32)>,
    search: u32,
    /// How many dice the results use.
    depth: u8,
}

const SLOTS: usize = 1 << 12;

impl Results {
    /// Forgets everything.
    #[inline]
    fn begin(&mut self) {
        if self.slots.is_empty() || self.search == u32::MAX {
            self.slots = vec![(0, 0); SLOTS];
            self.search = 0;
        }
        self.search += 1;
        self.found.clear();
        self.depth = 0;
    }

    /// Takes the results of a roll where each is found once. Says whether that could be done.
    fn list(&mut self, bulk: &Bulk<'_>, stand: Stand, shown: Shown) -> bool {
        self.found.clear();
        bulk.each_result(stand, shown, &mut |after| self.found.push((after, false)))
    }

    /// Whether the results are those that are found when every one is looked for.
    fn are_those(&self, race: &Race, lane: &Lane, stand: Stand, shown: Shown) -> bool {
        let mut all = Results::default();
        race.results(lane, stand, shown, &mut all);
        let sorted = |results: &Results| {
            let each = |(stand, last): &(Stand, bool)| (stand.own, stand.foe, *last);
            let mut found: Vec<_> = results.found.iter().map(each).collect();
            found.sort_unstable();
            found
        };
        sorted(self) == sorted(&all)
    }

    /// Adds a result if it is new.
    #[inline]
    fn insert(&mut self, stand: Stand, last: bool) {
        let mut slot = hash(stand) as usize & (SLOTS - 1);
        loop {
            let (search, at) = self.slots[slot];
            if search != self.search {
                break;
            }
            if self.found[at as usize].0 == stand {
                return;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        self.slots[slot] = (self.search, self.found.len() as u32);
        self.found.push((stand, last));
    }
}

#[inline]
fn hash(stand: Stand) -> u64 {
    let parts =
        [stand.own as u64, (stand.own >> 64) as u64, stand.foe as u64, (stand.foe >> 64) as u64];
    let keys: [u64; 4] = [
        0x9e37_79b9_7f4a_7c15,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x85eb_ca77_c2b2_ae63,
    ];
    let sum = parts
        .iter()
        .zip(keys)
        .fold(0u64, |sum, (&part, key)| sum.wrapping_add(part.wrapping_mul(key)));
    sum >> 40 ^ sum >> 20
}

/// A count in progress.
struct Count<'g> {
    game: &'g Game,
    race: &'g Race,
    /// A state before a roll: what every other state of the count has, but pieces and turn.
    base: &'g State,
    rolls: [Rolls; 2],
    results: Vec<Results>,
    /// Whether the results of the last turn are made, and not only counted.
    made: bool,
}

impl Game {
    /// The count of [`Game::turn_perft`] from a state that awaits a roll or has dice to use, if
    /// tables can tell. The last results are made if they are wanted.
    pub(crate) fn turn_perft_from_tables(
        &self,
        state: &State,
        depth: u32,
        made: bool,
    ) -> Option<u64> {
        let player = self.view(state).player();
        let rolled = self.active_phase(state).and_then(|phase| self.race(phase));
        let base = self.passed(state, player, &rolled.map_or(Vec::new(), |race| race.dice.clone()));
        let (race, rolls) = self.rolls(&base)?;
        let other = self.passed(&base, PlayerId::at(1 - player.index()), &[]);
        let (same, answers) = self.rolls(&other)?;
        if !std::ptr::eq(race, same) || rolled.is_some_and(|rolled| !std::ptr::eq(race, rolled)) {
            return None;
        }
        let rolls = if player.index() == 0 { [rolls, answers] } else { [answers, rolls] };
        let results = (0..depth).map(|_| Results::default()).collect();
        let stand = race.stand(self, state, player);
        let mut count = Count { game: self, race, base: &base, rolls, results, made };
        Some(match rolled {
            Some(_) => count.rolled(stand, player, (race.shown(self, state), None), depth as usize),
            None => count.turns(stand, player, depth as usize),
        })
    }

    /// The same state with no dice on the board and a player to move.
    fn passed(&self, state: &State, player: PlayerId, dice: &[DieId]) -> State {
        let mut draft = Draft { game: self, state: state.clone() };
        dice.iter().for_each(|&die| draft.set_die(die, 0));
        draft.give_turn(player);
        draft.state
    }

    /// What a player may roll, and the tables of the phase that all rolls lead to.
    fn rolls(&self, state: &State) -> Option<(&Race, Rolls)> {
        let player = self.view(state).player();
        let mut found: Option<&Race> = None;
        let mut shown = Vec::new();
        for chance in self.chances(state) {
            let after = self.attempt(state, chance.event)?.state;
            let race = self.race(self.active_phase(&after)?)?;
            let same = found.is_none_or(|found| std::ptr::eq(found, race));
            let stays = self.view(&after).player() == player
                && race.stand(self, &after, player) == race.stand(self, state, player)
                && self.same_but_dice(state, &after);
            if !same || !stays || !race.steady_rolls || self.stops(&after) {
                return None;
            }
            found = Some(race);
            shown.push(race.shown(self, &after));
        }
        Some((found?, Rolls { shown }))
    }

    /// Whether two states have the same variables.
    fn same_but_dice(&self, one: &State, two: &State) -> bool {
        let slots = self.layout.variables.iter();
        { slots.flat_map(|slot| &slot.fields) }
            .all(|field| field.get(one.words()) == field.get(two.words()))
    }
}

impl Count<'_> {
    /// How many sequences of so many turns there are, of the player on roll.
    fn turns(&mut self, stand: Stand, player: PlayerId, depth: usize) -> u64 {
        let race = self.race;
        let bulk = race.bulk(player, stand);
        let counts = depth == 1 && !self.made;
        let mut nodes = 0;
        for at in 0..self.rolls[player.index()].shown.len() {
            let shown = self.rolls[player.index()].shown[at];
            let counted = bulk.as_ref().filter(|_| counts).and_then(|bulk| bulk.count(shown));
            nodes += counted
                .unwrap_or_else(|| self.rolled(stand, player, (shown, bulk.as_ref()), depth));
        }
        nodes
    }

    /// The same, of the player who has rolled.
    fn rolled(
        &mut self,
        stand: Stand,
        player: PlayerId,
        (shown, bulk): (Shown, Option<&Bulk<'_>>),
        depth: usize,
    ) -> u64 {
        let race = self.race;
        let next = PlayerId::at(1 - player.index());
        let mut results = std::mem::take(&mut self.results[depth - 1]);
        if bulk.is_some_and(|bulk| results.list(bulk, stand, shown)) {
            debug_assert!(results.are_those(race, race.lane(player), stand, shown));
        } else {
            race.results(race.lane(player), stand, shown, &mut results);
        }
        let nodes = match depth {
            1 => results.found.len() as u64,
            _ => {
                let one = |&(after, last): &(Stand, bool)| match last {
                    true => self.by_rules(stand, player, shown, after, depth - 1),
                    false => self.turns(after.passed(), next, depth - 1),
                };
                results.found.iter().map(one).sum()
            }
        };
        self.results[depth - 1] = results;
        nodes
    }

    /// Counts on by the rules from where more happened than that the turn passed.
    fn by_rules(
        &self,
        stand: Stand,
        player: PlayerId,
        shown: Shown,
        after: Stand,
        depth: usize,
    ) -> u64 {
        let (game, race) = (self.game, self.race);
        let Some(state) = self.state(stand, player, shown) else { return 0 };
        let turns = game.turns(&state);
        let leads = |turn: &&crate::turn::Turn| {
            let mut now = state.clone();
            for &event in &turn.events {
                let Event::Advance { from, pips, .. } = event else { return false };
                let before = race.stand(game, &now, player);
                let step = race.lane(player).step(race.sides, from, pips);
                let Some((step, then)) = step.and_then(|s| Some((s, s.take(from, before)?))) else {
                    return false;
                };
                if step.is_last(then) {
                    return then == after;
                }
                let Some(next) = game.attempt(&now, event) else { return false };
                now = next.state;
            }
            false
        };
        let ends = turns.iter().filter(leads);
        ends.map(|turn| game.turn_perft(&turn.state, depth as u32)).sum()
    }

    /// The state with these pieces and dice.
    fn state(&self, stand: Stand, player: PlayerId, shown: Shown) -> Option<State> {
        let (game, race) = (self.game, self.race);
        let mut setup = Setup::of(game, self.base);
        setup.player = player;
        setup.pieces.clear();
        for owner in game.players() {
            let pieces = if owner == player { stand.own } else { stand.foe };
            for tile in game.tiles() {
                let kind = crate::KindId(0);
                let place = Place { tile, owner, kind, flags: 0, piece: None };
                let count = nibble(pieces, tile).into();
                setup.pieces.extend(std::iter::repeat_n(place, count));
            }
        }
        setup.dice = race.dice.iter().copied().zip(shown.all().iter().copied()).collect();
        game.state(&setup).ok()
    }
}

impl Race {
    /// Every distinct result of a roll.
    fn results(&self, lane: &Lane, stand: Stand, shown: Shown, into: &mut Results) {
        into.begin();
        match shown.all() {
            [] => {}
            _ if shown.is_even() => {
                let pips = shown.pips[0];
                self.repeat(lane, stand, pips, (0, shown.len), super::ONES, into);
            }
            &[one, two] => self.pair(lane, stand, [one, two], into),
            _ => self.any(lane, stand, shown, (0, 0), into),
        }
        if into.found.is_empty() {
            into.found.push((stand, false));
        }
    }

    /// The results of one number used several times: from some tiles, after each from none behind
    /// it, so that each choice of moves is tried in one order, and leads to a position of its own.
    fn repeat(
        &self,
        lane: &Lane,
        stand: Stand,
        pips: u8,
        (used, all): (u8, u8),
        tiles: u128,
        into: &mut Results,
    ) {
        for from in each_tile(occupied(stand.own) & tiles) {
            let Some(step) = lane.step(self.sides, from, pips) else { continue };
            let Some(after) = step.take(from, stand) else { continue };
            let last = step.is_last(after);
            if used + 1 > into.depth {
                into.found.clear();
                into.depth = used + 1;
            }
            if used + 1 == into.depth {
                into.found.push((after, last));
            }
            if used + 1 < all && !last {
                let ahead = lane.ahead[from.index()];
                self.repeat(lane, after, pips, (used + 1, all), ahead, into);
            }
        }
    }

    /// The results of two different numbers.
    fn pair(&self, lane: &Lane, stand: Stand, [low, high]: [u8; 2], into: &mut Results) {
        let mut singles: [Option<u8>; 2] = [None; 2];
        let mut open = [0u128; 2];
        for (at, (first, second)) in [(low, high), (high, low)].into_iter().enumerate() {
            for from in each_source(stand.own) {
                let Some(step) = lane.step(self.sides, from, first) else { continue };
                let Some(after) = step.take(from, stand) else { continue };
                singles[at] = Some(first);
                if step.is_last(after) {
                    continue;
                }
                open[at] |= one(from);
                // What the other number could do at once was tried in the other order.
                let tried = if at == 1 { open[0] } else { 0 };
                for from in each_tile(occupied(after.own) & !tried) {
                    let Some(step) = lane.step(self.sides, from, second) else { continue };
                    let Some(after) = step.take(from, after) else { continue };
                    into.insert(after, step.is_last(after));
                }
            }
        }
        if !into.found.is_empty() {
            return;
        }
        let numbers = singles.into_iter().flatten();
        let greatest = numbers.clone().max();
        let enough = |pips: &u8| self.usage == Usage::Most || Some(*pips) == greatest;
        for pips in numbers.filter(enough) {
            for from in each_source(stand.own) {
                let Some(step) = lane.step(self.sides, from, pips) else { continue };
                if let Some(after) = step.take(from, stand) {
                    into.insert(after, step.is_last(after));
                }
            }
        }
    }

    /// The results of any dice, in every order.
    fn any(&self, lane: &Lane, stand: Stand, shown: Shown, used: (u8, u8), into: &mut Results) {
        let can = self.usable(lane, stand, shown);
        if can.0 == 0 && used.0 > 0 {
            into.insert(stand, false);
            return;
        }
        for pips in shown.distinct() {
            let rest = shown.without(pips);
            for from in each_source(stand.own) {
                let Some(step) = lane.step(self.sides, from, pips) else { continue };
                let Some(after) = step.take(from, stand) else { continue };
                let would = self.used_by(lane, step, after, pips, rest);
                if self.falls_short(would, can) {
                    continue;
                }
                if rest.len == 0 || step.is_last(after) {
                    into.insert(after, step.is_last(after));
                } else {
                    self.any(lane, after, rest, (used.0 + 1, used.1), into);
                }
            }
        }
    }
}
