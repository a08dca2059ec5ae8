//! Game trees as tables, by the Arrow PyCapsule interface.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, ThreadId};

use arrow::array::RecordBatchReader;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi::FFI_ArrowSchema;
use arrow::ffi_stream::FFI_ArrowArrayStream;
use arrow::record_batch::RecordBatch;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use senet_timeline::{Batches, Column, Request, Root, Shape, Subject};

use crate::error;

/// The tree below some positions as a table with a row for each move.
///
/// Libraries that read Arrow by the PyCapsule interface take it as it is, such as
/// `polars.DataFrame(timeline)`, `pyarrow.table(timeline)` or a query of DuckDB. The tree is walked
/// while it is read, by several threads, and anew each time.
#[pyclass(frozen, module = "senet")]
pub(crate) struct Timeline {
    timeline: Arc<senet_timeline::Timeline>,
    threads: usize,
}

/// The record batches of a timeline as Arrow reads them.
struct Stream {
    schema: SchemaRef,
    /// None after an error.
    batches: Option<Batches>,
    /// The main thread of Python, if the stream was asked for there. It alone hears of signals, and others
    /// are not asked: one that holds the interpreter lock may wait for them.
    main: Option<ThreadId>,
}

/// Whether a signal handler has raised. Arrow carries no exceptions of Python, so that the signal comes
/// again when Arrow has returned.
fn is_interrupted() -> bool {
    Python::attach(|py| {
        let raised = py.check_signals().is_err();
        if raised {
            let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
        }
        raised
    })
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batches = self.batches.as_mut()?;
        let hears = self.main == Some(thread::current().id());
        let mut stopped = false;
        let mut wanted = || {
            stopped = hears && is_interrupted();
            !stopped
        };
        // Whoever reads the stream is not written in Rust, and nothing may unwind into that.
        let read = catch_unwind(AssertUnwindSafe(|| batches.next_if(&mut wanted)));
        let next = match read {
            Ok(None) if stopped => Some(Err("interrupted".to_owned())),
            Ok(batch) => batch.map(|batch| batch.map_err(|error| error.to_string())),
            Err(panic) => Some(Err(format!("a bug of Senet: {}", said(&*panic)))),
        };
        if matches!(next, Some(Err(_))) {
            self.batches = None;
        }
        next.map(|batch| batch.map_err(ArrowError::ComputeError))
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked")
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Timeline {
    /// The timeline of some positions of one game: distinct or not, what is left out, threads.
    pub(crate) fn new(
        py: Python<'_>,
        positions: &[senet::Position],
        depth: u32,
        columns: Option<Vec<String>>,
        (distinct, prune, threads): (bool, Option<String>, Option<usize>),
    ) -> PyResult<Timeline> {
        let game = positions[0].game();
        let subject = Subject { game: game.rules().clone(), notation: game.notation() };
        let roots = positions.iter().map(|position| Root::new(position.state().clone())).collect();
        let shape = if distinct { Shape::Distinct } else { Shape::Tree };
        let request = Request { roots, depth, columns, shape, prune };
        let timeline = senet_timeline::Timeline::new(subject, request);
        let timeline = timeline.map_err(|error| error::value(py, error))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(cores).clamp(1, 256);
        Ok(Timeline { timeline: Arc::new(timeline), threads })
    }
}

#[pymethods]
impl Timeline {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.timeline.columns().iter().map(|column| column.name()).collect()
    }

    /// Every column that there is, with what it says.
    #[staticmethod]
    fn all_columns() -> Vec<(&'static str, &'static str)> {
        Column::ALL.iter().map(|column| (column.name(), column.summary().trim())).collect()
    }

    /// How many moves deep it goes.
    #[getter]
    fn depth(&self) -> u32 {
        self.timeline.depth()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the wish for another schema.
        let _ = requested_schema;
        let batches = py.detach(|| self.timeline.batches(self.threads));
        let batches = batches.map_err(|error| error::value(py, error))?;
        let threads = py.import("threading")?;
        let [now, main] = ["current_thread", "main_thread"].map(|name| threads.call_method0(name));
        let main = now?.is(&main?).then(|| thread::current().id());
        let stream = Stream { schema: self.timeline.schema(), batches: Some(batches), main };
        let stream = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.timeline.schema().as_ref());
        let schema = schema.map_err(|error| error::value(py, error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        let (name, depth) = (self.timeline.subject().game.name(), self.timeline.depth());
        format!("<Timeline of {name}, {depth} deep: {}>", self.columns().join(", "))
    }
}
