//! Backgammon from outside: matches at the keyboard, positions, files and rpc.

use senet::chance::Source;
use senet::notation::backgammon::Terms;
use senet::{Event, Game, Position};
use serde_json::{Value, json};

use crate::senet::{feed, scratch, senet, text};

/// Lines that play a match to its end, with dice typed by hand, and who wins it.
fn script(game: &Game, length: i64, seed: u64) -> (String, String) {
    let mut source = Source::seeded(seed);
    let state = Terms { length, ..Terms::default() }.start(game.rules()).expect("terms");
    let mut now = game.at(&state).expect("it is of this game");
    let mut lines = String::new();
    let act = |name: &str| Event::Act(game.action(name).expect("an act"));
    let mut line = |text: String| lines.push_str(&format!("{text}\n"));
    let follow = |now: &mut Position, events: &[Event]| {
        for &event in events {
            *now = now.apply(event).expect("a legal event").position;
        }
        while let Some(due) = now.due() {
            *now = now.apply(due).expect("it is due").position;
        }
    };
    while now.outcome().is_none() {
        let double = act("double");
        if now.asides().contains(&double) && source.below(12) == 0 {
            line("double".into());
            follow(&mut now, &[double]);
            let answer = if source.below(3) == 0 { "drop" } else { "take" };
            line(answer.into());
            follow(&mut now, &[act(answer)]);
        } else if let Some(roll) = source.draw(&now) {
            line(format!("roll {}", now.notate(roll)));
            follow(&mut now, &[roll]);
        } else {
            let turns = now.turns().unwrap();
            let turn = &turns[source.below(turns.len() as u64) as usize];
            line(now.notate_turn(turn));
            follow(&mut now, &turn.events);
        }
    }
    let outcome = now.outcome().expect("the match is over");
    let winner = game.player_name(outcome.winner.expect("somebody wins")).to_owned();
    (lines, winner)
}

#[test]
fn a_match_to_five_with_the_cube_is_played_to_its_end() {
    let game = senet::load("backgammon").unwrap();
    for seed in [1, 2] {
        let (script, winner) = script(&game, 5, seed);
        assert!(script.contains("double\n") && script.contains("roll "));
        let arguments = ["play", "backgammon", "--set", "length=5", "--seed", "1"];
        let shown = feed(&arguments, script.as_bytes()).done();
        assert!(shown.contains("The dice come from --seed 1."), "the seed is shown");
        assert!(shown.ends_with(&format!("{winner} wins: match\n")), "{shown}");
        assert!(!shown.contains("refused"), "{shown}");
    }
}

#[test]
fn dice_of_the_seed_cube_and_resignation_are_played() {
    let script = "roll 31\n8/5\n8/5 6/5\ndouble\ntake\n\nundo\nroll 65\n24/13\nresign gammon\nrefuse\n\
                  resign backgammon\naccept\n";
    let shown = feed(&["play", "backgammon", "--seed", "3"], script.as_bytes()).done();
    assert!(
        shown.contains("the play is refused: both dice can be played; legal here: "),
        "{shown}"
    );
    assert!(shown.contains("white: 8/5 6/5\n"), "{shown}");
    assert!(shown.contains("cube 2 of white"), "{shown}");
    assert!(shown.contains("white resigns: gammon"), "{shown}");
    assert!(shown.ends_with("black wins: backgammon\n"), "{shown}");
}

#[test]
fn a_turn_without_a_move_passes_by_itself_and_is_shown() {
    let position = "XGID=-------------------cbbbbbA:0:0:1:00:0:0:0:0:10";
    let shown = feed(&["play", "backgammon", "--position", position], b"roll 65\n").done();
    assert!(shown.contains("white rolls 6-5\nwhite: pass\n"), "{shown}");
    assert!(shown.ends_with("black to roll: press Enter\n"), "{shown}");
}

/// The answers to some requests, in order.
fn rpc(requests: &[(&str, Value)]) -> Vec<Value> {
    let line = |(method, params): &(&str, Value)| {
        format!("{}\n", json!({ "id": 1, "method": method, "params": params }))
    };
    let input: String = requests.iter().map(line).collect();
    let out = feed(&["rpc"], input.as_bytes()).done();
    out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

#[test]
fn rpc_lists_whole_plays_with_the_board_after_them() {
    let points =
        json!([-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]);
    let at = |dice: Value| {
        let position = json!({ "points": points, "bar": [0, 0], "off": [0, 0], "dice": dice });
        json!({ "game": "backgammon", "position": position })
    };
    let asked = rpc(&[
        ("turns", at(json!([1, 1]))),
        ("turns", at(json!([3, 1]))),
        ("legal", at(json!([3, 1]))),
    ]);
    assert_eq!(asked[0]["result"]["turns"].as_array().unwrap().len(), 42);
    let turns = asked[1]["result"]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 16);
    let five = turns.iter().find(|turn| turn["notation"] == "8/5 6/5").unwrap();
    assert_eq!(five["events"].as_array().unwrap().len(), 2);
    let mut after = points.clone();
    (after[4], after[5], after[7]) = (json!(2), json!(4), json!(2));
    assert_eq!(five["board"], json!({ "points": after, "bar": [0, 0], "off": [0, 0] }));
    for event in asked[2]["result"]["events"].as_array().unwrap() {
        let mut params = at(json!([3, 1]));
        params["event"] = event["event"].clone();
        let applied = rpc(&[("apply", params)]).remove(0);
        assert_eq!(applied["result"]["position"], event["position"]);
    }
    let shut = "XGID=-------------------cbbbbbA:0:0:1:65:0:0:0:0:10";
    let none = rpc(&[("turns", json!({ "game": "backgammon", "position": shut }))]).remove(0);
    assert_eq!(none["result"]["turns"].as_array().unwrap().len(), 1);
    assert_eq!(none["result"]["turns"][0]["events"], json!([]));
}

#[test]
fn rpc_names_what_is_wrong_with_a_position() {
    let kinds = |position: Value| {
        let params = json!({ "game": "backgammon", "position": position });
        let answer = rpc(&[("position", params)]).remove(0);
        assert_eq!(answer["error"]["code"], "invalid_position");
        answer["error"]["details"]["kinds"].clone()
    };
    let points =
        json!([-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]);
    assert_eq!(kinds(json!({ "points": points, "dice": [7, 1] })), json!(["bad die"]));
    assert_eq!(kinds(json!({ "points": points, "cube": 3 })), json!(["bad cube"]));
    assert_eq!(
        kinds(json!({ "points": points, "bar": [1, 0], "off": [0, 0] })),
        json!(["too many checkers"])
    );
    assert_eq!(kinds(json!({ "points": points, "off": [-1, 0] })), json!(["negative count"]));
    assert_eq!(kinds(json!("4HPwATDgc/ABM")), json!(["damaged id"]));
    assert_eq!(kinds(json!("XGID=-b----E-C")).as_array().unwrap().len(), 9);
}

const MATCH: &str = include_str!("../../../../games/backgammon/tests/data/match.mat");

#[test]
fn files_of_matches_are_checked_converted_and_counted() {
    let file = scratch("m.mat");
    std::fs::write(&file, MATCH).unwrap();
    let name = text(&file);
    let shown = senet(&["mat", "check", name]).done();
    assert!(shown.starts_with("1 match, 4 games, 268 plays, no errors in "), "{shown}");
    let tidy = senet(&["mat", "convert", name, "--to", "mat"]).done();
    let again = feed(&["mat", "convert", "-", "--to", "mat"], tidy.as_bytes()).done();
    assert_eq!(tidy, again);
    let lines = senet(&["mat", "convert", name, "--to", "jsonl"]).done();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&last["points"], &last["win"]), (&json!(6), &json!("backgammon")));
    let stats = senet(&["mat", "stats", name, "--json"]).done();
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["wins"], json!({ "backgammon": 1, "gammon": 1, "single": 2 }));
    let broken = MATCH.replacen("2) 32: 23/21 24/21", "2) 32: 23/21 23/20", 1);
    let ran = feed(&["mat", "check", "-"], broken.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.starts_with("-:8: game 1, move 2, white: 32: `32: 23/21 23/20` is illegal: "),
        "{}",
        ran.out
    );
    for junk in [&b"\0\0"[..], b"\xff\xfe\n", b" 5 point match\n Game 1\n", b"1) 31: 8/5"] {
        assert_eq!(feed(&["mat", "check", "-"], junk).code, 1);
    }
}

#[test]
fn positions_are_converted_both_ways() {
    let xgid = "XGID=-a----E-C---eE---c-e-a--B-:1:-1:1:52:1:2:0:5:10";
    let id = senet(&["convert", "backgammon", "--to", "gnubgid", xgid]).done();
    assert_eq!(senet(&["convert", "backgammon", "--to", "xgid", id.trim()]).done().trim(), xgid);
    let object = senet(&["convert", "backgammon", "--to", "json", xgid]).done();
    assert_eq!(
        senet(&["convert", "backgammon", "--to", "xgid", object.trim()]).done().trim(),
        xgid
    );
    let money = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:6";
    let lost = senet(&["convert", "backgammon", "--to", "gnubgid", money]);
    assert_eq!((lost.code, lost.out.trim()), (0, "4HPwATDgc/ABMA:cIkFAAAAAAAA"));
    assert_eq!(lost.err, "note: gnubgid leaves out var.limit=64, var.beavers=1\n");
    let doubled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:5:10";
    let lost = senet(&["convert", "backgammon", "--to", "json", doubled]);
    assert_eq!(lost.err, "note: json leaves out black to move, var.offered=1\n");
    let told = senet(&["convert", "backgammon", "--to", "gnubgid", money, "--json"]).done();
    assert!(told.contains("\"left_out\":[\"var.limit=64\",\"var.beavers=1\"]"), "{told}");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let epd = senet(&["convert", "chess", "--to", "epd", fen]).done();
    assert_eq!(epd, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    assert_eq!(senet(&["convert", "chess", "--to", "xgid", fen]).code, 2);
    let lines =
        feed(&["convert", "backgammon", "--to", "xgid", "-"], format!("{id}nonsense\n").as_bytes());
    assert_eq!(lines.code, 1);
    assert_eq!(lines.out.trim_end(), xgid.trim_end());
    assert!(lines.err.starts_with("error: line 2: "), "{}", lines.err);
}

/// A position with black to play 5-1.
const BLACK: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:51:0:0:0:0:10";

#[test]
fn points_are_numbered_as_the_player_to_move_counts_them() {
    let shown = |turn: &str| {
        let position = BLACK.replace(":-1:", turn);
        let script = b"quit\n";
        feed(&["play", "backgammon", "--position", &position], script).done()
    };
    let white = shown(":1:");
    assert!(white.contains(" +-13-14-15-16-17-18+---+-19-20-21-22-23-24+"), "{white}");
    let black = shown(":-1:");
    assert!(black.contains(" +-12-11-10--9--8--7+---+--6--5--4--3--2--1+\n | X "), "{black}");
    assert!(
        black.contains(" +-13-14-15-16-17-18+---+-19-20-21-22-23-24+\n\nblack to move"),
        "{black}"
    );
}

#[test]
fn a_path_and_a_picture_are_asked_for_by_the_numbers_of_the_player_to_move() {
    let path = senet(&["path", "backgammon", "13", "8", "--position", BLACK]).done();
    assert!(path.contains("from 13 to 8"), "{path}");
    let unknown = senet(&["path", "backgammon", "x4", "8", "--position", BLACK]).failed(1);
    assert!(!unknown.contains("`p"), "{unknown}");
    senet(&["render", "backgammon", "--legal", "13", "--position", BLACK]).done();
}

#[test]
fn no_explanation_names_a_tile_of_the_engine() {
    let told = senet(&["explain", "backgammon", "24/19", "--position", BLACK]).done();
    assert!(told.starts_with("24/19 is refused: 19 is held by white\n"), "{told}");
    assert!(!told.contains("p6") && !told.contains("p19"), "{told}");
    let refused = senet(&["apply", "backgammon", "24/19", "--position", BLACK]).failed(1);
    assert!(refused.contains("19 is held by white"), "{refused}");
    let bar = "XGID=-b----E-C---eD---c-e----BA:0:0:1:66:0:0:0:0:10";
    let told = senet(&["explain", "backgammon", "bar/19", "--position", bar]).done();
    assert!(!told.contains("white-bar") && told.contains("bar"), "{told}");
}

#[test]
fn a_picture_numbers_points_as_the_player_to_move_counts_them() {
    let numbers = |turn: &str| {
        let position = BLACK.replace(":-1:", turn);
        let svg = senet(&["render", "backgammon", "--position", &position]).done();
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
        texts.map(str::to_owned).collect::<Vec<String>>()
    };
    let (white, black) = (numbers(":1:"), numbers(":-1:"));
    let place = |list: &[String], number: &str| list.iter().position(|one| one == number);
    assert_eq!(place(&white, "24"), place(&black, "1"));
    assert_eq!(place(&white, "13"), place(&black, "12"));
}

#[test]
fn a_whole_play_is_explained() {
    let white = BLACK.replace(":-1:", ":1:");
    let explain = |play: &str| senet(&["explain", "backgammon", play, "--position", &white]);
    let told = explain("13/8 6/5").done();
    assert!(told.starts_with("13/8 6/5 is accepted\n13/8 is accepted by rule `move`\n"), "{told}");
    let told = explain("13/7").done();
    assert!(told.starts_with("13/7 is accepted\n"), "one checker may take both dice: {told}");
    let told = explain("24/18 6/5").done();
    assert!(told.starts_with("24/18 6/5 is refused: "), "{told}");
    let json = senet(&["explain", "backgammon", "13/8 6/5", "--position", &white, "--json"]).json();
    assert_eq!(
        (json["accepted"].as_bool(), json["steps"].as_array().unwrap().len()),
        (Some(true), 2)
    );
    let shown = feed(&["play", "backgammon", "--position", &white], b"why 13/8 6/5\n").done();
    assert!(shown.contains("13/8 6/5 is accepted\n"), "{shown}");
}
