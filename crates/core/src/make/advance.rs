//! Moves by dice where the state lies: what the rules of a race do, as edits of its words.

use crate::draft::{count_key, die_key};
use crate::event::Event;
use crate::game::Game;
use crate::id::{DieId, KindId, PlayerId, RuleId, TileId};
use crate::layout::{FULL, Field, Herd};
use crate::plan::Effect;
use crate::race::Race;
use crate::state::State;

const KIND: KindId = KindId(0);

/// How steps and passed turns are carried out.
pub(crate) struct Carrier {
    /// The dice in the order in which they are spent.
    dice: Vec<Face>,
    /// The dice that are taken back when a turn passes.
    unrolled: Vec<Face>,
    /// What one piece more does to the hash, by owner, tile and count before.
    more: Vec<u128>,
    tiles: usize,
    /// Where each player's pieces say on which tile they stand.
    herds: [Herd; 2],
    /// The word that says whose turn it is, what changes in it, and what that does to the hash.
    turn: (usize, u64, u128),
    /// The plane of the one kind.
    kind: usize,
}

/// A die, with the keys of what it may show.
struct Face {
    field: Field,
    keys: Vec<u128>,
}

impl Face {
    fn new(game: &Game, die: DieId) -> Face {
        let sides = u64::from(game.definition.dice[die.index()].sides);
        let keys = (0..=sides).map(|shows| die_key(die, shows)).collect();
        Face { field: game.layout.die(die), keys }
    }

    /// Makes it show another number; gives what that does to the hash.
    #[inline]
    fn turn(&self, words: &mut [u64], before: u64, after: u64) -> u128 {
        self.field.set(words, after);
        self.keys[before as usize] ^ self.keys[after as usize]
    }
}

impl Carrier {
    /// How the steps of a race are carried out, if its sets are known.
    pub(crate) fn new(game: &Game, race: &Race) -> Option<Carrier> {
        race.sets.as_ref()?;
        let [Effect::Unroll(unrolled), _] = &game.rules[race.pass.0.index()].after[..] else {
            return None;
        };
        let faces = |dice: &[DieId]| dice.iter().map(|&die| Face::new(game, die)).collect();
        let herd = |player: usize| {
            let owned = |&piece: &_| game.owner(piece) == PlayerId::at(player);
            game.layout.herd(game.pieces().filter(owned))
        };
        let places = game.players().flat_map(|owner| game.tiles().map(move |tile| (owner, tile)));
        let more = places.flat_map(|(owner, tile)| {
            let key = move |count: usize| count_key(tile, owner, KIND, count as u64);
            (0..=FULL).map(move |count| key(count) ^ key(count + 1))
        });
        let turns = &game.keys.turns;
        Some(Carrier {
            dice: faces(&race.dice),
            unrolled: faces(unrolled),
            more: more.collect(),
            tiles: game.tile_count(),
            herds: [herd(0)?, herd(1)?],
            turn: (game.layout.turn.place().0, game.layout.turn.lifted(1), turns[0] ^ turns[1]),
            kind: game.layout.kind(KIND),
        })
    }

    /// What one piece more, so many being there before, does to the hash.
    #[inline]
    fn more(&self, owner: PlayerId, tile: TileId, before: u64) -> u128 {
        self.more[(owner.index() * self.tiles + tile.index()) * (FULL + 1) + before as usize]
    }

    #[inline]
    fn pass(&self, words: &mut [u64]) -> u128 {
        words[self.turn.0] ^= self.turn.1;
        self.turn.2
    }

    /// Spends the last die that shows a number; those after it move up. Where no die is left, the
    /// turn passes.
    #[inline]
    fn spend(&self, words: &mut [u64], pips: u8) -> u128 {
        let mut shown = [0u64; 8];
        let shown = &mut shown[..self.dice.len().min(8)];
        let mut spent = None;
        for (at, (shown, die)) in shown.iter_mut().zip(&self.dice).enumerate() {
            *shown = die.field.get(words);
            if *shown == u64::from(pips) {
                spent = Some(at);
            }
        }
        let Some(spent) = spent else { return 0 };
        let mut change = 0;
        for at in spent..shown.len() {
            let after = shown.get(at + 1).copied().unwrap_or(0);
            if shown[at] != after {
                change ^= self.dice[at].turn(words, shown[at], after);
            }
        }
        if shown[0] == 0 || spent == 0 && shown.get(1).is_none_or(|&next| next == 0) {
            change ^= self.pass(words);
        }
        change
    }

    /// Moves a piece of a player from tile to tile; gives what that does to the hash.
    #[inline]
    fn shift(
        &self,
        words: &mut [u64],
        (owner, tally): (PlayerId, usize),
        (from, to): (TileId, TileId),
    ) -> u128 {
        let place = |tile: TileId| (tally + tile.index() / 16, tile.index() % 16 * 4);
        let (word, at) = place(from);
        let left = (words[word] >> at & 15) - 1;
        words[word] -= 1 << at;
        if left == 0 {
            words[owner.index()] ^= 1 << from.index();
        }
        let (word, at) = place(to);
        let there = words[word] >> at & 15;
        words[word] += 1 << at;
        words[owner.index()] |= 1 << to.index();
        self.herds[owner.index()].shift(words, from, to);
        self.more(owner, from, left) ^ self.more(owner, to, there)
    }
}

impl Game {
    /// Carries out a step or a passed turn that a rule accepts. Says whether it was: whatever else
    /// happens is left to the rule.
    #[inline]
    pub(crate) fn carry_step(&self, state: &mut State, event: Event, rule: RuleId) -> bool {
        let race = self.race(self.rules[rule.index()].phase);
        let Some(race) = race else { return false };
        let Some(carrier) = &race.carrier else { return false };
        let mover = self.view(state).player();
        let change = match event {
            Event::Advance { from, pips, .. } => {
                carrier.advance(race, state.words_mut(), mover, (from, pips))
            }
            Event::Act(_) if rule == race.pass.0 => Some(carrier.pass_on(state.words_mut())),
            _ => None,
        };
        state.hash ^= change.unwrap_or(0);
        change.is_some()
    }
}

impl Carrier {
    #[inline]
    fn advance(
        &self,
        race: &Race,
        words: &mut [u64],
        mover: PlayerId,
        (from, pips): (TileId, u8),
    ) -> Option<u128> {
        let sets = race.sets.as_ref()?;
        let hop = sets.hop(mover, from, pips);
        let foe = PlayerId::at(1 - mover.index());
        let (own, theirs) = (sets.tally(mover), sets.tally(foe));
        if hop.last != 0 {
            let held = words[own + from.index() / 16] >> (from.index() % 16 * 4) & 15;
            let after = words[mover.index()] & !(u64::from(held == 1) << from.index());
            if (after | 1 << hop.to.index()) & u64::from(hop.last) == 0 {
                return None;
            }
        }
        let mut change = 0;
        if let Some(hit) = hop.hit.filter(|_| words[foe.index()] >> hop.to.index() & 1 == 1) {
            change ^= self.shift(words, (foe, theirs), (hop.to, hit));
        }
        change ^= self.shift(words, (mover, own), (from, hop.to));
        words[self.kind] = words[0] | words[1];
        change ^= self.spend(words, pips);
        Some(change)
    }

    fn pass_on(&self, words: &mut [u64]) -> u128 {
        let taken = self.unrolled.iter().fold(0, |change, die| {
            let shown = die.field.get(words);
            change ^ die.turn(words, shown, 0)
        });
        taken ^ self.pass(words)
    }
}
