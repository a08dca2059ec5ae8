//! Questions asked one after another, for those who do not wait in tasks of their own.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use datafusion::arrow::{csv, json};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use senet_timeline::Timeline;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::error::QueryError;
use crate::shelf::Shelf;
use crate::source::TimelineTable;

/// Plans are trees, and reading deep ones takes stack.
const STACK: usize = 16 << 20;

/// An aligned table shows no more rows than this.
pub const MOST_ROWS: usize = 1000;

/// Who waits for rows is asked so often whether they are still wanted.
const PATIENCE: Duration = Duration::from_millis(100);

/// A session and the threads that answer in it.
pub struct Session {
    runtime: Runtime,
    context: SessionContext,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An aligned table of the first rows, at most [`MOST_ROWS`].
    Table,
    /// Lines of values with commas between them, the names first.
    Csv,
    /// Lines of JSON objects.
    Json,
}

/// How far an answer was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The first [`MOST_ROWS`] rows, and there are more.
    FirstRows,
    /// What there was when it was no longer wanted.
    CalledOff,
}

impl Session {
    /// A session in this process, with so many threads.
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
        let context = runtime.block_on(context)?;
        Ok(Session { runtime, context })
    }

    /// Gives a timeline a name that questions may use.
    pub fn name(&self, name: &str, timeline: &Timeline) -> Result<(), QueryError> {
        self.context.register_table(name, Arc::new(TimelineTable::new(timeline)))?;
        Ok(())
    }

    /// Asks a question and writes the answer, bit by bit where its form allows that, for as long
    /// as it is wanted. The writing may fail with an error of its own.
    pub fn ask<E: From<QueryError>>(
        &self,
        question: &str,
        form: Form,
        mut wanted: impl FnMut() -> bool,
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Extent, E> {
        let wrong = |error: DataFusionError| QueryError::from(error);
        let frame = self.context.sql_with_options(question, SQLOptions::new());
        let frame = self.runtime.block_on(frame).map_err(wrong)?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let mut rows = self.runtime.block_on(frame.execute_stream()).map_err(wrong)?;
        let mut kept = Table::default();
        let mut first = true;
        loop {
            if !wanted() {
                return Ok(Extent::CalledOff);
            }
            let next = async { timeout(PATIENCE, rows.next()).await };
            let batch = match self.runtime.block_on(next) {
                Err(_) => continue,
                Ok(None) => break,
                Ok(Some(batch)) => batch.map_err(wrong)?,
            };
            match form {
                Form::Table if !kept.push(&batch) => break,
                Form::Table => {}
                Form::Csv | Form::Json => write(&lines(&batch, form, first).map_err(wrong)?)?,
            }
            first = false;
        }
        match form {
            Form::Table => write(&kept.format(schema).map_err(wrong)?)?,
            // The names are written even where there are no rows.
            Form::Csv if first => {
                write(&lines(&RecordBatch::new_empty(schema), form, true).map_err(wrong)?)?;
            }
            Form::Csv | Form::Json => {}
        }
        Ok(if kept.is_full { Extent::FirstRows } else { Extent::Whole })
    }
}

/// The rows of a table, as many as are shown.
#[derive(Default)]
struct Table {
    batches: Vec<RecordBatch>,
    rows: usize,
    /// Whether there are more rows than are shown.
    is_full: bool,
}

impl Table {
    /// Adds rows; false if no more are needed.
    fn push(&mut self, batch: &RecordBatch) -> bool {
        let room = MOST_ROWS - self.rows;
        self.is_full = batch.num_rows() > room;
        let batch = batch.slice(0, batch.num_rows().min(room));
        self.rows += batch.num_rows();
        self.batches.push(batch);
        !self.is_full
    }

    fn format(&self, schema: SchemaRef) -> Result<String> {
        let table = pretty_format_batches_with_schema(schema, &self.batches)?;
        Ok(format!("{table}\n"))
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
