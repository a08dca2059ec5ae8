//! A terminal with the command in it: what a person types and clicks, and what they see.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{Color, Parser};

/// How long a screen may take to show something.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const SIZE: PtySize = PtySize { rows: 36, cols: 100, pixel_width: 0, pixel_height: 0 };

/// A terminal with the command in it.
pub(crate) struct Terminal {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    /// Kept open for as long as the command may write.
    pub(crate) _master: Box<dyn MasterPty + Send>,
    pub(crate) keys: Box<dyn Write + Send>,
    pub(crate) output: Receiver<Vec<u8>>,
    pub(crate) screen: Parser,
    /// All bytes that were sent.
    pub(crate) sent: Vec<u8>,
}

impl Terminal {
    pub(crate) fn open(arguments: &[&str]) -> Terminal {
        Terminal::open_sized(SIZE, arguments)
    }

    pub(crate) fn open_sized(size: PtySize, arguments: &[&str]) -> Terminal {
        Terminal::open_in(size, &[("COLORTERM", "truecolor")], arguments)
    }

    /// A terminal that says other things of itself.
    pub(crate) fn open_in(
        size: PtySize,
        variables: &[(&str, &str)],
        arguments: &[&str],
    ) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_senet"));
        command.args(arguments);
        Terminal::run(size, variables, command)
    }

    /// A terminal in a folder.
    pub(crate) fn open_at(folder: &Path, arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_senet"));
        command.args(arguments);
        command.cwd(folder);
        Terminal::run(SIZE, &[], command)
    }

    fn run(size: PtySize, variables: &[(&str, &str)], mut command: CommandBuilder) -> Terminal {
        let pair = native_pty_system().openpty(size).expect("there are pseudo-terminals");
        for name in [
            "TMUX",
            "STY",
            "KITTY_WINDOW_ID",
            "TERM_PROGRAM",
            "NO_COLOR",
            "COLORTERM",
            "LC_ALL",
            "LC_CTYPE",
            "LANG",
        ] {
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
        Terminal { child, _master: pair.master, keys, output, screen, sent: Vec::new() }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the command reads");
        self.keys.flush().expect("the command reads");
    }

    /// Waits until the screen shows a text.
    pub(crate) fn see(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.show(&bytes),
                Err(_) => panic!("never seen: {text}\n{}", self.screen.screen().contents()),
            }
        }
    }

    /// Waits until nothing more is drawn.
    pub(crate) fn settle(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(400)) {
            self.show(&bytes);
        }
    }

    fn show(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.sent.extend(bytes);
    }

    /// How often a text was sent, controls included.
    pub(crate) fn times(&self, text: &str) -> usize {
        String::from_utf8_lossy(&self.sent).matches(text).count()
    }

    /// Types what a prompt waits for, once it does.
    #[cfg(feature = "sql")]
    pub(crate) fn answer(&mut self, keys: &str) {
        self.settle();
        self.send(keys);
    }

    /// The colour behind the sign that is `column` cells to the right and `row` cells down.
    pub(crate) fn behind(&mut self, column: u16, row: u16) -> Color {
        self.settle();
        self.screen.screen().cell(row, column).expect("it is on the screen").bgcolor()
    }

    /// Where the middle of a square of a chess board is, as the screen draws it at this size.
    pub(crate) fn square(name: &str) -> (u16, u16) {
        let (file, rank) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
        (3 + u16::from(file) * 6 + 3, 1 + u16::from(7 - rank) * 3 + 1)
    }

    /// A cell of a square that no piece covers.
    pub(crate) fn corner(name: &str) -> (u16, u16) {
        let (column, row) = Terminal::square(name);
        (column - 3, row)
    }

    pub(crate) fn click(&mut self, name: &str) {
        let (column, row) = Terminal::square(name);
        self.click_at(column, row);
    }

    /// Clicks on a text that is on the screen.
    pub(crate) fn click_on(&mut self, text: &str) {
        self.see(text);
        self.settle();
        let screen = self.screen.screen();
        let lines: Vec<String> = screen.rows(0, screen.size().1).collect();
        let mut lines = lines.iter().zip(0..);
        let (line, row) = lines.find(|(line, _)| line.contains(text)).expect("it was seen");
        let before = &line[..line.find(text).expect("the line has it")];
        self.click_at(before.chars().count() as u16 + 1, row);
    }

    pub(crate) fn click_at(&mut self, column: u16, row: u16) {
        // Places of the mouse are counted from 1.
        let (column, row) = (column + 1, row + 1);
        self.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// Waits until the command has ended well.
    pub(crate) fn end(mut self) {
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
