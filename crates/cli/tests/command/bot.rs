//! Opponents at the table and in duels.

use serde_json::Value;

use crate::senet::{feed, senet};

#[test]
fn an_opponent_answers_every_move() {
    let arguments = ["play", "tic-tac-toe", "--bot", "search", "--level", "10", "--seed", "1"];
    let shown = feed(&arguments, b"a1\nc3\nquit\n").done();
    assert!(shown.contains("x: a1\n") && shown.contains("o: b2\n"), "{shown}");
}

#[test]
fn a_person_may_take_the_other_side_and_take_back_a_whole_turn() {
    let arguments = ["play", "tic-tac-toe", "--bot", "random", "--side", "o", "--seed", "3"];
    let shown = feed(&arguments, b"undo\nmoves\nquit\n").done();
    assert!(shown.starts_with("tic-tac-toe: x and o."), "{shown}");
    // The opponent began, and begins again when its move is taken back.
    assert_eq!(shown.lines().filter(|line| line.starts_with("x: ")).count(), 2, "{shown}");
    let arguments = ["play", "chess", "--bot", "search:1", "--seed", "3"];
    let shown = feed(&arguments, b"e4\nundo\nd4\nquit\n").done();
    let lines = |start: &str| shown.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("white: "), lines("black: ")), (2, 2), "{shown}");
}

#[test]
fn an_opponent_rolls_its_own_dice() {
    let arguments = ["play", "backgammon", "--bot", "search:1", "--seed", "5"];
    let shown = feed(&arguments, b"\nquit\n").done();
    assert!(shown.contains("roll"), "{shown}");
    let arguments = ["play", "backgammon", "--bot", "random", "--side", "black", "--seed", "2"];
    let shown = feed(&arguments, b"quit\n").done();
    assert!(shown.contains("white: "), "{shown}");
}

#[test]
fn an_opponent_that_is_none_is_told() {
    let failed = |arguments: &[&str], code: i32| {
        senet(&[&["play", "chess"], arguments].concat()).failed(code)
    };
    assert!(failed(&["--bot", "serch"], 1).contains("did you mean `search`?"));
    assert!(failed(&["--bot", "search:x"], 1).contains("search:3"));
    assert!(failed(&["--bot", "search:3", "--level", "2"], 1).contains("--level"));
    assert!(failed(&["--bot", "random", "--side", "green"], 1).contains("white or black"));
    assert!(failed(&["--bot", "random", "--level", "11"], 2).contains("1..=10"));
    assert!(failed(&["--level", "3"], 2).contains("--bot"));
}

fn duel(arguments: &[&str]) -> Value {
    senet(&[&["duel"], arguments, &["--json"]].concat()).json()
}

#[test]
fn a_duel_is_the_same_with_any_number_of_threads() {
    let arguments = ["tic-tac-toe", "--a", "mcts:50", "--b", "random", "--games", "20"];
    let run =
        |threads: &str| duel(&[&arguments[..], &["--seed", "7", "--threads", threads]].concat());
    let one = run("1");
    assert_eq!(one, run("3"));
    let count = |field: &Value| field.as_u64().unwrap();
    let ended = count(&one["wins"]["a"]) + count(&one["wins"]["b"]) + count(&one["draws"]);
    assert_eq!((ended, &one["seed"]), (20, &7.into()));
    assert!(one["elo"]["low"].as_f64() < one["elo"]["difference"].as_f64(), "{one}");
}

#[test]
fn like_against_like_is_even_in_expectation() {
    let one =
        duel(&["tic-tac-toe", "--a", "random", "--b", "random", "--games", "400", "--seed", "1"]);
    let elo = &one["elo"];
    assert!(elo["low"].as_f64() < Some(0.0) && elo["high"].as_f64() > Some(0.0), "{one}");
}

#[test]
fn a_duel_in_words_names_both_and_the_difference() {
    let shown = senet(&[
        "duel",
        "tic-tac-toe",
        "--a",
        "search:9",
        "--b",
        "random",
        "--games",
        "10",
        "--seed",
        "1",
        "--opening",
        "0",
    ])
    .done();
    assert!(
        shown.starts_with("tic-tac-toe: search:9 against random, 10 games, seed 1\n"),
        "{shown}"
    );
    assert!(shown.contains("random wins    0  0.0 %\n"), "{shown}");
    assert!(shown.contains("Elo difference: "), "{shown}");
}

#[test]
fn a_duel_that_cannot_be_is_told() {
    let failed = |a: &str, games: &str| {
        senet(&["duel", "chess", "--a", a, "--b", "random", "--games", games]).failed(2)
    };
    assert!(failed("mtcs:5", "2").contains("did you mean `mcts`?"));
    assert!(failed("random", "0").contains("0 is not in 1.."));
}

#[test]
fn every_command_has_a_manual_page() {
    let page = senet(&["man"]).done();
    assert!(page.contains(".TH senet 1") && page.contains("senet\\-duel(1)"), "{page}");
    let folder = crate::senet::scratch("manual");
    senet(&["man", "--out", crate::senet::text(&folder)]).done();
    let duel = std::fs::read_to_string(folder.join("senet-duel.1")).expect("it is written");
    assert!(duel.contains("The first opponent"), "{duel}");
    let failed = senet(&["man", "--out", "/dev/null/nowhere"]).failed(1);
    assert!(failed.contains("cannot write to /dev/null/nowhere"), "{failed}");
}

#[test]
fn an_opponent_agrees_to_a_draw_only_where_it_would_lose() {
    let play = |position: &str, bot: &str| {
        let arguments = ["play", "chess", "--bot", bot, "--position", position];
        feed(&arguments, b"agree-draw\nquit\n").done()
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let shown = play(start, "search:2");
    assert!(shown.contains("search:2 declines the draw\n"), "{shown}");
    assert!(shown.trim_end().ends_with("white to move") || !shown.contains("agreement"), "{shown}");
    let won = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    assert!(play(won, "search:2").ends_with("draw: agreement\n"));
    assert!(play(won, "random").contains("random declines the draw"));
}

#[test]
fn an_opponent_offers_a_draw_where_nothing_is_left_to_win() {
    // No king can cross the rank that pawns attack.
    let closed = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let arguments = ["play", "chess", "--bot", "search:2", "--position", closed];
    let walk = "Kd1\nKc1\nKb1\nKa1\nKa2\nKb2\nKc2\nKd2\n";
    let offer = "search:2 offers a draw: type yes to agree, or play on.\n";
    let shown = feed(&arguments, format!("{walk}yes\n").as_bytes()).done();
    assert_eq!(shown.matches(offer).count(), 1, "{shown}");
    assert!(shown.ends_with("draw: agreement\n"), "{shown}");
    let shown = feed(&arguments, format!("{walk}no\nKe2\nquit\n").as_bytes()).done();
    assert!(shown.contains("You decline the draw.\n") && shown.contains("white: Ke2\n"), "{shown}");
    // Who plays on has declined.
    let shown = feed(&arguments, format!("{walk}Ke2\nyes\nquit\n").as_bytes()).done();
    assert!(!shown.contains("agreement"), "{shown}");
}

#[test]
fn the_opponent_is_named() {
    let arguments = ["play", "chess", "--bot", "search", "--level", "3", "--side", "black"];
    let shown = feed(&arguments, b"quit\n").done();
    assert!(shown.contains("You are black; your opponent is search, level 3.\n"), "{shown}");
}

#[test]
fn the_best_moves_of_any_game_are_found() {
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let shown = senet(&["analyse", "chess", "--position", mate, "--bot", "search:1"]).done();
    assert!(shown.starts_with("Ra8#"), "{shown}");
    assert!(shown.lines().next().unwrap().ends_with("wins"), "{shown}");
    let fork = ["analyse", "tic-tac-toe", "--position", "xx1/oo1/3 x", "--bot", "search:9"];
    let told = senet(&[&fork[..], &["--lines", "2", "--json"]].concat()).json();
    assert_eq!(
        (told["moves"][0]["notation"].as_str(), told["player"].as_str()),
        (Some("c3"), Some("x"))
    );
    assert_eq!(told["moves"].as_array().unwrap().len(), 2);
    assert!(senet(&["analyse", "backgammon"]).failed(1).contains("the dice decide first"));
    let dice = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let best = ["analyse", "backgammon", "--position", dice, "--bot", "search:1"];
    assert!(senet(&best).done().starts_with("8/5 6/5 "));
}
