//! Play with a script at standard input.

use serde_json::Value;

use crate::game::dice;
use crate::senet::{Ran, feed, scratch, senet, text};

fn play(arguments: &[&str], script: &str) -> Ran {
    feed(&[&["play"], arguments].concat(), script.as_bytes())
}

#[test]
fn a_game_is_played_to_its_end() {
    let shown = play(&["tic-tac-toe"], "b2\na1\nb1\na2\nb3\nc3\n").done();
    assert!(shown.ends_with(
        "a3  · x ·\n\
         a2  o x ·\n\
         a1  o x ·\n    a1 … c1\n\nx wins: three in a row\n"
    ));
}

#[test]
fn a_refused_move_is_told_and_play_goes_on() {
    let shown = play(&["tic-tac-toe"], "b2\nb2\nwhy b2\nnonsense\nmark@a1\n").done();
    assert!(shown.contains("b2 is refused: b2 is taken\n"), "{shown}");
    assert!(shown.contains("rule `mark an empty tile` refuses: b2 is taken\n"), "{shown}");
    assert!(
        shown.contains("there is no move `nonsense` here: write a tile from a1 to c3"),
        "{shown}"
    );
    assert!(shown.contains("o: a1\n"), "{shown}");
    assert!(shown.ends_with("x to move\n"), "it ends cleanly with its input");
}

#[test]
fn a_move_is_taken_back_and_played_again() {
    let shown = play(&["tic-tac-toe"], "undo\nb2\nundo\nredo\nredo\nboard\nquit\nb1\n").done();
    let turns: Vec<&str> = shown.lines().filter(|line| line.ends_with("to move")).collect();
    assert_eq!(turns, ["x to move", "o to move", "x to move", "o to move", "o to move"]);
    assert!(shown.contains("there is no move to take back"), "{shown}");
    assert!(shown.contains("there is no move to play again"), "{shown}");
}

#[test]
fn moves_and_help_are_shown_on_demand() {
    let shown = play(&["tic-tac-toe", "--position", "xxx/oo1/3 o"], "moves\n").done();
    assert!(shown.ends_with("x wins: three in a row\n"), "a finished game takes no orders");
    let shown = play(&["tic-tac-toe"], "moves\nhelp\n").done();
    assert!(shown.contains("c3  2x/3/3 o\n") && shown.contains("why MOVE"), "{shown}");
}

#[test]
fn dice_come_from_the_seed_and_may_be_typed() {
    let file = dice();
    let game = text(&file);
    let shown = play(&[game, "--seed", "5"], "\nroll\nroll 6\n3\n\n\n\n\n\n\n\n").done();
    assert!(shown.contains("The dice come from --seed 5."), "{shown}");
    assert!(shown.contains("left rolls 6\n") && shown.contains("right rolls 3\n"), "{shown}");
    assert!(shown.trim_end().ends_with("wins: dozen"), "{shown}");
    let again = play(&[game, "--seed", "5"], "\nroll\nroll 6\n3\n\n\n\n\n\n\n\n").done();
    assert_eq!(shown, again);
    let typed = play(&[game], "roll 7\nroll 1-2\ngive-up\n").done();
    assert_eq!(typed.matches("there is no move `roll:").count(), 2, "{typed}");
    assert!(typed.ends_with("right wins: given up\n"), "{typed}");
}

#[test]
fn a_roll_taken_back_comes_up_the_same() {
    let file = dice();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let shown = play(&[text(&file), "--seed", seed], "roll\nundo\nroll\nundo\nredo\n").done();
        let rolls: Vec<&str> =
            shown.lines().filter(|line| line.starts_with("left rolls ")).collect();
        assert_eq!(rolls.len(), 2, "{shown}");
        assert_eq!(rolls[0], rolls[1], "{shown}");
    }
}

#[test]
fn a_roll_where_none_is_awaited_is_told() {
    let shown = play(&["tic-tac-toe"], "roll\n\nb2\n").done();
    assert!(shown.contains("this game has no dice\n") && shown.contains("x: b2\n"), "{shown}");
    let shown = play(&["tic-tac-toe"], "roll 3\nwhy\nwhy \n").done();
    assert!(shown.contains("roll: this game has no dice\n"), "{shown}");
    assert_eq!(shown.matches("why: a move is missing; type why MOVE\n").count(), 2, "{shown}");
}

#[test]
fn a_match_is_saved_as_it_goes_and_replays() {
    let (kept, compact) = (scratch("kept.json"), scratch("asked for.senet"));
    let script =
        format!("b2\na1\nsave {}\nundo\nsave\nsave /nowhere/at/all.json\n", text(&compact));
    let shown = play(&["tic-tac-toe", "--save", text(&kept)], &script).done();
    assert!(shown.contains("the name of a file is missing; type save FILE"), "{shown}");
    assert!(shown.contains("cannot write /nowhere/at/all.json"), "{shown}");
    let kept = senet(&["replay", text(&kept), "--json"]).json();
    assert_eq!((kept["events"].as_array().unwrap().len(), kept["now"].as_u64()), (2, Some(1)));
    let compact = senet(&["replay", text(&compact), "--json"]).json();
    assert_eq!(compact["position"], "3/1x1/o2 x");
}

#[test]
fn nothing_played_is_nothing_saved() {
    let file = scratch("unplayed.json");
    play(&["tic-tac-toe", "--save", text(&file)], "").done();
    assert!(!file.exists());
}

#[test]
fn in_json_every_answer_is_a_line() {
    let shown = play(&["tic-tac-toe", "--json"], "b2\nb2\nmoves\nwhy a1\nhelp\nundo\n").done();
    let lines: Vec<Value> =
        shown.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(lines[0]["game"], "tic-tac-toe");
    assert_eq!((&lines[1]["ply"], &lines[1]["position"]), (&0.into(), &"3/3/3 x".into()));
    assert_eq!(lines[2]["notation"], "b2");
    assert_eq!(lines[4]["error"]["code"], "rejected");
    assert_eq!(lines[5]["events"].as_array().unwrap().len(), 8);
    assert_eq!(lines[6]["accepted"], true);
    assert_eq!(lines.last().unwrap()["ply"], 0);
}

#[test]
fn a_line_of_any_bytes_is_told_and_play_goes_on() {
    let mut script = b"\xff\xfe\n\0\n".to_vec();
    script.extend(vec![b'a'; 1 << 20]);
    script.extend(b"\nb2\n");
    let shown = feed(&["play", "tic-tac-toe"], &script).done();
    assert!(shown.contains("the line is not UTF-8 text"), "{shown}");
    assert!(shown.contains("the line is too long") && shown.contains("x: b2\n"), "{shown}");
}

#[test]
fn a_saved_match_is_played_on() {
    let (json, compact) = (scratch("on.json"), scratch("on.senet"));
    for file in [&json, &compact] {
        play(&["tic-tac-toe", "--save", text(file)], "b2\na1\n").done();
        let shown = play(&[text(file)], "c3\n").done();
        assert!(shown.contains("a3  · · x\na2  · x ·\na1  o · ·"), "{shown}");
        let replayed = senet(&["replay", text(file), "--json"]).json();
        assert_eq!(replayed["events"].as_array().unwrap().len(), 3, "it stays in its file");
    }
    let file = dice();
    let kept = scratch("dozen-match.json");
    play(&[text(&file), "--save", text(&kept)], "roll 3\n").done();
    let shown = play(&[text(&file), "--load", text(&kept)], "roll 2\n").done();
    assert!(shown.contains("right rolls 2\n"), "{shown}");
}

#[test]
fn the_ending_of_a_file_decides_how_a_match_is_written() {
    let pgn = scratch("played.pgn");
    play(&["chess", "--save", text(&pgn)], "f3\ne5\ng4\nQh4\n").done();
    let text_of = std::fs::read_to_string(&pgn).unwrap();
    assert!(text_of.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text_of}");
    senet(&["pgn", "check", text(&pgn)]).done();
    let mat = scratch("played.mat");
    let script = "roll 3-1\n8/5 6/5\nroll 5-2\n13/11 13/8\ndouble\ntake\nroll 6-5\n24/13\n";
    play(&["backgammon", "--set", "length=3", "--save", text(&mat)], script).done();
    let text_of = std::fs::read_to_string(&mat).unwrap();
    assert!(text_of.starts_with(" 3 point match\n\n Game 1\n"), "{text_of}");
    assert!(text_of.contains("31: 8/5 6/5") && text_of.contains(" Doubles => 2"), "{text_of}");
    senet(&["mat", "check", text(&mat)]).done();
    for (game, ending) in [("chess", "mat"), ("tic-tac-toe", "pgn"), ("chess", "txt")] {
        let file = scratch(&format!("unknown.{ending}"));
        let refused = senet(&["play", game, "--save", text(&file)]).failed(1);
        assert!(refused.contains("use one of .json, .senet"), "{refused}");
        let said = play(&[game], &format!("save {}\n", text(&file))).done();
        assert!(said.contains("use one of .json, .senet") && !file.exists(), "{said}");
    }
}

#[test]
fn a_file_that_is_there_stays_unless_it_may_be_replaced() {
    let file = scratch("there.json");
    std::fs::write(&file, "mine").unwrap();
    let refused = senet(&["play", "tic-tac-toe", "--save", text(&file)]).failed(1);
    assert!(refused.contains("exists: use --force"), "{refused}");
    let script = format!("b2\nsave {0}\nsave --force {0}\nsave {0}\n", text(&file));
    let shown = play(&["tic-tac-toe"], &script).done();
    assert_eq!(shown.matches("exists: use --force").count(), 1, "{shown}");
    assert_eq!(shown.matches("saved as ").count(), 2, "{shown}");
    std::fs::write(&file, "mine").unwrap();
    play(&["tic-tac-toe", "--save", text(&file), "--force"], "b2\n").done();
    assert!(std::fs::read_to_string(&file).unwrap().contains("tic-tac-toe"));
}

#[test]
fn a_play_that_was_typed_at_once_is_taken_back_at_once() {
    let position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let shown = play(&["backgammon", "--position", position], "8/5 6/5\nundo\nboard\n").done();
    assert!(shown.trim_end().ends_with("white to move"), "{shown}");
    let last = shown.rsplit("13-14").next().unwrap();
    assert!(last.contains("white to play 3-1"), "both steps are taken back: {last}");
    let shown = play(&["backgammon", "--position", position], "8/5 6/5\nundo\nredo\n").done();
    assert!(shown.trim_end().ends_with("black to roll: press Enter"), "{shown}");
}

#[test]
fn a_rematch_begins_again() {
    let shown = play(&["tic-tac-toe"], "b2\nrematch\nundo\n").done();
    assert!(shown.contains("A new game.\n"), "{shown}");
    assert!(shown.trim_end().ends_with("there is no move to take back"), "{shown}");
}

#[test]
fn a_takeback_is_asked_for_in_lines_too() {
    let shown = play(&["tic-tac-toe"], "b2\ntakeback\nno\ntakeback\nyes\na1\n").done();
    assert!(shown.contains("o, may the last move be taken back? Type yes or no.\n"), "{shown}");
    assert!(shown.contains("The takeback is declined.\n"), "{shown}");
    assert!(shown.contains("x: a1\n"), "{shown}");
}

#[test]
fn saving_a_long_match_appends_to_it() {
    for name in ["long.json", "long.senet", "long.pgn"] {
        let file = scratch(name);
        // Knights go out and back: a thousand rounds of four plies.
        let script = "Nf3\nNf6\nNg1\nNg8\n".repeat(1_000);
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let arguments = ["king-of-the-hill", "--position", position, "--save", text(&file)];
        let timed = |arguments: &[&str]| {
            let start = std::time::Instant::now();
            (play(arguments, &script).done(), start.elapsed())
        };
        let (_, unsaved) = timed(&arguments[..3]);
        let (shown, took) = timed(&arguments);
        assert!(shown.contains("saved as"), "{name}");
        // A match that was written anew for every move would take many times as long as its play.
        let most = 8 * unsaved + std::time::Duration::from_secs(10);
        assert!(took < most, "{name} took {took:?}, and {unsaved:?} without saving");
    }
}

#[test]
fn a_match_saved_move_by_move_is_the_one_saved_at_once() {
    let moves = ["e4", "e5", "undo", "d5", "exd5", "undo", "undo", "redo", "takeback", "yes", "c5"];
    for name in ["grown.json", "grown.senet"] {
        let file = scratch(name);
        let script = moves.map(|text| format!("{text}\n")).concat();
        play(&["chess", "--save", text(&file)], &script).done();
        let told = senet(&["replay", text(&file), "--json"]).json();
        let events = told["events"].as_array().unwrap().iter();
        let played: Vec<&str> = events.map(|one| one["notation"].as_str().unwrap()).collect();
        assert_eq!(played, ["e4", "c5"], "{name}");
    }
}

#[test]
fn cards_are_shown_by_name_to_those_who_see_them() {
    let shown = play(&["kuhn-poker", "--seed", "3"], "").done();
    assert!(shown.contains("\nhand of one  jack\nhand of two  1 card, hidden\n"), "{shown}");
    assert!(shown.contains("\nstake        one 1, two 1\n"), "{shown}");
    assert!(!shown.contains("hand-jack") && !shown.contains("king"), "{shown}");
    let shown = play(&["kuhn-poker", "--seed", "3"], "pass\n").done();
    let (_, two) = shown.split_once("Now two sits at the board.").unwrap();
    assert!(two.contains("\nhand of one  1 card, hidden\nhand of two  king\n"), "{shown}");
    let shown = play(&["liars-dice", "--seed", "3"], "\n").done();
    assert!(shown.contains("die-one  not rolled\ndie-two  hidden\n"), "{shown}");
}
