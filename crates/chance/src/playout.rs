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
    let mut walker = game.walker();
    let mut state = state.clone();
    let mut events = Vec::with_capacity(limit.min(USUAL));
    while events.len() < limit {
        let begun = !events.is_empty();
        let over = || begun && game.outcome_with_events(&state).is_some();
        let chances = game.chances(&state);
        if !chances.is_empty() && over() {
            break;
        }
        let rolled = source.draw_of(&chances);
        let accepted = match rolled.and_then(|event| walker.accept(&state, event)) {
            Some(accepted) => Some(accepted),
            // Where the game is over, no place is one of the list.
            None => walker.pick(&state, |count| match over() {
                true => u64::MAX,
                false => source.below(count),
            }),
        };
        let Some(accepted) = accepted else { break };
        events.push(accepted.event());
        state = walker.play(&state, accepted);
    }
    let outcome = game.outcome(&state);
    Playout { events, state, outcome }
}
