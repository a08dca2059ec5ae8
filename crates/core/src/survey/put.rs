//! Where the pieces of a player may be put, as sets of tiles.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bits::Bits;
use crate::event::Event;
use crate::game::Game;
use crate::generate::Eye;
use crate::id::{KindId, PhaseId, PlayerId, RuleId, TileId};
use crate::legal::Sink;
use crate::make::Hand;
use crate::plan::{Closing, Leaf, Rule, Test, Wanted, Who};
use crate::rule::{EventKind, Listing};

use super::inquiry::Ground;
use super::sieve::{Asker, Sieve};

/// More rules to put than this in one phase are asked one by one.
const RULES: usize = 8;

/// What a player may put in a phase: every rule with every kind that it puts, in their order.
pub(super) struct Puts<const W: usize>(Vec<Entry<W>>);

/// A kind of piece that a rule puts.
struct Entry<const W: usize> {
    rule: RuleId,
    kind: KindId,
    hand: Hand,
    onto: Sieve<W>,
    when: Option<Arc<Ground<W>>>,
    /// The entries of earlier rules that put the same kind: what they accept is theirs.
    earlier: Vec<usize>,
}

/// Whether nothing but to put is play in a phase.
pub(super) fn is_only_puts(game: &Game, leaf: &Leaf) -> bool {
    let play = |rule: &&Rule| rule.written.listing == Listing::Play;
    let mut played = leaf.rules.iter().map(|rule| &game.rules[rule.index()]).filter(play);
    !leaf.has_otherwise && played.all(|rule| matches!(rule.wants, Wanted::Put { .. }))
}

/// Whether programs carry out what is put in a phase, and nothing comes after them.
pub(super) fn run(game: &Game, phase: PhaseId) -> bool {
    let rules = &game.leaves[phase.index()].by_kind[EventKind::Put as usize];
    let runs = |&rule| game.players().all(|player| game.program(rule, player).is_some());
    game.serving.is_empty() && rules.iter().all(runs)
}

/// What is put in a phase by each player, if sets can say it.
pub(super) fn puts<const W: usize>(game: &Game, phase: PhaseId) -> Option<Vec<Puts<W>>> {
    let leaf = &game.leaves[phase.index()];
    let rules = &leaf.by_kind[EventKind::Put as usize];
    let derived = leaf.pre.iter().any(|pre| pre.on == EventKind::Put);
    if derived || rules.is_empty() || rules.len() > RULES || !game.layout.holds_single() {
        return None;
    }
    game.players().map(|player| Puts::new(game, rules, player)).collect()
}

impl<const W: usize> Puts<W> {
    fn new(game: &Game, rules: &[RuleId], player: PlayerId) -> Option<Puts<W>> {
        let mut puts = Puts(Vec::new());
        for &id in rules {
            puts.add(game, id, player)?;
        }
        Some(puts)
    }

    fn add(&mut self, game: &Game, id: RuleId, player: PlayerId) -> Option<()> {
        let rule = &game.rules[id.index()];
        let Wanted::Put { kinds, area, onto } = &rule.wants else { return None };
        let alone = rule.closing == Closing::Nothing && rule.ensures.is_none();
        (alone && rule.written.listing == Listing::Play).then_some(())?;
        let asker = Asker { game, player, names_tile: true };
        let mut free = Sieve::new(asker, onto, asker.area(area)?)?;
        free.add(asker.planes(Who::Anyone), Bits::EMPTY, true);
        let when = match rule.when.test {
            Test::Always => None,
            _ => Some(Arc::new(Ground::new(asker, &rule.when)?)),
        };
        for kind in game.kinds().filter(|&kind| kinds.contains(kind)) {
            let same = |at: &usize| self.0[*at].kind == kind;
            let earlier: Vec<usize> = (0..self.0.len()).filter(same).collect();
            // What an earlier rule proposes and refuses, but a later one accepts, is listed in the
            // place of the earlier one.
            (earlier.iter().all(|&at| self.0[at].when.is_none())).then_some(())?;
            let (onto, when, hand) = (free.clone(), when.clone(), Hand::new(game, player, kind)?);
            self.0.push(Entry { rule: id, kind, hand, onto, when, earlier });
        }
        Some(())
    }

    /// The tiles onto which an entry puts its kind.
    #[inline(always)]
    fn tiles(&self, entry: &Entry<W>, words: &[u64]) -> Bits<W> {
        if !entry.hand.has_piece::<W>(words) {
            return Bits::EMPTY;
        }
        let mut tiles = entry.targets(words);
        for &earlier in &entry.earlier {
            tiles = tiles.without(self.0[earlier].targets(words));
        }
        tiles
    }

    /// Lists every event.
    #[inline(always)]
    pub(super) fn list(&self, words: &[u64], sink: &mut impl Sink) -> ControlFlow<()> {
        for entry in &self.0 {
            sink.puts(entry.kind, self.tiles(entry, words), entry.rule)?;
        }
        ControlFlow::Continue(())
    }

    /// The rule that accepts a piece of a kind on a tile.
    pub(super) fn accepting(&self, words: &[u64], kind: KindId, to: TileId) -> Option<RuleId> {
        let mut entries = self.0.iter().filter(|entry| entry.kind == kind);
        let found = entries.find(|entry| self.tiles(entry, words).contains(to));
        found.map(|entry| entry.rule)
    }

    /// The event at a place, which is told how many there are and asked for only if there is one.
    #[inline(always)]
    pub(super) fn at(
        &self,
        words: &[u64],
        place: impl FnOnce(u64) -> u64,
        eye: impl Eye,
    ) -> Option<(Event, RuleId)> {
        let mut count = 0;
        let mut last = (Bits::EMPTY, self.0.first()?);
        for entry in &self.0 {
            let tiles = self.tiles(entry, words);
            count += u64::from(tiles.len());
            last = (tiles, entry);
        }
        if count == 0 {
            return None;
        }
        let mut place = place(count);
        if place >= count {
            return None;
        }
        // Where there is one entry, its tiles are known by now.
        if self.0.len() > 1 {
            for entry in &self.0 {
                last = (self.tiles(entry, words), entry);
                match place.checked_sub(u64::from(last.0.len())) {
                    Some(left) => place = left,
                    None => break,
                }
            }
        }
        let (tiles, entry) = last;
        let to = eye.pick(tiles, place as u32)?;
        Some((Event::Put { kind: entry.kind, to }, entry.rule))
    }
}

impl<const W: usize> Entry<W> {
    #[inline(always)]
    fn targets(&self, words: &[u64]) -> Bits<W> {
        let free = self.onto.tiles(words);
        match &self.when {
            None => free,
            Some(when) => when.among(free, words),
        }
    }
}
