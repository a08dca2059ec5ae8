//! Information states as tensors.

use std::sync::Arc;

use senet_core::PlayerId;
use senet_core::observe::{Glimpse, Viewer};

use crate::game::Game;
use crate::history::Match;
use crate::learn::action::Actions;
use crate::learn::plane::Planes;

/// The columns of a row before those of the actions: own events, events of others.
const COLUMNS: usize = 2;

/// How what a player knows of a match is written as a tensor of one dimension: the observation of
/// the position, as [`Planes`] writes it, then a row for each of the last events of which the player
/// has seen something, the newest first.
///
/// A row is 1 at 0 for an event of the player or at 1 for one of another player or of chance, and
/// 1 at its [action](Actions) plus 2 where the player has seen all of it. What chance gave has no
/// action; what is known of it is in the observation. Rows without an event are 0.
#[derive(Clone, Debug)]
pub struct InformationTensor {
    planes: Planes,
    actions: Arc<Actions>,
    events: usize,
}

impl InformationTensor {
    /// The tensors of a game that show the last `events` events.
    pub fn of(game: &Game, actions: &Arc<Actions>, events: usize) -> InformationTensor {
        InformationTensor { planes: Planes::of(game, 1), actions: actions.clone(), events }
    }

    /// How many numbers a tensor has.
    pub fn len(&self) -> usize {
        self.planes.len() + self.events * self.row()
    }

    /// Whether a tensor has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn row(&self) -> usize {
        COLUMNS + self.actions.len()
    }

    /// Writes what a player knows of a match now.
    ///
    /// # Panics
    /// If the buffer is not as long as a tensor.
    pub fn write(&self, played: &Match, player: PlayerId, into: &mut [f32]) {
        assert_eq!(into.len(), self.len(), "a buffer as long as a tensor");
        let (observation, rows) = into.split_at_mut(self.planes.len());
        self.planes.write_for(player, &[played.position()], observation);
        rows.fill(0.0);
        let mut after = played.position();
        let mut line = played.steps();
        line.truncate(played.ply());
        let mut rows = rows.chunks_exact_mut(self.row());
        while let Some((step, _)) = line.pop() {
            let before = line.last().map_or_else(|| played.start(), |(_, state)| state.clone());
            let glimpse = before.glimpse(step.event, &after, Viewer::Player(player));
            let own = before.player() == player && !before.awaits_chance();
            after = before;
            if glimpse == Glimpse::Nothing {
                continue;
            }
            let Some(row) = rows.next() else { return };
            row[usize::from(!own)] = 1.0;
            if let Glimpse::Whole(event) = glimpse
                && let Some(action) = self.actions.action(event)
            {
                row[COLUMNS + action as usize] = 1.0;
            }
        }
    }
}
