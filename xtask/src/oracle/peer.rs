//! The other program: questions and answers over pipes, a line each.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::Value;

use crate::python::Python;

/// A running program that answers questions.
pub(super) struct Peer {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a script.
    pub(super) fn start(python: &Python, script: &str) -> Result<Peer, String> {
        let mut command = python.command();
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the script has no pipes".to_owned());
        };
        Ok(Peer { child, questions: Some(questions), answers: BufReader::new(answers) })
    }

    /// Asks one question and waits for the answer.
    pub(super) fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let said = |error: std::io::Error| format!("the script is gone: {error}");
        if let Some(questions) = &mut self.questions {
            writeln!(questions, "{question}").and_then(|()| questions.flush()).map_err(said)?;
        }
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(said)?;
        serde_json::from_str(&line).map_err(|_| format!("the script gave no answer to {question}"))
    }
}

impl Drop for Peer {
    /// Closes the pipe, at which the script ends, and waits for that.
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.child.wait();
    }
}
