//! Where typed lines come from: a line editor at a terminal, else the lines of standard input.

use std::io::{self, StdinLock};

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};

use super::LIMIT;
use crate::line::{Line, Lines};

/// Reads what players type.
pub(super) enum Prompt {
    /// At a terminal: a line can be edited, and earlier lines come back with the arrow keys.
    Editor { editor: Box<DefaultEditor>, typed: String },
    /// Lines as they come.
    Lines(Lines<StdinLock<'static>>),
}

impl Prompt {
    /// Reads from a line editor where lines are to be edited and the terminal can do that.
    pub(super) fn new(edits: bool) -> Prompt {
        let config = Config::builder().auto_add_history(true).build();
        match DefaultEditor::with_config(config) {
            Ok(editor) if edits => {
                restore_on_signal();
                Prompt::Editor { editor: Box::new(editor), typed: String::new() }
            }
            _ => Prompt::Lines(Lines::new(io::stdin().lock(), LIMIT)),
        }
    }

    /// Whether the prompt is shown by the editor.
    pub(super) fn is_editor(&self) -> bool {
        matches!(self, Prompt::Editor { .. })
    }

    /// The next line; none at the end of input, or where the player interrupts it.
    pub(super) fn next(&mut self, prompt: &str) -> io::Result<Option<Line<'_>>> {
        match self {
            Prompt::Lines(lines) => lines.next(),
            Prompt::Editor { editor, typed } => match editor.readline(prompt) {
                Ok(line) => {
                    *typed = line;
                    Ok(Some(match typed.len() > LIMIT {
                        true => Line::TooLong(b""),
                        false => Line::Whole(typed.as_bytes()),
                    }))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
        }
    }
}

/// Leaves the terminal as it was where a signal ends the process while a line is edited.
#[cfg(unix)]
fn restore_on_signal() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGTERM};

    let Ok(before) = tcgetattr(io::stdin()) else { return };
    let last = Arc::new(AtomicUsize::new(0));
    for signal in [SIGHUP, SIGTERM] {
        // Where it cannot be noted, the signal ends the process as it always did.
        let _ = signal_hook::flag::register_usize(signal, last.clone(), signal as usize);
    }
    let before = std::sync::Mutex::new(before);
    std::thread::spawn(move || {
        while last.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(Duration::from_millis(100));
        }
        if let Ok(before) = before.lock() {
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &before);
        }
        std::process::exit(128 + last.load(Ordering::Relaxed) as i32);
    });
}

#[cfg(not(unix))]
fn restore_on_signal() {}
