//! Notes of the server on standard error, a JSON object in each line. They name no secret: tokens
//! and invitations are never in an address.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// Something went wrong.
pub fn error(part: &str, message: &str) {
    note("error", part, json!({ "message": message }));
}

/// Something happened that an operator may want to know.
pub fn info(part: &str, what: Value) {
    note("info", part, what);
}

fn note(level: &str, part: &str, mut what: Value) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    what["time"] = json!(since.as_millis() as u64);
    what["level"] = json!(level);
    what["part"] = json!(part);
    // Where nobody reads, nothing is left to do.
    let _ = writeln!(std::io::stderr().lock(), "{what}");
}
