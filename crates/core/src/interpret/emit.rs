//! Emission: what becomes of the events that code finds one by one. Each says whether nothing more
//! needs to be found.

use crate::bitboard::{self as bits, Bits};
use crate::event::Event;
use crate::id::{ActionId, KindId, RuleId, TileId};
use crate::ir::{MapId, TrackId};

use super::{Found, Machine, Output, Proposal, Running, geometry};

impl<const W: usize> Machine<'_, W> {
    /// Takes a number of events, which are told only where they are listed.
    #[inline(always)]
    fn emit(&mut self, count: u64, tell: impl FnOnce(&mut dyn FnMut(Event))) -> bool {
        let rule = self.running.rule;
        match &mut self.output {
            Output::Count(sum) => *sum += count,
            Output::Exists(exists) => {
                *exists |= count > 0;
                return *exists;
            }
            Output::List(list) => tell(&mut |event| list.push(Found { event, rule })),
        }
        false
    }

    #[inline(always)]
    pub(super) fn emit_from(&mut self, from: Option<usize>, targets: Bits<W>) -> bool {
        let Some(from) = from else { return false };
        let count = bits::count(&targets).into();
        let (game, rule) = (self.game, self.running.rule);
        self.emit(count, |list| {
            let choices = &game.code.choices[rule.index()];
            for to in bits::tiles(&targets) {
                each_choice(TileId::at(from), TileId::at(to), choices, list);
            }
        })
    }

    #[inline(always)]
    pub(super) fn emit_images(&mut self, map: MapId, targets: Bits<W>) -> bool {
        let count = bits::count(&targets).into();
        let (game, rule) = (self.game, self.running.rule);
        self.emit(count, |list| {
            let choices = &game.code.choices[rule.index()];
            let map = &game.code.maps[map.index()];
            for from in bits::tiles(&geometry::preimage(map, &targets)) {
                each_choice(TileId::at(from), TileId(map.images[from]), choices, list);
            }
        })
    }

    /// The event in the registers.
    #[inline(always)]
    pub(super) fn emit_event(&mut self, event: Proposal) -> bool {
        let tile = |tile: i64| usize::try_from(tile).ok();
        let (Some(from), Some(to)) = (tile(event.from), tile(event.to)) else { return false };
        let choice = tile(event.choice).map(KindId::at);
        let (from, to) = (TileId::at(from), TileId::at(to));
        self.emit(1, |list| list(Event::Move { from, to, choice }))
    }

    #[inline(always)]
    pub(super) fn emit_die(&mut self, way: (Option<usize>, Option<usize>), pips: i64) -> bool {
        let (Some(from), Some(to)) = way else { return false };
        let (from, to, pips) = (TileId::at(from), TileId::at(to), pips as u8);
        self.emit(1, |list| list(Event::Advance { from, to, pips }))
    }

    /// Moves by each number that dice show, once.
    pub(super) fn emit_dice(
        &mut self,
        sources: Bits<W>,
        onto: Bits<W>,
        track: TrackId,
        dice: impl Iterator<Item = i64> + Clone,
    ) -> bool {
        let track = &self.game.code.tracks[track.index()];
        for from in bits::tiles(&sources) {
            for (at, pips) in dice.clone().enumerate() {
                let fresh = dice.clone().take(at).all(|one| one != pips);
                let Some(to) = track.target(from, pips).filter(|_| fresh) else { continue };
                if bits::contains(&onto, to) {
                    let (from, to) = (TileId::at(from), TileId::at(to));
                    let advance = Event::Advance { from, to, pips: pips as u8 };
                    if self.emit(1, |list| list(advance)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    #[inline(always)]
    pub(super) fn emit_put(&mut self, kind: KindId, targets: Bits<W>) -> bool {
        self.emit(bits::count(&targets).into(), |list| {
            bits::tiles(&targets).for_each(|to| list(Event::Put { kind, to: TileId::at(to) }));
        })
    }

    #[inline(always)]
    pub(super) fn emit_pick(&mut self, action: ActionId, targets: Bits<W>) -> bool {
        self.emit(bits::count(&targets).into(), |list| {
            bits::tiles(&targets).for_each(|to| list(Event::Pick { action, to: TileId::at(to) }));
        })
    }

    /// Ends the rule before and begins another, whose events come in order or not.
    #[inline(always)]
    pub(super) fn start_rule(&mut self, rule: RuleId, ordered: bool) {
        self.finish_rule();
        let start = match &self.output {
            Output::List(list) => list.len(),
            _ => 0,
        };
        self.running = Running { rule, start, unordered: !ordered };
    }

    /// Puts the events of the rule that ends into their order.
    #[inline]
    pub(super) fn finish_rule(&mut self) {
        if self.running.unordered
            && let Output::List(list) = &mut self.output
        {
            let start = self.running.start.min(list.len());
            list[start..].sort_by_key(|found| match found.event {
                Event::Move { from, to, .. } => (from, to),
                _ => (TileId(0), TileId(0)),
            });
        }
        self.running.unordered = false;
    }
}

#[inline(always)]
fn each_choice(from: TileId, to: TileId, choices: &[KindId], list: &mut dyn FnMut(Event)) {
    if choices.is_empty() {
        list(Event::step(from, to));
    }
    for &kind in choices {
        list(Event::Move { from, to, choice: Some(kind) });
    }
}
