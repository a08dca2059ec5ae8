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
        let pair = native_pty_system().openpty(SIZE).expect("there are pseudo-terminals");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_senet"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
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
        let screen = Parser::new(SIZE.rows, SIZE.cols, 0);
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

    /// The colour behind the sign that is `column` cells to the right and `row` cells down.
    fn behind(&self, column: u16, row: u16) -> Color {
        self.screen.screen().cell(row, column).expect("it is on the screen").bgcolor()
    }

    /// Where the middle of a square of a chess board is, as the screen draws it at this size.
    fn square(name: &str) -> (u16, u16) {
        let (file, rank) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
        (3 + u16::from(file) * 6 + 3, 1 + u16::from(7 - rank) * 3 + 1)
    }

    fn click(&mut self, name: &str) {
        let (column, row) = Terminal::square(name);
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
                None if Instant::now() > until => panic!("it does not end"),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
            self.screen.process(&bytes);
        }
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
    let (column, row) = Terminal::square("a7");
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
    let (column, row) = Terminal::square("c4");
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
    terminal.see("Any key closes this.");
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
fn dice_are_rolled_with_enter() {
    let mut terminal = Terminal::open(&["play", "backgammon", "--seed", "3"]);
    terminal.see("to roll");
    terminal.send("\r");
    terminal.see("dice: ");
    terminal.see("white to move");
    terminal.send("p8/p6:2\r");
    terminal.see("p8/p6");
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
