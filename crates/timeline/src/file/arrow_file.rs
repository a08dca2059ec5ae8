//! Arrow IPC files.

use std::io::Write;
use std::sync::Arc;

use arrow::ipc::writer::FileWriter;

use super::{Flow, Progress};
use crate::error::Error;
use crate::timeline::Timeline;

pub(super) fn write(
    timeline: &Arc<Timeline>,
    threads: usize,
    into: impl Write,
    told: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Progress, Error> {
    let mut writer = FileWriter::try_new(into, &timeline.schema())?;
    let mut batches = timeline.batches(threads)?;
    let mut progress = Progress { parts: batches.parts(), ..Progress::default() };
    while let Some(batch) = batches.next_if(&mut || told(progress) == Flow::Continue) {
        let batch = batch?;
        writer.write(&batch)?;
        progress.rows += batch.num_rows() as u64;
        progress.done = batches.done();
    }
    progress.tell(told)?;
    writer.finish()?;
    writer.get_mut().flush()?;
    Ok(Progress { done: progress.parts, ..progress })
}
