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
    playout_on(&mut game.walker(), state, source, limit)
}

/// The same with a walker, which may have been told of positions before.
pub fn playout_on(
    walker: &mut Walker<'_>,
    state: &State,
    source: &mut Source,
    limit: usize,
) -> Playout {
    let mut events = Vec::with_capacity(limit.min(USUAL));
    let (state, outcome) = play(walker, state, source, limit, |event| events.push(event));
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
    let (state, outcome) = play(walker, state, source, limit, |_| events += 1);
    let unfinished = outcome.is_none().then(|| Box::new(state));
    Finish { events, outcome, unfinished }
}

/// Plays at random and gives the last state, and how the game ended. The walker forgets the positions
/// that were played.
fn play(
    walker: &mut Walker<'_>,
    state: &State,
    source: &mut Source,
    limit: usize,
    mut tell: impl FnMut(Event),
) -> (State, Option<Outcome>) {
    let game = walker.game();
    let (mut state, mut pushed) = (state.clone(), 0);
    for played in 0..limit {
        if played > 0 && walker.outcome_with_events(&state).is_some() {
            break;
        }
        let rolled = source.draw_of(&game.chances(&state));
        let accepted = match rolled.and_then(|event| walker.accept(&state, event)) {
            Some(accepted) => Some(accepted),
            None => walker.pick(&state, |count| source.below(count)),
        };
        let Some(accepted) = accepted else { break };
        tell(accepted.event());
        let after = walker.play(&state, accepted);
        walker.push_past(&state);
        (state, pushed) = (after, pushed + 1);
    }
    let outcome = walker.outcome(&state);
    (0..pushed).for_each(|_| walker.pop_past());
    (state, outcome)
}
