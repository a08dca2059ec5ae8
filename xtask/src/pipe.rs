//! A program that is talked to over pipes, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program that answers.
pub(crate) struct Pipe {
    name: String,
    child: Child,
    into: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Pipe {
    /// Starts a program, known by a name in what is said about it.
    ///
    /// # Errors
    /// A line that says why it cannot be started.
    pub(crate) fn start(name: &str, command: &mut Command) -> Result<Pipe, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| format!("{name}: {error}"))?;
        let (Some(into), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{name} has no pipes"));
        };
        let name = name.to_owned();
        Ok(Pipe { name, child, into: Some(into), from: BufReader::new(from) })
    }

    /// The number that the system knows the program by.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), String> {
        let Some(into) = &mut self.into else { return Ok(()) };
        let said = writeln!(into, "{line}").and_then(|()| into.flush());
        said.map_err(|error| format!("{} is gone: {error}", self.name))
    }

    /// The next line that the program says, without its end.
    pub(crate) fn hear(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(0) => Err(format!("{} is gone", self.name)),
            Ok(_) => Ok(line.trim_end().to_owned()),
            Err(error) => Err(format!("{} is gone: {error}", self.name)),
        }
    }

    /// Says a line and gives the answer, which is a line.
    pub(crate) fn ask(&mut self, line: &str) -> Result<String, String> {
        self.say(line)?;
        self.hear()
    }

    /// Says a line and gives the first line of the answer that begins in a way.
    pub(crate) fn ask_for(&mut self, line: &str, beginning: &str) -> Result<String, String> {
        self.say(line)?;
        loop {
            let answer = self.hear()?;
            if answer.starts_with(beginning) {
                return Ok(answer);
            }
        }
    }
}

impl Drop for Pipe {
    /// Closes the pipe, at which the program ends, and waits for that.
    fn drop(&mut self) {
        self.into = None;
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_program_answers_line_by_line_until_it_is_gone() {
        let mut pipe = Pipe::start("cat", &mut Command::new("cat")).expect("cat is everywhere");
        assert_eq!(pipe.ask("one").as_deref(), Ok("one"));
        pipe.say("skipped").expect("it still listens");
        assert_eq!(pipe.ask_for("wanted", "want").as_deref(), Ok("wanted"));
        pipe.into = None;
        assert_eq!(pipe.hear(), Err("cat is gone".to_owned()));
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let error = Pipe::start("nothing", &mut Command::new("no-such-program")).err();
        assert!(error.is_some_and(|error| error.starts_with("nothing: ")));
    }
}
