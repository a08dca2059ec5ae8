//! The pictures of the README and the book: each is what its command draws, and was looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CASTLING: &str = "r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1";

/// Each picture with the command that draws it.
const PICTURES: [(&str, &[&str]); 7] = [
    ("castling.svg", &["explain", "chess", "O-O", "--position", CASTLING]),
    ("blocked.svg", &["explain", "chess", "a1a5"]),
    ("knight.svg", &["render", "chess", "--last", "e2e4", "--legal", "g8", "--threats", "white"]),
    ("capablanca.svg", &["render", "capablanca", "--flip"]),
    ("backgammon.svg", &["render", "backgammon", "--last", "roll:white:3,black:1"]),
    ("nackgammon-dark.svg", &["render", "nackgammon", "--theme", "dark", "--flip"]),
    ("tic-tac-toe.svg", &["explain", "tic-tac-toe", "b2", "--position", "xo1/1x1/2o x"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_blessing() -> bool {
    std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1")
}

/// Runs the command with a file to write, and gives what it wrote.
fn drawn(arguments: &[&str], name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    let output = command.args(arguments).arg("--out").arg(&path).output().expect("it is built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(&path).expect("it wrote the file")
}

#[test]
fn every_picture_of_the_book_is_what_its_command_draws() {
    for (name, arguments) in PICTURES {
        check(name, &drawn(arguments, name));
    }
}

/// Compares what a command wrote with a picture of the book.
fn check(name: &str, found: &[u8]) {
    let path = root().join("docs/picture").join(name);
    if is_blessing() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let hint = "SENET_BLESS=1 draws it anew; look at it";
    let golden = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}; {hint}"));
    assert!(found == golden, "{name} is not what is drawn; {hint}");
}

/// The block of a page that is a file, the last of them where there are several.
fn block(page: &str, file: &str, number: usize) -> String {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let note = format!("<!-- file: {file} -->");
    let after = text.split(&note).nth(number).expect("the page has the file");
    let block = after.split("```").nth(1).expect("a block follows");
    block.split_once('\n').expect("it has lines").1.to_owned()
}

#[test]
fn the_first_game_is_drawn() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first.senet");
    fs::write(&file, block("first-game.md", "first.senet", 2)).unwrap();
    let position = "x b2=x:mark a1=o:mark c2=x:mark c1=o:mark";
    let asked = ["explain", file.to_str().unwrap(), "mark@c1", "--position", position];
    check("first-game.svg", &drawn(&asked, "first.svg"));
}

/// A game of the page about first games, with a move that is refused.
fn check_step(picture: &str, name: &str, arguments: &[&str]) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, block("first-game.md", name, 1)).unwrap();
    let asked: Vec<&str> =
        ["explain", file.to_str().unwrap()].iter().chain(arguments).copied().collect();
    check(picture, &drawn(&asked, picture));
}

#[test]
fn every_step_of_the_page_about_first_games_is_drawn() {
    check_step("first-four.svg", "four.senet", &["disc@d2"]);
    let hill = "8/8/8/6n1/8/4K3/8/k7 w - - 0 1";
    check_step("first-hill.svg", "hill.senet", &["Ke4", "--position", hill]);
    let found = "o a1=x:mark+found b2=x:mark c3=o:mark";
    check_step("first-phantom.svg", "phantom.senet", &["mark@a1", "--position", found]);
}

#[test]
fn the_film_of_the_book_is_what_is_filmed() {
    let pgn = Path::new(env!("CARGO_TARGET_TMPDIR")).join("game.pgn");
    fs::write(&pgn, block("pictures.md", "game.pgn", 1)).unwrap();
    let pgn = pgn.to_str().unwrap();
    let filmed = drawn(&["film", pgn, "--candidates", "--threats", "--delay", "700"], "game.gif");
    check("film.gif", &filmed);
}

#[test]
fn the_film_of_the_readme_is_half_a_minute_of_play() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/opera.pgn");
    let filmed = drawn(&["film", game.to_str().unwrap(), "--delay", "900"], "play.gif");
    check("play.gif", &filmed);
}

#[test]
fn every_picture_that_a_page_shows_is_there() {
    let docs = root().join("docs");
    let pages = fs::read_dir(&docs).unwrap().map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    for page in pages.chain([root().join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let folder = page.parent().unwrap();
        for shown in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let is_picture = [".svg", ".png", ".gif"].iter().any(|ending| shown.ends_with(ending));
            let is_there = folder.join(shown).is_file();
            assert!(!is_picture || is_there, "{}: no picture {shown}", page.display());
        }
    }
}

#[test]
fn a_png_is_written_and_a_wrong_ending_is_told() {
    let bytes = drawn(&["render", "tic-tac-toe"], "board.png");
    assert!(bytes.starts_with(b"\x89PNG"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    let output = command.args(["render", "chess", "--out", "x.jpg"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "error: x.jpg: the file name must end with .svg or .png, and has .jpg\n");
}

#[test]
fn a_match_and_a_pgn_file_are_filmed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let pgn = folder.join("film.pgn");
    fs::write(&pgn, "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"?\"]\n\n1. d4 *\n").unwrap();
    let pgn = pgn.to_str().unwrap();
    let whole = drawn(&["film", pgn, "--candidates", "--threats"], "film.gif");
    assert!(whole.starts_with(b"GIF89a"));
    let second = drawn(&["film", pgn, "--number", "2"], "second.gif");
    assert!(second.len() < whole.len());
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    let output = command.args(["film", pgn, "--number", "3", "--out", "x.gif"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.ends_with("no game 3, the file has 2\n"), "{told}");
}

#[test]
fn a_game_of_a_mat_file_is_filmed() {
    let mat = root().join("games/backgammon/tests/data/match.mat");
    let text = fs::read_to_string(&mat).unwrap();
    // The beginning of a game is a game that was left.
    let rows: Vec<&str> = text.lines().collect();
    let end = rows.iter().position(|row| row.trim_start().starts_with("3)")).unwrap();
    let short = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short.mat");
    fs::write(&short, rows[..end].join("\n")).unwrap();
    let short = short.to_str().unwrap();
    let plain = drawn(&["film", short], "plain-mat.gif");
    let whole = drawn(&["film", short, "--candidates", "--threats"], "mat.gif");
    assert!(plain.starts_with(b"GIF89a") && plain.len() < whole.len());
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    let output = command.args(["film", short, "--number", "9", "--out", "x.gif"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.ends_with("no game 9, the file has 1\n"), "{told}");
}

#[test]
fn a_saved_match_of_every_game_is_filmed_with_what_could_be_played_and_was_attacked() {
    for game in senet::games() {
        let rules = senet::load(game).unwrap();
        // Cards are drawn and bets are made on no tile, and secrets are nobody's to mark.
        if rules.has_secrets() {
            continue;
        }
        let mut played = senet::Match::new(&rules);
        for _ in 0..3 {
            let legal = played.position().legal();
            // The middle of the list is as good as any, and seldom a pair of equal dice.
            played.apply(legal[legal.len() / 2]).unwrap();
        }
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{game}.json"));
        fs::write(&path, played.to_json()).unwrap();
        let path = path.to_str().unwrap();
        let name = format!("{game}.gif");
        let plain = drawn(&["film", path], &name);
        let marked = drawn(&["film", path, "--candidates", "--threats"], &name);
        assert!(plain != marked, "{game}: nothing is marked");
    }
}

#[test]
fn a_move_that_led_to_a_position_is_marked_without_being_played() {
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let arguments = ["render", "chess", "--position", position, "--last", "e2e4"];
    let before = drawn(&["render", "chess", "--last", "e2e4"], "played.svg");
    assert!(drawn(&arguments, "marked.svg") == before, "both mark e2 and e4 on one position");
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    let output = command.args(["render", "chess", "--threats", "whit"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "error: there is no player `whit`; did you mean `white`?\n");
}
