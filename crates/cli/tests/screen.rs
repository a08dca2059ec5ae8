//! The full screen through a pseudo-terminal: what a person types and clicks, and what they see.
#![cfg(unix)]

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{Color, Parser};

/// How long a screen may take to show something.
const PATIENCE: Duration = Duration::from_secs(30);

const SIZE: PtySize = PtySize { rows: 36, cols: 100, pixel_width: 0, pixel_height: 0 };

/// A terminal with the command in it.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    /// Kept open for as long as the command may write.
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: Parser,
}

impl Terminal {
    fn open(arguments: &[&str]) -> Terminal {
        Terminal::open_sized(SIZE, arguments)
    }

    fn open_sized(size: PtySize, arguments: &[&str]) -> Terminal {
        Terminal::open_in(size, &[("COLORTERM", "truecolor")], arguments)
    }

    /// A terminal that says other things of itself.
    fn open_in(size: PtySize, variables: &[(&str, &str)], arguments: &[&str]) -> Terminal {
        let pair = native_pty_system().openpty(size).expect("there are pseudo-terminals");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_senet"));
        command.args(arguments);
        for name in ["NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the command is built");
        drop(pair.slave);
        let keys = pair.master.take_writer().expect("it is taken once");
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = Parser::new(size.rows, size.cols, 0);
        Terminal { child, _master: pair.master, keys, output, screen }
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the command reads");
        self.keys.flush().expect("the command reads");
    }

    /// Waits until the screen shows a text.
    fn see(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => panic!("never seen: {text}\n{}", self.screen.screen().contents()),
            }
        }
    }

    /// Waits until nothing more is drawn.
    fn settle(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(400)) {
            self.screen.process(&bytes);
        }
    }

    /// Types what a prompt waits for, once it does.
    #[cfg(feature = "sql")]
    fn answer(&mut self, keys: &str) {
        self.settle();
        self.send(keys);
    }

    /// The colour behind the sign that is `column` cells to the right and `row` cells down.
    fn behind(&mut self, column: u16, row: u16) -> Color {
        self.settle();
        self.screen.screen().cell(row, column).expect("it is on the screen").bgcolor()
    }

    /// Where the middle of a square of a chess board is, as the screen draws it at this size.
    fn square(name: &str) -> (u16, u16) {
        let (file, rank) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
        (3 + u16::from(file) * 6 + 3, 1 + u16::from(7 - rank) * 3 + 1)
    }

    /// A cell of a square that no piece covers.
    fn corner(name: &str) -> (u16, u16) {
        let (column, row) = Terminal::square(name);
        (column - 3, row)
    }

    fn click(&mut self, name: &str) {
        let (column, row) = Terminal::square(name);
        self.click_at(column, row);
    }

    /// Clicks on a text that is on the screen.
    fn click_on(&mut self, text: &str) {
        self.see(text);
        self.settle();
        let screen = self.screen.screen();
        let lines: Vec<String> = screen.rows(0, screen.size().1).collect();
        let mut lines = lines.iter().zip(0..);
        let (line, row) = lines.find(|(line, _)| line.contains(text)).expect("it was seen");
        let before = &line[..line.find(text).expect("the line has it")];
        self.click_at(before.chars().count() as u16 + 1, row);
    }

    fn click_at(&mut self, column: u16, row: u16) {
        // Places of the mouse are counted from 1.
        let (column, row) = (column + 1, row + 1);
        self.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// Waits until the command has ended well.
    fn end(mut self) {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().expect("it can be asked") {
                Some(status) => break assert!(status.success(), "{status:?}"),
                None if Instant::now() > until => {
                    self.settle();
                    panic!("it does not end\n{}", self.screen.screen().contents());
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        self.settle();
        assert!(!self.screen.screen().alternate_screen(), "the screen is as before");
    }
}

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
    terminal.see("nothing was played that could be taken back");
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
    terminal.see("the dice are rolled first");
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
    terminal.see("nothing was played that could be taken back");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn every_game_opens_and_closes() {
    for game in senet_registry::GAMES {
        let mut terminal = Terminal::open(&["play", game.name]);
        terminal.see(game.name);
        terminal.see("? help");
        terminal.send("\x03");
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
    terminal.see("no command is `\\columns`, known are \\d, \\h, \\q");
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

/// How well the sign of a cell is read, as the Web Content Accessibility Guidelines measure it.
fn contrast(cell: &vt100::Cell) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let bright = |color: Color| match color {
        Color::Rgb(red, green, blue) => {
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05
        }
        other => panic!("{other:?} is no colour of its own"),
    };
    let (ink, back) = (bright(cell.fgcolor()), bright(cell.bgcolor()));
    ink.max(back) / ink.min(back)
}

/// The cells of a screen that show a sign of a list.
fn cells<'s>(screen: &'s vt100::Screen, signs: &str) -> Vec<&'s vt100::Cell> {
    let (rows, columns) = screen.size();
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let all = all.filter_map(|(row, column)| screen.cell(row, column));
    all.filter(|cell| !cell.contents().is_empty() && signs.contains(cell.contents())).collect()
}

#[test]
fn every_piece_is_read_at_4_5_to_1() {
    for (game, moves, signs, count) in [
        ("chess", "e4\rd5\r", "♚♛♜♝♞♟", 32),
        ("tic-tac-toe", "b2\ra1\r", "✕◯", 2),
        ("backgammon", "\r", "●", 30),
    ] {
        for (rows, cols) in [(36, 100), (24, 80), (60, 200)] {
            let size = PtySize { rows, cols, ..SIZE };
            let mut terminal = Terminal::open_sized(size, &["play", game, "--seed", "3"]);
            terminal.see("> ");
            terminal.send(moves);
            terminal.settle();
            let pieces = cells(terminal.screen.screen(), signs);
            assert!(pieces.len() >= count, "{game} on {cols} by {rows}");
            for piece in pieces {
                let found = contrast(piece);
                assert!(found >= 4.5, "{game}: {} at {found}", piece.contents());
            }
            terminal.send("\x03");
            terminal.end();
        }
    }
}

#[test]
fn sides_differ_without_colour() {
    let open = |game| Terminal::open_in(SIZE, &[("NO_COLOR", "1")], &["play", game]);
    let mut terminal = open("chess");
    terminal.see("white to move");
    terminal.settle();
    let screen = terminal.screen.screen();
    assert_eq!((cells(screen, "♜").len(), cells(screen, "♖").len()), (2, 2));
    assert!(cells(screen, "♜♖").iter().all(|cell| cell.bgcolor() == Color::Default));
    terminal.send("\x03");
    terminal.end();
    let mut terminal = open("backgammon");
    terminal.see("to roll");
    terminal.settle();
    let screen = terminal.screen.screen();
    assert_eq!((cells(screen, "●").len(), cells(screen, "○").len()), (15, 15));
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_terminal_without_unicode_is_drawn_in_ascii() {
    let mut terminal = Terminal::open_in(SIZE, &[("LC_ALL", "C")], &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let shown = terminal.screen.screen().contents();
    assert!(shown.is_ascii(), "{shown}");
    let screen = terminal.screen.screen();
    assert!(cells(screen, "N").len() >= 2 && cells(screen, "n").len() >= 2, "{shown}");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn colours_are_those_that_the_terminal_has() {
    let mut terminal = Terminal::open_in(SIZE, &[], &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let pieces = cells(terminal.screen.screen(), "♚♛♜♝♞♟");
    assert_eq!(pieces.len(), 32);
    assert!(pieces.iter().all(|cell| matches!(cell.bgcolor(), Color::Idx(_))));
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn squares_keep_their_colours_when_the_board_turns() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    let at = |name: &str| Terminal::corner(name);
    let (first, second) =
        (terminal.behind(at("a1").0, at("a1").1), terminal.behind(at("a2").0, at("a2").1));
    assert_ne!(first, second);
    terminal.send("\x06");
    // a1 is now where h8 was.
    assert_eq!(terminal.behind(at("h8").0, at("h8").1), first);
    assert_eq!(terminal.behind(at("h7").0, at("h7").1), second);
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn black_sits_below_where_a_person_plays_black() {
    for (arguments, first) in [
        (["play", "chess", "--bot", "random", "--side", "black"].as_slice(), "h"),
        (&["play", "chess", "--flip"], "h"),
        (&["play", "chess"], "a"),
    ] {
        let mut terminal = Terminal::open(arguments);
        terminal.see("to move");
        terminal.settle();
        let (column, row) = Terminal::square("a1");
        let screen = terminal.screen.screen();
        let below = screen.cell(row + 2, column).expect("it is on the screen");
        assert_eq!(below.contents(), first, "{arguments:?}");
        terminal.send("\x03");
        terminal.end();
    }
}

#[test]
fn moves_are_numbered_as_the_position_says() {
    let position = "4k3/8/8/8/8/8/4p3/4K3 b - - 0 41";
    let mut terminal = Terminal::open(&["play", "chess", "--position", position]);
    terminal.see("black to move");
    terminal.send("Kd7\r");
    terminal.see("41. ...     Kd7");
    terminal.send("Kxe2\r");
    terminal.see("42. Kxe2");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let kept = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("signalled.json");
        let arguments = ["play", "tic-tac-toe", "--force", "--save", kept.to_str().unwrap()];
        let mut terminal = Terminal::open(&arguments);
        terminal.see("x to move");
        terminal.send("b2\r");
        terminal.see("x: b2");
        let process = terminal.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args([signal, &process]).status();
        assert!(sent.expect("there is kill").success());
        let status = terminal.child.wait().expect("it ends");
        assert_eq!(status.exit_code(), code);
        terminal.settle();
        assert!(!terminal.screen.screen().alternate_screen(), "the screen is as before");
        assert!(std::fs::read_to_string(&kept).unwrap().contains("tic-tac-toe"));
    }
}

#[test]
fn what_does_not_fit_is_scrolled() {
    let small = PtySize { rows: 12, cols: 40, ..SIZE };
    let mut terminal = Terminal::open_sized(small, &["play", "chess"]);
    terminal.see("> ");
    terminal.send("?");
    terminal.see("help: ↑↓ scroll");
    terminal.send("\x1b[F");
    terminal.see("Ctrl-C, quit");
    terminal.send("\x1b");
    terminal.settle();
    terminal.send("Nd2\r");
    terminal.see("… (Tab)");
    terminal.send("\t");
    terminal.see("│reach d2");
    terminal.send("x");
    terminal.send("this is a long line that no small screen can show at once");
    terminal.see("can show at once");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn the_end_of_a_game_is_told_on_a_small_screen_and_after_it() {
    let small = PtySize { rows: 12, cols: 40, ..SIZE };
    let mut terminal = Terminal::open_sized(small, &["play", "tic-tac-toe"]);
    terminal.see("> ");
    for tile in ["b2", "a1", "b1", "a2", "b3"] {
        terminal.send(&format!("{tile}\r"));
    }
    terminal.see("x wins: three in a row");
    terminal.send("rematch\r");
    terminal.see("A new game.");
    terminal.send("b2\r");
    terminal.see("x: b2");
    terminal.send("quit\r");
    terminal.settle();
    terminal.see("tic-tac-toe: o to move");
    terminal.see("3/1x1/3 o");
    terminal.end();
}

#[test]
fn the_moves_stand_beside_the_board_on_a_wide_screen() {
    let wide = PtySize { rows: 40, cols: 200, ..SIZE };
    let mut terminal = Terminal::open_sized(wide, &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let screen = terminal.screen.screen();
    let line = screen.rows(0, 200).find(|line| line.contains("white to move")).unwrap();
    let board = 3 + 8 * 8;
    let at = line.find("white to move").map(|at| line[..at].chars().count()).unwrap();
    assert!((board..board + 12).contains(&at), "it begins in column {at}");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_person_is_asked_before_giving_up_and_a_draw_is_answered() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    terminal.send("resign\r");
    terminal.see("resign: are you sure? Type yes or no.");
    terminal.send("no\r");
    terminal.see("You play on.");
    terminal.send("draw\r");
    terminal.see("white offers a draw: the other side types yes or no");
    terminal.send("yes\r");
    terminal.see("draw: agreement");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_match_that_a_crash_ended_is_played_on() {
    let state = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("crashed");
    let _ = std::fs::remove_dir_all(&state);
    let variables = [("XDG_STATE_HOME", state.to_str().unwrap())];
    let open = || Terminal::open_in(SIZE, &variables, &["play", "tic-tac-toe"]);
    let mut terminal = open();
    terminal.see("x to move");
    terminal.send("b2\r");
    terminal.see("x: b2");
    terminal.child.kill().expect("it runs");
    terminal.child.wait().expect("it ends");
    let mut terminal = open();
    terminal.see("type resume to play it on");
    terminal.send("resume\r");
    terminal.see("The match goes on.");
    terminal.see("1. b2");
    terminal.send("quit\r");
    terminal.end();
    let mut terminal = open();
    terminal.see("Select a piece");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_terminal_of_billions_of_cells_is_drawn() {
    let mut terminal = Terminal::open_sized(SIZE, &["play", "tic-tac-toe"]);
    terminal.see("x to move");
    let huge = PtySize { rows: u16::MAX, cols: u16::MAX, ..SIZE };
    terminal._master.resize(huge).expect("it can be");
    terminal.settle();
    terminal.send("b2\r");
    terminal.settle();
    terminal.send("quit\r");
    let status = terminal.child.wait().expect("it ends");
    assert!(status.success(), "{status:?}");
}

#[test]
fn the_command_ends_with_its_terminal() {
    let Terminal { mut child, _master, keys, output, .. } = {
        let mut terminal = Terminal::open(&["play", "tic-tac-toe"]);
        terminal.see("x to move");
        terminal
    };
    drop((_master, keys, output));
    let until = Instant::now() + PATIENCE;
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(Instant::now() < until, "it runs on without a terminal");
        std::thread::sleep(Duration::from_millis(50));
    }
}
