//! What is to be done with a timeline: its rows are asked for, or written into files.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result};
use senet_timeline::{Distinct, Shape, Timeline, Unit, Walk};

/// A timeline, and where its rows go.
#[derive(Clone)]
pub struct Task {
    timeline: Arc<Timeline>,
    /// The folder that they are written into; they are the answer when left out.
    folder: Option<PathBuf>,
}

/// Batches as they are made.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

impl Task {
    /// Rows are the answer.
    pub fn rows(timeline: Arc<Timeline>) -> Task {
        Task { timeline, folder: None }
    }

    /// Rows are written into Parquet files of a folder, and the answer has a row for each file:
    /// `file`, `rows`, `bytes`. Everyone who works on the task must see the folder.
    pub fn files(timeline: Arc<Timeline>, folder: PathBuf) -> Task {
        Task { timeline, folder: Some(folder) }
    }

    /// The timeline.
    pub fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }

    /// The folder, where there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The types of the columns of the answer.
    pub(crate) fn schema(&self) -> SchemaRef {
        match self.folder {
            None => self.timeline.schema(),
            Some(_) => Arc::new(Schema::new(vec![
                Field::new("file", DataType::Utf8, false),
                Field::new("rows", DataType::Int64, false),
                Field::new("bytes", DataType::Int64, false),
            ])),
        }
    }

    /// Does the part of the task that some units are.
    pub(crate) fn work(&self, units: Vec<Unit>) -> Result<Rows> {
        let Some(first) = units.first() else { return Ok(Box::new(std::iter::empty())) };
        let Some(folder) = &self.folder else {
            let failed = |error| DataFusionError::External(Box::new(error));
            return Ok(match self.timeline.shape() {
                Shape::Tree => {
                    Box::new(Walk::new(&self.timeline, units).map(move |rows| rows.map_err(failed)))
                }
                Shape::Distinct => {
                    let mut distinct = Distinct::new(&self.timeline);
                    let step = move || distinct.step().map(|rows| rows.map_err(failed));
                    Box::new(std::iter::from_fn(step))
                }
            });
        };
        // A unit names its place in the tree, so nobody else writes a file of this name, and the
        // names are in the order of the rows.
        let name = format!("part-{}.parquet", first.format().replace('/', "-"));
        let task = self.clone();
        let folder = folder.clone();
        Ok(Box::new(std::iter::once_with(move || task.write(&folder, &name, units))))
    }

    /// Writes a file, which has its name only when it is whole: whoever does the task again after
    /// an accident writes the same bytes.
    fn write(&self, folder: &Path, name: &str, units: Vec<Unit>) -> Result<RecordBatch> {
        let beside = folder.join(format!("{name}.{}", std::process::id()));
        let written = self.write_units(&beside, units).and_then(|rows| {
            let bytes = fs::metadata(&beside)?.len();
            fs::rename(&beside, folder.join(name))?;
            Ok((rows, bytes))
        });
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        let (rows, bytes) = written?;
        let columns: Vec<Arc<dyn datafusion::arrow::array::Array>> = vec![
            Arc::new(StringArray::from(vec![name])),
            Arc::new(Int64Array::from(vec![rows as i64])),
            Arc::new(Int64Array::from(vec![bytes as i64])),
        ];
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }

    fn write_units(&self, path: &Path, units: Vec<Unit>) -> Result<u64> {
        let mut into = BufWriter::new(File::create(path)?);
        let rows = self.timeline.write_units(units, &mut into);
        let rows = rows.map_err(|error| DataFusionError::External(Box::new(error)))?;
        into.into_inner().map_err(io::Error::from)?.sync_all()?;
        Ok(rows)
    }
}
