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

/// Room for so many events is made at once.
const USUAL: usize = 64;

/// Plays at random from a state, chance by its probabilities and players without preference,
/// until the game is over or so many events were played.
pub fn playout(game: &Game, state: &State, source: &mut Source, limit: usize) -> Playout {
    let mut state = state.clone();
    let mut events = Vec::with_capacity(limit.min(USUAL));
    let mut legal = Vec::new();
    while events.len() < limit {
        let begun = !events.is_empty();
        let over = |state: &State| begun && game.outcome_with_events(state).is_some();
        if let Some(throw) = game.throw(&state) {
            if over(&state) {
                break;
            }
            if let Some(accepted) = throw.accepted(source.below(throw.total())) {
                events.push(accepted.event());
                game.play(&mut state, accepted);
                continue;
            }
        }
        // Where the game is over, no place is one of the list.
        let event = game.play_at(&mut state, &mut legal, |state, count| {
            if over(state) { u64::MAX } else { source.below(count) }
        });
        let Some(event) = event else { break };
        events.push(event);
    }
    let outcome = game.outcome(&state);
    Playout { events, state, outcome }
}
