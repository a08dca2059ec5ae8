//! How a game ends, and what it is worth.

use crate::engine::Stuck;
use crate::event::Outcome;
use crate::game::Game;
use crate::id::{EndingId, PlayerId};
use crate::interpret::Proposal;
use crate::state::State;
use crate::typed::Seat;
use crate::written::Play;

impl Game {
    /// How the game ended, if it did: the first ending whose condition holds.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::Ask)
    }

    /// The same where a legal event is known, so that no player is stuck and play has not stopped.
    pub fn outcome_with_events(&self, state: &State) -> Option<Outcome> {
        self.outcome_by(state, Stuck::AssumeNot)
    }

    fn outcome_by(&self, state: &State, stuck: Stuck) -> Option<Outcome> {
        let mut engine = self.engine();
        let goes_on = stuck == Stuck::AssumeNot;
        let asked = |index: &usize| !goes_on || self.endings[*index].play != Play::Stops;
        let mut endings = (0..self.endings.len()).filter(asked);
        let (index, subject) =
            endings.find_map(|index| Some((index, engine.subject_of(index, state, stuck)?)))?;
        let winner = self.endings[index].winner.map(|seat| self.seat(subject, seat));
        let score = self.entries.scores[index][subject.index()];
        let worth = engine.number(score, Proposal::NONE, state);
        let score = |player: PlayerId| match winner {
            None => 0,
            Some(winner) if self.are_allied(winner, player) => worth,
            Some(_) => worth.saturating_neg(),
        };
        let scores = self.players().map(score).collect();
        Some(Outcome { ending: EndingId::at(index), winner, scores })
    }

    /// The player that a seat means, seen from a player.
    fn seat(&self, from: PlayerId, seat: Seat) -> PlayerId {
        match seat {
            Seat::Mover => from,
            Seat::Ahead(seats) => {
                PlayerId::at((from.index() + usize::from(seats)) % self.layout.players)
            }
            Seat::Player(player) => player,
        }
    }
}
