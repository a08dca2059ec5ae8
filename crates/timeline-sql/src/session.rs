//! Questions asked one after another, for those who do not wait in tasks of their own.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::{csv, json};
use datafusion::dataframe::DataFrame;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use senet_timeline::Timeline;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::channel;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::error::QueryError;
use crate::shelf::Shelf;
use crate::source::TimelineTable;
use crate::table::Table;
use crate::task::Task;

/// Plans are trees, and reading deep ones takes stack.
const STACK: usize = 16 << 20;

/// Who waits for rows is asked so often whether they are still wanted.
const PATIENCE: Duration = Duration::from_millis(100);

/// A session and the threads that answer in it.
pub struct Session {
    runtime: Runtime,
    /// Those threads tell the time only when they have nothing else to do; who waits for them has
    /// a clock of its own.
    clock: Runtime,
    context: SessionContext,
}

/// The making of rows, which ends when nobody waits for them any more.
struct Making(JoinHandle<()>);

impl Drop for Making {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An aligned table of the first rows, at most [`MOST_ROWS`](crate::MOST_ROWS). Where it is
    /// wider than allowed, the rows are one below the other.
    Table {
        /// How many characters fit in a line; any number when left out.
        width: Option<usize>,
    },
    /// Lines of values with commas between them, the names first.
    Csv,
    /// Lines of JSON objects.
    Json,
}

/// What is wanted of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The answer.
    Answer,
    /// How it would be answered.
    Plan,
}

/// A file of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its name in the folder.
    pub file: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// How far an answer was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The first [`MOST_ROWS`](crate::MOST_ROWS) rows, and there are more.
    FirstRows,
    /// What there was when it was no longer wanted.
    CalledOff,
}

impl Session {
    /// A session in this process, on `threads` threads.
    pub fn new(shelf: &Arc<Shelf>, threads: usize) -> Result<Session, QueryError> {
        Session::with(threads, async { Ok(crate::context(shelf, threads)) })
    }

    /// A session that something else makes.
    pub fn with(
        threads: usize,
        context: impl Future<Output = Result<SessionContext>>,
    ) -> Result<Session, QueryError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads.max(1))
            .thread_stack_size(STACK)
            .enable_all()
            .build()
            .map_err(DataFusionError::IoError)?;
        let clock = Builder::new_current_thread().enable_time().build();
        let clock = clock.map_err(DataFusionError::IoError)?;
        let context = runtime.block_on(context)?;
        Ok(Session { runtime, clock, context })
    }

    /// Gives a timeline a name that questions may use.
    pub fn name(&self, name: &str, timeline: &Timeline) -> Result<(), QueryError> {
        self.context.register_table(name, Arc::new(TimelineTable::new(timeline)))?;
        Ok(())
    }

    /// Asks a question and writes what is wanted of it, bit by bit where its form allows that, for as long
    /// as it is wanted. The writing may fail with an error of its own.
    pub fn ask<E: From<QueryError>>(
        &self,
        question: &str,
        purpose: Purpose,
        form: Form,
        mut wanted: impl FnMut() -> bool,
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Extent, E> {
        let wrong = |error: DataFusionError| QueryError::of(question, error);
        let frame = self.context.sql_with_options(question, SQLOptions::new());
        let frame = self.runtime.block_on(frame);
        let frame = frame.and_then(|frame| match purpose {
            Purpose::Answer => Ok(frame),
            Purpose::Plan => frame.explain(false, false),
        });
        let frame = frame.map_err(wrong)?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let mut kept = Table::default();
        let mut first = true;
        let extent = self.take(frame, wrong, &mut wanted, |batch| {
            let more = match form {
                Form::Table { .. } => kept.push(&batch),
                Form::Csv | Form::Json => {
                    write(&lines(&batch, form, first).map_err(wrong)?)?;
                    true
                }
            };
            first = false;
            Ok::<bool, E>(more)
        })?;
        if extent == Extent::CalledOff {
            return Ok(extent);
        }
        match form {
            Form::Table { width } => write(&kept.format(schema, width).map_err(wrong)?)?,
            // The names are written even where there are no rows.
            Form::Csv if first => {
                write(&lines(&RecordBatch::new_empty(schema), form, true).map_err(wrong)?)?;
            }
            Form::Csv | Form::Json => {}
        }
        Ok(extent)
    }

    /// Writes a timeline into Parquet files of a folder that everyone who works on it sees, for as
    /// long as that is wanted; none where it no longer is.
    pub fn save(
        &self,
        timeline: &Timeline,
        folder: &Path,
        mut wanted: impl FnMut() -> bool,
    ) -> Result<Option<Vec<Saved>>, QueryError> {
        let task = Task::files(Arc::new(timeline.clone()), folder.to_owned());
        let frame = self.context.read_table(Arc::new(TimelineTable::of(task)))?;
        let mut saved = Vec::new();
        let extent = self.take(frame, QueryError::from, &mut wanted, |batch| {
            saved.extend(Saved::read(&batch));
            Ok::<bool, QueryError>(true)
        })?;
        saved.sort_unstable_by(|one, other| one.file.cmp(&other.file));
        Ok((extent == Extent::Whole).then_some(saved))
    }

    /// Takes rows batch by batch, for as long as they are wanted and `each` says that it takes more.
    fn take<E: From<QueryError>>(
        &self,
        frame: DataFrame,
        wrong: impl Fn(DataFusionError) -> QueryError + Copy,
        wanted: &mut dyn FnMut() -> bool,
        mut each: impl FnMut(RecordBatch) -> Result<bool, E>,
    ) -> Result<Extent, E> {
        let mut rows = self.runtime.block_on(frame.execute_stream()).map_err(wrong)?;
        let (sender, mut receiver) = channel(1);
        let mut making = Making(self.runtime.spawn(async move {
            while let Some(batch) = rows.next().await {
                if sender.send(batch).await.is_err() {
                    break;
                }
            }
        }));
        while wanted() {
            let next = async { timeout(PATIENCE, receiver.recv()).await };
            match self.clock.block_on(next) {
                Err(_) => {}
                Ok(None) => {
                    let ended = self.clock.block_on(&mut making.0);
                    ended.map_err(|error| wrong(DataFusionError::External(Box::new(error))))?;
                    return Ok(Extent::Whole);
                }
                Ok(Some(batch)) => {
                    if !each(batch.map_err(wrong)?)? {
                        return Ok(Extent::FirstRows);
                    }
                }
            }
        }
        Ok(Extent::CalledOff)
    }
}

impl Saved {
    /// The files that a batch tells of.
    fn read(batch: &RecordBatch) -> Vec<Saved> {
        let files = batch.column(0).as_string::<i32>();
        let numbers = [1, 2].map(|at| batch.column(at).as_primitive::<Int64Type>());
        let saved = |row: usize| {
            let [rows, bytes] = numbers.map(|column| column.value(row) as u64);
            Saved { file: files.value(row).to_owned(), rows, bytes }
        };
        (0..batch.num_rows()).map(saved).collect()
    }
}

/// The rows of a batch as lines.
fn lines(batch: &RecordBatch, form: Form, first: bool) -> Result<String> {
    let mut bytes = Vec::new();
    if form == Form::Json {
        let builder = json::WriterBuilder::new().with_explicit_nulls(true);
        let mut writer = builder.build::<_, json::writer::LineDelimited>(&mut bytes);
        writer.write(batch)?;
        writer.finish()?;
    } else {
        csv::WriterBuilder::new().with_header(first).build(&mut bytes).write(batch)?;
    }
    String::from_utf8(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
}
