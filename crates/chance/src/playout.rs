//! Random play to the end of a game.

use senet_core::{Event, Finish, Game, Outcome, State, Walker};

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

/// The capacity that a list of events starts with.
const USUAL: usize = 64;

/// Plays at random from a state, chance by its probabilities and players without preference,
/// until the game is over or `limit` events have been played.
pub fn playout(game: &Game, state: &State, source: &mut Source, limit: usize) -> Playout {
    let mut walker = game.walker();
    let mut events = Vec::with_capacity(limit.min(USUAL));
    let state = play(&mut walker, state, source, limit, |event| events.push(event));
    let outcome = game.outcome(&state);
    Playout { events, state, outcome }
}

/// The same game as that of [`playout`], of which only the end is told: the way to play many games,
/// with a walker that all of them share.
pub fn finish(walker: &mut Walker<'_>, state: &State, source: &mut Source, limit: usize) -> Finish {
    let most = u32::try_from(limit).unwrap_or(u32::MAX);
    if let Some(finish) = walker.play_out(state, source.words_mut(), most) {
        return finish;
    }
    let mut events = 0;
    let state = play(walker, state, source, limit, |_| events += 1);
    // Positions before the game that is played do not count.
    let outcome = match walker.game().looks_back() {
        true => walker.game().outcome(&state),
        false => walker.outcome(&state),
    };
    let unfinished = outcome.is_none().then(|| Box::new(state));
    Finish { events, outcome, unfinished }
}

/// Plays at random and gives the last state.
fn play(
    walker: &mut Walker<'_>,
    state: &State,
    source: &mut Source,
    limit: usize,
    mut tell: impl FnMut(Event),
) -> State {
    let game = walker.game();
    let mut state = state.clone();
    for played in 0..limit {
        let over = || played > 0 && game.outcome_with_events(&state).is_some();
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
        tell(accepted.event());
        state = walker.play(&state, accepted);
    }
    state
}
