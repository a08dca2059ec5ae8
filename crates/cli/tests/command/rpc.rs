//! Requests and answers, a line each.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::game::sliders;
use crate::senet::{command, feed, text};

/// The answers to some lines.
fn answers(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let out = feed(&[&["rpc"], arguments].concat(), input).done();
    out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

/// The result of one request.
fn call(method: &str, params: Value) -> Value {
    let mut answer = ask(method, params);
    assert_eq!(answer["error"], Value::Null);
    answer["result"].take()
}

/// The error of one request.
fn fail(method: &str, params: Value) -> Value {
    let mut answer = ask(method, params);
    assert_eq!(answer["result"], Value::Null);
    answer["error"].take()
}

fn ask(method: &str, params: Value) -> Value {
    let request = json!({ "id": 1, "method": method, "params": params }).to_string();
    let mut answers = answers(&[], request.as_bytes());
    assert_eq!((answers.len(), &answers[0]["id"]), (1, &json!(1)));
    answers.remove(0)
}

const GAME: &str = "tic-tac-toe";

#[test]
fn games() {
    let games = call("games", json!({}));
    let all = games["games"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|game| game["name"].as_str().unwrap()).collect();
    let chess = ["chess", "chess960", "king-of-the-hill", "three-check", "capablanca", "atomic"];
    assert!(chess.iter().all(|name| names.contains(name)), "{names:?}");
    let ours = all.iter().find(|game| game["name"] == GAME).unwrap();
    assert_eq!(ours["players"], json!(["x", "o"]));
}

#[test]
fn position() {
    let start = call("position", json!({ "game": GAME }));
    assert_eq!((&start["position"], &start["player"]), (&json!("3/3/3 x"), &json!("x")));
    assert_eq!((start["hash"].as_str().unwrap().len(), &start["outcome"]), (32, &Value::Null));
    assert_eq!(start, call("position", json!({ "game": GAME, "position": null })));
    let over = call("position", json!({ "game": GAME, "position": "xxx/oo1/3 o" }));
    assert_eq!(over["outcome"]["winner"], "x");
    assert_eq!(over["outcome"]["reason"], "three in a row");
    let draw = call("position", json!({ "game": GAME, "position": "xox/xxo/oxo o" }));
    assert_eq!(draw["outcome"]["winner"], Value::Null);
    assert_eq!(draw["outcome"]["reason"], "board full");
}

#[test]
fn position_refused_with_every_reason() {
    let error = fail("position", json!({ "game": GAME, "position": "xq/1x1 z" }));
    assert_eq!(error["code"], "invalid_position");
    let kinds = json!(["wrong number of rows", "malformed row", "unknown player"]);
    assert_eq!(error["details"]["kinds"], kinds);
    assert!(error["details"]["reasons"][0]["at"].is_number());
    let error = fail("position", json!({ "game": GAME, "position": "xxx/3/3 o" }));
    assert_eq!(error["details"]["kinds"], json!(["the marks cannot have been made in turn"]));
}

#[test]
fn legal() {
    let legal = call("legal", json!({ "game": GAME, "position": "3/1x1/3 o" }));
    let events = legal["events"].as_array().unwrap();
    assert_eq!((events.len(), &legal["player"]), (8, &json!("o")));
    let first = json!({ "event": "a1", "notation": "a1", "position": "3/1x1/o2 x" });
    assert_eq!(events[0], first);
}

#[test]
fn turns() {
    let turns = call("turns", json!({ "game": GAME }));
    let first = json!({ "notation": "a1", "events": ["a1"], "position": "3/3/x2 o" });
    assert_eq!((turns["turns"].as_array().unwrap().len(), &turns["turns"][0]), (9, &first));
}

#[test]
fn apply() {
    let applied = call("apply", json!({ "game": GAME, "event": "b2" }));
    assert_eq!((&applied["position"], &applied["outcome"]), (&json!("3/1x1/3 o"), &Value::Null));
    let put = json!({ "change": "piece", "piece": "x-mark-1", "from": null, "to": "b2" });
    assert_eq!(applied["changes"][0], put);
    let after = call("position", json!({ "game": GAME, "position": "3/1x1/3 o" }));
    assert_eq!(applied["hash"], after["hash"]);
    let won = call("apply", json!({ "game": GAME, "event": "c3", "position": "xx1/oo1/3 x" }));
    assert_eq!(won["outcome"]["winner"], "x");
    assert_eq!(won["outcome"]["reason"], "three in a row");
}

#[test]
fn apply_refused_with_phase_rule_and_reasons() {
    let error = fail("apply", json!({ "game": GAME, "event": "b2", "position": "3/1x1/3 o" }));
    assert_eq!(error["code"], "rejected");
    assert_eq!(error["details"]["phase"], "play");
    assert_eq!(error["details"]["rule"], "mark an empty tile");
    let reason = json!({ "code": "taken", "message": "b2 is taken", "tile": "b2" });
    assert_eq!(error["details"]["reasons"], json!([reason]));
    let over = fail("apply", json!({ "game": GAME, "event": "a1", "position": "xxx/oo1/3 o" }));
    assert_eq!(over["details"]["reasons"][0]["code"], "over");
    let unread = fail("apply", json!({ "game": GAME, "event": "b9" }));
    assert_eq!((&unread["code"], &unread["details"]["at"]), (&json!("invalid_event"), &json!(0)));
}

#[test]
fn explain() {
    let told = call("explain", json!({ "game": GAME, "event": "b2", "position": "3/1x1/3 o" }));
    assert_eq!((&told["accepted"], &told["phase"]), (&json!(false), &json!("play")));
    assert!(told["text"].as_str().unwrap().starts_with("b2 is refused: b2 is taken"));
}

#[test]
fn path() {
    let file = sliders();
    let params = [
        json!({ "game": "sliders", "piece": "white-slider-1", "to": "c1" }),
        json!({ "game": "sliders", "from": "a1", "to": "d1" }),
        json!({ "game": "sliders", "from": "b2", "to": "d1" }),
        json!({ "game": "sliders", "to": "d1" }),
    ];
    let line = |params| json!({ "id": 1, "method": "path", "params": params }).to_string() + "\n";
    let input: String = params.into_iter().map(line).collect();
    let answers = answers(&["--definition", text(&file)], input.as_bytes());
    assert_eq!(answers[0]["result"]["path"], json!(["a1", "b1", "c1"]));
    assert_eq!(answers[0]["result"]["capture"], "black");
    assert_eq!(answers[1]["result"]["path"], Value::Null);
    assert_eq!(answers[1]["result"]["why"]["tile"], "c1");
    assert_eq!(answers[2]["result"]["why"]["code"], "no_piece");
    assert_eq!(answers[3]["error"]["code"], "invalid_params");
}

#[test]
fn perft() {
    assert_eq!(call("perft", json!({ "game": GAME, "depth": 4 }))["nodes"], 3024);
    assert_eq!(call("perft", json!({ "game": GAME, "depth": 0 }))["nodes"], 1);
    let at = json!({ "game": GAME, "depth": 1, "position": "3/1x1/3 o" });
    assert_eq!(call("perft", at)["nodes"], 8);
    for depth in [json!(-1), json!("3"), json!(1.5), json!(5_000_000_000_u64), Value::Null] {
        let error = fail("perft", json!({ "game": GAME, "depth": depth }));
        assert_eq!(error["code"], "invalid_params", "{error}");
    }
}

#[test]
fn what_is_unknown_has_its_code() {
    assert_eq!(fail("prft", json!({}))["code"], "unknown_method");
    assert_eq!(fail("prft", json!({}))["details"]["near"], "perft");
    assert_eq!(fail("legal", json!({ "game": "tic-tac-to" }))["code"], "unknown_game");
    assert_eq!(fail("legal", json!({ "game": "../../etc/x.json" }))["code"], "unknown_game");
    for params in [
        json!({}),
        json!([]),
        json!(3),
        json!({ "game": 3 }),
        json!({ "game": GAME, "position": 3 }),
        json!({ "game": GAME, "postion": "3/3/3 x" }),
    ] {
        assert_eq!(fail("legal", params)["code"], "invalid_params");
    }
    assert_eq!(
        fail("path", json!({ "game": GAME, "from": "z", "to": "a1" }))["code"],
        "invalid_params"
    );
}

#[test]
fn an_object_as_position_goes_to_the_notation() {
    let error = fail("legal", json!({ "game": GAME, "position": { "points": [1] } }));
    assert_eq!(error["code"], "invalid_position");
}

#[test]
fn malformed_lines_get_an_error_and_the_next_is_served() {
    let cases: [(&[u8], Value); 12] = [
        (b"nonsense", Value::Null),
        (b"{", Value::Null),
        (b"[1,2]", Value::Null),
        (b"42", Value::Null),
        (b"\"text\"", Value::Null),
        (b"{}", Value::Null),
        (b"{\"id\":7}", json!(7)),
        (b"{\"id\":\"seven\",\"method\":7}", json!("seven")),
        (b"{\"id\":[7,{\"a\":null}],\"method\":null}", json!([7, { "a": null }])),
        (b"{\"method\":\"games\"} {}", Value::Null),
        (b"\xff\xfe", Value::Null),
        (b"{\"id\":8,\"method\":\"games\",\"x\":\"\xff\"}", json!(8)),
    ];
    for (line, id) in cases {
        let input = [line, b"\n\n  \r\n{\"id\":\"next\",\"method\":\"games\"}\n"].concat();
        let answers = answers(&[], &input);
        assert_eq!(answers.len(), 2, "{}", String::from_utf8_lossy(line));
        assert_eq!(answers[0]["error"]["code"], "parse_error");
        let message = answers[0]["error"]["message"].as_str().unwrap();
        assert!(message.contains("found") || message.contains("method"), "{message}");
        assert_eq!(answers[0]["id"], id);
        assert_eq!(answers[1]["id"], "next");
        assert!(answers[1]["result"].is_object());
    }
}

#[test]
fn any_id_is_echoed_to_the_letter() {
    for id in ["null", "1e400", "123456789012345678901234567890", "{\"a\": [1,  2]}", "\"\\u0041\""]
    {
        let request = format!("{{\"id\":{id},\"method\":\"games\",\"jsonrpc\":\"2.0\"}}");
        let out = feed(&["rpc"], request.as_bytes()).done();
        assert!(out.starts_with(&format!("{{\"id\":{id},\"result\":")), "{out}");
    }
}

#[test]
fn every_answer_is_flushed_at_once() {
    let mut child = command(&["rpc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command is built");
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(stdin, "{{\"id\":{id},\"method\":\"games\"}}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{{\"id\":{id},")), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn long_lines_stay_within_bounds() {
    let list =
        format!("{{\"id\":2,\"method\":\"games\",\"params\":[{}0]}}", "0,".repeat(8_000_000));
    let text = format!(
        "{{\"id\":3,\"method\":\"legal\",\"params\":{{\"game\":\"tic-tac-toe\",\"position\":\"{}\"}}}}",
        "x".repeat(16_000_000)
    );
    let lines: [(Vec<u8>, &str); 4] = [
        (vec![b'x'; 20_000_000], "parse_error"),
        (vec![b'['; 100_000_000], "parse_error"),
        (list.into_bytes(), "invalid_params"),
        (text.into_bytes(), "invalid_position"),
    ];
    let mut child = command(&["rpc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command is built");
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for (line, code) in lines {
        stdin.write_all(&line).unwrap();
        stdin.write_all(b"\n{\"id\":9,\"method\":\"games\"}\n").unwrap();
        let mut next = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            serde_json::from_str::<Value>(&line).expect("it is JSON")
        };
        assert_eq!(next()["error"]["code"], code);
        assert_eq!(next()["id"], 9);
    }
    let peak = crate::senet::peak(child.id());
    assert!(peak < 120_000, "{peak} KiB");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_huge_position_takes_little_memory() {
    let odd = "[{},".repeat(2 << 20);
    let line = format!(
        "{{\"id\":1,\"method\":\"legal\",\"params\":{{\"game\":\"backgammon\",\"position\":{{\"a\":\"{odd}\"}}}}}}\n"
    );
    let out = crate::senet::feed(&["rpc"], line.as_bytes()).done();
    assert!(out.contains("invalid_position") && out.contains("longer than"), "{out}");
}

#[test]
fn analyse_and_render() {
    let ask = |method: &str, more: &str| {
        let line =
            format!("{{\"method\":\"{method}\",\"params\":{{\"game\":\"tic-tac-toe\"{more}}}}}\n");
        let out = crate::senet::feed(&["rpc"], line.as_bytes()).done();
        serde_json::from_str::<Value>(&out).expect("it is JSON")
    };
    let more = ",\"position\":\"xx1/oo1/3 x\",\"bot\":\"search:9\",\"lines\":1";
    let told = ask("analyse", more);
    assert_eq!(told["result"]["moves"][0]["notation"], "c3", "{told}");
    assert_eq!(ask("analyse", ",\"bot\":\"nobody\"")["error"]["code"], "invalid_params");
    let told = ask("render", "");
    assert!(told["result"]["svg"].as_str().unwrap().starts_with("<svg"), "{told}");
}

#[test]
fn opponents_choose_simulate_and_duel() {
    assert_eq!(call("bots", json!({}))["bots"], json!(["random", "mcts", "search"]));
    let position = "xx1/oo1/3 x";
    let params = json!({ "game": GAME, "position": position, "bot": "search:9", "seed": 1 });
    let chosen = call("choose", params.clone());
    assert_eq!((&chosen["event"], &chosen["line"]), (&json!("c3"), &json!(["c3"])));
    assert_eq!(chosen, call("choose", params));
    let over = json!({ "game": GAME, "position": "xxx/oo1/3 o", "bot": "random" });
    assert_eq!(call("choose", over)["event"], Value::Null);
    let dice = json!({ "game": "backgammon", "bot": "random" });
    assert_eq!(fail("choose", dice)["code"], "invalid_position");
    assert_eq!(fail("choose", json!({ "game": GAME, "bot": "nobody" }))["code"], "invalid_params");
    let played = call("simulate", json!({ "game": GAME, "games": 50, "seed": 7 }));
    let [x, o] = ["x", "o"].map(|side| played["wins"][side].as_u64().unwrap());
    assert_eq!(x + o + played["draws"].as_u64().unwrap(), 50);
    let duel = json!({ "game": GAME, "a": "mcts:100", "b": "random", "games": 4, "seed": 7 });
    let duel = call("duel", duel);
    assert_eq!((&duel["games"], &duel["a"]), (&json!(4), &json!("mcts:100")));
    let wide = json!({ "game": GAME, "games": 1, "seed": -1 });
    assert_eq!(fail("simulate", wide)["code"], "invalid_params");
}

#[test]
fn matches_are_created_played_taken_back_saved_and_closed() {
    let requests = [
        json!({ "id": 1, "method": "match.create", "params": { "game": "chess" } }),
        json!({ "id": 2, "method": "match.apply", "params": { "match": 1, "event": "e4" } }),
        json!({ "id": 3, "method": "match.apply", "params": { "match": 1, "event": "e4" } }),
        json!({ "id": 4, "method": "match.undo", "params": { "match": 1 } }),
        json!({ "id": 5, "method": "match.undo", "params": { "match": 1 } }),
        json!({ "id": 6, "method": "match.redo", "params": { "match": 1 } }),
        json!({ "id": 7, "method": "match.save", "params": { "match": 1, "form": "pgn" } }),
        json!({ "id": 8, "method": "match.save", "params": { "match": 1 } }),
        json!({ "id": 9, "method": "match.close", "params": { "match": 1 } }),
        json!({ "id": 10, "method": "match.show", "params": { "match": 1 } }),
        json!({ "id": 11, "method": "match.show" }),
    ];
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let said = answers(&[], lines.as_bytes());
    assert_eq!(said[0]["result"]["match"], 1);
    assert_eq!(said[1]["result"]["notation"], "e4");
    assert_eq!(said[2]["error"]["code"], "rejected");
    assert_eq!((&said[3]["result"]["ply"], &said[3]["result"]["plies"]), (&json!(0), &json!(1)));
    assert_eq!(said[4]["error"]["message"], "there is no move to take back");
    assert_eq!(said[5]["result"]["player"], "black");
    assert!(said[6]["result"]["saved"].as_str().unwrap().ends_with("\n1. e4 *\n"));
    assert_eq!(said[8]["result"]["closed"], 1);
    assert_eq!(said[9]["error"]["message"], "match: no open match has the number 1");
    assert_eq!(said[10]["error"]["code"], "invalid_params");
    // What was saved is loaded again, and goes on.
    let saved = said[7]["result"]["saved"].as_str().unwrap();
    let loaded = call("match.load", json!({ "saved": saved }));
    assert_eq!((&loaded["game"], &loaded["ply"]), (&json!("chess"), &json!(1)));
    let changed = saved.replace("e2/e4", "e2/e3");
    assert_eq!(fail("match.load", json!({ "saved": changed }))["code"], "invalid_match");
    assert_eq!(fail("match.load", json!({ "saved": "x" }))["code"], "invalid_params");
}

#[test]
fn too_many_matches_are_refused() {
    let create = "{\"method\":\"match.create\",\"params\":{\"game\":\"tic-tac-toe\"}}\n";
    let said = answers(&[], create.repeat(1_001).as_bytes());
    assert_eq!(said[999]["result"]["match"], 1_000);
    assert_eq!(said[1_000]["error"]["code"], "invalid_params");
}
