//! Timelines as files.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow::ipc::reader::FileReader;
use arrow::record_batch::RecordBatch;
use senet_timeline::{Error, Flow, Format, Progress, Request, Timeline};

use crate::subject::{KIWIPETE, batches, request, subject, timeline};

fn write(timeline: &Arc<Timeline>, format: Format, threads: usize) -> (Vec<u8>, Progress) {
    let mut bytes = Vec::new();
    let mut told = |_: Progress| Flow::Continue;
    let progress = timeline.write(format, threads, &mut bytes, &mut told);
    let progress = progress.expect("it can be written");
    (bytes, progress)
}

fn whole(game: &str, position: &str, depth: u32) -> Arc<Timeline> {
    let (subject, state) = subject(game, position);
    let request = Request::below(state, depth);
    Arc::new(Timeline::new(subject, request).expect("it makes sense"))
}

/// Batches of any size as one.
fn together(batches: &[RecordBatch]) -> RecordBatch {
    arrow::compute::concat_batches(batches[0].schema_ref(), batches).expect("they are alike")
}

#[test]
fn a_file_has_the_same_bytes_whatever_the_threads() {
    let columns = ["node", "parent", "ply", "rule", "from", "to", "captured", "position"];
    let timeline = timeline("chess", KIWIPETE, 3, &columns);
    for (ending, format) in Format::ENDINGS {
        let one = write(&timeline, *format, 1);
        assert_eq!(one, write(&timeline, *format, 3), "{ending}");
        assert_eq!(one.1.rows, 48 + 2039 + 97_862, "{ending}");
    }
}

#[test]
fn an_arrow_file_reads_back() {
    let timeline = whole("tic-tac-toe", "", 4);
    let (bytes, _) = write(&timeline, Format::Arrow, 2);
    let reader = FileReader::try_new(io::Cursor::new(bytes), None).expect("it is a file");
    let read: Vec<RecordBatch> = reader.map(|batch| batch.expect("it can be read")).collect();
    assert_eq!(together(&read), together(&batches(&timeline, 1)));
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_reads_back() {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    for (game, depth) in [("chess", 3), ("tic-tac-toe", 5)] {
        let timeline = whole(game, "", depth);
        let (bytes, _) = write(&timeline, Format::Parquet, 2);
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes_of(bytes));
        let reader =
            builder.and_then(ParquetRecordBatchReaderBuilder::build).expect("it is a file");
        let read: Vec<RecordBatch> = reader.map(|batch| batch.expect("it can be read")).collect();
        assert_eq!(together(&read), together(&batches(&timeline, 1)));
    }
}

#[cfg(feature = "parquet")]
fn bytes_of(bytes: Vec<u8>) -> bytes::Bytes {
    bytes::Bytes::from(bytes)
}

#[test]
fn lines_of_text_say_the_same() {
    let timeline = timeline("tic-tac-toe", "", 1, &["ply", "event", "captured", "position"]);
    let (csv, _) = write(&timeline, Format::Csv, 1);
    let csv = String::from_utf8(csv).expect("it is text");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(lines[0], "ply,event,captured,position");
    assert!(lines[1].starts_with("1,") && lines[1].len() == "1,a1,,".len() + 32, "{}", lines[1]);
    let (json, _) = write(&timeline, Format::JsonLines, 1);
    let json = String::from_utf8(json).expect("it is text");
    assert_eq!(json.lines().count(), 9);
    assert!(json.starts_with("{\"ply\":1,\"event\":\""), "{json}");
    assert!(json.contains("\"captured\":null"), "{json}");
}

#[test]
fn the_name_of_a_file_says_its_format() {
    assert_eq!(Format::of(Path::new("a/tree.CSV")), Some(Format::Csv));
    assert_eq!(Format::of(Path::new("tree.jsonl")), Some(Format::JsonLines));
    assert_eq!(Format::of(Path::new("tree.arrow")), Some(Format::Arrow));
    assert_eq!(Format::of(Path::new("tree")), None);
    assert_eq!(Format::of(Path::new("tree.txt")), None);
}

#[test]
fn writing_can_be_called_off() {
    let timeline = timeline("chess", "", 5, &["ply", "position"]);
    for (ending, format) in Format::ENDINGS {
        let mut told = |progress: Progress| match progress.rows {
            ..100_000 => Flow::Continue,
            _ => Flow::Stop,
        };
        let written = timeline.write(*format, 2, io::sink(), &mut told);
        assert!(matches!(written, Err(Error::Cancelled)), "{ending}");
    }
}

#[test]
fn a_full_disk_is_told() {
    /// A disk that takes some bytes and no more.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let (subject, request) = request("chess", "", 3, &["position"]);
    let timeline = Arc::new(Timeline::new(subject, request).expect("it makes sense"));
    for (ending, format) in Format::ENDINGS {
        for space in [0, 3, 5000] {
            let mut told = |_: Progress| Flow::Continue;
            let error = timeline.write(*format, 2, Disk(space), &mut told).err();
            let full = |error: &Error| match error {
                Error::Io(error) => error.kind() == io::ErrorKind::StorageFull,
                _ => false,
            };
            assert!(error.as_ref().is_some_and(full), "{ending}, {space}: {error:?}");
        }
    }
}
