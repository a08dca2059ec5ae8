//! A session to ask.

use std::sync::Arc;

use senet_timeline_sql::{Form, Purpose, QueryError, Session, Shelf};

/// The position by which move generators are usually tested.
pub(crate) const KIWIPETE: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The answer to a question as lines of values, without the names.
pub(crate) fn ask(question: &str) -> Result<Vec<String>, QueryError> {
    ask_with(2, question)
}

/// The same on `threads` threads.
pub(crate) fn ask_with(threads: usize, question: &str) -> Result<Vec<String>, QueryError> {
    let session = Session::new(&Arc::new(Shelf::default()), threads)?;
    let mut answer = String::new();
    session.ask(
        question,
        Purpose::Answer,
        Form::Csv,
        || true,
        |text| {
            answer.push_str(text);
            Ok::<(), QueryError>(())
        },
    )?;
    Ok(answer.lines().skip(1).map(str::to_owned).collect())
}
