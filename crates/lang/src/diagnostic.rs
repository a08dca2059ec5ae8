//! What is wrong with a game file, and where.

use std::fmt;

use serde::Serialize;

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is no game.
    Error,
    /// The file is a game, but probably not the one that was meant.
    Warning,
}

/// One mistake or doubt, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for this sort of mistake, such as `unknown-name`.
    pub code: &'static str,
    /// Where it is.
    pub span: Span,
    /// What was found there, and what is wrong with it.
    pub message: String,
    /// What to write instead, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Text that may replace the span.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

impl Diagnostic {
    /// A mistake.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let severity = Severity::Error;
        Diagnostic { severity, code, span, message: message.into(), help: None, replacement: None }
    }

    /// A doubt.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds a name that was probably meant, if there is one.
    #[must_use]
    pub fn near(mut self, near: Option<String>) -> Diagnostic {
        if let Some(near) = near {
            self.help = Some(format!("did you mean `{near}`?"));
            self.replacement = Some(near);
        }
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}
