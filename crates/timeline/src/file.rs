//! Timelines as files.

mod arrow_file;
mod line;
#[cfg(feature = "parquet")]
mod parquet_file;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow::record_batch::RecordBatch;

use crate::distinct::Distinct;
use crate::error::Error;
use crate::order::Ordered;
use crate::timeline::{Shape, Timeline};
use crate::unit::Unit;
use crate::walk::Walk;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns, packed.
    #[cfg(feature = "parquet")]
    Parquet,
    /// Columns as they are in memory.
    Arrow,
    /// Lines of values with commas between them.
    Csv,
    /// Lines of JSON objects.
    JsonLines,
}

/// How far a timeline is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many rows were written.
    pub rows: u64,
    /// How many parts of the tree are done.
    pub done: usize,
    /// How many parts there are.
    pub parts: usize,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On.
    Continue,
    /// It is called off.
    Stop,
}

impl Format {
    /// The endings of file names, and the format of each.
    pub const ENDINGS: &[(&str, Format)] = &[
        #[cfg(feature = "parquet")]
        ("parquet", Format::Parquet),
        ("arrow", Format::Arrow),
        ("csv", Format::Csv),
        ("jsonl", Format::JsonLines),
    ];

    /// The format that the name of a file asks for.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?;
        let known = Format::ENDINGS.iter().find(|(one, _)| ending.eq_ignore_ascii_case(one));
        known.map(|(_, format)| *format)
    }
}

/// Record batches in the order of the table, made by several threads.
pub struct Batches {
    parts: usize,
    ordered: Ordered<Result<RecordBatch, Error>>,
}

impl Timeline {
    /// The rows as record batches: the same in the same order whatever the threads.
    pub fn batches(self: &Arc<Self>, threads: usize) -> Result<Batches, Error> {
        let timeline = self.clone();
        if self.shape == Shape::Distinct {
            let ordered = Ordered::new(1, 1, move |_| Distinct::new(&timeline));
            return Ok(Batches { parts: 1, ordered });
        }
        let units = self.units()?.all;
        let parts = units.len();
        let walk = move |task: usize| Walk::new(&timeline, vec![units[task].clone()]);
        Ok(Batches { parts, ordered: Ordered::new(threads, parts, walk) })
    }

    /// Writes the timeline. The bytes are the same whatever the threads.
    pub fn write(
        self: &Arc<Self>,
        format: Format,
        threads: usize,
        into: impl Write + Send,
        told: &mut dyn FnMut(Progress) -> Flow,
    ) -> Result<Progress, Error> {
        if self.columns.is_empty() {
            return Err(Error::NoColumn);
        }
        match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet_file::write(self, threads, into, told),
            Format::Arrow => arrow_file::write(self, threads, into, told),
            Format::Csv => line::write(self, line::Kind::Csv, threads, into, told),
            Format::JsonLines => line::write(self, line::Kind::Json, threads, into, told),
        }
    }

    /// Writes the rows of some units as a Parquet file of their own, and says how many there are.
    /// Where positions are merged, all units are one.
    #[cfg(feature = "parquet")]
    pub fn write_units(
        self: &Arc<Self>,
        units: Vec<Unit>,
        into: impl Write + Send,
    ) -> Result<u64, Error> {
        if self.columns.is_empty() {
            return Err(Error::NoColumn);
        }
        match self.shape {
            Shape::Tree => parquet_file::write_all(self, Walk::new(self, units), into),
            Shape::Distinct => parquet_file::write_all(self, Distinct::new(self), into),
        }
    }

    /// Pieces of the table, each made by `make` from some of the batches: one piece after another
    /// for consecutive units, in several threads.
    fn pieces<T: Send + 'static, I: Iterator<Item = T>>(
        self: &Arc<Self>,
        threads: usize,
        rows: f64,
        make: impl Fn(Box<dyn Iterator<Item = Result<RecordBatch, Error>>>) -> I + Send + Sync + 'static,
    ) -> Result<(usize, Ordered<T>), Error> {
        let timeline = self.clone();
        if self.shape == Shape::Distinct {
            let make = move |_| make(Box::new(Distinct::new(&timeline)));
            return Ok((1, Ordered::new(1, 1, make)));
        }
        let units = self.units()?;
        let each = ((rows / units.rows.max(1.0)) as usize).max(1);
        let chunks: Vec<Vec<Unit>> = units.all.chunks(each).map(<[Unit]>::to_vec).collect();
        let parts = chunks.len();
        let make = move |task: usize| make(Box::new(Walk::new(&timeline, chunks[task].clone())));
        Ok((parts, Ordered::new(threads, parts, make)))
    }
}

impl Batches {
    /// How many parts the tree was divided into.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The next batch; none at the end, and none when it is no longer wanted.
    pub fn next_if(
        &mut self,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Option<Result<RecordBatch, Error>> {
        self.ordered.next_if(wanted)
    }

    /// How many of them are done.
    pub fn done(&self) -> usize {
        self.ordered.done()
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_if(&mut || true)
    }
}

impl Progress {
    /// Tells how far it is; an error if that is far enough.
    fn tell(&self, told: &mut dyn FnMut(Progress) -> Flow) -> Result<(), Error> {
        match told(*self) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Error::Cancelled),
        }
    }
}
