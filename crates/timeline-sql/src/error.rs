//! Why a question has no answer.

use std::fmt;

use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use senet_core::notation::nearest;

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
            DataFusionError::Plan(message) => plain(message),
            DataFusionError::External(error) => error.to_string(),
            DataFusionError::ArrowError(error, _) => error.to_string(),
            root => root.strip_backtrace(),
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

impl QueryError {
    /// What is wrong with a question. Where nobody tells the place, it is that of what the message
    /// quotes, or the end if that is where something is missing.
    pub(crate) fn of(question: &str, error: DataFusionError) -> QueryError {
        let error = QueryError::from(error);
        let place = error.place.or_else(|| match error.message.ends_with("found: EOF") {
            true => Some(end(question)),
            false => quoted(&error.message).find_map(|word| find(question, word)),
        });
        QueryError { place, ..error }
    }
}

/// Where a question ends.
fn end(question: &str) -> (u64, u64) {
    let lines = question.trim_end().lines();
    let (number, last) = lines.enumerate().last().unwrap_or_default();
    (number as u64 + 1, last.chars().count() as u64 + 1)
}

/// What a message has in quotes; of a call the name.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    let parts = message.split(['`', '\'', '"']).skip(1).step_by(2);
    parts.map(|part| part.split_once('(').map_or(part, |(name, _)| name))
}

/// Where a question has a name or a text.
fn find(question: &str, word: &str) -> Option<(u64, u64)> {
    let tokens = Tokenizer::new(&GenericDialect {}, question).tokenize_with_location().ok()?;
    let is_it = |token: &Token| match token {
        Token::Word(name) => name.value.eq_ignore_ascii_case(word),
        Token::SingleQuotedString(text) => text == word,
        _ => false,
    };
    let found = tokens.into_iter().find(|one| is_it(&one.token))?;
    Some((found.span.start.line, found.span.start.column))
}

/// A message of the planner without what only concerns the planner.
fn plain(message: &str) -> String {
    // Names are told with the catalog and the schema, which here are always the same.
    let message = message.replace("datafusion.public.", "");
    match message.find("No function matches") {
        // Before it every signature is told that was tried, and after it all that there are.
        Some(at) => message[at..].lines().next().unwrap_or_default().to_owned(),
        None => message,
    }
}

/// What is wrong with the names of a question, without the list of all that would be right.
fn unknown(error: &SchemaError) -> String {
    let SchemaError::FieldNotFound { field, valid_fields } = error else {
        return error.to_string();
    };
    // Whoever names the table means a column of it.
    let (name, known): (String, fn(&Column) -> String) = match field.relation {
        Some(_) => (field.flat_name(), Column::flat_name),
        None => (field.name.clone(), |column| column.name.clone()),
    };
    let known: Vec<String> = valid_fields.iter().map(known).collect();
    match nearest(&name, known.iter().map(String::as_str)) {
        Some(near) => format!("no column is named `{name}`, did you mean `{near}`?"),
        None => format!("no column is named `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_that_of_a_quoted_name_or_text() {
        let place = |message: &str| quoted(message).find_map(|word| find("f('x',\n  Why)", word));
        assert_eq!(place("no game is named `x`"), Some((1, 3)));
        assert_eq!(place("table function 'why' not found"), Some((2, 3)));
        assert_eq!(place("nothing fits 'f(Utf8)'"), Some((1, 1)));
        assert_eq!(place("it isn't there"), None);
    }

    #[test]
    fn what_is_missing_is_missing_at_the_end() {
        assert_eq!(end("select 1 +"), (1, 11));
        assert_eq!(end("select\n  1 +  \n"), (2, 6));
        assert_eq!(end(""), (1, 1));
    }
}
