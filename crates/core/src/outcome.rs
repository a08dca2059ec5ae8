//! How a game ends, and what it is worth.

use crate::event::Outcome;
use crate::game::Game;
use crate::id::{EndingId, PlayerId};
use crate::plan::Ending;
use crate::rule::Subject;
use crate::scene::{Scene, Stuck};
use crate::state::State;

impl Game {
    /// How the game ended, if it did: the first ending whose condition holds.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        let holds =
            |(_, ending): &(usize, &Ending)| self.subject_of(ending, state, Stuck::Ask).is_some();
        let (index, ending) = self.endings.iter().enumerate().find(holds)?;
        let subject = self.subject_of(ending, state, Stuck::Ask)?;
        let scene = Scene { mover: subject, ..Scene::of_state(self, state) };
        let winner = ending.winner.map(|seat| scene.seat(seat));
        let worth = scene.value(&ending.score);
        let score = |player: PlayerId| match winner {
            None => 0,
            Some(winner) if self.friends[winner.index()] >> player.index() & 1 == 1 => worth,
            Some(_) => worth.saturating_neg(),
        };
        let scores = self.players().map(score).collect();
        Some(Outcome { ending: EndingId::at(index), winner, scores })
    }

    /// The player of whom an ending holds, if it holds of one.
    pub(crate) fn subject_of(
        &self,
        ending: &Ending,
        state: &State,
        stuck: Stuck,
    ) -> Option<PlayerId> {
        let scene = Scene { stuck, ..Scene::of_state(self, state) };
        let holds = |&mover: &PlayerId| Scene { mover, ..scene }.holds(&ending.when);
        match ending.of {
            Subject::Mover => Some(scene.mover).filter(holds),
            Subject::Each => self.players().find(holds),
        }
    }
}
