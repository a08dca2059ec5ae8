//! Listing the moves of a state from the tables, in the order of the rules.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::bits::Bits;
use crate::event::{Event, Verdict};
use crate::id::{KindId, RuleId, TileId};
use crate::legal::Sink;
use crate::plan::{Movement, Wanted};
use crate::scene::Scene;

use super::Side;
use super::board::Board;
use super::line::Lines;
use super::link::Watch;
use super::row::{Check, Reach, Row};
use super::safety::Safety;
use super::shape::Shape;
use super::sight::Eye;

/// Watches for foes of the mover.
struct Sentry<'a, const W: usize, E, S> {
    side: &'a Side<W>,
    lines: &'a Lines<W>,
    eye: E,
    board: &'a Board<'a, W>,
    shape: PhantomData<S>,
}

impl<const W: usize, E: Eye, S: Shape> Watch<W> for Sentry<'_, W, E, S> {
    #[inline(always)]
    fn attacked(&self, tile: TileId, past: Bits<W>) -> bool {
        self.side.is_attacked::<S>(self.lines, self.board, self.eye, tile, past)
    }
}

impl<const W: usize> Side<W> {
    /// The rule that accepts a move.
    #[inline(always)]
    pub(super) fn accepting<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        event: Event,
    ) -> Option<RuleId> {
        let Event::Move { from, to, choice } = event else { return None };
        if !board.own.contains(from) {
            return None;
        }
        let judged = |row: &Row<W>| {
            let scene = Scene::of_event(board.game, board.state, event);
            board.game.judge(&scene, row.rule, event) == Verdict::Valid
        };
        let accepts = |row: &Row<W>, reach: &Reach<W>| {
            let Wanted::Move(movement) = &board.game.rules[row.rule.index()].wants else {
                return false;
            };
            if row.needs.iter().any(|&flag| board.flag(flag).is_empty()) {
                return false;
            }
            if matches!(row.check, Check::Rule | Check::RuleAlone) {
                return judged(row);
            }
            let chosen = match choice {
                None => movement.choice.is_empty(),
                Some(kind) => movement.choice.contains(&kind),
            };
            let through = || row.through.select(board, &movement.through, Bits::FULL);
            let target = || row.onto.select(board, &movement.onto, Bits::of(to));
            let source = || row.source.select(board, &movement.source, Bits::of(from));
            chosen
                && !board.friends.contains(to)
                && !target().is_empty()
                && !source().is_empty()
                && self.targets::<E, S>(lines, eye, board, reach, from, through()).contains(to)
                && (row.check == Check::Nothing
                    || match self.safety::<S>(lines, board) {
                        Some(safety) => self.is_safe::<E, S>(lines, eye, board, &safety, from, to),
                        None => judged(row),
                    })
        };
        let kinds = 0..board.game.layout.kinds;
        let mut kinds = kinds.filter(|&kind| board.kind(KindId::at(kind)).contains(from));
        for &(at, reach) in &self.rows_of[kinds.next()?] {
            let row = &self.rows[at];
            if accepts(row, &row.reaches[reach].1) {
                return Some(row.rule);
            }
        }
        None
    }

    #[inline(always)]
    fn is_safe<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        safety: &Safety<W>,
        from: TileId,
        to: TileId,
    ) -> bool {
        if safety.royal == Some(from) {
            let occupied = board.occupied.without(Bits::of(from));
            !self.is_attacked::<S>(lines, board, eye, to, occupied)
        } else {
            safety.allowed(lines, from).contains(to)
        }
    }

    /// Lists the moves of all rows.
    #[inline(always)]
    pub(super) fn list<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let safety = self.safety::<S>(lines, board);
        for row in &self.rows {
            self.row::<E, S>(lines, eye, board, safety.as_ref(), row, sink)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    pub(super) fn row<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        safety: Option<&Safety<W>>,
        row: &Row<W>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if row.needs.iter().any(|&flag| board.flag(flag).is_empty()) {
            return ControlFlow::Continue(());
        }
        let rule = &board.game.rules[row.rule.index()];
        let Wanted::Move(movement) = &rule.wants else { return ControlFlow::Continue(()) };
        match (&row.link, safety) {
            (Some(_), Some(safety)) => {
                return self.link::<E, S>(lines, eye, board, row, safety, sink);
            }
            _ if row.check == Check::RuleAlone => {
                return board.game.each_candidate(board.state, rule, &mut |event| {
                    self.ask(board, row, event, sink)
                });
            }
            _ => {}
        }
        let onto = row.onto.select(board, &movement.onto, !board.friends);
        let onto = if row.besides.is_empty() { onto } else { row.narrow(board, rule, onto) };
        if onto.is_empty() {
            return ControlFlow::Continue(());
        }
        let through = row.through.select(board, &movement.through, Bits::FULL);
        let kinds = row.reaches.iter().fold(Bits::EMPTY, |all, (kind, _)| all | board.kind(*kind));
        for from in row.source.select(board, &movement.source, board.own & kinds) {
            let reach = match row.reaches.as_slice() {
                [(_, reach)] => Some(reach),
                many => {
                    let here = many.iter().find(|(kind, _)| board.kind(*kind).contains(from));
                    here.map(|(_, reach)| reach)
                }
            };
            let Some(reach) = reach else { continue };
            let targets = self.targets::<E, S>(lines, eye, board, reach, from, through) & onto;
            if !targets.is_empty() {
                let one = (row, movement, from, targets);
                self.emit::<E, S>(lines, eye, board, safety, one, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Lists the moves of a row that moves two pieces together.
    #[inline(always)]
    pub(super) fn link<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        row: &Row<W>,
        safety: &Safety<W>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let (Some(link), Some(from)) = (&row.link, safety.royal) else {
            return ControlFlow::Continue(());
        };
        let rule = &board.game.rules[row.rule.index()];
        let Wanted::Move(movement) = &rule.wants else { return ControlFlow::Continue(()) };
        let others = row.onto.select(board, &movement.onto, board.occupied);
        let royal = row.reaches.iter().any(|(kind, _)| board.kind(*kind).contains(from));
        if others.is_empty() || !royal {
            return ControlFlow::Continue(());
        }
        let watch = Sentry { side: self, lines, eye, board, shape: PhantomData::<S> };
        for &direction in &link.directions {
            let first = lines.first(from, direction, board.occupied);
            let Some(to) = first.filter(|&to| others.contains(to)) else { continue };
            match link.allows(lines, board.occupied, (from, to), &watch) {
                Some(true) => sink.event(Event::step(from, to), Some(row.rule))?,
                Some(false) => {}
                None => self.ask(board, row, Event::step(from, to), sink)?,
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    pub(super) fn targets<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        reach: &Reach<W>,
        from: TileId,
        through: Bits<W>,
    ) -> Bits<W> {
        let mut targets = reach.singles[from];
        for &sight in &reach.slides {
            targets |= eye.see::<W, S>(lines, &self.sights[sight], from, board.occupied);
        }
        for guarded in reach.guarded.get(from.index()).into_iter().flatten() {
            if guarded.past.without(through).is_empty() {
                targets.insert(guarded.to);
            }
        }
        targets
    }

    /// Passes on those targets of a piece that the row's check leaves.
    #[inline(always)]
    fn emit<E: Eye, S: Shape>(
        &self,
        lines: &Lines<W>,
        eye: E,
        board: &Board<'_, W>,
        safety: Option<&Safety<W>>,
        (row, movement, from, targets): (&Row<W>, &Movement, TileId, Bits<W>),
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let safe = match (row.check, safety) {
            (Check::Nothing, _) => targets,
            (Check::Royal, Some(safety)) if safety.royal == Some(from) => {
                let occupied = board.occupied.without(Bits::of(from));
                let safe = |to: &TileId| !self.is_attacked::<S>(lines, board, eye, *to, occupied);
                let safe = targets.into_iter().filter(safe);
                safe.fold(Bits::EMPTY, |all, to| all | Bits::of(to))
            }
            (Check::Royal, Some(safety)) => targets & safety.allowed(lines, from),
            _ => {
                return each_event(from, targets, &movement.choice, |event| {
                    self.ask(board, row, event, sink)
                });
            }
        };
        if safe.is_empty() {
            return ControlFlow::Continue(());
        }
        sink.moves(from, safe, &movement.choice, row.rule)
    }

    /// Passes on an event that its rule accepts, if no earlier rule does.
    #[inline(never)]
    fn ask(
        &self,
        board: &Board<'_, W>,
        row: &Row<W>,
        event: Event,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let scene = Scene::of_event(board.game, board.state, event);
        let accepts = if row.contested {
            let phase = board.game.active_phase(board.state);
            phase.and_then(|phase| board.game.accepting(&scene, phase, event)) == Some(row.rule)
        } else {
            board.game.judge(&scene, row.rule, event) == Verdict::Valid
        };
        if accepts { sink.event(event, Some(row.rule)) } else { ControlFlow::Continue(()) }
    }
}

/// The events of a piece that goes to each of several targets, becoming each of several kinds.
#[inline(always)]
pub(crate) fn each_event<const W: usize>(
    from: TileId,
    targets: Bits<W>,
    choices: &[KindId],
    mut take: impl FnMut(Event) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for to in targets {
        if choices.is_empty() {
            take(Event::step(from, to))?;
        }
        for &kind in choices {
            take(Event::Move { from, to, choice: Some(kind) })?;
        }
    }
    ControlFlow::Continue(())
}
