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
    let mut legal = Vec::new();
    while events.len() < limit {
        let over = || !events.is_empty() && game.outcome_with_events(&state).is_some();
        let mut chosen = None;
        if let Some(throw) = game.throw(&state) {
            if over() {
                break;
            }
            chosen = throw.accepted(source.below(throw.total()));
        }
        let mut ended = false;
        let chosen = chosen.or_else(|| {
            game.pick(&state, &mut legal, |count| {
                ended = over();
                if ended { 0 } else { source.below(count) }
            })
        });
        let Some(accepted) = chosen.filter(|_| !ended) else { break };
        events.push(accepted.event());
        game.play(&mut state, accepted);
    }
    let outcome = game.outcome(&state);
    Playout { events, state, outcome }
}
