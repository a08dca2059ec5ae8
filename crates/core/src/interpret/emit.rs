//! Emission: what becomes of the events that code finds.

use crate::bitboard as bits;
use crate::event::Event;
use crate::id::{ActionId, KindId, RuleId, TileId};
use crate::ir::{CHOICE, FROM, MapId, NumReg, SetReg, TO, TrackId};

use super::{Flow, Found, Machine, Output};

impl<const W: usize> Machine<'_, W> {
    /// Takes a number of events, which are told only where they are listed.
    #[inline(always)]
    fn emit(&mut self, count: u64, tell: impl FnOnce(&mut dyn FnMut(Event))) -> Flow {
        let rule = self.rule;
        match &mut self.output {
            Output::Count(sum) => *sum += count,
            Output::Exists(exists) => {
                if count > 0 {
                    *exists = true;
                    return Flow::Stop;
                }
            }
            Output::List(list) => tell(&mut |event| list.push(Found { event, rule })),
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) fn emit_from(&mut self, from: NumReg, targets: SetReg) -> Flow {
        let Some(from) = self.tile(from) else { return Flow::Next };
        let targets = *self.set(targets);
        let choices = &self.game.code.choices[self.rule.index()];
        let count = u64::from(bits::count(&targets)) * choices.len().max(1) as u64;
        self.emit(count, |list| {
            for to in bits::tiles(&targets) {
                each_choice(TileId::at(from), TileId::at(to), choices, list);
            }
        })
    }

    #[inline(always)]
    pub(super) fn emit_images(&mut self, map: MapId, targets: SetReg) -> Flow {
        let targets = *self.set(targets);
        let choices = &self.game.code.choices[self.rule.index()];
        let count = u64::from(bits::count(&targets)) * choices.len().max(1) as u64;
        let game = self.game;
        self.emit(count, |list| {
            let images = &game.code.maps[map.index()].images;
            for (from, &to) in images.iter().enumerate().filter(|(_, to)| **to != u16::MAX) {
                if bits::contains(&targets, to.into()) {
                    each_choice(TileId::at(from), TileId(to), choices, list);
                }
            }
        })
    }

    /// The event in the registers.
    #[inline(always)]
    pub(super) fn emit_event(&mut self) -> Flow {
        let (Some(from), Some(to)) = (self.tile(FROM), self.tile(TO)) else { return Flow::Next };
        let choice = self.tile(CHOICE).map(KindId::at);
        let (from, to) = (TileId::at(from), TileId::at(to));
        self.emit(1, |list| list(Event::Move { from, to, choice }))
    }

    #[inline(always)]
    pub(super) fn emit_die(&mut self, from: NumReg, to: NumReg, pips: NumReg) -> Flow {
        let (Some(from), Some(to)) = (self.tile(from), self.tile(to)) else { return Flow::Next };
        let (from, to) = (TileId::at(from), TileId::at(to));
        let pips = self.number(pips) as u8;
        self.emit(1, |list| list(Event::Advance { from, to, pips }))
    }

    /// Moves by each number that dice show, once.
    pub(super) fn emit_dice(
        &mut self,
        (from, onto): (SetReg, SetReg),
        track: TrackId,
        dice: &[NumReg],
    ) -> Flow {
        let (sources, onto) = (*self.set(from), *self.set(onto));
        let track = &self.game.code.tracks[track.index()];
        for from in bits::tiles(&sources) {
            for (at, &die) in dice.iter().enumerate() {
                let pips = self.number(die);
                let fresh = dice[..at].iter().all(|&one| self.number(one) != pips);
                let Some(to) = track.target(from, pips).filter(|_| fresh) else { continue };
                if bits::contains(&onto, to) {
                    let (from, to) = (TileId::at(from), TileId::at(to));
                    let advance = Event::Advance { from, to, pips: pips as u8 };
                    if let Flow::Stop = self.emit(1, |list| list(advance)) {
                        return Flow::Stop;
                    }
                }
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) fn emit_put(&mut self, kind: KindId, targets: SetReg) -> Flow {
        let targets = *self.set(targets);
        self.emit(bits::count(&targets).into(), |list| {
            bits::tiles(&targets).for_each(|to| list(Event::Put { kind, to: TileId::at(to) }));
        })
    }

    #[inline(always)]
    pub(super) fn emit_pick(&mut self, action: ActionId, targets: SetReg) -> Flow {
        let targets = *self.set(targets);
        self.emit(bits::count(&targets).into(), |list| {
            bits::tiles(&targets).for_each(|to| list(Event::Pick { action, to: TileId::at(to) }));
        })
    }

    /// Ends the rule before and begins another, whose events come in order or not.
    #[inline(always)]
    pub(super) fn start_rule(&mut self, rule: RuleId, ordered: bool) {
        self.finish_rule();
        self.unordered = !ordered;
        self.rule = rule;
        self.rule_start = match &self.output {
            Output::List(list) => list.len(),
            _ => 0,
        };
    }

    /// Puts the events of the rule that ends into their order.
    #[inline]
    pub(super) fn finish_rule(&mut self) {
        if self.unordered
            && let Output::List(list) = &mut self.output
        {
            let start = self.rule_start.min(list.len());
            list[start..].sort_by_key(|found| match found.event {
                Event::Move { from, to, .. } => (from, to),
                _ => (TileId(0), TileId(0)),
            });
        }
        self.unordered = false;
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
