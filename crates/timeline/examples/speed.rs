//! Makes timelines as fast as it can, for `cargo xtask bench`: a question on each line of standard
//! input, and for each a line with a count and the seconds it took.
//!
//! - `made DEPTH`: the leaves of the tree below the start of chess, each made.
//! - `rows THREADS DEPTH COLUMNS`: its rows with columns such as `ply,to`, or with none, `-`.
//! - `parquet THREADS DEPTH COLUMNS FILE`: its rows, written to a file.
//! - `peak`: the most KiB of memory that this process ever held, and no seconds.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write, stdin, stdout};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use senet_timeline::{Flow, Format, Request, Subject, Timeline};
use senet_wasm::Wasmtime;

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    for line in stdin().lines() {
        let begin = Instant::now();
        let count = answer(&line?)?;
        writeln!(stdout().lock(), "{count} {}", begin.elapsed().as_secs_f64())?;
    }
    Ok(())
}

fn answer(line: &str) -> Answer<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["made", depth] => {
            let game = chess()?.game;
            Ok(game.perft_made(&game.start(), depth.parse()?).nodes)
        }
        ["rows", threads, depth, columns] => {
            let batches = timeline(depth, columns)?.batches(threads.parse()?)?;
            let mut rows = 0;
            for batch in batches {
                rows += batch?.num_rows() as u64;
            }
            Ok(rows)
        }
        ["parquet", threads, depth, columns, path] => {
            let into = BufWriter::new(File::create(path)?);
            let timeline = timeline(depth, columns)?;
            let told = &mut |_| Flow::Continue;
            Ok(timeline.write(Format::Parquet, threads.parse()?, into, told)?.rows)
        }
        ["peak"] => {
            let status = fs::read_to_string("/proc/self/status")?;
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let peak = peak.and_then(|peak| peak.split_whitespace().next());
            Ok(peak.ok_or("the system does not say")?.parse()?)
        }
        _ => Err(format!("no question: {line}").into()),
    }
}

fn chess() -> Answer<Subject> {
    // As users of the command and of Python have it: with machine code, compiled once.
    static BACKEND: LazyLock<Arc<Wasmtime>> = LazyLock::new(Arc::default);
    let entry = senet_registry::find("chess")?;
    let game = entry.game();
    game.attach(BACKEND.clone());
    Ok(Subject { game, notation: entry.notation })
}

fn timeline(depth: &str, columns: &str) -> Answer<Arc<Timeline>> {
    let subject = chess()?;
    let names = columns.split(',').filter(|name| *name != "-").map(str::to_owned);
    let request = Request {
        columns: Some(names.collect()),
        ..Request::below(subject.game.start(), depth.parse()?)
    };
    Ok(Arc::new(Timeline::new(subject, request)?))
}
