//! Whether oracle and engine agree.

use senet_core::observe::Viewer;
use senet_core::{Game, State, text};

use super::{Oracle, Outcome, Position};
use crate::case::Case;

/// Checks that oracle and engine agree in states of random games: on what is legal, on where it
/// leads, on how the game ends and on what players know.
///
/// # Panics
/// Where they differ.
pub fn agree(case: &Case) {
    let game = &case.game;
    let oracle = Oracle::new(game.definition());
    assert_eq!(oracle.text(&oracle.start()), text::format_position(game, &game.start()));
    for state in case.states(case.universe().len()) {
        agree_in(game, &state);
    }
}

/// Checks that oracle and engine agree in one state.
///
/// # Panics
/// Where they differ.
pub fn agree_in(game: &Game, state: &State) {
    let oracle = Oracle::new(game.definition());
    let told = text::format_position(game, state);
    let position = oracle.read(&told);
    assert_eq!(oracle.text(&position), told);
    if game.has_secrets() {
        agree_on_views(game, state, oracle, &position);
    }
    let legal = oracle.legal(&position).into_iter();
    let mut expected: Vec<(String, String)> =
        legal.map(|(proposal, after)| (oracle.tell(&proposal), oracle.text(&after))).collect();
    expected.sort();
    let mut found: Vec<(String, String)> = Vec::new();
    for event in game.legal(state) {
        let after = game.apply(state, event).expect("a legal event is accepted").state;
        found.push((text::format_event(game, event), text::format_position(game, &after)));
    }
    found.sort();
    assert_eq!(found, expected, "{} in `{told}`: engine, then oracle", game.name());
    let outcome = game.outcome(state).map(|outcome| {
        let winner = outcome.winner.map(|winner| game.player_name(winner).to_owned());
        let (scores, places) = (outcome.scores, outcome.places);
        Outcome { ending: game.ending_name(outcome.ending).to_owned(), winner, scores, places }
    });
    assert_eq!(outcome, oracle.outcome(&position), "{} in `{told}`", game.name());
}

/// Checks that oracle and engine agree on what every player and a spectator know of a state.
fn agree_on_views(game: &Game, state: &State, oracle: Oracle<'_>, position: &Position) {
    for viewer in game.players().map(Viewer::Player).chain([Viewer::Spectator]) {
        let name = match viewer {
            Viewer::Player(player) => Some(game.player_name(player)),
            Viewer::Spectator => None,
        };
        let (seen, known) = (game.observe(state, viewer), oracle.view(position, name));
        let unseen: Vec<&str> = seen.unseen().iter().map(|tile| game.tile_name(tile)).collect();
        let told = || format!("{}: {name:?} in `{}`", game.name(), oracle.text(position));
        assert_eq!(
            text::format_position(game, seen.known()),
            oracle.text(&known.position),
            "{}",
            told()
        );
        assert_eq!(unseen, known.unseen, "{}", told());
    }
}
