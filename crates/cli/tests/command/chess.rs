//! Chess from outside: known answers of the rpc service, and a game played to mate.

use serde_json::{Value, json};

use crate::senet::{feed, senet};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const FOOLS_MATE: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const CASTLING: &str = "r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1";

/// The answer to one request about a game.
fn call(game: &str, method: &str, position: Option<&str>, event: Option<&str>) -> Value {
    let params = json!({ "game": game, "position": position, "event": event });
    let request = json!({ "id": 1, "method": method, "params": params }).to_string();
    let out = feed(&["rpc"], request.as_bytes()).done();
    serde_json::from_str(&out).expect("it is JSON")
}

fn result(game: &str, method: &str, position: Option<&str>) -> Value {
    call(game, method, position, None)["result"].take()
}

fn listed(legal: &Value, field: &str) -> Vec<String> {
    let events = legal["events"].as_array().unwrap().iter();
    events.map(|event| event[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_start_has_20_legal_moves_and_kiwipete_48() {
    let legal = result("chess", "legal", None);
    assert_eq!((listed(&legal, "event").len(), &legal["check"]), (20, &json!(false)));
    assert_eq!(legal["player"], "white");
    let first = legal["events"].as_array().unwrap().iter();
    let knight = first.clone().find(|event| event["event"] == "g1f3").unwrap();
    let after = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    assert_eq!(knight, &json!({ "event": "g1f3", "notation": "Nf3", "position": after }));
    assert_eq!(listed(&result("chess", "legal", Some(KIWIPETE)), "event").len(), 48);
}

#[test]
fn asides_are_listed_apart_while_the_game_goes_on() {
    let asides = |position| result("chess", "legal", position)["asides"].take();
    let aside = |name: &str| json!({ "event": name, "notation": name });
    assert_eq!(asides(None), json!([aside("resign"), aside("agree-draw")]));
    let claimable = asides(Some("4k3/8/8/8/8/8/8/R3K3 w - - 100 90"));
    assert_eq!(claimable[2], aside("claim-draw"));
    assert_eq!(asides(Some(FOOLS_MATE)), json!([]));
    let resigned = call("chess", "apply", None, Some("resign"));
    assert_eq!(resigned["result"]["outcome"]["reason"], "resignation");
    assert_eq!(resigned["result"]["outcome"]["winner"], "black");
}

#[test]
fn check_is_told() {
    let check = |fen| result("chess", "legal", Some(fen))["check"].take();
    assert_eq!(check("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"), true);
    assert_eq!(check("4k3/8/8/8/8/8/4P3/K3R3 b - - 0 1"), false);
}

#[test]
fn outcomes_have_the_words_of_chess() {
    let cases = [
        (FOOLS_MATE, json!("black"), "checkmate", 0),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", Value::Null, "stalemate", 0),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", Value::Null, "insufficient material", 15),
        ("8/8/4k3/8/8/3QK3/8/8 w - - 150 100", Value::Null, "seventy-five moves", 28),
    ];
    for (fen, winner, reason, legal) in cases {
        let position = result("chess", "position", Some(fen));
        assert_eq!(position["outcome"]["reason"], reason, "{fen}");
        assert_eq!(position["outcome"]["winner"], winner, "{fen}");
        assert_eq!(position["legal"], legal, "{fen}");
        assert_eq!(listed(&result("chess", "legal", Some(fen)), "event").len(), legal, "{fen}");
        assert_eq!(position["phase"].is_null(), legal == 0, "{fen}");
        let told = call("chess", "explain", Some(fen), Some("e3e2"))["result"]["phase"].take();
        assert_eq!(told.is_null(), legal == 0, "{fen}");
    }
    assert_eq!(result("chess", "position", None)["outcome"], Value::Null);
}

#[test]
fn castling_is_two_steps_in_chess_and_king_takes_rook_in_chess960() {
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (game, short, long) in [("chess", "e1g1", "e1c1"), ("chess960", "e1h1", "e1a1")] {
        let legal = result(game, "legal", Some(open));
        let (events, notations) = (listed(&legal, "event"), listed(&legal, "notation"));
        let written = |text: &str| notations.iter().position(|notation| notation == text).unwrap();
        assert_eq!((&*events[written("O-O")], &*events[written("O-O-O")]), (short, long), "{game}");
        let applied = call(game, "apply", Some(open), Some(short));
        assert_eq!(applied["result"]["position"], "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    }
}

#[test]
fn castling_through_check_is_refused_by_name() {
    let because = "e1g1 is refused: f1 is attacked by the bishop on c4";
    let told = &call("chess", "explain", Some(CASTLING), Some("e1g1"))["result"];
    assert!(told["text"].as_str().unwrap().starts_with(because), "{told}");
    assert_eq!(told["attacks"], json!([{ "from": "c4", "kind": "bishop", "on": "f1" }]));
    let refused = &call("chess", "apply", Some(CASTLING), Some("O-O"))["error"];
    assert_eq!((&refused["code"], &refused["message"]), (&json!("rejected"), &json!(because)));
    let shown = senet(&["explain", "chess", "e1g1", "--position", CASTLING]).done();
    assert!(shown.starts_with(because), "{shown}");
}

#[test]
fn an_impossible_position_has_every_reason() {
    let error = &call("chess", "position", Some("8/8/8/8/8/8/8/K6P w K - 0 1"), None)["error"];
    assert_eq!(error["code"], "invalid_position");
    let kinds = error["details"]["kinds"].as_array().unwrap();
    assert_eq!(kinds.len(), 3, "{error}");
    assert!(kinds.contains(&json!("no king")), "{error}");
}

#[test]
fn every_variant_is_counted_and_played() {
    let known = [
        ("chess", 8902),
        ("chess960", 8902),
        ("king-of-the-hill", 8902),
        ("three-check", 8902),
        ("capablanca", 25228),
        ("atomic", 8902),
    ];
    for (game, nodes) in known {
        let counted = senet(&["perft", game, "--depth", "3", "--json"]).json();
        assert_eq!(counted["nodes"], nodes, "{game}");
        let tried = senet(&["simulate", game, "--games", "8", "--seed", "7", "--json"]).json();
        assert_eq!((&tried["games"], &tried["unfinished"]), (&json!(8), &json!(0)), "{game}");
        assert!(senet(&["moves", game]).done().contains("\nor: resign, agree-draw\n"), "{game}");
    }
}

#[test]
fn variants_end_in_their_own_way() {
    let cases = [
        ("king-of-the-hill", "7R/8/8/8/8/4K3/8/k7 w - - 0 1", "e3e4", "king of the hill"),
        ("three-check", "4k3/8/8/8/8/8/8/K6R w - - 0 1 +2+0", "h1h8", "three checks"),
        ("atomic", "4k3/4p3/8/8/8/8/8/K3R3 w - - 0 1", "e1e7", "explosion"),
    ];
    for (game, fen, event, reason) in cases {
        let outcome = &call(game, "apply", Some(fen), Some(event))["result"]["outcome"];
        assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("white"), &json!(reason)));
    }
}

#[test]
fn a_game_is_played_to_mate() {
    let script = "help\ne4\ne5\nBc4\nNc6\nQh5\nwhy Qxf7\nNf6\nQxf7\nresign\n";
    let shown = feed(&["play", "chess"], script.as_bytes()).done();
    assert!(shown.contains("\n  resign      play this instead of a move\n"), "{shown}");
    assert!(!shown.contains("dice"), "{shown}");
    assert!(shown.contains("black: Nf6\n") && shown.contains("white: Qxf7#\n"), "{shown}");
    assert!(shown.ends_with("    a b c d e f g h\n\nwhite wins: checkmate\n"), "{shown}");
}

#[test]
fn a_game_is_resigned_or_drawn_and_check_is_shown() {
    let shown = feed(&["play", "chess"], b"e4\nf5\nQh5\nresign\ne5\n").done();
    assert!(shown.contains("black to move, in check\n"), "{shown}");
    assert!(shown.ends_with("white wins: resignation\n"), "{shown}");
    let shown = feed(&["play", "chess"], b"claim-draw\nagree-draw\nno\ndraw\nyes\n").done();
    assert!(shown.contains("claim-draw is refused"), "{shown}");
    assert!(shown.contains("white offers a draw: the other side types yes or no.\n"), "{shown}");
    assert!(shown.contains("The draw is declined.\n"), "{shown}");
    assert!(shown.ends_with("draw: agreement\n"), "{shown}");
    let knights = "Nf3\nNf6\nNg1\nNg8\n".repeat(2) + "moves\nclaim-draw\n";
    let shown = feed(&["play", "chess"], knights.as_bytes()).done();
    assert!(shown.contains("or: resign, agree-draw, claim-draw\n"), "{shown}");
    assert!(shown.ends_with("draw: threefold repetition\n"), "{shown}");
}

#[test]
fn a_move_of_the_other_side_is_refused_with_whose_turn_it_is() {
    let told = senet(&["explain", "chess", "e7e5"]).done();
    assert_eq!(
        told,
        "e7e5 is refused: it is white's turn, and the pawn on e7 is black's\n\
         phase: play\n\
         all 13 rules of this phase refuse: it is white's turn, and the pawn on e7 is black's\n"
    );
}

#[test]
fn a_leap_is_told_by_its_ends_alone() {
    let told = senet(&["explain", "chess", "Nd2"]).done();
    let why = "the knight on b1 cannot go to d2 because your own pawn stands there";
    assert!(told.starts_with(&format!("Nd2 is refused: {why}, ")), "{told}");
    assert!(told.contains("path: b1 d2, blocked on d2\n"), "{told}");
    let told = senet(&["explain", "chess", "b1c3"]).done();
    assert!(told.contains("path: b1 c3\n"), "{told}");
    assert_eq!(senet(&["path", "chess", "g1", "f3"]).done(), "g1 f3\n");
    let none = senet(&["path", "chess", "g1", "g3"]).done();
    assert_eq!(none, "no path: the knight does not go from g1 to g3\n");
}

#[test]
fn convert_numbers_the_lines_of_its_input() {
    let lines = b"nonsense\n8/8/8/8/8/8/8/K6k w - - 0 1\n";
    let ran = feed(&["convert", "chess", "--to", "epd", "-", "--json"], lines);
    let said: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!((ran.code, ran.err.as_str(), said.len()), (1, "", 2));
    assert_eq!(said[0]["error"]["details"]["line"], 1);
    assert_eq!((&said[1]["line"], &said[1]["form"]), (&json!(2), &json!("epd")));
    let ran = feed(&["convert", "chess", "--to", "epd", "-"], lines);
    assert_eq!(ran.out, "8/8/8/8/8/8/8/K6k w - -\n");
    assert!(ran.err.starts_with("error: line 1: "), "{}", ran.err);
}
