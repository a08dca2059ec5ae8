//! Looking for cases that break a law, and making them small.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, io};

use senet_chance::Source;

use crate::target::Target;

/// What one case may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long it may take.
    pub time: Duration,
    /// How many bytes of memory the process may have then.
    pub memory: u64,
}

impl Limits {
    /// Twenty seconds and a gigabyte: a definition that needs more must have been refused.
    pub const USUAL: Limits = Limits { time: Duration::from_secs(20), memory: 1 << 30 };
}

/// A case that breaks a law, and what was said of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The case.
    pub case: Vec<u8>,
    /// Why the law does not hold.
    pub message: String,
}

/// Cases of one target, one after another.
pub struct Hunt {
    target: Target,
    source: Source,
    corpus: Vec<Vec<u8>>,
}

impl Hunt {
    /// A hunt that a seed and the corpus name.
    pub fn new(target: Target, seed: u64) -> io::Result<Hunt> {
        let corpus = corpus(target)?.into_iter().map(|(_, case)| case).collect();
        Ok(Hunt { target, source: Source::seeded(seed), corpus })
    }

    /// The next case.
    pub fn next_case(&mut self) -> Vec<u8> {
        (self.target.fresh)(&mut self.source, &self.corpus)
    }

    /// Checks fresh cases until one breaks the law or the time is over; says how many there were.
    pub fn run(&mut self, time: Duration) -> (u64, Option<Found>) {
        let begin = Instant::now();
        let mut cases = 0;
        while begin.elapsed() < time {
            let case = self.next_case();
            cases += 1;
            if let Some(found) = breaks(self.target, &case) {
                return (cases, Some(found));
            }
        }
        (cases, None)
    }
}

/// What a case breaks, if anything.
pub fn breaks(target: Target, case: &[u8]) -> Option<Found> {
    let check = AssertUnwindSafe(|| (target.check)(case));
    let panicked = panic::catch_unwind(check).err()?;
    Some(Found { case: case.to_vec(), message: told(&*panicked) })
}

fn told(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panicked.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

/// The smallest case that can be found near one that breaks a law in the time given.
pub fn shrink(target: Target, mut found: Found, time: Duration) -> Found {
    let begin = Instant::now();
    // The same fault says the same up to its first figures.
    let kind = |message: &str| -> String {
        message.chars().filter(|c| c.is_alphabetic()).rev().take(12).collect()
    };
    let wanted = kind(&found.message);
    'again: loop {
        for case in (target.smaller)(&found.case) {
            if begin.elapsed() > time {
                return found;
            }
            if case.len() >= found.case.len() {
                continue;
            }
            if let Some(less) = breaks(target, &case).filter(|less| kind(&less.message) == wanted) {
                found = less;
                continue 'again;
            }
        }
        return found;
    }
}

/// Where the cases of a target lie.
pub fn folder(target: Target) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// The cases of a target that are worth keeping, by the names of their files.
pub fn corpus(target: Target) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut cases = Vec::new();
    let files = match fs::read_dir(folder(target)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(cases),
        files => files?,
    };
    for file in files {
        let file = file?;
        cases.push((file.file_name().to_string_lossy().into_owned(), fs::read(file.path())?));
    }
    cases.sort();
    Ok(cases)
}
