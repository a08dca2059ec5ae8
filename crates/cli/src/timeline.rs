//! `senet timeline`: the tree below a position as a table.

#[cfg(feature = "sql")]
mod folder;
mod root;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;
use senet_timeline::{Error, Flow, Format, Progress, Request, Shape, Subject, Timeline};
use serde::Serialize;
use serde_json::{Value, json};

use crate::context;
use crate::failure::{Code, Failure};
use crate::file::{self, Part};
use crate::interrupt;
use crate::output::{Output, counted};
use crate::progress;

const EXAMPLES: &str = "\
Examples:
  senet timeline tic-tac-toe --depth 2
  senet timeline chess --depth 5 --out tree.parquet
  senet timeline chess --depth 3 --columns ply,notation,position --out tree.csv
  senet timeline chess --depth 4 --distinct --out positions.parquet
  senet timeline chess --depth 6 --prune 'not is_check and ply in (1, 3, 5)'
  senet timeline chess --from games.pgn --depth 1 --prune 'not played' --out played.parquet
  senet timeline chess --depth 4 --sql 'select ply, count(*) from timeline group by ply'

Files end with .parquet, .arrow, .csv or .jsonl; without --out lines go to standard output,
CSV or, with --json, JSON. A file has its name only when it is whole. With --cluster, --out names
a folder that all machines see, and they fill it with .parquet files.";

/// Writes the tree below a position as a table: a row for each move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: context::Subject,
    /// Start from every position of the games of a PGN file, or of a saved match.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    from: Option<PathBuf>,
    /// Use only the first N positions of each game of the file.
    #[arg(long, value_name = "N", requires = "from")]
    first: Option<usize>,
    /// How many plies deep.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// The file to write, by its ending .parquet, .arrow, .csv or .jsonl.
    #[arg(long, value_name = "FILE", conflicts_with = "sql")]
    out: Option<PathBuf>,
    /// The columns, with commas between them; all are in the book.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// One row for each position of a ply, with how many paths lead to it.
    #[arg(long)]
    distinct: bool,
    /// Leave out moves for which this holds, and all that is below them.
    #[arg(long, value_name = "PREDICATE")]
    prune: Option<String>,
    /// Answer a question in SQL about the table `timeline`.
    #[arg(long, value_name = "QUERY")]
    sql: Option<String>,
    #[cfg(feature = "sql")]
    #[command(flatten)]
    manner: crate::query::Manner,
    #[cfg(not(feature = "sql"))]
    #[command(flatten)]
    threads: crate::worker::Threads,
}

/// What was written.
#[derive(Serialize)]
struct Answer {
    file: String,
    rows: u64,
    bytes: u64,
    seconds: f64,
    rows_per_second: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let timeline = Arc::new(request(args)?);
    if let Some(question) = &args.sql {
        return ask(args, &timeline, question, output);
    }
    #[cfg(feature = "sql")]
    {
        args.manner.refuse_unasked()?;
        if args.manner.is_for_cluster() {
            return write_folder(args, &timeline, output);
        }
    }
    #[cfg(feature = "sql")]
    let threads = args.manner.threads.count();
    #[cfg(not(feature = "sql"))]
    let threads = args.threads.count();
    match &args.out {
        Some(path) => write_file(&timeline, path, threads, output),
        None => write_lines(&timeline, threads, output),
    }
}

/// Answers a question about the timeline.
#[cfg(feature = "sql")]
fn ask(
    args: &Args,
    timeline: &Timeline,
    question: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    let shelf = Arc::new(senet_timeline_sql::Shelf::default());
    shelf.add(timeline.subject().clone());
    let session = args.manner.session(&shelf)?;
    session.name("timeline", timeline)?;
    args.manner.ask(&session, question, output)
}

/// Lets a cluster write the timeline.
#[cfg(feature = "sql")]
fn write_folder(args: &Args, timeline: &Timeline, output: &mut Output) -> Result<(), Failure> {
    let path = args.out.as_deref().filter(|path| Format::of(path) == Some(Format::Parquet));
    let path = path.ok_or_else(|| {
        Failure::params(
            "--cluster goes with --sql, or with --out and a name that ends with .parquet",
        )
    })?;
    let begin = Instant::now();
    let shelf = Arc::new(senet_timeline_sql::Shelf::default());
    let session = args.manner.session(&shelf)?;
    let saved = folder::write(&session, timeline, path)?;
    let rows = saved.iter().map(|one| one.rows).sum();
    let bytes = saved.iter().map(|one| one.bytes).sum();
    show(path, rows, bytes, begin.elapsed().as_secs_f64(), output)
}

#[cfg(not(feature = "sql"))]
fn ask(_: &Args, _: &Timeline, _: &str, _: &mut Output) -> Result<(), Failure> {
    Err(crate::feature::missing("--sql", "sql"))
}

/// The timeline that the arguments ask for.
fn request(args: &Args) -> Result<Timeline, Failure> {
    let context = args.subject.resolve()?;
    let shape = if args.distinct { Shape::Distinct } else { Shape::Tree };
    let game = context.game();
    let subject = Subject { game: game.rules().clone(), notation: game.notation() };
    let request = Request {
        columns: args.columns.clone(),
        shape,
        prune: args.prune.clone(),
        ..Request::below(context.position.state().clone(), args.depth)
    };
    // What is wrong with the rest is said before a long file is read.
    let timeline = Timeline::new(subject.clone(), request.clone())?;
    match &args.from {
        None => Ok(timeline),
        Some(path) => {
            let roots = root::read(game, path, args.first)?;
            Ok(Timeline::new(subject, Request { roots, ..request })?)
        }
    }
}

fn write_file(
    timeline: &Arc<Timeline>,
    path: &Path,
    threads: usize,
    output: &mut Output,
) -> Result<(), Failure> {
    let format = Format::of(path).ok_or_else(|| {
        let known: Vec<String> =
            { Format::ENDINGS.iter() }.map(|(one, _)| format!(".{one}")).collect();
        let message = format!(
            "{}: the file name ending chooses the format; use one of {}",
            path.display(),
            known.join(", ")
        );
        Failure::params(message)
    })?;
    let begin = Instant::now();
    let mut part = Part::create(path)?;
    let bar = progress::rows();
    let written = timeline.write(format, threads, &mut part, &mut watched(&bar));
    bar.finish_and_clear();
    let written = written.map_err(|error| match error {
        Error::Io(error) => file::trouble("write", path, &error),
        error => error.into(),
    })?;
    part.finish()?;
    let seconds = begin.elapsed().as_secs_f64();
    let bytes = fs::metadata(path).map_or(0, |about| about.len());
    show(path, written.rows, bytes, seconds, output)
}

fn show(
    path: &Path,
    rows: u64,
    bytes: u64,
    seconds: f64,
    output: &mut Output,
) -> Result<(), Failure> {
    let rows_per_second = (rows as f64 / seconds.max(1e-9)) as u64;
    if output.is_json() {
        let file = path.display().to_string();
        return Ok(output.json(&Answer { file, rows, bytes, seconds, rows_per_second })?);
    }
    let each = bytes as f64 / rows.max(1) as f64;
    let path = path.display();
    let rows = counted(rows, "row");
    Ok(output.line(format!(
        "{path}: {rows} in {seconds:.3} s, {rows_per_second} per second, {each:.1} bytes each"
    ))?)
}

/// Writes lines to standard output.
fn write_lines(
    timeline: &Arc<Timeline>,
    threads: usize,
    output: &mut Output,
) -> Result<(), Failure> {
    let format = if output.is_json() { Format::JsonLines } else { Format::Csv };
    let bar = if io::stdout().is_terminal() { ProgressBar::hidden() } else { progress::rows() };
    let into = io::BufWriter::new(io::stdout());
    let written = timeline.write(format, threads, into, &mut watched(&bar));
    bar.finish_and_clear();
    written.map(|_| ()).map_err(Failure::from)
}

/// Moves the bar on, and stops when the user asks for it.
fn watched(bar: &ProgressBar) -> impl FnMut(Progress) -> Flow {
    let mut wanted = interrupt::wanted();
    let bar = bar.clone();
    move |progress: Progress| {
        progress::tell_rows(&bar, progress.rows, progress.done as u64, progress.parts as u64);
        if wanted() { Flow::Continue } else { Flow::Stop }
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let message = error.to_string();
        match error {
            Error::Io(error) => error.into(),
            Error::Cancelled => Failure::new(Code::Interrupted, message, Value::Null),
            Error::Predicate { at, .. } => {
                Failure::new(Code::InvalidParams, message, json!({ "at": at }))
            }
            Error::UnknownColumn { found, near } => {
                let details = json!({ "found": found, "near": near });
                Failure::new(Code::InvalidParams, message, details)
            }
            _ => Failure::params(message),
        }
    }
}
