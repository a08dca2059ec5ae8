//! Files, read up to a limit and written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
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
        let message = format!("{path}: longer than the limit of {allowed} MiB");
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

/// Replaces the end of an ordinary file from an offset on by at least as many bytes, in one write.
/// False, with nothing done, where the file is not as long as it was left.
pub(crate) fn extend(path: &Path, left: u64, offset: u64, bytes: &[u8]) -> Result<bool, Failure> {
    let extended = || {
        let mut file = File::options().write(true).open(path)?;
        let about = file.metadata()?;
        if !about.is_file() || about.len() != left || offset + (bytes.len() as u64) < left {
            return Ok(false);
        }
        file.seek(io::SeekFrom::Start(offset))?;
        file.write_all(bytes).map(|()| true)
    };
    match extended() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        done => done.map_err(|error| trouble("write", path, &error)),
    }
}

/// A file being written. Ordinary files are written under another name, and only [`Part::finish`]
/// gives them their own; dropped before that, they are gone. A device or a pipe takes what is
/// written at once.
pub(crate) struct Part {
    path: PathBuf,
    end: End,
    into: BufWriter<File>,
    finished: bool,
}

/// Whether a path is that of a pipe, a device or the like: what is written to it does not stay.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// How a file comes to have what was written.
enum End {
    /// It is renamed.
    Rename { beside: PathBuf, to: PathBuf },
    /// What stands beside it is copied into it, because it has other names too.
    Copy { beside: PathBuf, to: PathBuf },
    /// It has it already.
    Through,
}

impl Part {
    /// Begins a file. What a symbolic link points to is written, not the link.
    pub(crate) fn create(path: &Path) -> Result<Part, Failure> {
        Part::begin(path).map_err(|error| trouble("write", path, &error))
    }

    fn begin(path: &Path) -> io::Result<Part> {
        let to = target(path)?;
        let about = match fs::metadata(&to) {
            Ok(about) => Some(about),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let part = |end: End, file: File| Part {
            path: path.to_owned(),
            end,
            into: BufWriter::new(file),
            finished: false,
        };
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            return Ok(part(End::Through, File::options().write(true).open(&to)?));
        }
        clear_leftovers(&to);
        let beside = beside(&to, std::process::id());
        let file = File::create_new(&beside)?;
        if let Some(about) = &about {
            // A file keeps who may read it, where that can be set.
            let _ = fs::set_permissions(&beside, about.permissions());
        }
        let end = match about.is_some_and(|about| has_other_names(&about)) {
            true => End::Copy { beside, to },
            false => End::Rename { beside, to },
        };
        Ok(part(end, file))
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
        let ended = self.into.flush().and_then(|()| match &self.end {
            End::Through => Ok(()),
            End::Rename { beside, to } => {
                self.into.get_ref().sync_all().and_then(|()| fs::rename(beside, to))
            }
            End::Copy { beside, to } => fs::copy(beside, to).and_then(|_| fs::remove_file(beside)),
        });
        ended.map_err(|error| trouble("write", &self.path, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let (false, End::Rename { beside, .. } | End::Copy { beside, .. }) =
            (self.finished, &self.end)
        {
            let _ = fs::remove_file(beside);
        }
    }
}

/// The file that a path leads to through symbolic links, which need not exist.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) if next.is_absolute() => path = next,
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(unix)]
fn has_other_names(about: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// The name under which a process writes a file.
fn beside(path: &Path, process: u32) -> PathBuf {
    let mut beside = OsString::from(path);
    beside.push(format!(".{process}.part"));
    PathBuf::from(beside)
}

/// Removes what processes left behind that ended while they wrote this file.
fn clear_leftovers(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let number = found.to_str().and_then(|found| {
            found.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".part")?.parse::<u32>().ok()
        });
        if number.is_some_and(|process| process == std::process::id() || !is_alive(process)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process runs. Where that is not known, it may.
pub(crate) fn is_alive(process: u32) -> bool {
    let all = Path::new("/proc");
    !all.join("self").exists() || all.join(process.to_string()).exists()
}

pub(crate) fn trouble(verb: &str, path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {verb} {}: {error}", path.display());
    Failure::new(Code::Io, message, Value::Null)
}
