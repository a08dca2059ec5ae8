//! Commands that ask about a position.

use serde_json::{Value, json};

use crate::game::{dice, sliders};
use crate::senet::{scratch, senet, text};

const GAME: &str = "tic-tac-toe";

#[test]
fn games_are_listed() {
    let shown = senet(&["games"]).done();
    assert!(shown.starts_with("chess ") && shown.contains("\ntic-tac-toe "), "{shown}");
    assert_eq!(listed(GAME)["players"], json!(["x", "o"]));
}

/// What is said of a game in the list of games.
fn listed(name: &str) -> Value {
    let listed = senet(&["games", "--json"]).json();
    let games = listed["games"].as_array().unwrap();
    games.iter().find(|game| game["name"] == name).unwrap().clone()
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = [
        "games",
        "play",
        "moves",
        "apply",
        "path",
        "explain",
        "perft",
        "simulate",
        "replay",
        "definition",
        "rpc",
        "completions",
    ];
    for command in commands {
        let help = senet(&[command, "--help"]).done();
        assert!(help.contains(&format!("senet {command}")), "{help}");
        assert!(help.contains("Examples:") && help.contains("--json"), "{help}");
        assert!(!help.contains('\x1b'), "no colour where there is no terminal");
    }
}

#[test]
fn moves_are_listed_with_the_position_after_each() {
    let lines = senet(&["moves", GAME]).done();
    assert_eq!(lines.lines().count(), 9);
    assert!(lines.contains("b2  3/1x1/3 o\n"), "{lines}");
    let moves = senet(&["moves", GAME, "--position", "3/1x1/3 o", "--json"]).json();
    assert_eq!((&moves["player"], moves["events"].as_array().unwrap().len()), (&json!("o"), 8));
    let first = json!({ "event": "a1", "notation": "a1", "position": "3/1x1/o2 x" });
    assert_eq!(moves["events"][0], first);
    let turns = senet(&["moves", GAME, "--turns", "--json"]).json();
    assert_eq!(turns["turns"][4]["events"], json!(["b2"]));
}

#[test]
fn moves_of_a_finished_game_say_how_it_ended() {
    let over = ["moves", GAME, "--position", "xxx/oo1/3 o"];
    assert_eq!(senet(&over).done(), "no moves: x wins: three in a row\n");
}

#[test]
fn moves_of_chance_carry_their_probability() {
    let file = dice();
    let lines = senet(&["moves", text(&file)]).done();
    assert!(lines.starts_with("roll:1   1/6  right die.die=1 var.sum=1"), "{lines}");
    let moves = senet(&["moves", text(&file), "--json"]).json();
    assert_eq!(moves["events"][5]["probability"], json!({ "weight": 1, "total": 6 }));
}

#[test]
fn events_are_applied_in_turn() {
    let shown = senet(&["apply", GAME, "b2", "a1"]).done();
    assert!(shown.ends_with("3/1x1/o2 x\n"), "{shown}");
    let lines = senet(&["apply", GAME, "b2", "a1", "--json"]).done();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(last["position"], "3/1x1/o2 x");
    let turn = json!({ "change": "turn", "from": "o", "to": "x" });
    assert_eq!(last["changes"][1], turn);
}

#[test]
fn a_refused_event_fails_with_its_reason() {
    let refused = senet(&["apply", GAME, "b2", "b2"]).failed(1);
    assert_eq!(refused, "error: b2 is refused: b2 is taken\n");
    let ran = senet(&["apply", GAME, "b2", "--position", "3/1x1/3 o", "--json"]);
    let error = ran.error(1);
    assert_eq!((&error["code"], &error["details"]["phase"]), (&json!("rejected"), &json!("play")));
    assert_eq!(error["details"]["reasons"][0]["tile"], "b2");
}

#[test]
fn an_explanation_names_phase_rule_and_reason() {
    let accepted = senet(&["explain", GAME, "b2"]).done();
    assert!(accepted.starts_with("b2 is accepted by rule `mark an empty tile`\nphase: play\n"));
    let refused = senet(&["explain", GAME, "b2", "--position", "3/1x1/3 o", "--json"]).json();
    assert_eq!(refused["accepted"], false);
    assert_eq!(refused["rules"][0]["verdict"], "invalid");
    assert_eq!(refused["reasons"][0]["code"], "taken");
}

#[test]
fn a_path_is_shown_with_its_capture_or_what_blocks_it() {
    let file = sliders();
    let ask = |from: &str, to: &str| senet(&["path", text(&file), "white-slider-1", from, to]);
    assert_eq!(
        ask("a1", "d1").done(),
        "no path: the way of white-slider-1 from a1 to d1 is blocked on c1\n"
    );
    assert_eq!(ask("a1", "c1").done(), "a1 b1 c1, captures a piece of black\n");
    assert_eq!(ask("a1", "a2").done(), "a1 a2\n");
    assert_eq!(
        ask("a1", "b2").done(),
        "no path: no pattern of white-slider-1 leads from a1 to b2\n"
    );
    let own = senet(&["path", text(&file), "white-slider-1", "a1", "a3", "--json"]).json();
    assert_eq!((&own["path"], &own["why"]["tile"]), (&json!(null), &json!("a3")));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    assert!(senet(&["moves", "tic-tac-to"]).failed(2).contains("did you mean `tic-tac-toe`?"));
    let unknown = senet(&["moves", "go", "--json"]).error(2);
    assert_eq!(unknown["code"], "unknown_game");
    let piece = senet(&["path", GAME, "x-mrk-1", "a1", "a2"]).failed(1);
    assert!(piece.contains("did you mean `x-mark-1`?"), "{piece}");
    let tile = senet(&["path", GAME, "x-mark-1", "a1", "somewhere"]).failed(1);
    assert!(tile.contains("no tile is named `somewhere`"), "{tile}");
}

#[test]
fn a_wrong_position_or_event_fails_with_every_reason() {
    let error = senet(&["moves", GAME, "--position", "xq/1x1 z", "--json"]).error(1);
    assert_eq!(error["code"], "invalid_position");
    assert_eq!(error["details"]["kinds"].as_array().unwrap().len(), 3);
    assert!(error["details"]["reasons"][0]["at"].is_number());
    assert!(senet(&["explain", GAME, "z9"]).failed(1).contains("found `z9`"));
}

#[test]
fn a_wrong_command_line_is_usage() {
    for wrong in [&["nonsense"][..], &["moves"], &["perft", GAME], &["moves", GAME, "--depth"]] {
        senet(wrong).failed(2);
        let json = [wrong, &["--json"]].concat();
        assert_eq!(senet(&json).error(2)["code"], "usage", "{wrong:?}");
    }
    assert_eq!(senet(&[]).code, 2);
    assert!(senet(&["--version"]).done().starts_with("senet "));
}

#[test]
fn a_definition_written_to_a_file_is_the_same_game() {
    let file = scratch("written-definition.json");
    std::fs::write(&file, senet(&["definition", GAME]).done()).unwrap();
    let hash = listed(GAME)["definition"].clone();
    let checked = senet(&["definition", "--check", text(&file), "--json"]).json();
    assert_eq!(checked, json!({ "game": GAME, "valid": true, "definition": hash }));
    assert!(senet(&["definition", "--check", text(&file)]).done().contains("9 tiles"));
    let count = senet(&["perft", text(&file), "--depth", "4", "--json"]).json();
    assert_eq!(count["nodes"], 3024);
    let one_line = senet(&["definition", text(&file), "--json"]).done();
    assert_eq!(one_line.lines().count(), 1);
}

#[test]
fn a_wrong_definition_lists_every_mistake() {
    let file = scratch("wrong-definition.json");
    let definition = senet(&["definition", GAME]).done();
    let wrong = definition.replace("\"owner\": \"x\"", "\"owner\": \"nobody\"");
    std::fs::write(&file, wrong).unwrap();
    let told = senet(&["definition", "--check", text(&file)]).failed(1);
    assert!(told.contains("5 mistakes\n  pieces/x-mark-1: no player is named `nobody`"), "{told}");
    let error = senet(&["play", text(&file), "--json"]).error(1);
    assert_eq!(error["details"]["errors"].as_array().unwrap().len(), 5);
    std::fs::write(&file, "{\"name\": 3}").unwrap();
    assert!(senet(&["moves", text(&file)]).failed(1).contains("line 1 column 10"));
    std::fs::File::create(&file).unwrap().set_len(9 << 20).unwrap();
    assert!(senet(&["moves", text(&file)]).failed(1).contains("longer than the 8 MiB"));
    assert!(senet(&["moves", "missing.json"]).failed(1).contains("cannot read missing.json"));
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(senet(&["completions", shell]).done().contains("simulate"));
    }
    assert_eq!(senet(&["completions", "bash", "--json"]).json()["shell"], "bash");
}

#[test]
fn inspect_tells_how_a_rule_is_carried_out() {
    let told = senet(&["inspect", "chess", "--rule", "en passant"]).done();
    assert!(told.contains("rule `en passant` of white:"), "{told}");
    assert!(told.contains("asked once, lifted to a set of targets:"), "{told}");
    assert!(told.contains("each candidate is tried on a copy of the state"), "{told}");
    let told = senet(&["inspect", "chess", "--rule", "pawn step", "--json"]).json();
    assert_eq!(told[0]["methods"][0], "all pieces step at once, as sets");
    let code = senet(&["inspect", "tic-tac-toe", "--ir"]).done();
    assert!(code.contains("EmitPut"), "{code}");
    let near = senet(&["inspect", "chess", "--rule", "en pasant"]).failed(2);
    assert!(near.contains("did you mean `en passant`?"), "{near}");
}
