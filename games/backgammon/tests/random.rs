//! Random games end, and no checker is lost or made on the way.

use senet_backgammon::game;
use senet_core::{Game, State};
use senet_testkit::Source;

/// How many games are played; with `SENET_GAMES` another number.
fn games() -> u64 {
    std::env::var("SENET_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(500)
}

/// How many checkers each player has on the board, the bar and off.
fn checkers(game: &Game, state: &State) -> Vec<usize> {
    let view = game.view(state);
    let of = |player| game.tiles().map(|tile| view.count_of(tile, player)).sum();
    game.players().map(of).collect()
}

#[test]
fn random_games_end_and_conserve_the_checkers() {
    let game = game();
    let mut endings = std::collections::BTreeMap::new();
    for number in 0..games() {
        let mut source = Source::for_game(3, number);
        let mut state = game.start();
        let mut events = 0;
        while game.outcome(&state).is_none() {
            let drawn = source.draw(&game, &state);
            let event = drawn.or_else(|| source.pick(&game.legal(&state))).expect("play goes on");
            state = game.apply(&state, event).expect("a legal event").state;
            assert_eq!(checkers(&game, &state), [15, 15], "game {number}");
            events += 1;
            assert!(events < 20_000, "game {number} does not end");
        }
        let outcome = game.outcome(&state).expect("it is over");
        *endings.entry(game.ending_name(outcome.ending).to_owned()).or_insert(0) += 1;
    }
    let names: Vec<&str> = endings.keys().map(String::as_str).collect();
    assert_eq!(names, ["backgammon", "gammon", "single"], "{endings:?}");
}
