//! Counting trees and random games.

use serde_json::{Value, json};

use crate::game::dice;
use crate::senet::{scratch, senet, text};

#[test]
fn perft_prints_the_count_and_the_time() {
    let line = senet(&["perft", "tic-tac-toe", "--depth", "5"]).done();
    assert!(line.starts_with("depth 5: 15120 nodes in "), "{line}");
    let line = senet(&["perft", "tic-tac-toe", "--depth", "0"]).done();
    assert!(line.starts_with("depth 0: 1 node in "), "{line}");
    let count = senet(&["perft", "tic-tac-toe", "--depth", "7", "--json"]).json();
    assert_eq!((&count["game"], &count["depth"]), (&json!("tic-tac-toe"), &json!(7)));
    assert_eq!(count["nodes"], 148_176);
    assert!(count["seconds"].is_f64() && count["nps"].is_u64());
}

#[test]
fn perft_does_not_depend_on_the_threads() {
    for depth in ["0", "1", "2", "3", "6"] {
        let count = |threads: &str| {
            let position = ["--position", "3/1x1/3 o", "--divide", "--json", "--threads", threads];
            let ask = [&["perft", "tic-tac-toe", "--depth", depth], &position[..]].concat();
            let count = senet(&ask).json();
            (count["nodes"].clone(), count["divide"].clone())
        };
        let one = count("1");
        let sum = one.1.as_array().unwrap().iter().map(|share| share["nodes"].as_u64().unwrap());
        assert_eq!(sum.sum::<u64>(), if depth == "0" { 0 } else { one.0.as_u64().unwrap() });
        assert_eq!(one, count("2"));
        assert_eq!(one, count("7"));
    }
}

#[test]
fn perft_fails_where_another_count_is_expected() {
    let ask = |nodes: &str| senet(&["perft", "tic-tac-toe", "--depth", "3", "--expect", nodes]);
    ask("504").done();
    assert_eq!(ask("505").failed(1), "error: depth 3 has 504 nodes, expected 505\n");
}

#[test]
fn simulation_is_the_same_for_any_number_of_threads() {
    let file = dice();
    for game in ["tic-tac-toe", text(&file)] {
        let ask = |threads: &str, form: &str| {
            let flags = ["--games", "700", "--seed", "7", "--threads", threads, form];
            senet(&[&["simulate", game], &flags[..]].concat()).done()
        };
        let one = ask("1", "--json");
        assert_eq!(one, ask("2", "--json"));
        assert_eq!(one, ask("5", "--json"));
        let told: Value = serde_json::from_str(&one).unwrap();
        let wins = told["wins"].as_object().unwrap().values().map(|games| games.as_u64().unwrap());
        assert_eq!(wins.sum::<u64>() + told["draws"].as_u64().unwrap(), 700);
    }
}

#[test]
fn a_seed_that_is_not_given_is_drawn_and_told() {
    let mut told = senet(&["simulate", "tic-tac-toe", "--games", "50", "--json"]).json();
    let seed = told["seed"].as_u64().expect("it is told").to_string();
    let flags = ["--games", "50", "--seed", &seed, "--json"];
    let mut again = senet(&[&["simulate", "tic-tac-toe"], &flags[..]].concat()).json();
    assert_eq!(told.take(), again.take());
}

#[test]
fn another_seed_gives_other_games() {
    let ask = |seed: &str| {
        let flags = ["--games", "500", "--seed", seed, "--json"];
        let mut told = senet(&[&["simulate", "tic-tac-toe"], &flags[..]].concat()).json();
        told["seed"].take();
        told
    };
    assert_ne!(ask("1"), ask("2"));
}

#[test]
fn a_limit_leaves_games_unfinished() {
    let flags = ["--games", "10", "--seed", "1", "--limit", "3"];
    let told = senet(&[&["simulate", "tic-tac-toe"], &flags[..]].concat()).done();
    assert!(told.contains("unfinished  10  100.0 %"), "{told}");
    assert!(told.contains("length: 3.00 events on average, 3 to 3"), "{told}");
    let none = senet(&["simulate", "tic-tac-toe", "--games", "0", "--seed", "1"]).done();
    assert!(none.contains("0 games at random"), "{none}");
}

/// Says how every game behaves. A signature that changes although its rules did not is a bug: an
/// optimisation leaves all of them as they are. Where rules change on purpose, or a game is added,
/// `SENET_BLESS=1` writes the file anew.
#[test]
fn every_game_behaves_as_it_did() {
    let bench = senet(&["bench", "--json"]).json();
    let line = |game: &Value| {
        format!("{} {}\n", game["game"].as_str().unwrap(), game["signature"].as_str().unwrap())
    };
    let games = bench["games"].as_array().unwrap().iter().map(line);
    let found = format!(
        "# What `senet bench` says of each game. Speed never changes a line; rules may.\n{}",
        games.collect::<String>()
    );
    senet_testkit::check_golden(env!("CARGO_MANIFEST_DIR"), "signature.txt", &found);
    let told = senet(&["bench"]).done();
    let last = told.lines().last().unwrap_or_default();
    assert!(
        last.starts_with(&format!("signature {} in ", bench["signature"].as_str().unwrap())),
        "{told}"
    );
}

#[test]
fn coverage_tells_which_conditions_gave_one_answer_only() {
    let file = scratch("coverage.senet");
    let game = "game coverage\nplayers x, o\nboard grid 3 x 3\npiece mark\nvariable turns 0..9\n\
        put mark on empty where turns < 9 \"late\" where turns != 2 \"two\"\n\
        \x20 then turns += 1; if turns = 5: turns = 0; if turns > 1: turns += 1\n\
        win \"row\" line 3 of own\ndraw \"long\" turns = 9 and none own & {a1}\n";
    std::fs::write(&file, game).unwrap();
    let found = senet(&["test", text(&file), "--coverage", "--games", "50", "--json"]).json();
    let conditions = found[0]["conditions"].as_array().unwrap();
    let told: Vec<String> = conditions
        .iter()
        .map(|one| format!("{} never {}", one["condition"].as_str().unwrap(), one["never"]))
        .collect();
    assert_eq!(told, ["two never false", "turns is equal to 5 never true"], "{found}");
}
