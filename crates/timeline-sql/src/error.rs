//! Why a question has no answer.

use std::fmt;

use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use senet_core::nearest;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong.
    pub message: String,
    /// The line and column where it is wrong, from 1, where that is known.
    pub place: Option<(u64, u64)>,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for QueryError {}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> QueryError {
        let span = error.diagnostic().and_then(|diagnostic| diagnostic.span);
        let message = match error.find_root() {
            DataFusionError::SQL(error, _) => error.to_string(),
            DataFusionError::SchemaError(error, _) => unknown(error),
            DataFusionError::Plan(message) => message.clone(),
            DataFusionError::External(error) => error.to_string(),
            _ => error.strip_backtrace(),
        };
        let message = message.trim_start_matches("sql parser error: ").trim().to_owned();
        // The parser says the place in its message, planning in a span.
        let told = message.rsplit_once(" at Line: ").and_then(|(before, place)| {
            let (line, column) = place.split_once(", Column: ")?;
            Some((before.to_owned(), (line.parse().ok()?, column.parse().ok()?)))
        });
        match (told, span) {
            (Some((message, place)), _) => QueryError { message, place: Some(place) },
            (None, Some(span)) => {
                let place = Some((span.start.line, span.start.column));
                QueryError { message, place }
            }
            (None, None) => QueryError { message, place: None },
        }
    }
}

/// What is wrong with the names of a question, without the list of all that would be right.
fn unknown(error: &SchemaError) -> String {
    let SchemaError::FieldNotFound { field, valid_fields } = error else {
        return error.to_string();
    };
    let name = field.name();
    match nearest(name, valid_fields.iter().map(Column::name)) {
        Some(near) => format!("no column is named `{name}`, did you mean `{near}`?"),
        None => format!("no column is named `{name}`"),
    }
}
