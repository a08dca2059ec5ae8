//! How a game ends, and what it is worth.

use crate::engine::{Engine, Stuck};
use crate::event::Outcome;
use crate::game::Game;
use crate::id::{EndingId, PlayerId};
use crate::interpret::Proposal;
use crate::ir::FunctionId;
use crate::state::State;
use crate::typed::Seat;
use crate::written::Play;

impl Engine<'_> {
    /// How the game ended, if it did.
    pub(crate) fn outcome(&mut self, state: &State, stuck: Stuck) -> Option<Outcome> {
        let game = self.game;
        game.outcome_asked(self, state, stuck)
    }
}

impl Game {
    /// How the game ended, if it did: the first ending whose condition holds.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::Ask, &[])
    }

    /// The same where a legal event is known, so that no player is stuck and play has not stopped.
    pub fn outcome_with_events(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::AssumeNot, &[])
    }

    pub(crate) fn outcome_by(&self, state: &State, stuck: Stuck, past: &[u64]) -> Option<Outcome> {
        let mut engine = self.engine_for(state)?;
        engine.remember(past);
        engine.outcome(state, stuck)
    }

    fn outcome_asked(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        stuck: Stuck,
    ) -> Option<Outcome> {
        let goes_on = stuck == Stuck::AssumeNot;
        let asked = |index: &usize| !goes_on || self.endings[*index].play != Play::Stops;
        let mut endings = (0..self.endings.len()).filter(asked);
        let (index, subject) =
            endings.find_map(|index| Some((index, engine.subject_of(index, state, stuck)?)))?;
        Some(self.outcome_of(engine, state, (index, subject)))
    }

    /// What an ending that holds for a player comes to.
    pub(crate) fn outcome_of(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        (index, subject): (usize, PlayerId),
    ) -> Outcome {
        let asked = |engine: &mut Engine<'_>, functions: &Option<Vec<FunctionId>>| {
            let functions = functions.as_ref()?.iter();
            let about = |&id: &FunctionId| engine.number(id, Proposal::NONE, state);
            Some(functions.take(self.seat_count()).map(about).collect::<Vec<i64>>())
        };
        let ranking = asked(engine, &self.entries.ranking[index]);
        let seats = self.seat_count();
        let winner = match &ranking {
            Some(numbers) => self.only_best(numbers),
            None => self.endings[index].winner.map(|seat| self.seat(subject, seat)),
        };
        let worth = match winner {
            None => 0,
            Some(_) => {
                let worth = self.entries.scores[index][subject.index()];
                engine.number(worth, Proposal::NONE, state)
            }
        };
        let score = |player: PlayerId| match winner {
            None => 0,
            Some(winner) if self.are_allied(winner, player) => worth,
            Some(_) => worth.saturating_neg(),
        };
        let scores = asked(engine, &self.entries.pays[index])
            .unwrap_or_else(|| self.seats().map(score).collect());
        let by = ranking.as_ref().unwrap_or(&scores);
        let place = |one: &i64| 1 + by.iter().filter(|other| *other > one).count();
        let places: Vec<usize> = by.iter().map(place).collect();
        if self.swap.is_none() && self.neutral == 0 {
            return Outcome { ending: EndingId::at(index), winner, scores, places };
        }
        // Those who only own pieces win nothing and come after all others.
        let of_players = |seat: PlayerId| {
            let seat = self.view(state).holder(seat).index();
            if seat < seats { (scores[seat], places[seat]) } else { (0, seats + 1) }
        };
        let (scores, places) = self.players().map(of_players).unzip();
        let winner = winner.map(|seat| self.view(state).holder(seat));
        Outcome { ending: EndingId::at(index), winner, scores, places }
    }

    /// The player with the greatest number, if no other who is no ally has it too.
    fn only_best(&self, numbers: &[i64]) -> Option<PlayerId> {
        let most = numbers.iter().max()?;
        let mut best = self.seats().filter(|player| numbers[player.index()] == *most);
        let first = best.next()?;
        best.all(|other| self.are_allied(first, other)).then_some(first)
    }

    /// The player that a seat means, seen from a player.
    fn seat(&self, from: PlayerId, seat: Seat) -> PlayerId {
        match seat {
            Seat::Mover => from,
            Seat::Ahead(seats) => {
                PlayerId::at((from.index() + usize::from(seats)) % self.seat_count())
            }
            Seat::Player(player) => player,
        }
    }
}
