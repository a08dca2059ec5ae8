//! Listing the moves of a state from the tables.

use std::ops::ControlFlow;

use crate::bits::Bits;
use crate::event::{Event, Verdict};
use crate::game::Game;
use crate::id::{KindId, PhaseId, RuleId, TileId};
use crate::legal::Sink;
use crate::plan::{Movement, Wanted};
use crate::scene::Scene;
use crate::state::State;

use super::board::Board;
use super::row::{Check, Reach, Row};
use super::safety::Safety;
use super::{Generator, Tables};

/// What is known of the mover's royal.
enum Royal<const W: usize> {
    /// There is none, so nothing can happen to it.
    None,
    One(Safety<W>),
    /// There are several: the rule itself is asked.
    Several,
}

impl Generator {
    /// Lists the legal moves of a phase; none where the rules alone must.
    #[inline]
    pub(crate) fn moves(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        match self {
            Generator::One(tables) => tables.moves(game, state, phase, sink),
            Generator::Two(tables) => tables.moves(game, state, phase, sink),
            Generator::Four(tables) => tables.moves(game, state, phase, sink),
            Generator::Eight(tables) => tables.moves(game, state, phase, sink),
        }
    }
}

impl Generator {
    /// The rule that accepts a move; none where the rules alone must say.
    #[inline]
    pub(crate) fn accepting(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<Option<RuleId>> {
        match self {
            Generator::One(tables) => tables.accepting(game, state, phase, event),
            Generator::Two(tables) => tables.accepting(game, state, phase, event),
            Generator::Four(tables) => tables.accepting(game, state, phase, event),
            Generator::Eight(tables) => tables.accepting(game, state, phase, event),
        }
    }
}

impl<const W: usize> Tables<W> {
    fn accepting(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<Option<RuleId>> {
        let Event::Move { from, to, choice } = event else { return None };
        let board = Board::new(game, state);
        let rows = self.rows(phase, board.mover)?;
        if !board.own.contains(from) {
            return Some(None);
        }
        let mut royal = None;
        let accepts = |row: &&Row<W>| {
            let Wanted::Move(movement) = &game.rules[row.rule.index()].wants else { return false };
            let reach = row.reaches.iter().find(|(kind, _)| board.kind(*kind).contains(from));
            let Some((_, reach)) = reach else { return false };
            if row.needs.iter().any(|&flag| board.flag(flag).is_empty()) {
                return false;
            }
            if matches!(row.check, Check::Rule | Check::RuleAlone) {
                let scene = Scene::of_event(game, state, event);
                return game.judge(&scene, row.rule, event) == Verdict::Valid;
            }
            let chosen = match choice {
                None => movement.choice.is_empty(),
                Some(kind) => movement.choice.contains(&kind),
            };
            let through = board.select(&movement.through, Bits::FULL);
            let leads = self.targets(&board, reach, from, through);
            let onto = board.select(&movement.onto, !board.friends);
            let source = board.select(&movement.source, Bits::of(from));
            chosen
                && (leads & onto).contains(to)
                && !source.is_empty()
                && match (row.check, royal.get_or_insert_with(|| self.royal(&board))) {
                    (Check::Nothing, _) | (_, Royal::None) => true,
                    (_, Royal::One(safety)) if from == safety.royal => {
                        !self.is_royal_attacked(&board, safety, to)
                    }
                    (_, Royal::One(safety)) => safety.allowed(from).contains(to),
                    (_, Royal::Several) => {
                        let scene = Scene::of_event(game, state, event);
                        game.judge(&scene, row.rule, event) == Verdict::Valid
                    }
                }
        };
        Some({ rows.iter() }.find(accepts).map(|row| row.rule))
    }

    fn moves(
        &self,
        game: &Game,
        state: &State,
        phase: PhaseId,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        let board = Board::new(game, state);
        let rows = self.rows(phase, board.mover)?;
        let royal = if rows.iter().any(|row| row.check == Check::Royal) {
            self.royal(&board)
        } else {
            Royal::None
        };
        Some(rows.iter().try_for_each(|row| self.row(&board, &royal, phase, row, sink)))
    }

    fn royal(&self, board: &Board<'_, W>) -> Royal<W> {
        let kinds = board.game.royals.iter();
        let royals = kinds.fold(Bits::EMPTY, |all, &kind| all | board.kind(kind)) & board.own;
        match (royals.is_empty(), self.safety(board)) {
            (true, _) => Royal::None,
            (_, Some(safety)) => Royal::One(safety),
            (_, None) => Royal::Several,
        }
    }

    fn row(
        &self,
        board: &Board<'_, W>,
        royal: &Royal<W>,
        phase: PhaseId,
        row: &Row<W>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if row.needs.iter().any(|&flag| board.flag(flag).is_empty()) {
            return ControlFlow::Continue(());
        }
        let rule = &board.game.rules[row.rule.index()];
        let Wanted::Move(movement) = &rule.wants else { return ControlFlow::Continue(()) };
        if row.check == Check::RuleAlone {
            return board.game.each_candidate(board.state, rule, &mut |event| {
                self.ask(board, phase, row, event, sink)
            });
        }
        let onto = board.select(&movement.onto, !board.friends);
        let through = match row.reaches.first() {
            Some((_, reach)) if !reach.guarded.is_empty() => {
                board.select(&movement.through, Bits::FULL)
            }
            _ => Bits::FULL,
        };
        let kinds = row.reaches.iter().fold(Bits::EMPTY, |all, (kind, _)| all | board.kind(*kind));
        for from in board.select(&movement.source, board.own & kinds) {
            let kind = row.reaches.iter().find(|(kind, _)| board.kind(*kind).contains(from));
            let Some((_, reach)) = kind else { continue };
            let targets = self.targets(board, reach, from, through) & onto;
            if targets.is_empty() {
                continue;
            }
            self.emit(board, royal, phase, (row, movement), (from, targets), sink)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn targets(
        &self,
        board: &Board<'_, W>,
        reach: &Reach<W>,
        from: TileId,
        through: Bits<W>,
    ) -> Bits<W> {
        let mut targets = reach.singles[from.index()];
        for &direction in &reach.slides {
            targets |= self.lines.until(from, direction, board.occupied).0;
        }
        for guarded in reach.guarded.get(from.index()).into_iter().flatten() {
            if guarded.past.without(through).is_empty() {
                targets.insert(guarded.to);
            }
        }
        targets
    }

    /// Passes on those targets of a piece that the row's check leaves.
    #[inline]
    fn emit(
        &self,
        board: &Board<'_, W>,
        royal: &Royal<W>,
        phase: PhaseId,
        (row, movement): (&Row<W>, &Movement),
        (from, targets): (TileId, Bits<W>),
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let safe = match (row.check, royal) {
            (Check::Nothing, _) | (Check::Royal, Royal::None) => targets,
            (Check::Royal, Royal::One(safety)) if from == safety.royal => {
                let safe =
                    targets.into_iter().filter(|&to| !self.is_royal_attacked(board, safety, to));
                safe.fold(Bits::EMPTY, |all, to| all | Bits::of(to))
            }
            (Check::Royal, Royal::One(safety)) => targets & safety.allowed(from),
            _ => {
                return each_event(from, targets, &movement.choice, |event| {
                    self.ask(board, phase, row, event, sink)
                });
            }
        };
        if safe.is_empty() {
            return ControlFlow::Continue(());
        }
        sink.moves(from, safe, &movement.choice, row.rule)
    }

    /// Passes on an event that its rule accepts, if no earlier rule does.
    fn ask(
        &self,
        board: &Board<'_, W>,
        phase: PhaseId,
        row: &Row<W>,
        event: Event,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let scene = Scene::of_event(board.game, board.state, event);
        let accepts = if row.contested {
            board.game.accepting(&scene, phase, event) == Some(row.rule)
        } else {
            board.game.judge(&scene, row.rule, event) == Verdict::Valid
        };
        if accepts { sink.event(event, Some(row.rule)) } else { ControlFlow::Continue(()) }
    }
}

/// The events of a piece that goes to each of several targets, becoming each of several kinds.
#[inline]
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
