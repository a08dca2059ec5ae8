//! The samples are worth testing with: random play uses every rule, ending and phase of them.

use std::collections::BTreeSet;

use senet_core::Plain;
use senet_testkit::{Case, Legend, check_perft, drawn, picture, sample};

#[test]
fn random_play_uses_every_rule_and_ending() {
    for game in sample::all() {
        let case = Case::new(game, &Plain);
        let game = &case.game;
        let (mut rules, mut endings) = (BTreeSet::new(), BTreeSet::new());
        for walk in (0..400).map(|seed| case.walk(seed)) {
            for (state, &event) in walk.states.iter().zip(&walk.events) {
                let explanation = game.explain(state, event);
                rules.extend(explanation.rules.iter().filter_map(|report| {
                    let accepts = report.verdict == senet_core::Verdict::Valid;
                    accepts.then(|| game.rule_name(report.rule).to_owned())
                }));
                rules.extend(explanation.accepted_by.map(|rule| game.rule_name(rule).to_owned()));
            }
            let outcomes = walk.states.iter().filter_map(|state| game.outcome(state));
            endings.extend(outcomes.map(|outcome| game.ending_name(outcome.ending).to_owned()));
        }
        let written = serde_json::to_value(game.definition()).unwrap();
        assert_eq!(rules, names_under(&written["phases"], "rules"), "rules of {}", game.name());
        let known: BTreeSet<String> =
            game.definition().endings.iter().map(|ending| ending.name.clone()).collect();
        assert_eq!(endings, known, "endings of {}", game.name());
    }
}

/// The names of everything in lists under a key, anywhere in a tree.
fn names_under(value: &serde_json::Value, key: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Some(list) = value[key].as_array() {
        names.extend(list.iter().filter_map(|one| Some(one["name"].as_str()?.to_owned())));
    }
    let inside: Vec<&serde_json::Value> = match value {
        serde_json::Value::Array(list) => list.iter().collect(),
        serde_json::Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    };
    inside.into_iter().for_each(|one| names.extend(names_under(one, key)));
    names
}

fn legend() -> Legend {
    Legend::new(["T white tower", "G white guard", "F white guard fresh", "g black guard"])
}

#[test]
fn a_picture_becomes_a_state_and_back() {
    let game = sample::skirmish();
    let state = drawn(
        &game,
        "black",
        &legend(),
        "
        . . . . .
        . . g . .
        . G . . .
        F . . . .
        T . . . .
        ",
    );
    let view = game.view(&state);
    assert_eq!(game.player_name(view.player()), "black");
    assert_eq!(view.owner_at(game.tile("c4").unwrap()), game.player("black"));
    assert!(view.is_flagged(game.tile("a2").unwrap(), game.flag("fresh").unwrap()));
    assert_eq!(picture(&game, &legend(), &state), ".....\n..g..\n.G...\nF....\nT....");
}

#[test]
fn a_hex_board_is_drawn_row_by_row() {
    let game = sample::league();
    let legend = Legend::new(["R red rider", "g green scout"]);
    let rows = "
          . . R
         . . . .
        g . . . .
         . . . .
          . . .";
    let state = drawn(&game, "red", &legend, rows);
    assert_eq!(game.view(&state).owner_at(game.tile("a3").unwrap()), game.player("green"));
    assert_eq!(game.view(&state).owner_at(game.tile("c5").unwrap()), game.player("red"));
    assert_eq!(picture(&game, &legend, &state), "..R\n....\ng....\n....\n...");
}

#[test]
#[should_panic(expected = "white has no piece left to be a tower")]
fn a_picture_that_is_no_state_says_why() {
    // White has six pieces that are or can become towers.
    drawn(
        &sample::skirmish(),
        "white",
        &legend(),
        "
        T T T T T
        T T . . .
        . . . . .
        . . . . .
        . . . . .
        ",
    );
}

#[test]
fn perft_files_of_the_samples_hold() {
    let files = [
        (sample::skirmish(), include_str!("data/skirmish.perft")),
        (sample::dash(), include_str!("data/dash.perft")),
        (sample::league(), include_str!("data/league.perft")),
        (sample::errand(), include_str!("data/errand.perft")),
        (sample::hurdle(), include_str!("data/hurdle.perft")),
    ];
    for (game, text) in files {
        check_perft(&game, &Plain, text, 200_000);
    }
}
