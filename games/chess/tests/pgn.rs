//! Games as PGN: what is read, what is written, and what is refused.

use std::io::Read;
use std::sync::LazyLock;

use senet_chess::pgn::{DEEPEST, Error, LONGEST_LINE, Reader, Record, Rules, Termination};
use senet_chess::{CHESS960, NOTATION, game};
use senet_core::{Game, Notation};

static GAME: LazyLock<Game> = LazyLock::new(game);

static CHESS960_GAME: LazyLock<Game> =
    LazyLock::new(|| senet_chess::chess960::definition().compile(Default::default()).unwrap());

const ANNOTATED: &str = include_str!("data/annotated.pgn");
const BROKEN: &str = include_str!("data/broken.pgn");
const CHESS960_GAMES: &str = include_str!("data/chess960.pgn");

fn rules() -> Rules<'static> {
    Rules::new(&GAME, &NOTATION).with(&CHESS960_GAME, &CHESS960)
}

/// Every game or error of a text.
fn records(text: impl Read) -> Vec<Result<Record, Error>> {
    let rules = rules();
    let mut reader = Reader::new(std::io::BufReader::new(text), "test.pgn", &rules);
    std::iter::from_fn(|| reader.next_record()).collect()
}

/// The main line of every game or the kind of its error, read without building trees.
fn lines(text: impl Read) -> Vec<Result<usize, &'static str>> {
    let rules = rules();
    let mut reader = Reader::new(std::io::BufReader::new(text), "test.pgn", &rules);
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line() {
        lines.push(line.map(|line| line.events.len()).map_err(|error| error.problem.kind()));
    }
    lines
}

fn good(text: &str) -> Vec<Record> {
    records(text.as_bytes()).into_iter().map(|one| one.unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn bad(text: &[u8]) -> Error {
    let mut found = records(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let kind = lines(text);
    let error = found.remove(0).expect_err("a broken game");
    assert_eq!(kind, [Err(error.problem.kind())]);
    error
}

#[test]
fn annotated_games_are_read_with_all_that_is_said() {
    let games = good(ANNOTATED);
    let plies: Vec<usize> = games.iter().map(|game| game.tree.main_line().len()).collect();
    assert_eq!(plies, [16, 7, 3, 6, 11]);
    let first = &games[0];
    assert_eq!(first.tags.get("Event"), Some("A \"quoted\" event \\ backslash"));
    assert_eq!(first.result, Termination::White);
    assert_eq!(first.tree.node(0).after, ["Before the first move."]);
    let children = |node: usize| -> Vec<usize> { first.tree.children(node).collect() };
    let e4 = first.tree.node(children(0)[0]);
    assert_eq!(e4.nags, [1]);
    let replies = children(children(0)[0]);
    assert_eq!(replies.len(), 3);
    assert_eq!(first.tree.node(replies[0]).after, ["Symmetrical [%clk 1:00:00]"]);
    assert_eq!(first.tree.node(replies[2]).before, ["The French,"]);
    assert_eq!(first.tree.node(replies[2]).after, ["closed"]);
    let knight = first.tree.node(children(replies[0])[0]);
    assert_eq!(knight.after, ["to the end of the line } with a brace"]);
    let results: Vec<&str> = games.iter().map(|game| game.result.text()).collect();
    assert_eq!(results, ["1-0", "1-0", "*", "1/2-1/2", "*"]);
}

#[test]
fn what_is_written_reads_back_to_the_same_games() {
    for text in [ANNOTATED, CHESS960_GAMES] {
        for game in good(text) {
            let written = game.format(&rules()).unwrap();
            assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
            assert_eq!(good(&written), [game], "{written}");
        }
    }
}

#[test]
fn an_annotated_game_is_written_in_export_format() {
    let written = good(ANNOTATED)[0].format(&rules()).unwrap();
    let moves = written.split_once("\n\n").unwrap().1;
    let expected = "\
{Before the first move.} 1. e4 $1 e5 $6 {Symmetrical [%clk 1:00:00]} (1... c5
2. Nf3 (2. c3 {Alapin} 2... d5 $1) 2... d6) ({The French,} 1... e6 {closed}) 2.
Nf3 ;to the end of the line } with a brace
2... Nc6 $5 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O {over
two lines} 1-0
";
    assert_eq!(moves, expected);
}

#[test]
fn main_lines_are_the_same_without_building_trees() {
    let plies = good(ANNOTATED).iter().map(|game| Ok(game.tree.main_line().len())).collect();
    let found: Vec<Result<usize, &str>> = lines(ANNOTATED.as_bytes());
    let expected: Vec<Result<usize, &str>> = plies;
    assert_eq!(found, expected);
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let windows = format!("\u{feff}{}", ANNOTATED.replace('\n', "\r\n"));
    assert_eq!(good(&windows), good(ANNOTATED));
}

#[test]
fn games_of_chess960_castle_by_their_set_up() {
    let games = good(CHESS960_GAMES);
    assert!(games.iter().all(|game| game.game == "chess960"));
    let mut state = games[1].start.clone();
    for event in games[1].tree.main_line() {
        state = CHESS960_GAME.apply(&state, event).unwrap().state;
    }
    let fen = CHESS960.format_position(&CHESS960_GAME, &state);
    assert_eq!(fen, "2krr3/4pR2/8/8/8/8/4P3/R5K1 b - - 3 2");
}

#[test]
fn an_error_names_its_place_and_the_next_game_is_read() {
    let found = records(BROKEN.as_bytes());
    let told: Vec<String> = found
        .iter()
        .map(|one| match one {
            Ok(game) => game.tags.get("Event").unwrap().to_owned(),
            Err(error) => error.to_string(),
        })
        .collect();
    let expected = [
        "good",
        "test.pgn:8:13: game 2, move 2. Ke3: `Ke3` is not a legal move; the piece on e1 \
         does not reach e3",
        "good",
        "test.pgn:15:1: game 4: a tag is not closed",
        "good",
        "test.pgn:26:7: game 6: a comment is not closed",
        "good",
        "test.pgn:36:1: game 8: invalid position: at byte 0: white has no king; at byte 0: black \
         has no king",
        "test.pgn:42:1: game 9: a variation is not closed",
        "test.pgn:44:14: game 10: expected `)` only after a `(` that is open, found `)`",
        "test.pgn:49:1: game 11: unknown variant `Bughouse`; the variants are chess, chess960",
        "test.pgn:53:23: game 12, move 3. Nd2: `Nd2` is not one of Nbd2, Nfd2",
        "test.pgn:57:7: game 13: expected a move, a comment, a glyph, a variation or a result, \
         found `é`",
        "good",
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert_eq!(told, expected);
    }
    assert_eq!(told.len(), expected.len());
    let kinds: Vec<bool> = lines(BROKEN.as_bytes()).iter().map(Result::is_ok).collect();
    assert_eq!(kinds, found.iter().map(Result::is_ok).collect::<Vec<bool>>());
}

#[test]
fn variations_that_lie_too_deep_are_refused() {
    let deep = format!("1. e4 {}", "(".repeat(100_000));
    let error = records(deep.as_bytes()).remove(0).unwrap_err();
    assert_eq!(error.problem.kind(), "unexpected text");
    let nested: String =
        (0..100_000).map(|n| if n % 2 == 0 { "(1. d4 " } else { "(1. e4 " }).collect();
    let error = bad(format!("1. e4 {nested}").as_bytes());
    assert_eq!(error.problem.kind(), "nested too deep");
    assert_eq!(lines(deep.as_bytes()), [Err("nested too deep")]);
    let fine = format!(
        "1. e4 {}{} *",
        nested.split_inclusive(' ').take(2 * DEEPEST).collect::<String>(),
        ")".repeat(DEEPEST)
    );
    let game = &good(&fine)[0];
    assert_eq!(game.tree.len(), DEEPEST + 2);
    assert_eq!(good(&game.format(&rules()).unwrap())[0], *game);
}

#[test]
fn a_line_of_fifty_megabytes_is_an_error_and_the_next_game_is_read() {
    for filler in [&b"x"[..], b" ", b"{"] {
        let mut text = b"[Event \"long\"]\n\n1. e4 ".to_vec();
        text.extend(filler.iter().cycle().take(50_000_000));
        text.extend(b"\n\n[Event \"next\"]\n\n1. d4 *\n");
        assert!(text.len() > LONGEST_LINE);
        assert_eq!(lines(&text[..]), [Err("line too long"), Ok(1)]);
    }
}

#[test]
fn a_long_line_below_the_limit_is_read_in_time() {
    let long =
        |filler: &str| format!("1. e4 {} 1... e5 *", filler.repeat(4_000_000 / filler.len()));
    assert_eq!(lines(long("{}").as_bytes()), [Ok(2)]);
    assert_eq!(lines(long("$1 ").as_bytes()), [Ok(2)]);
    assert_eq!(lines(long("(1. d4) ").as_bytes()), [Ok(2)]);
    assert_eq!(lines(long("x").as_bytes()), [Err("bad move")]);
    assert_eq!(lines(long("1").as_bytes()), [Ok(2)]);
    assert_eq!(
        lines(format!("[Event \"{}\"]\n1. e4 *", "\\\"".repeat(1_000_000)).as_bytes()),
        [Ok(1)]
    );
}

#[test]
fn more_moves_than_any_game_has_are_an_error() {
    let text: String = "Nf3 Nf6 Ng1 Ng8 ".repeat(20);
    let lines_of_moves = format!("{text}\n").repeat(4000);
    assert_eq!(lines(lines_of_moves.as_bytes()), [Err("game too long")]);
}

#[test]
fn bytes_that_are_no_text_are_refused_outside_comments_and_tags() {
    let error = bad(b"1. e4 \0 e5 *");
    assert_eq!((error.problem.kind(), error.line, error.column), ("NUL byte", 1, 7));
    assert_eq!(bad(b"1. e4 {a\0b} e5 *").problem.kind(), "NUL byte");
    assert_eq!(bad(b"[Event \"a\0b\"]\n1. e4 *").problem.kind(), "NUL byte");
    assert_eq!(bad(b"1. e4 \xe9 *").problem.kind(), "unexpected text");
    let latin = records(&b"[White \"Andr\xe9\"]\n\n1. e4 {caf\xe9} *"[..]).remove(0).unwrap();
    assert_eq!(latin.tags.get("White"), Some("Andr\u{fffd}"));
    assert_eq!(latin.tree.node(1).after, ["caf\u{fffd}"]);
}

#[test]
fn a_file_without_games_has_none() {
    for text in ["", "\n\n", "% only this\n", "; and this\n", "{or this}\n", "\u{feff}"] {
        assert!(good(text).is_empty(), "{text:?}");
    }
}

#[test]
fn a_game_may_lack_tags_moves_or_result() {
    assert_eq!(good("1. e4 e5").len(), 1);
    assert_eq!(good("*").len(), 1);
    assert_eq!(good("1. e4 * 1. d4 1-0 0-1").len(), 3);
    let games = good("[Event \"a\"]\n[Result \"0-1\"]\n\n[Event \"b\"]\n\n[Site \"c\"]\n\n1. e4");
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].result, Termination::Black);
    assert_eq!(games[1].tags.get("Site"), Some("c"));
}

#[test]
fn a_tree_written_by_hand_is_read_back() {
    let mut game = good("[Event \"x\"]\n\n1. e4 *").remove(0);
    let root = game.tree.node_mut(0);
    root.after.push(
        "a  double space, % a sign, [Event \"no tag\"] and many more words than one line holds"
            .into(),
    );
    game.tags.set("Event", "a \\ and a \"quote\"");
    game.tags.set("Site", "new");
    let start = GAME.start();
    for text in ["Nf3", "c4"] {
        let event = NOTATION.parse_event(&GAME, &start, text).unwrap();
        let node = game.tree.add(0, event);
        game.tree.node_mut(node).before.push("why not".into());
        game.tree.node_mut(node).nags.extend([3, 146]);
    }
    let clock = format!("{}[%clk 0:01:02]", "word ".repeat(14));
    game.tree.node_mut(0).after.push(clock);
    let written = game.format(&rules()).unwrap();
    assert!(written.contains("[%clk 0:01:02]"), "{written}");
    assert_eq!(good(&written)[0], game, "{written}");
}
