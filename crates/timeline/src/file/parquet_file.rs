//! Parquet files. Each thread packs its own row groups; only their bytes are put in order.

use std::io::Write;
use std::sync::Arc;

use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use super::{Flow, Progress};
use crate::column::Column;
use crate::error::Error;
use crate::timeline::Timeline;

/// Units are grouped until they have about this many rows.
const ROWS: f64 = 131_072.0;

/// A row group is closed when it has this many rows.
const MOST_ROWS: usize = 524_288;

/// A row group, packed.
struct Group {
    rows: u64,
    columns: Vec<ArrowColumnChunk>,
}

pub(super) fn write(
    timeline: &Arc<Timeline>,
    threads: usize,
    into: impl Write + Send,
    told: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Progress, Error> {
    let (mut file, factory) = begin(timeline, into)?;
    let make = move |batches| Groups { batches, factory: factory.clone(), failed: false };
    let (parts, mut groups) = timeline.pieces(threads, ROWS, make)?;
    let mut progress = Progress { parts, ..Progress::default() };
    while let Some(group) = groups.next_if(&mut || told(progress) == Flow::Continue) {
        progress.rows += append(&mut file, group?)?;
        progress.done = groups.done();
    }
    progress.tell(told)?;
    file.finish()?;
    file.inner_mut().flush()?;
    Ok(Progress { done: parts, ..progress })
}

/// Writes batches, and says how many rows they had.
pub(super) fn write_all(
    timeline: &Timeline,
    batches: impl Iterator<Item = Result<RecordBatch, Error>> + 'static,
    into: impl Write + Send,
) -> Result<u64, Error> {
    let (mut file, factory) = begin(timeline, into)?;
    let mut rows = 0;
    for group in (Groups { batches: Box::new(batches), factory, failed: false }) {
        rows += append(&mut file, group?)?;
    }
    file.finish()?;
    file.inner_mut().flush()?;
    Ok(rows)
}

/// A file without rows, and what packs rows for it.
fn begin<W: Write + Send>(
    timeline: &Timeline,
    into: W,
) -> Result<(SerializedFileWriter<W>, Arc<ArrowRowGroupWriterFactory>), Error> {
    let options = ArrowWriterOptions::new().with_properties(properties());
    let writer = ArrowWriter::try_new_with_options(into, timeline.schema(), options)?;
    let (file, factory) = writer.into_serialized_writer()?;
    Ok((file, Arc::new(factory)))
}

/// Adds a row group and says how many rows it has.
fn append<W: Write + Send>(file: &mut SerializedFileWriter<W>, group: Group) -> Result<u64, Error> {
    let mut row_group = file.next_row_group()?;
    for column in group.columns {
        column.append_to_row_group(&mut row_group)?;
    }
    row_group.close()?;
    Ok(group.rows)
}

/// How columns are packed: path codes by what they share with the one before, hashes and states
/// as they are, all else by a dictionary.
fn properties() -> WriterProperties {
    let path = |column: Column| ColumnPath::from(column.name());
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_created_by("senet".to_owned());
    for column in [Column::Node, Column::Parent] {
        builder = builder
            .set_column_dictionary_enabled(path(column), false)
            .set_column_encoding(path(column), Encoding::DELTA_BYTE_ARRAY);
    }
    for column in [Column::Position, Column::State] {
        builder = builder
            .set_column_dictionary_enabled(path(column), false)
            .set_column_compression(path(column), Compression::UNCOMPRESSED);
    }
    builder.build()
}

/// Batches packed into row groups.
struct Groups {
    batches: Box<dyn Iterator<Item = Result<RecordBatch, Error>>>,
    factory: Arc<ArrowRowGroupWriterFactory>,
    failed: bool,
}

impl Groups {
    fn pack(&mut self) -> Result<Option<Group>, Error> {
        let mut batch = match self.batches.next() {
            None => return Ok(None),
            Some(batch) => batch?,
        };
        let mut writers = self.factory.create_column_writers(0)?;
        let mut rows = 0;
        loop {
            rows += batch.num_rows();
            let schema = batch.schema();
            let columns = schema.fields().iter().zip(batch.columns());
            for (writer, (field, column)) in writers.iter_mut().zip(columns) {
                for leaf in compute_leaves(field, column)? {
                    writer.write(&leaf)?;
                }
            }
            if rows >= MOST_ROWS {
                break;
            }
            match self.batches.next() {
                None => break,
                Some(next) => batch = next?,
            }
        }
        let columns = writers.into_iter().map(ArrowColumnWriter::close);
        let columns = columns.collect::<Result<Vec<ArrowColumnChunk>, _>>()?;
        Ok(Some(Group { rows: rows as u64, columns }))
    }
}

impl Iterator for Groups {
    type Item = Result<Group, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.pack();
        self.failed = next.is_err();
        next.transpose()
    }
}
