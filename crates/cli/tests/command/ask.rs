//! Commands that ask about a position.

use serde_json::{Value, json};

use crate::game::{dice, sliders};
use crate::senet::{feed, scratch, senet, text};

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
        "no path: the way of the slider from a1 to d1 is blocked on c1\n"
    );
    assert_eq!(ask("a1", "c1").done(), "a1 b1 c1, captures a piece of black\n");
    assert_eq!(ask("a1", "a2").done(), "a1 a2\n");
    assert_eq!(ask("a1", "b2").done(), "no path: the slider does not go from a1 to b2\n");
    let own = senet(&["path", text(&file), "white-slider-1", "a1", "a3", "--json"]).json();
    assert_eq!((&own["path"], &own["why"]["tile"]), (&json!(null), &json!("a3")));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    assert!(senet(&["moves", "tic-tac-to"]).failed(2).contains("did you mean `tic-tac-toe`?"));
    let unknown = senet(&["moves", "ludo", "--json"]).error(2);
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
    assert!(senet(&["explain", GAME, "z9"]).failed(1).contains("there is no move `z9` here"));
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
    assert!(senet(&["moves", text(&file)]).failed(1).contains("/name (line 1, column 10)"));
    std::fs::File::create(&file).unwrap().set_len(9 << 20).unwrap();
    assert!(senet(&["moves", text(&file)]).failed(1).contains("longer than the limit of 8 MiB"));
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
fn the_start_may_be_named() {
    let start = senet(&["moves", "chess"]).done();
    assert_eq!(senet(&["moves", "chess", "--position", "startpos"]).done(), start);
    let numbered = senet(&["moves", "chess960", "--position", "0"]).done();
    assert!(numbered.contains("bbqnnrkr/"), "{numbered}");
    let classic = senet(&["moves", "chess960", "--position", "518"]).done();
    assert!(classic.contains("rnbqkbnr/"), "{classic}");
    assert!(senet(&["moves", "chess960", "--position", "960"]).failed(1).contains("0 to 959"));
    senet(&["moves", "chess960", "--position", "random"]).done();
}

#[test]
fn a_refused_move_has_one_code_however_it_is_written() {
    for event in ["Nf6", "e5", "e2e5", "Qh5", "e7e5"] {
        let error = senet(&["apply", "chess", event, "--json"]).error(1);
        assert_eq!(error["code"], "rejected", "{event}: {error}");
        assert!(error["details"]["reasons"][0]["message"].is_string(), "{event}: {error}");
    }
    let error = senet(&["apply", "chess", "the \"Fool\"", "--json"]).error(1);
    assert_eq!(error["code"], "invalid_event");
    assert!(error["message"].as_str().unwrap().contains("`the \"Fool\"`"), "{error}");
    assert_eq!(error["details"]["found"], "the \"Fool\"");
}

#[test]
fn a_move_that_was_never_played_is_not_marked() {
    let refused = senet(&["render", "chess", "--last", "e2e5"]).failed(1);
    assert!(refused.contains("e2e5 is refused"), "{refused}");
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    senet(&["render", "chess", "--last", "e2e4", "--position", after]).done();
}

#[test]
fn a_path_is_asked_for_by_tiles_or_by_the_kind_of_a_piece() {
    let blocked = "no path: the way of the rook from a1 to a5 is blocked on a2\n";
    assert_eq!(senet(&["path", "chess", "a1", "a5"]).done(), blocked);
    assert_eq!(senet(&["path", "chess", "rook", "a1", "a5"]).done(), blocked);
    assert_eq!(senet(&["path", "chess", "rook", "c4", "c6"]).done(), "c4 c5 c6\n");
    assert_eq!(senet(&["path", "chess", "white-rook-1", "a1", "a5"]).done(), blocked);
}

#[test]
fn what_cannot_be_read_is_told_beside_the_data() {
    let ran = feed(&["convert", "chess", "--to", "epd", "-"], b"nothing\nstartpos\n");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    assert!(ran.err.starts_with("error: line 1: "), "{}", ran.err);
    let ran = senet(&["pgn", "check", "no such file"]);
    assert!(ran.err.starts_with("error: cannot read no such file"), "{}", ran.err);
    assert!(!ran.out.contains("cannot read"), "{}", ran.out);
}

#[test]
fn one_game_is_no_games_and_many_muscovites_win() {
    let one = senet(&["simulate", "tic-tac-toe", "--games", "1", "--seed", "1"]).done();
    assert!(one.starts_with("tic-tac-toe: 1 game at random, seed 1\n"), "{one}");
    let drawn = senet(&["simulate", "tic-tac-toe", "--games", "2"]).done();
    assert!(drawn.starts_with("tic-tac-toe: 2 games at random, seed "), "{drawn}");
    let definition = senet(&["definition", "tic-tac-toe"]).done();
    let definition = definition.replace("\"x\"", "\"muscovites\"").replace("\"o\"", "\"swedes\"");
    let file = scratch("plural.json");
    std::fs::write(&file, definition).unwrap();
    let shown = senet(&["simulate", text(&file), "--games", "1", "--seed", "1"]).done();
    assert!(shown.contains("  muscovites win "), "{shown}");
}

#[test]
fn kinds_and_players_of_a_file_have_letters_of_their_own() {
    let file = scratch("letters.json");
    std::fs::write(&file, senet(&["definition", "chess"]).done()).unwrap();
    let shown = senet(&["apply", text(&file), "g1/f3"]).done();
    assert!(shown.contains("wr wn wb wq wk wb"), "{shown}");
    assert!(!shown.contains("wk wb wq wk"), "{shown}");
}

#[test]
fn completions_know_games_and_opponents() {
    for shell in ["bash", "zsh", "fish"] {
        let script = senet(&["completions", shell]).done();
        assert!(script.contains("mcts"), "{shell}");
        // The script of fish completes options alone.
        assert!(shell == "fish" || script.contains("king-of-the-hill"), "{shell}");
    }
    assert!(!senet(&["play", "--help"]).done().contains("possible values: chess"));
}

#[test]
fn inspect_tells_how_a_rule_is_carried_out() {
    let told = senet(&["inspect", "chess", "--rule", "en passant"]).done();
    assert!(told.contains("rule `en passant` of white and black:"), "{told}");
    assert!(told.contains("asked once, lifted to a set of targets:"), "{told}");
    assert!(told.contains("each candidate is tried on a copy of the state"), "{told}");
    assert!(told.contains("must hold afterwards: the own king is not attacked"), "{told}");
    // Masks tell whether a knight may go, and nothing is tried; in xiangqi a piece may stand between
    // a cannon and what it attacks.
    let told = senet(&["inspect", "chess", "--rule", "knight move"]).done();
    assert!(told.contains("royal safety by check masks and pins"), "{told}");
    assert!(!told.contains("tried"), "{told}");
    let told = senet(&["inspect", "xiangqi", "--rule", "horse"]).done();
    assert!(told.contains("whose safety is in doubt are tried on a copy of the state"), "{told}");
    let told = senet(&["inspect", "chess", "--rule", "pawn step", "--json"]).json();
    assert_eq!(told[0]["methods"][0], "all pieces step at once, as sets");
    let code = senet(&["inspect", "tic-tac-toe", "--ir"]).done();
    assert!(code.contains("EmitPut"), "{code}");
    let near = senet(&["inspect", "chess", "--rule", "en pasant"]).failed(1);
    assert!(near.contains("did you mean `en passant`?"), "{near}");
}
