//! Files of games that are read as a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::{file, progress};

/// How much of a file is read at once.
const CHUNK: usize = 1 << 16;

/// A file or standard input, with a bar of how much of it is read.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) from: Box<dyn BufRead>,
    pub(crate) bar: ProgressBar,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
        if path.as_os_str() == "-" {
            let bar = progress::bytes(None);
            let from = Box::new(BufReader::with_capacity(CHUNK, bar.wrap_read(io::stdin())));
            return Ok(Input { name: "-".into(), from, bar });
        }
        let opened = File::open(path).map_err(|error| file::trouble("read", path, &error))?;
        let about = opened.metadata().map_err(|error| file::trouble("read", path, &error))?;
        if about.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(file::trouble("read", path, &error));
        }
        let bar = progress::bytes(Some(about.len()).filter(|_| about.is_file()));
        let from = Box::new(BufReader::with_capacity(CHUNK, bar.wrap_read(opened)));
        Ok(Input { name: path.display().to_string(), from, bar })
    }
}
