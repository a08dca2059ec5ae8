//! Timelines that a cluster writes: a folder of Parquet files.

use std::ffi::OsString;
use std::fs;
use std::path::{self, Path, PathBuf};

use senet_timeline::Timeline;
use senet_timeline_sql::{Saved, Session};
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::file::trouble;
use crate::output::counted;
use crate::{interrupt, progress};

/// A folder being filled under another name. Only [`Folder::finish`] gives it its own; dropped
/// before that, it is gone.
struct Folder {
    path: PathBuf,
    beside: PathBuf,
    finished: bool,
}

/// Lets a session write a timeline into a folder, and says which files there are.
pub(super) fn write(
    session: &Session,
    timeline: &Timeline,
    path: &Path,
) -> Result<Vec<Saved>, Failure> {
    let folder = Folder::create(path)?;
    let bar = progress::waiting();
    let mut wanted = interrupt::wanted();
    let saved = session.save(timeline, &folder.beside, || {
        let files = fs::read_dir(&folder.beside).map_or(0, Iterator::count);
        bar.set_message(counted(files as u64, "file"));
        wanted()
    });
    bar.finish_and_clear();
    let Some(saved) = saved? else {
        return Err(Failure::new(Code::Interrupted, "interrupted", Value::Null));
    };
    folder.finish(&saved)?;
    Ok(saved)
}

impl Folder {
    fn create(path: &Path) -> Result<Folder, Failure> {
        if path.exists() {
            let message = format!("{}: the folder exists and is not replaced", path.display());
            return Err(Failure::new(Code::Io, message, Value::Null));
        }
        let wrong = |error| trouble("write", path, &error);
        // Whoever writes the files may be at work in another folder.
        let mut beside = OsString::from(path::absolute(path).map_err(wrong)?);
        beside.push(format!(".{}.part", std::process::id()));
        let beside = PathBuf::from(beside);
        fs::create_dir(&beside).map_err(wrong)?;
        Ok(Folder { path: path.to_owned(), beside, finished: false })
    }

    /// Gives the folder its name, once all its files are there and nothing else is.
    fn finish(mut self, saved: &[Saved]) -> Result<(), Failure> {
        for one in saved {
            let size = fs::metadata(self.beside.join(&one.file)).map(|about| about.len());
            if size.ok() != Some(one.bytes) {
                let message = format!(
                    "{}: {} was written, but not here: all machines must see the folder",
                    self.path.display(),
                    one.file
                );
                return Err(Failure::new(Code::Io, message, Value::Null));
            }
        }
        let wrong = |error| trouble("write", &self.path, &error);
        for entry in fs::read_dir(&self.beside).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            // Whoever died while writing has left something behind.
            if !saved.iter().any(|one| entry.file_name() == *one.file) {
                fs::remove_file(entry.path()).map_err(wrong)?;
            }
        }
        fs::rename(&self.beside, &self.path).map_err(wrong)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_dir_all(&self.beside);
        }
    }
}
