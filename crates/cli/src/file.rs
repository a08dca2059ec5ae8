//! Files, read up to a limit and written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

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
    let mut part = Part::create(path)?;
    part.write(bytes)?;
    part.finish()
}

/// A file being written under another name. Only [`Part::finish`] gives it its own; dropped
/// before that, it is gone.
pub(crate) struct Part {
    path: PathBuf,
    beside: PathBuf,
    into: BufWriter<File>,
    finished: bool,
}

impl Part {
    /// Begins a file.
    pub(crate) fn create(path: &Path) -> Result<Part, Failure> {
        let mut beside = OsString::from(path);
        beside.push(format!(".{}.part", std::process::id()));
        let beside = PathBuf::from(beside);
        let file = File::create_new(&beside).map_err(|error| trouble("write", path, &error))?;
        Ok(Part { path: path.to_owned(), beside, into: BufWriter::new(file), finished: false })
    }

    /// Writes on.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.into.write_all(bytes).map_err(|error| trouble("write", &self.path, &error))
    }

    /// What takes the bytes.
    #[cfg(feature = "timeline")]
    pub(crate) fn writer(&mut self) -> &mut BufWriter<File> {
        &mut self.into
    }

    /// Ends the file and gives it its name.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let named = self
            .into
            .flush()
            .and_then(|()| self.into.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.path));
        named.map_err(|error| trouble("write", &self.path, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

pub(crate) fn trouble(verb: &str, path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {verb} {}: {error}", path.display());
    Failure::new(Code::Io, message, Value::Null)
}
