//! Games, positions and timelines of them.

use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::record_batch::RecordBatch;
use senet_core::State;
use senet_timeline::{Request, Subject, Timeline};

/// The position by which move generators are usually tested.
pub(crate) const KIWIPETE: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A game and a position of it; the start if the text is empty.
pub(crate) fn subject(game: &str, position: &str) -> (Subject, State) {
    let entry = senet_registry::find(game).expect("it is registered");
    let subject = Subject { game: entry.game(), notation: entry.notation };
    let state = match position {
        "" => subject.game.start(),
        text => entry.notation.parse_position(&subject.game, text).expect("it is a position"),
    };
    (subject, state)
}

pub(crate) fn request(
    game: &str,
    position: &str,
    depth: u32,
    columns: &[&str],
) -> (Subject, Request) {
    let (subject, state) = subject(game, position);
    let columns = Some(columns.iter().map(|&column| column.to_owned()).collect());
    (subject, Request { columns, ..Request::below(state, depth) })
}

pub(crate) fn timeline(game: &str, position: &str, depth: u32, columns: &[&str]) -> Arc<Timeline> {
    let (subject, request) = request(game, position, depth, columns);
    Arc::new(Timeline::new(subject, request).expect("it makes sense"))
}

pub(crate) fn batches(timeline: &Arc<Timeline>, threads: usize) -> Vec<RecordBatch> {
    let batches = timeline.batches(threads).expect("it can be walked");
    batches.map(|batch| batch.expect("it can be made")).collect()
}

/// The text of a cell.
pub(crate) fn text<'b>(batch: &'b RecordBatch, row: usize, column: &str) -> Option<&'b str> {
    let column = batch.column_by_name(column).expect("it is asked for").as_string_view();
    column.is_valid(row).then(|| column.value(row))
}

/// Whether a cell is true.
pub(crate) fn truth(batch: &RecordBatch, row: usize, column: &str) -> bool {
    batch.column_by_name(column).expect("it is asked for").as_boolean().value(row)
}
