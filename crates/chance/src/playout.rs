//! Random play to the end of a game.

use senet_core::{Event, Game, Outcome, State};

use crate::source::Source;

/// A game played at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Every event played.
    pub events: Vec<Event>,
    /// The last state.
    pub state: State,
    /// How it ended; none when the limit came first.
    pub outcome: Option<Outcome>,
}

/// Plays at random from a state, chance by its probabilities and players without preference,
/// until the game is over or so many events were played.
pub fn playout(game: &Game, state: &State, source: &mut Source, limit: usize) -> Playout {
    let mut state = state.clone();
    let mut events = Vec::new();
    while events.len() < limit {
        let event = source.draw(game, &state).or_else(|| source.pick(&game.legal(&state)));
        let Some(event) = event else { break };
        let Ok(step) = game.apply(&state, event) else { break };
        events.push(event);
        state = step.state;
        if game.outcome(&state).is_some() {
            break;
        }
    }
    let outcome = game.outcome(&state);
    Playout { events, state, outcome }
}
