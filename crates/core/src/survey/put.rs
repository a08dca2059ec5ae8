//! Where the pieces of a player may be put, as sets of tiles.

use std::ops::ControlFlow;

use crate::bits::Bits;
use crate::event::Event;
use crate::game::Game;
use crate::generate::Eye;
use crate::id::{KindId, PhaseId, PlayerId, RuleId, TileId};
use crate::make::Hand;
use crate::plan::{Closing, Leaf, Rule, Test, Wanted, Who};
use crate::rule::{EventKind, Listing};

use super::inquiry::Ground;
use super::sieve::{Asker, Sieve};

/// More rules to put than this in one phase are asked one by one.
const RULES: usize = 8;

/// The rules to put of a phase, for one player.
pub(super) struct Puts<const W: usize>(Vec<Entry<W>>);

/// A rule to put.
struct Entry<const W: usize> {
    rule: RuleId,
    kinds: Vec<Enter>,
    onto: Sieve<W>,
    when: Option<Ground<W>>,
}

/// A kind that a rule puts.
struct Enter {
    kind: KindId,
    hand: Hand,
    /// The earlier rules that put it too: what they accept is theirs.
    earlier: Vec<usize>,
}

/// Whether nothing but to put is play in a phase.
pub(super) fn is_only_puts(game: &Game, leaf: &Leaf) -> bool {
    let play = |rule: &&Rule| rule.written.listing == Listing::Play;
    let mut played = leaf.rules.iter().map(|rule| &game.rules[rule.index()]).filter(play);
    !leaf.has_otherwise && played.all(|rule| matches!(rule.wants, Wanted::Put { .. }))
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
            let entry = puts.entry(game, id, player)?;
            puts.0.push(entry);
        }
        Some(puts)
    }

    fn entry(&self, game: &Game, id: RuleId, player: PlayerId) -> Option<Entry<W>> {
        let rule = &game.rules[id.index()];
        let Wanted::Put { kinds, area, onto } = &rule.wants else { return None };
        let alone = rule.closing == Closing::Nothing && rule.ensures.is_none();
        (alone && rule.written.listing == Listing::Play).then_some(())?;
        let asker = Asker { game, player, names_tile: true };
        let mut free = Sieve::new(asker, onto, asker.area(area)?)?;
        free.add(asker.planes(Who::Anyone), Bits::EMPTY, true);
        let when = match rule.when.test {
            Test::Always => None,
            _ => Some(Ground::new(asker, &rule.when)?),
        };
        let enter = |kind| {
            let others = self.0.iter().enumerate();
            let earlier = others.filter(|(_, entry)| entry.kinds.iter().any(|k| k.kind == kind));
            let earlier = earlier.map(|(at, _)| at).collect();
            Some(Enter { kind, hand: Hand::new(game, player, kind)?, earlier })
        };
        let kinds = game.kinds().filter(|&kind| kinds.contains(kind)).map(enter);
        Some(Entry { rule: id, kinds: kinds.collect::<Option<_>>()?, onto: free, when })
    }

    /// Visits the tiles onto which each kind may be put by each rule, in the order of the rules.
    #[inline(always)]
    pub(super) fn each(
        &self,
        words: &[u64],
        mut visit: impl FnMut(KindId, Bits<W>, RuleId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for entry in &self.0 {
            let targets = entry.targets(words);
            for enter in &entry.kinds {
                if !enter.hand.has_piece::<W>(words) {
                    continue;
                }
                let mut tiles = targets;
                for &earlier in &enter.earlier {
                    tiles = tiles.without(self.0[earlier].targets(words));
                }
                visit(enter.kind, tiles, entry.rule)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The rule that accepts a piece of a kind on a tile.
    pub(super) fn accepting(&self, words: &[u64], kind: KindId, to: TileId) -> Option<RuleId> {
        let mut found = None;
        let _ = self.each(words, |one, tiles, rule| {
            if one != kind || !tiles.contains(to) {
                return ControlFlow::Continue(());
            }
            found = Some(rule);
            ControlFlow::Break(())
        });
        found
    }

    /// How many events there are.
    #[inline(always)]
    pub(super) fn count(&self, words: &[u64]) -> u64 {
        let mut count = 0;
        let _ = self.each(words, |_, tiles, _| {
            count += u64::from(tiles.len());
            ControlFlow::Continue(())
        });
        count
    }

    /// The event at a place, which is told how many there are and asked for only if there is one.
    #[inline(always)]
    pub(super) fn at(
        &self,
        words: &[u64],
        place: impl FnOnce(u64) -> u64,
        eye: impl Eye,
    ) -> Option<(Event, RuleId)> {
        let (mut count, mut first, mut several) = (0, None, false);
        let _ = self.each(words, |kind, tiles, rule| {
            if !tiles.is_empty() {
                several |= first.is_some();
                first = first.or(Some((kind, tiles, rule)));
                count += u64::from(tiles.len());
            }
            ControlFlow::Continue(())
        });
        let (kind, tiles, rule) = first?;
        let mut place = place(count);
        if place >= count {
            return None;
        }
        if !several {
            return Some((Event::Put { kind, to: eye.pick(tiles, place as u32)? }, rule));
        }
        let mut found = None;
        let _ = self.each(words, |kind, tiles, rule| {
            let here = u64::from(tiles.len());
            if place >= here {
                place -= here;
                return ControlFlow::Continue(());
            }
            let to = eye.pick(tiles, place as u32);
            found = to.map(|to| (Event::Put { kind, to }, rule));
            ControlFlow::Break(())
        });
        found
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
