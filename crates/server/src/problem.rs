//! Why a request could not be done, as `application/problem+json`.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// Why a request could not be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The status of the answer.
    pub status: u16,
    /// A word for programs.
    pub code: &'static str,
    /// What is wrong, in words.
    pub detail: String,
    /// What else there is to say.
    pub more: Map<String, Value>,
}

impl Problem {
    /// A problem without further details.
    pub fn new(status: u16, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, code, detail: detail.into(), more: Map::new() }
    }

    /// The request is not written as it should be.
    pub fn invalid(detail: impl Into<String>) -> Problem {
        Problem::new(400, "invalid_request", detail)
    }

    /// There is no such thing.
    pub fn missing(what: &str) -> Problem {
        Problem::new(404, "not_found", format!("there is no such {what}"))
    }

    /// The sender may not do this.
    pub fn forbidden(detail: impl Into<String>) -> Problem {
        Problem::new(403, "forbidden", detail)
    }

    /// The match is not where the sender believes.
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(409, code, detail)
    }

    /// The database does not answer.
    pub fn unavailable() -> Problem {
        let detail = "the database cannot be reached at the moment; try again";
        Problem::new(503, "unavailable", detail)
    }

    /// The server has failed in a way that it does not know.
    pub fn broken() -> Problem {
        Problem::new(500, "broken", "the server could not do this; it goes on with everything else")
    }

    /// The same with one detail more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Problem {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    /// The problem as it is sent.
    pub fn json(&self) -> Value {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut body = json!({
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or("Problem"),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        });
        if let Value::Object(fields) = &mut body {
            fields.extend(self.more.clone());
        }
        body
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        (status, kind, self.json().to_string()).into_response()
    }
}
