//! Files of games: checked, converted and counted, whatever is in them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::senet::{Ran, feed, scratch, senet, text};

const MATE: &str = "[Event \"mate\"]\n[White \"Fool\"]\n[Black \"Mate\"]\n[Result \"0-1\"]\n\n\
    1. f3 {weak} e5 2. g4?? (2. e4 Nf6 (2... d5)) 2... Qh4# 0-1\n\n";
const SLIP: &str = "[Event \"slip\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n";
const RANDOM: &str = "[Event \"random\"]\n[Variant \"Chess960\"]\n\
    [FEN \"bqnbrk1r/pppppppp/8/8/8/8/PPPPPPPP/BQNBRK1R w KQkq - 0 1\"]\n\n\
    1. O-O d6 2. Nd3 1/2-1/2\n\n";

fn written(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn pgn(arguments: &[&str]) -> Ran {
    senet(&[&["pgn"], arguments].concat())
}

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

#[test]
fn a_good_file_is_checked_with_exit_code_0() {
    let file = written("good.pgn", [MATE, RANDOM].concat());
    let out = pgn(&["check", text(&file)]).done();
    assert!(out.starts_with("2 games, 7 plies, no errors in "), "{out}");
    assert!(out.ends_with(" games/s\n"), "{out}");
    let summary = pgn(&["check", text(&file), text(&file), "--json"]).json();
    assert_eq!(summary, json!({ "files": 2, "games": 4, "plies": 14, "errors": 0 }));
    let piped = feed(&["pgn", "check", "-", "--json"], MATE.as_bytes()).json();
    assert_eq!(piped, json!({ "files": 1, "games": 1, "plies": 4, "errors": 0 }));
    let empty = feed(&["pgn", "check", "-", "--json"], b"").json();
    assert_eq!(empty["games"], 0);
}

#[test]
fn an_error_names_its_place_and_reading_goes_on() {
    let file = written("slip.pgn", [MATE, SLIP, RANDOM].concat());
    let ran = pgn(&["check", text(&file)]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let place = format!("{}:10:13: game 2, move 2. Ke3: `Ke3` is not", text(&file));
    assert!(ran.out.starts_with(&place), "{}", ran.out);
    assert!(ran.out.contains("\n3 games, 7 plies, 1 error in "), "{}", ran.out);
    let ran = pgn(&["check", text(&file), "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let told = lines(&ran.out);
    assert_eq!(told[0]["error"]["code"], "invalid_game");
    let details = json!({
        "file": text(&file), "line": 10, "column": 13, "game": 2, "move": "2. Ke3",
        "kind": "bad move",
    });
    assert_eq!(told[0]["error"]["details"], details);
    assert_eq!(told[1], json!({ "files": 1, "games": 3, "plies": 7, "errors": 1 }));
}

#[test]
fn a_file_that_is_not_there_is_told_and_the_next_is_checked() {
    let file = written("beside.pgn", MATE);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let ran = pgn(&["check", "/nowhere/at/all.pgn", folder, text(&file)]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: cannot read /nowhere/at/all.pgn: "), "{}", ran.err);
    assert!(ran.out.starts_with("3 files, 1 game, 4 plies, 2 errors in "), "{}", ran.out);
    for command in [&["stats", "/nowhere.pgn"][..], &["convert", "/nowhere.pgn", "--to", "uci"]] {
        assert!(pgn(command).failed(1).contains("cannot read /nowhere.pgn"));
        assert_eq!(pgn(&[command, &["--json"]].concat()).error(1)["code"], "io");
    }
    pgn(&["check"]).failed(2);
    pgn(&["convert", text(&file), "--to", "xml"]).failed(2);
}

#[test]
fn a_game_is_written_in_every_form() {
    let file = written("forms.pgn", [MATE, RANDOM].concat());
    let convert = |form: &str| pgn(&["convert", text(&file), "--to", form]).done();
    assert_eq!(convert("uci"), "f2f3 e7e5 g2g4 d8h4\nf1h1 d7d6 c1d3\n");
    let fen = convert("fen");
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n";
    assert!(fen.starts_with(mate) && fen.lines().count() == 2, "{fen}");
    let games = lines(&convert("jsonl"));
    assert_eq!((&games[0]["game"], &games[1]["game"]), (&json!("chess"), &json!("chess960")));
    assert_eq!(games[0]["tags"]["White"], "Fool");
    assert_eq!(games[0]["moves"][3], json!({ "uci": "d8h4", "san": "Qh4#" }));
    assert_eq!((&games[0]["result"], &games[1]["result"]), (&json!("0-1"), &json!("1/2-1/2")));
    assert_eq!(games[0]["outcome"]["reason"], "checkmate");
    assert_eq!((games[1]["moves"][0]["san"].as_str(), games.len()), (Some("O-O"), 2));
}

#[test]
fn export_format_reads_back_to_itself() {
    let file = written("loose.pgn", [MATE, RANDOM].concat().replace('\n', "\r\n"));
    let once = pgn(&["convert", text(&file), "--to", "pgn"]).done();
    let roster = "[Event \"mate\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
        [White \"Fool\"]\n[Black \"Mate\"]\n[Result \"0-1\"]\n\n\
        1. f3 {weak} 1... e5 2. g4 $4 (2. e4 Nf6 (2... d5)) 2... Qh4# 0-1\n\n";
    assert!(once.starts_with(roster), "{once}");
    assert!(once.contains("[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n1. O-O d6"), "{once}");
    let tidy = scratch("tidy.pgn");
    let said = pgn(&["convert", text(&file), "--to", "pgn", "--out", text(&tidy)]).done();
    assert_eq!(said, format!("2 games written to {}\n", text(&tidy)));
    assert_eq!(fs::read_to_string(&tidy).unwrap(), once);
    let in_place = pgn(&["convert", text(&tidy), "--to", "pgn", "--out", text(&tidy), "--json"]);
    assert_eq!(in_place.json(), json!({ "written": text(&tidy), "games": 2, "errors": 0 }));
    assert_eq!(fs::read_to_string(&tidy).unwrap(), once);
}

#[test]
fn a_bad_game_is_left_out_and_told() {
    let file = written("left-out.pgn", [MATE, SLIP, RANDOM].concat());
    let ran = pgn(&["convert", text(&file), "--to", "uci"]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 2));
    assert!(ran.err.contains("game 2, move 2. Ke3") && ran.err.ends_with("1 game left out\n"));
    let out = scratch("left-out.txt");
    let ran = pgn(&["convert", text(&file), "--to", "uci", "--out", text(&out), "--json"]);
    let told = lines(&ran.out);
    assert_eq!((ran.code, &told[0]["error"]["details"]["game"]), (1, &json!(2)));
    assert_eq!(told[1], json!({ "written": text(&out), "games": 2, "errors": 1 }));
}

#[test]
fn no_half_file_is_left() {
    let file = written("whole.pgn", MATE);
    let failed = pgn(&["convert", text(&file), "--to", "pgn", "--out", "/nowhere/at/all.pgn"]);
    assert!(failed.failed(1).contains("cannot write /nowhere/at/all.pgn"));
    let folder = scratch("half");
    let _ = fs::create_dir(&folder);
    let inside = folder.join("taken");
    let _ = fs::create_dir(&inside);
    let failed = pgn(&["convert", text(&file), "--to", "pgn", "--out", text(&inside)]);
    assert!(failed.failed(1).contains("cannot write"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|one| one.unwrap().path()).collect();
    assert_eq!(left, [inside], "only the folder that was there");
}

#[test]
fn what_is_in_a_file_is_counted() {
    let file = written("counted.pgn", [MATE, MATE, RANDOM].concat());
    let stats = pgn(&["stats", text(&file), "--depth", "2", "--json"]).json();
    assert_eq!(
        (&stats["games"], &stats["plies"], &stats["errors"]),
        (&json!(3), &json!(11), &json!(0))
    );
    assert_eq!(stats["results"], json!({ "1-0": 0, "0-1": 2, "1/2-1/2": 1, "*": 0 }));
    assert_eq!(stats["endings"], json!({ "checkmate": 2 }));
    assert_eq!(stats["variants"], json!({ "chess": 2, "chess960": 1 }));
    let longest = json!({ "plies": 4, "game": 1, "white": "Fool", "black": "Mate" });
    assert_eq!((&stats["longest"], &stats["shortest"]["game"]), (&longest, &json!(3)));
    assert!((stats["mean"].as_f64().unwrap() - 11.0 / 3.0).abs() < 1e-9);
    let opening = json!({ "game": "chess", "moves": ["f3", "e5"], "games": 2 });
    assert_eq!(stats["openings"], json!([opening]));
    let shown = pgn(&["stats", text(&file), "--depth", "2"]).done();
    assert!(shown.contains("checkmate  2  66.7 %") && shown.contains("1. f3 e5  2"), "{shown}");
    let slip = feed(&["pgn", "stats", "-", "--json"], [MATE, SLIP].concat().as_bytes());
    let told = lines(&slip.out);
    assert_eq!((slip.code, &told[0]["error"]["code"]), (1, &json!("invalid_game")));
    assert_eq!((&told[1]["games"], &told[1]["errors"]), (&json!(1), &json!(1)));
}

#[test]
fn endings_on_the_board_are_found_by_replay() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let bare = "[Event \"bare\"]\n[FEN \"8/k7/8/8/8/8/3n4/3K4 w - - 0 1\"]\n\nKxd2 *\n";
    let stuck = "[Event \"stuck\"]\n[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\nQg6 1-0\n";
    let file = format!("[Event \"five\"]\n\n{knights} *\n\n{bare}\n{stuck}");
    let ran = feed(&["pgn", "stats", "-", "--json"], file.as_bytes());
    let stats = ran.json();
    let endings = json!({
        "fivefold repetition": 1, "insufficient material": 1, "stalemate": 1,
    });
    assert_eq!(stats["endings"], endings);
}

#[test]
fn any_bytes_give_an_error_and_not_a_crash() {
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("nul", b"[Event \"x\"]\n\n1. e4 \0 e5 *\n".to_vec(), "NUL byte"),
        ("invalid", b"[Event \"x\"]\n\n1. e4 \xff\xfe *\n".to_vec(), "unexpected text"),
        ("nested", format!("1. e4 {} *\n", "(".repeat(100_000)).into_bytes(), "unexpected text"),
        ("unclosed", b"1. e4 {never *\n".to_vec(), "not closed"),
        ("variant", b"[Variant \"Go\"]\n\n1. e4 *\n".to_vec(), "unknown variant"),
        ("fen", b"[FEN \"8/8 w\"]\n\n1. e4 *\n".to_vec(), "bad position"),
        ("tag", b"[Event \"x\n\n1. e4 *\n".to_vec(), "not closed"),
    ];
    for (name, bytes, kind) in cases {
        let input = [&bytes, "\n".as_bytes(), MATE.as_bytes()].concat();
        let ran = feed(&["pgn", "check", "-", "--json"], &input);
        let told = lines(&ran.out);
        assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{name}");
        assert_eq!(told[0]["error"]["details"]["kind"], kind, "{name}");
        let summary = told.last().unwrap();
        assert_eq!((&summary["games"], &summary["errors"]), (&json!(2), &json!(1)), "{name}");
        for form in ["pgn", "uci", "fen", "jsonl"] {
            let ran = feed(&["pgn", "convert", "-", "--to", form], &input);
            assert!(ran.code == 1 && !ran.out.is_empty(), "{name} as {form}");
        }
        assert_eq!(feed(&["pgn", "stats", "-"], &input).code, 1, "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_bounded() {
    use crate::senet::{command, peak};
    use std::io::Write;
    use std::process::Stdio;

    let long = vec![b'x'; 20_000_000];
    let many = MATE.repeat(20_000).into_bytes();
    for command_line in [&["check", "-"][..], &["convert", "-", "--to", "pgn"], &["stats", "-"]] {
        let mut child = command(&[&["pgn"], command_line].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command is built");
        let mut stdin = child.stdin.take().unwrap();
        for part in [&long[..], b"\n\n", &many] {
            stdin.write_all(part).unwrap();
        }
        let peak = peak(child.id());
        assert!(peak < 80_000, "{command_line:?}: {peak} KiB");
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1), "{command_line:?}");
    }
}

#[test]
fn a_file_in_the_wrong_place_gets_a_hint() {
    let games = written("hint.pgn", MATE);
    let hint = format!("error: {0} is a file of games: senet pgn check {0}\n", text(&games));
    assert_eq!(senet(&["play", text(&games)]).failed(2), hint);
    assert_eq!(senet(&["replay", text(&games)]).failed(1), hint);
    let (plain, compact) = (scratch("hint.json"), scratch("hint.senet"));
    for file in [&plain, &compact] {
        feed(&["play", "tic-tac-toe", "--save", text(file)], b"b2\n").done();
    }
    let hint =
        |file| format!("error: {file} is a saved match, not a definition: senet replay {file}\n");
    assert_eq!(senet(&["perft", text(&plain), "--depth", "1"]).failed(1), hint(text(&plain)));
    assert_eq!(senet(&["moves", text(&compact)]).failed(1), hint(text(&compact)));
    let definition = written("hint-definition.json", senet(&["definition", "tic-tac-toe"]).done());
    let hint = format!(
        "error: {0} is a definition, not a saved match: senet play {0}\n",
        text(&definition)
    );
    assert_eq!(senet(&["replay", text(&definition)]).failed(1), hint);
}

#[test]
fn an_illegal_move_of_a_variation_is_found() {
    let file = written("variation.pgn", "[Result \"*\"]\n\n1. e4 (1. e5) e5 *\n");
    let ran = senet(&["pgn", "check", text(&file)]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("1 error"), "{}", ran.out);
}
