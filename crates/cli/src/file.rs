//! Files, read up to a limit and written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::failure::{Code, Failure};

/// No saved match is longer than this. Read, it takes a few times as much.
pub(crate) const MATCH: u64 = 32 << 20;

/// No definition is longer than this, with as many of everything as a game may have.
pub(crate) const DEFINITION: u64 = 8 << 20;

/// Reads a file that is not longer than a limit.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| trouble("read", path, &error))?;
    let taken = file.take(limit + 1).read_to_end(&mut bytes);
    taken.map_err(|error| trouble("read", path, &error))?;
    if bytes.len() as u64 > limit {
        let (path, allowed) = (path.display(), limit >> 20);
        let message = format!("{path}: longer than the {allowed} MiB that are allowed");
        return Err(Failure::new(Code::Io, message, json!({ "limit": limit })));
    }
    Ok(bytes)
}

/// Writes a file; if that fails, what was there before is still there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut beside = OsString::from(path);
    beside.push(format!(".{}.part", std::process::id()));
    let beside = Path::new(&beside);
    let written = File::create_new(beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(beside, path));
    written.map_err(|error| {
        let _ = fs::remove_file(beside);
        trouble("write", path, &error)
    })
}

fn trouble(verb: &str, path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {verb} {}: {error}", path.display());
    Failure::new(Code::Io, message, Value::Null)
}
