//! The other program: questions and answers over pipes, a line each.

use serde_json::Value;

use crate::pipe::Pipe;
use crate::python::Python;

/// A running program that answers questions.
pub(super) struct Peer(Pipe);

impl Peer {
    /// Starts a script.
    pub(super) fn start(python: &Python, script: &str) -> Result<Peer, String> {
        Pipe::start("the script", python.command().args(["-c", script])).map(Peer)
    }

    /// Asks one question and waits for the answer.
    pub(super) fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let answer = self.0.ask(&question.to_string())?;
        serde_json::from_str(&answer)
            .map_err(|_| format!("the script gave no answer to {question}"))
    }
}
