//! The steps of a race as sets of tiles, where they fit: a bit for each tile. What numbers reach
//! is then known for all pieces at once, and the step at a place of the list without the list.
//!
//! Three facts are made sure of when the sets are made, and make them enough. A step that is
//! possible stays so when another is made first, unless that takes the only piece from its source:
//! what must be empty for it can only become so, and no foe comes to a target. So with equal dice
//! every line of steps that goes on as long as it can is equally long, and every step is on one;
//! and with two numbers a step keeps whatever the other number can do from elsewhere.

use crate::event::Event;
use crate::game::Game;
use crate::id::{PlayerId, RuleId, TileId};
use crate::rule::Usage;
use crate::state::State;

use super::{Lane, Race, Step, bulk, nibble, one};

/// A set of tiles, a bit for each.
pub(super) type Tiles = u32;

/// The steps of both players as sets of tiles.
pub(crate) struct Sets {
    /// For each player.
    pub(super) reaches: [Reach; 2],
    /// How many foes on a tile block it, where any number does.
    pub(super) block: u8,
    /// The words with which the counts of each player begin.
    tallies: [usize; 2],
    /// How many words they are.
    words: usize,
}

/// The steps of one player.
pub(super) struct Reach {
    /// What must be empty for more and more steps, each set within the next.
    pub(super) stairs: Vec<Stair>,
    /// How many of them [`super::bulk`] can count.
    pub(super) plain: usize,
    /// For each number from 1 on.
    pub(super) numbers: Vec<Number>,
    /// For each number from 1 on and each tile.
    hops: Vec<Hop>,
    tiles: usize,
    /// For each tile it and those that lie ahead of it.
    ahead: Vec<Tiles>,
}

/// Steps that are possible when nothing of the mover's stands on some tiles.
pub(super) struct Stair {
    pub(super) need: Tiles,
    /// The sources for each number from 1 on.
    from: Vec<Tiles>,
}

pub(super) struct Number {
    /// Turned so far, targets that are blocked become sources whose target is.
    turn: u32,
    blockable: Tiles,
    /// Sources that are turned otherwise, with their targets.
    odd: Vec<(Tiles, Tiles)>,
    /// The sources that are listed among the candidates of each rule.
    listed: Vec<Tiles>,
}

/// Where a step leads and what it does.
#[derive(Clone, Copy)]
pub(crate) struct Hop {
    pub(crate) rule: RuleId,
    pub(crate) to: TileId,
    /// Where a foe on the target goes.
    pub(crate) hit: Option<TileId>,
    /// Where all is empty of the mover's pieces after it, its rule does something else.
    pub(crate) last: Tiles,
    /// What is added to the mover's pieces, and to the foe's for each that is hit.
    pub(super) moved: u128,
    pub(super) sent: u128,
}

/// What decides which steps are possible: the mover's tiles, and those that are blocked.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    pub(super) own: Tiles,
    pub(super) blocked: Tiles,
}

#[inline]
pub(super) fn bit(tile: TileId) -> Tiles {
    1 << tile.index()
}

impl Sets {
    /// The sets of a race, if it fits them.
    pub(super) fn new(game: &Game, race: &Race) -> Option<Sets> {
        let tally = |player: usize| game.layout.tally(PlayerId::at(player), crate::KindId(0));
        let steps = || race.lanes.iter().flat_map(|lane| lane.steps.iter().flatten());
        let mut blocks = steps().map(|step| step.block).filter(|&block| block < 16);
        let block = blocks.next().unwrap_or(1);
        if block == 0 || blocks.any(|other| other != block) {
            return None;
        }
        let reach = |player: usize| Reach::new(race, PlayerId::at(player));
        Some(Sets {
            reaches: [reach(0)?, reach(1)?],
            block,
            tallies: [tally(0)?, tally(1)?],
            words: game.tile_count().div_ceil(16),
        })
    }

    /// The word with which the counts of a player begin.
    #[inline]
    pub(crate) fn tally(&self, player: PlayerId) -> usize {
        self.tallies[player.index()]
    }

    /// Where a number leads a player from a tile.
    #[inline]
    pub(crate) fn hop(&self, player: PlayerId, from: TileId, pips: u8) -> &Hop {
        self.reaches[player.index()].hop(from.index(), pips)
    }

    /// The tiles on which a player has so many pieces that they block.
    #[inline]
    fn blocked(&self, words: &[u64], player: PlayerId) -> Tiles {
        let first = self.tallies[player.index()];
        let mut tiles = 0;
        for (at, &word) in words[first..first + self.words].iter().enumerate() {
            tiles |= packed(at_least(word, self.block)) << (16 * at);
        }
        tiles
    }
}

/// The tiles on which there are so many pieces at least.
#[inline]
pub(super) fn holding(pieces: u128, least: u8) -> Tiles {
    let half = |word: u64| packed(at_least(word, least));
    half(pieces as u64) | half((pieces >> 64) as u64) << 16
}

/// The lowest bit of each nibble that is so much at least, from 1 to 15.
#[inline]
fn at_least(word: u64, least: u8) -> u64 {
    const ONES: u64 = u64::MAX / 15;
    let below = word & (ONES * 7);
    let carried = match least {
        ..=8 => (below + ONES * u64::from(8 - least)) | word,
        _ => (below + ONES * u64::from(16 - least)) & word,
    };
    carried >> 3 & ONES
}

/// The lowest bit of each nibble, moved together.
#[inline]
fn packed(spread: u64) -> Tiles {
    let pairs = (spread | spread >> 3) & 0x0303_0303_0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
    let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
    (eights | eights >> 24) as u16 as Tiles
}

impl Reach {
    fn new(race: &Race, player: PlayerId) -> Option<Reach> {
        let lane = race.lane(player);
        let tiles = lane.ahead.len();
        let steps = || Steps::of(lane, race.sides);
        if !steps().all(|step| is_lasting(lane, step, race.sides)) {
            return None;
        }
        let mut needs: Vec<u128> = steps().map(|(.., step)| step.need).collect();
        needs.sort_unstable_by_key(|need| need.count_ones());
        needs.dedup();
        // Of sets that lie one within another, the first that is not empty ends the search.
        if needs.windows(2).any(|pair| pair[0] & !pair[1] != 0) {
            return None;
        }
        let numbers = || 1..=race.sides;
        let sources = |number: u8, need: u128| {
            let found = steps().filter(|&(_, pips, step)| pips == number && step.need == need);
            found.fold(0, |all, (from, ..)| all | bit(from))
        };
        let stair = |&need: &u128| Stair {
            need: holding(need, 1),
            from: numbers().map(|number| sources(number, need)).collect(),
        };
        let hops = numbers().flat_map(|pips| {
            (0..tiles).map(move |tile| {
                let step = lane.step(race.sides, TileId::at(tile), pips);
                let from = TileId::at(tile);
                let moved = |step: &Step| one(step.to).wrapping_sub(one(from));
                let sent = |step: &Step| Some(one(step.hit?).wrapping_sub(one(step.to)));
                Hop {
                    moved: step.map_or(0, moved),
                    sent: step.and_then(sent).unwrap_or(0),
                    rule: step.map_or(RuleId::at(0), |step| step.rule),
                    to: step.map_or(TileId::at(0), |step| step.to),
                    hit: step.and_then(|step| step.hit),
                    last: step.map_or(0, |step| holding(step.last, 1)),
                }
            })
        });
        Some(Reach {
            plain: bulk::plain(lane, race.sides, &needs),
            stairs: needs.iter().map(stair).collect(),
            numbers: numbers().map(|pips| Number::new(lane, pips, race.sides)).collect(),
            hops: hops.collect(),
            tiles,
            ahead: lane.ahead.iter().map(|&ahead| holding(ahead, 1)).collect(),
        })
    }

    #[inline]
    pub(super) fn hop(&self, tile: usize, pips: u8) -> &Hop {
        &self.hops[(usize::from(pips) - 1) * self.tiles + tile]
    }

    #[inline]
    pub(super) fn ahead(&self, tile: TileId) -> Tiles {
        self.ahead[tile.index()]
    }

    /// The tiles from which a number leads somewhere.
    #[inline]
    fn sources(&self, ground: Ground, pips: u8) -> Tiles {
        self.open(ground, pips) & ground.own
    }

    /// The tiles from which a number would lead a piece somewhere.
    #[inline]
    pub(super) fn open(&self, ground: Ground, pips: u8) -> Tiles {
        let at = usize::from(pips) - 1;
        let mut found = 0;
        for stair in &self.stairs {
            if stair.need & ground.own != 0 {
                break;
            }
            found |= stair.from[at];
        }
        found & !self.numbers[at].sources(ground.blocked)
    }

    /// The sources of steps by one number after which another can be used.
    #[inline]
    fn followed(
        &self,
        ground: Ground,
        (first, then): (Tiles, Tiles),
        (pips, next): (u8, u8),
        is_single: impl Fn(usize) -> bool,
    ) -> Tiles {
        if then & then.wrapping_sub(1) != 0 {
            return first;
        }
        let mut found = 0;
        let mut left = first;
        while left != 0 {
            let tile = left.trailing_zeros() as usize;
            let from = left & left.wrapping_neg();
            left ^= from;
            let emptied = if is_single(tile) { from } else { 0 };
            let follows = then & !emptied != 0 || {
                let to = self.hop(tile, pips).to;
                let own = ground.own & !emptied | bit(to);
                self.sources(Ground { own, ..ground }, next) != 0
            };
            found |= if follows { from } else { 0 };
        }
        found
    }
}

impl Number {
    /// The sources of steps onto some tiles, of those that foes can block.
    #[inline]
    pub(super) fn sources(&self, tiles: Tiles) -> Tiles {
        let mut found = tiles.rotate_left(self.turn) & self.blockable;
        for &(from, to) in &self.odd {
            found |= if tiles & to != 0 { from } else { 0 };
        }
        found
    }

    /// Where such steps lead from some tiles.
    #[inline]
    pub(super) fn targets(&self, tiles: Tiles) -> Tiles {
        let mut found = (tiles & self.blockable).rotate_right(self.turn);
        for &(from, to) in &self.odd {
            found |= if tiles & from != 0 { to } else { 0 };
        }
        found
    }

    fn new(lane: &Lane, pips: u8, sides: u8) -> Number {
        let steps = || Steps::of(lane, sides).filter(move |&(_, number, _)| number == pips);
        let pair = |from: TileId, step: &Step| (from.index(), step.to.index());
        let turn = |(from, to): (usize, usize)| ((from + 32 - to) % 32) as u32;
        let blockable = || steps().filter(|(.., step)| step.block < 16);
        let turns: Vec<u32> = blockable().map(|(from, _, step)| turn(pair(from, step))).collect();
        let times = |turn: &u32| turns.iter().filter(|other| *other == turn).count();
        let usual = turns.iter().copied().max_by_key(times).unwrap_or(0);
        let mut number = Number { turn: usual, blockable: 0, odd: Vec::new(), listed: Vec::new() };
        for (from, to) in blockable().map(|(from, _, step)| pair(from, step)) {
            match turn((from, to)) == usual {
                true => number.blockable |= 1 << from,
                false => number.odd.push((1 << from, 1 << to)),
            }
        }
        for (from, _, step) in steps() {
            let listed = usize::from(step.listed);
            if number.listed.len() <= listed {
                number.listed.resize(listed + 1, 0);
            }
            number.listed[listed] |= bit(from);
        }
        number
    }
}

/// Every step of a lane with its source and number.
pub(super) struct Steps;

impl Steps {
    pub(super) fn of(lane: &Lane, sides: u8) -> impl Iterator<Item = (TileId, u8, &Step)> {
        { lane.steps.iter().enumerate() }.filter_map(move |(at, step)| {
            let (from, pips) = (at / usize::from(sides), at % usize::from(sides) + 1);
            Some((TileId::at(from), pips as u8, step.as_ref()?))
        })
    }
}

/// Whether a step that is possible stays so whatever other step is made, and leaves none where
/// something else happens after it.
fn is_lasting(lane: &Lane, (from, _, step): (TileId, u8, &Step), sides: u8) -> bool {
    let holds = |mask: u128, tile: TileId| nibble(mask, tile) != 0;
    let stays = |(other, _, one): (TileId, u8, &Step)| {
        (!holds(step.need, one.to) || holds(step.need, other))
            && (step.last == 0 || holds(step.last, other))
    };
    one(from) & step.need == 0 && Steps::of(lane, sides).all(stays)
}

impl Race {
    /// The steps that a turn may go on with. No answer where sets cannot tell: there are none, or
    /// more than two numbers.
    fn legal(&self, game: &Game, state: &State) -> Option<Legal<'_>> {
        let sets = self.sets.as_ref()?;
        let player = game.view(state).player();
        let shown = self.shown(game, state);
        let words = state.words();
        let foe = PlayerId::at(1 - player.index());
        let own = words[player.index()] as Tiles;
        let ground = Ground { own, blocked: sets.blocked(words, foe) };
        let reach = &sets.reaches[player.index()];
        let (one, two) = match *shown.all() {
            [] => return Some(Legal { reach, pips: [1; 2], from: [0; 2] }),
            [one, two] if one != two => (one, two),
            [one, ..] if shown.is_even() => {
                let from = [reach.sources(ground, one), 0];
                return Some(Legal { reach, pips: [one; 2], from });
            }
            _ => return None,
        };
        let first = sets.tallies[player.index()];
        let is_single = |tile: usize| words[first + tile / 16] >> (tile % 16 * 4) & 15 == 1;
        let by_one = reach.sources(ground, one);
        let by_two = reach.sources(ground, two);
        let mut from = [
            reach.followed(ground, (by_one, by_two), (one, two), is_single),
            reach.followed(ground, (by_two, by_one), (two, one), is_single),
        ];
        if from == [0; 2] {
            from = [by_one, by_two];
            let greatest = if one > two { 0 } else { 1 };
            if self.usage == Usage::MostThenGreatest && from[greatest] != 0 {
                from[1 - greatest] = 0;
            }
        }
        Some(Legal { reach, pips: [one, two], from })
    }
}

impl Game {
    /// The steps that a turn may go on with, in a state whose phase has them as sets.
    #[inline]
    pub(crate) fn legal_steps(&self, state: &State) -> Option<(&Race, Legal<'_>)> {
        let race = self.race(self.open_phase(state)?)?;
        Some((race, race.legal(self, state)?))
    }
}

/// The steps that a turn may go on with: the sources for one number or two.
pub(crate) struct Legal<'r> {
    reach: &'r Reach,
    pips: [u8; 2],
    from: [Tiles; 2],
}

impl Legal<'_> {
    /// How many there are.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        count(self.from).into()
    }

    /// The step at a place of the list: by rule, then by tile, then by die.
    #[inline]
    pub(crate) fn find(&self, place: u64) -> Option<(Event, RuleId)> {
        let Legal { reach, pips, from } = self;
        let mut place = u32::try_from(place).ok()?;
        let listed = pips.map(|pips| &reach.numbers[usize::from(pips) - 1].listed);
        for rule in 0..listed[0].len().max(listed[1].len()) {
            let of_rule = |at: usize| listed[at].get(rule).map_or(0, |tiles| tiles & from[at]);
            let from = [of_rule(0), of_rule(1)];
            let count = count(from);
            if place >= count {
                place -= count;
                continue;
            }
            let mut left = from[0] | from[1];
            loop {
                let tile = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                let here = from.map(|from| from >> tile & 1);
                if place < here[0] + here[1] {
                    let pips = pips[usize::from(place >= here[0])];
                    let hop = reach.hop(tile as usize, pips);
                    let from = TileId::at(tile as usize);
                    return Some((Event::Advance { from, to: hop.to, pips }, hop.rule));
                }
                place -= here[0] + here[1];
            }
        }
        None
    }
}

#[inline]
fn count(from: [Tiles; 2]) -> u32 {
    (u64::from(from[0]) << 32 | u64::from(from[1])).count_ones()
}
