//! Lines of text: CSV and JSON. Each thread writes the lines of its rows itself.

use std::io::Write;
use std::sync::Arc;

use arrow::csv;
use arrow::json;
use arrow::record_batch::RecordBatch;

use super::{Flow, Progress};
use crate::error::Error;
use crate::timeline::Timeline;

/// Units are grouped until they have about this many rows.
const ROWS: f64 = 65_536.0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Csv,
    Json,
}

pub(super) fn write(
    timeline: &Arc<Timeline>,
    kind: Kind,
    threads: usize,
    mut into: impl Write,
    told: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Progress, Error> {
    if kind == Kind::Csv {
        into.write_all(&lines(kind, &RecordBatch::new_empty(timeline.schema()), true)?)?;
    }
    let make = move |batches: Box<dyn Iterator<Item = Result<RecordBatch, Error>>>| {
        batches.map(move |batch| {
            let batch = batch?;
            Ok::<_, Error>((batch.num_rows() as u64, lines(kind, &batch, false)?))
        })
    };
    let (parts, mut pieces) = timeline.pieces(threads, ROWS, make)?;
    let mut progress = Progress { parts, ..Progress::default() };
    while let Some(piece) = pieces.next_if(&mut || told(progress) == Flow::Continue) {
        let (rows, bytes) = piece?;
        into.write_all(&bytes)?;
        progress.rows += rows;
        progress.done = pieces.done();
    }
    progress.tell(told)?;
    into.flush()?;
    Ok(Progress { done: parts, ..progress })
}

fn lines(kind: Kind, batch: &RecordBatch, header: bool) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    match kind {
        Kind::Csv => {
            let builder = csv::WriterBuilder::new().with_header(header);
            builder.build(&mut bytes).write(batch)?;
        }
        Kind::Json => {
            let mut writer = json::WriterBuilder::new()
                .with_explicit_nulls(true)
                .build::<_, json::writer::LineDelimited>(&mut bytes);
            writer.write(batch)?;
            writer.finish()?;
        }
    }
    Ok(bytes)
}
