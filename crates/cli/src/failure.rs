//! Why a command or a request could not be done.

use std::io;
use std::process::ExitCode;

use senet::define::DefinitionErrors;
use senet::notation::{EventError, PositionError, TurnError, mat, pgn};
use senet::{LoadError, Stopped, UnknownGame};
use serde::Serialize;
use serde_json::{Value, json};

/// A word for programs that tell failures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The command line is wrong.
    Usage,
    /// A request line is no request.
    ParseError,
    /// No method has this name.
    UnknownMethod,
    /// A parameter or an argument is missing, of a wrong type, or names nothing.
    InvalidParams,
    /// No game has this name.
    UnknownGame,
    /// A definition file is no game.
    InvalidDefinition,
    /// A text is no position of the game.
    InvalidPosition,
    /// A text is no event of the game.
    InvalidEvent,
    /// The rules refuse an event.
    Rejected,
    /// A saved match does not replay.
    InvalidMatch,
    /// A game of a file cannot be read, or has an illegal move.
    InvalidGame,
    /// A count is not what was expected.
    Mismatch,
    /// A tree is too large or too deep to be walked.
    TooLarge,
    /// A file cannot be read or written.
    Io,
    /// Nobody reads the output any more.
    ClosedPipe,
    /// This build was made without what was asked for.
    MissingFeature,
    /// A question in SQL has no answer.
    #[cfg(feature = "sql")]
    InvalidQuery,
    /// The user called it off.
    #[cfg(feature = "timeline")]
    Interrupted,
    /// What is wrong was told already.
    Told,
    /// A signal ended it.
    Signalled(u8),
}

impl Code {
    /// What the command exits with.
    pub(crate) fn exit(self) -> ExitCode {
        match self {
            Code::Usage | Code::UnknownGame => ExitCode::from(2),
            Code::ClosedPipe => ExitCode::SUCCESS,
            Code::Signalled(signal) => ExitCode::from(128 + signal),
            #[cfg(feature = "timeline")]
            Code::Interrupted => ExitCode::from(130),
            _ => ExitCode::from(1),
        }
    }
}

/// Why something could not be done: for people the message, for programs the rest.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) details: Value,
}

/// A failure as a whole answer.
#[derive(Serialize)]
pub(crate) struct Envelope<'f> {
    error: &'f Failure,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>, details: Value) -> Failure {
        // An excerpt escapes quotes, which need no escape in a message.
        let message = message.into().replace("\\\"", "\"").replace("\\'", "'");
        Failure { code, message, details }
    }

    /// A parameter or an argument that will not do.
    pub(crate) fn params(message: impl Into<String>) -> Failure {
        Failure::new(Code::InvalidParams, message, Value::Null)
    }

    /// A failure of which nothing is left to tell.
    pub(crate) fn told() -> Failure {
        Failure::new(Code::Told, "", Value::Null)
    }

    /// A signal that ended it.
    #[cfg(unix)]
    pub(crate) fn signal(signal: u8) -> Failure {
        Failure::new(Code::Signalled(signal), "", Value::Null)
    }

    /// The failure as a whole answer.
    pub(crate) fn envelope(&self) -> Envelope<'_> {
        Envelope { error: self }
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        Failure::new(Code::TooLarge, stopped.to_string(), Value::Null)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        let code = match error.kind() {
            io::ErrorKind::BrokenPipe => Code::ClosedPipe,
            _ => Code::Io,
        };
        Failure::new(code, error.to_string(), Value::Null)
    }
}

impl From<UnknownGame> for Failure {
    fn from(error: UnknownGame) -> Failure {
        let details = json!({ "found": error.name, "near": error.near });
        Failure::new(Code::UnknownGame, error.to_string(), details)
    }
}

impl From<DefinitionErrors> for Failure {
    fn from(errors: DefinitionErrors) -> Failure {
        let listed = errors.0.iter().map(|error| {
            let message = error.fault.to_string();
            json!({ "place": error.place, "message": message })
        });
        let details = json!({ "errors": listed.collect::<Vec<Value>>() });
        Failure::new(Code::InvalidDefinition, errors.to_string(), details)
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        let kinds = error.reasons.iter().map(|reason| reason.kind.as_str());
        let reasons = error.reasons.iter().map(
            |reason| json!({ "kind": reason.kind, "message": reason.message, "at": reason.at }),
        );
        let details = json!({
            "kinds": kinds.collect::<Vec<&str>>(),
            "reasons": reasons.collect::<Vec<Value>>(),
        });
        Failure::new(Code::InvalidPosition, error.to_string(), details)
    }
}

impl From<EventError> for Failure {
    fn from(error: EventError) -> Failure {
        let details = json!({
            "at": error.at,
            "found": error.found,
            "allowed": error.allowed,
            "near": error.near,
        });
        let EventError { found, allowed, near, .. } = &error;
        let hint = near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = match found.as_str() {
            "" => format!("a move is missing: write {allowed}{hint}"),
            found => format!("there is no move `{found}` here: write {allowed}{hint}"),
        };
        Failure::new(Code::InvalidEvent, message, details)
    }
}

impl From<TurnError> for Failure {
    fn from(error: TurnError) -> Failure {
        match error {
            TurnError::Text(error) => error.into(),
            TurnError::Refused(refusal) => {
                let details = json!({ "reason": refusal.reason, "instead": refusal.instead });
                Failure::new(Code::Rejected, format!("the play is refused: {refusal}"), details)
            }
        }
    }
}

impl From<mat::Error> for Failure {
    fn from(error: mat::Error) -> Failure {
        let details = json!({
            "file": error.file,
            "line": error.line,
            "game": error.game,
            "move": error.at_move,
            "kind": error.problem.kind(),
        });
        Failure::new(Code::InvalidGame, error.to_string(), details)
    }
}

impl From<pgn::Error> for Failure {
    fn from(error: pgn::Error) -> Failure {
        let details = json!({
            "file": error.file,
            "line": error.line,
            "column": error.column,
            "game": error.game,
            "move": error.at_move,
            "kind": error.problem.kind(),
        });
        Failure::new(Code::InvalidGame, error.to_string(), details)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        let details = json!({ "step": error.step });
        Failure::new(Code::InvalidMatch, error.to_string(), details)
    }
}
