//! What a check reports.

/// One fault, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, from the root of the workspace.
    pub(crate) path: String,
    /// The line, counted from one.
    pub(crate) line: usize,
    /// What was found and what is allowed.
    pub(crate) message: String,
}

impl Finding {
    /// A fault at one line of a file.
    pub(crate) fn at(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}
