//! Random games end, no checker is lost or made on the way, and the decision plan plays them as the
//! written phases do.

use senet_backgammon::{definition, game, variant};
use senet_core::{Definition, Game, Options, State};
use senet_testkit::{Source, playout};

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

/// The definition with words of it replaced.
fn altered(definition: &Definition, words: &[(&str, &str)]) -> Definition {
    let text = serde_json::to_string(definition).expect("it has string keys only");
    let altered = words.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in {text}");
        text.replace(from, to)
    });
    serde_json::from_str(&altered).expect("it is still a definition")
}

#[test]
fn games_played_by_the_decision_plan_are_those_of_the_written_phases() {
    let most = (r#""most_then_greatest""#, r#""most""#);
    let three = (r#"{"at_least":[2,"foe"]}"#, r#"{"at_least":[3,"foe"]}"#);
    let definitions = [
        definition(),
        variant("hypergammon"),
        variant("longgammon"),
        variant("nackgammon"),
        altered(&definition(), &[most]),
        altered(&variant("hypergammon"), &[three, most]),
    ];
    let options = Options { decision_plan: false, ..Options::default() };
    for definition in definitions {
        let planned = definition.clone().compile(Options::default()).expect("compiles");
        let written = definition.compile(options.clone()).expect("compiles");
        for number in 0..12 {
            let play =
                |game: &Game| playout(game, &game.start(), &mut Source::for_game(5, number), 4_000);
            let (played, expected) = (play(&planned), play(&written));
            assert_eq!(played.events, expected.events, "{} {number}", planned.name());
            assert_eq!(played, expected, "{} {number}", planned.name());
        }
    }
}
