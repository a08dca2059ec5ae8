//! The full screen through a pseudo-terminal: what a person types and clicks, and what they see.
#![cfg(unix)]

mod look;
mod session;
mod terminal;

use portable_pty::PtySize;
use vt100::Color;

use terminal::{SIZE, Terminal};

#[test]
fn a_move_is_typed_refused_taken_back_and_the_screen_is_left() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    terminal.send("e4\r");
    terminal.see("black to move");
    terminal.see("1. e4");
    terminal.send("a8a5\r");
    terminal.see("a8a5 is refused: the way from a8 to a5 is blocked on a7");
    let (column, row) = Terminal::corner("a7");
    assert_eq!(terminal.behind(column, row), Color::Rgb(190, 60, 54), "the blocker is marked");
    terminal.send("\x1a");
    terminal.see("taken back");
    terminal.see("white to move");
    terminal.send("\x1a");
    terminal.see("there is no move to take back");
    terminal.send("redo\r");
    terminal.see("played again");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_piece_is_moved_by_clicks_and_its_targets_are_shown() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    terminal.click("g1");
    terminal.see("g1: choose where to");
    let (column, row) = Terminal::square("f3");
    assert_eq!(terminal.behind(column, row), Color::Rgb(96, 160, 120));
    terminal.click("f3");
    terminal.see("white: Nf3");
    terminal.click("d8");
    terminal.see("nothing on d8 can move");
    terminal.click("d5");
    terminal.see("d8d5 is refused: the way from d8 to d5 is blocked on d7");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_king_castles_by_clicks_and_an_attacker_is_shown() {
    let position = "r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1";
    let mut terminal = Terminal::open(&["play", "chess", "--position", position]);
    terminal.see("white to move");
    terminal.send("O-O\r");
    terminal.see("f1 is attacked by the bishop on c4");
    let (column, row) = Terminal::corner("c4");
    assert_eq!(terminal.behind(column, row), Color::Rgb(190, 60, 54), "the attacker is marked");
    terminal.click("e1");
    terminal.see("e1: choose where to");
    terminal.click("c1");
    terminal.see("white: O-O-O");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn keys_alone_play_and_the_board_turns_round() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe"]);
    terminal.see("x to move");
    terminal.send("\x1b[A");
    terminal.see("[");
    terminal.send(" ");
    terminal.see("x: a1");
    terminal.send(" ");
    terminal.see("a1 is refused: a1 is taken");
    terminal.send("\x1b[C\r");
    terminal.see("o: b1");
    terminal.send("?");
    terminal.see("any key closes it");
    terminal.send("x");
    terminal.send("\x06");
    terminal.send("moves\r");
    terminal.see("c1  a2  b2  c2  a3  b3  c3");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_pawn_that_arrives_asks_what_it_becomes() {
    let mut terminal =
        Terminal::open(&["play", "chess", "--position", "8/P7/8/8/8/8/8/k1K5 w - - 0 1"]);
    terminal.see("white to move");
    terminal.click("a7");
    terminal.see("a7: choose where to");
    terminal.click("a8");
    terminal.see("Type a number: 1 a8=");
    terminal.send("1\r");
    terminal.see("white: a8=");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_move_that_several_pieces_could_mean_is_explained_for_each() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    terminal.send("Nf6\r");
    terminal
        .see("Nf6 is refused: the piece on b1 does not reach f6, the piece on g1 does not reach");
    for name in ["b1", "g1"] {
        let (column, row) = Terminal::corner(name);
        assert_eq!(terminal.behind(column, row), Color::Rgb(74, 116, 170), "{name} is marked");
    }
    terminal.send("Nd5\r");
    terminal.see("Nd5 is refused");
    terminal.send("\x03");
    terminal.end();
    let position = "4k3/8/8/8/8/8/8/N3K2N w - - 0 1";
    let mut terminal = Terminal::open(&["play", "chess", "--position", position]);
    terminal.see("white to move");
    terminal.send("Qd4\r");
    terminal.see("white has no such queen");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_double_is_offered_with_a_click_and_answered_with_a_word() {
    let mut terminal = Terminal::open(&["play", "backgammon", "--seed", "3", "--set", "length=3"]);
    terminal.see("match to 3");
    terminal.send("\r");
    terminal.see("white rolls 2-1");
    terminal.send("13/11 6/5\r");
    terminal.see("white: 2-1 13/11 6/5");
    terminal.see("[roll] [double]");
    terminal.send("13/11\r");
    terminal.see("roll the dice first");
    terminal.click_on("[double]");
    terminal.see("white to answer");
    terminal.see("[take] [drop]");
    terminal.send("take\r");
    terminal.see("cube 2 of white");
    terminal.see("black to roll");
    terminal.send("undo\r");
    terminal.see("white to answer");
    terminal.click_on("[drop]");
    terminal.see("black: 167 pips, 0 off, 1 point");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn the_screen_lives_while_the_opponent_thinks() {
    let mut terminal = Terminal::open(&["play", "chess", "--bot", "search:60s"]);
    terminal.see("white to move");
    terminal.send("e4\r");
    terminal.see("black is thinking");
    terminal.send("e5\r");
    terminal.see("black is thinking; undo takes your move back");
    terminal.send("?");
    terminal.see("any key closes it");
    terminal.send("x");
    terminal.send("undo\r");
    terminal.see("taken back");
    terminal.see("white to move");
    terminal.send("d4\r");
    terminal.see("black is thinking");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_screen_of_any_size_is_drawn() {
    for (rows, cols) in [(24, 80), (12, 40), (3, 10), (60, 200)] {
        for game in ["chess", "backgammon", "tic-tac-toe"] {
            let size = PtySize { rows, cols, ..SIZE };
            let mut terminal = Terminal::open_sized(size, &["play", game, "--seed", "1"]);
            terminal.see("> ");
            let shown = terminal.screen.screen().contents();
            assert!(rows == 3 || !shown.contains("does not fit"), "{shown}");
            terminal.send("\x03");
            terminal.end();
        }
    }
}

#[test]
fn dice_are_rolled_with_enter() {
    let mut terminal = Terminal::open(&["play", "backgammon", "--seed", "3"]);
    terminal.see("to roll");
    terminal.send("\r");
    terminal.see("dice: ");
    terminal.see("white to move");
    terminal.send("p8/p6:2\r");
    terminal.see("white 2-1 8/6");
    terminal.send("quit\r");
    terminal.end();
}

/// Signs that fill quarters of their cell: upper left and right, lower left and right.
const BLOCKS: [(&str, &str); 9] = [
    ("▝", "-x--"),
    ("▘", "x---"),
    ("▀", "xx--"),
    ("▗", "---x"),
    ("▖", "--x-"),
    ("▄", "--xx"),
    ("▐", "-x-x"),
    ("▌", "x-x-"),
    ("█", "xxxx"),
];

/// The screen as a picture, a box for each colour and a text for each sign.
fn drawn(screen: &vt100::Screen) -> String {
    let (rows, columns) = screen.size();
    let (wide, high) = (10, 20);
    let hex = |color: Color, or: &str| match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => or.to_owned(),
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" \
         viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" \
         font-size=\"16\" shape-rendering=\"crispEdges\">\n<title>a screen of senet play</title>\n\
         <rect width=\"{0}\" height=\"{1}\" fill=\"#15171a\"/>\n",
        columns * wide,
        rows * high
    );
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = cells.filter_map(|(row, column)| Some((row, column, screen.cell(row, column)?)));
    for (row, column, cell) in cells.clone() {
        if let color @ Color::Rgb(..) = cell.bgcolor() {
            let (x, y, fill) = (column * wide, row * high, hex(color, ""));
            svg.push_str(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>\n"
            ));
        }
    }
    for (row, column, cell) in cells.filter(|(_, _, cell)| !cell.contents().trim().is_empty()) {
        let (fill, text) = (hex(cell.fgcolor(), "#e6e3dc"), cell.contents());
        if let Some((_, quarters)) = BLOCKS.iter().find(|(block, _)| *block == text) {
            for (at, _) in (0..4).zip(quarters.bytes()).filter(|(_, quarter)| *quarter == b'x') {
                let (w, h) = (f64::from(wide) / 2.0, f64::from(high) / 2.0);
                let x = f64::from(column * wide) + w * f64::from(at % 2);
                let y = f64::from(row * high) + h * f64::from(at / 2);
                svg.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"/>\n"
                ));
            }
            continue;
        }
        let (x, y) = (column * wide, row * high + 15);
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        svg.push_str(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\">{text}</text>\n"));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Compares the screen with a picture of the book.
fn check(terminal: &mut Terminal, name: &str) {
    terminal.settle();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/picture").join(name);
    let found = drawn(terminal.screen.screen());
    if std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &found).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == found, "{name} is not what is seen; SENET_BLESS=1 draws it anew; look at it");
}

#[test]
fn the_screens_of_the_book_are_what_is_seen() {
    let position = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5";
    let mut terminal = Terminal::open(&["play", "chess", "--position", position]);
    terminal.see("white to move");
    terminal.send("O-O\r");
    terminal.see("white: O-O");
    terminal.send("Nxe4\r");
    terminal.see("black: Nxe4");
    terminal.send("c4g8\r");
    terminal.see("c4g8 is refused");
    terminal.see("blocked on f7");
    check(&mut terminal, "screen-chess.svg");
    terminal.send("\x03");
    terminal.end();
    let mut terminal = Terminal::open(&["play", "backgammon", "--seed", "3"]);
    terminal.see("to roll");
    terminal.send("\r");
    terminal.see("dice: ");
    terminal.see("white rolls 2-1");
    check(&mut terminal, "screen-backgammon.svg");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn an_opponent_answers_and_both_moves_are_taken_back() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe", "--bot", "random", "--seed", "1"]);
    terminal.see("x to move");
    terminal.see("you are x, against random");
    terminal.send("b2\r");
    terminal.see("o: ");
    terminal.see("x to move");
    terminal.send("undo\r");
    terminal.see("taken back");
    terminal.send("undo\r");
    terminal.see("there is no move to take back");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn every_game_opens_and_closes() {
    for game in senet::games() {
        let mut terminal = Terminal::open(&["play", game]);
        // A game with secrets is played line by line: a screen would show them to both.
        let secret = senet::load(game).unwrap().has_secrets();
        if !secret {
            terminal.see(game);
        }
        terminal.see(if secret { "> " } else { "? help" });
        terminal.send(if secret { "quit\r" } else { "\x03" });
        terminal.end();
    }
}

#[test]
fn plain_lines_are_there_for_those_who_ask() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe", "--plain"]);
    terminal.see("Type a move, or help.");
    terminal.see("x>");
    terminal.send("quit\r");
    terminal.end();
}

#[cfg(feature = "sql")]
#[test]
fn questions_are_typed_answered_and_remembered() {
    let history = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("senet/sql-history");
    let _ = std::fs::remove_file(&history);
    let mut terminal = Terminal::open(&["sql"]);
    terminal.see("senet>");
    terminal.answer("select count(*) as first_moves\r");
    terminal.see("...");
    terminal.answer("from timeline('chess', '', 1);\r");
    terminal.see("| first_moves |");
    terminal.see("| 20          |");
    terminal.answer("select plie from timeline('chess', '', 1);\r");
    terminal.see("line 1, column 8");
    terminal.answer("\\h\r");
    terminal.see("positions('chess', '', 3)");
    terminal.answer("\\columns\r");
    terminal.see("there is no command `\\columns`; the commands are \\d, \\h, \\q");
    terminal.answer("\\q\r");
    terminal.end();
    let mut terminal = Terminal::open(&["sql"]);
    terminal.see("senet>");
    terminal.answer("\x1b[A\x1b[A\r");
    terminal.see("| 20          |");
    terminal.answer("\\d\r");
    terminal.see("path_probability  How likely");
    terminal.answer("\x04");
    terminal.end();
    // Where a table is too wide, its rows are one below the other.
    let mut terminal = Terminal::open_sized(PtySize { cols: 40, ..SIZE }, &["sql"]);
    terminal.see("senet>");
    terminal.answer("select ply, notation from timeline('chess', '', 1) limit 1;\r");
    terminal.see("| ply | notation |\n+-----+----------+\n| 1   | a3       |");
    terminal.answer("select ply, position_text from timeline('chess', '', 1) limit 1;\r");
    terminal
        .see("-[ row 1 ]------------------------------\nply           | 1\nposition_text | rnbq");
    terminal.answer("\x04");
    terminal.end();
}
