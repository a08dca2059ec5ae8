//! Measurements: how long things take, how often they ask for memory, and that they are right.
//!
//! A bench is a module that turns a name filter into rows. Every answer is checked while it is
//! measured, since the speed of a wrong answer is no news.

mod allocation;
mod path;
mod pgn;
mod sample;

use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::ProgressBar;

use crate::progress;
use crate::report::Report;

/// What to measure and how to print it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure only what has this text in its name, such as `path/slides-8/25`
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// One thing to measure.
struct Bench {
    /// The name that a filter is matched with.
    name: String,
    /// Measures it; the bar moves on with every round.
    measure: Box<dyn Fn(&ProgressBar) -> Report>,
    /// How many rounds the bar is told of.
    rounds: u64,
}

/// Everything that can be measured, in the order in which it is printed.
fn benches() -> Vec<Bench> {
    let mut benches = path::benches();
    benches.extend(pgn::benches());
    benches
}

/// Measures what the filter chooses and prints the report.
pub(crate) fn run(args: &Args) -> ExitCode {
    let mut benches = benches();
    let names: Vec<String> = benches.iter().map(|bench| bench.name.clone()).collect();
    benches.retain(|bench| bench.name.contains(&args.filter));
    if benches.is_empty() {
        eprintln!("bench: no name contains {:?}; names are {}", args.filter, names.join(", "));
        return ExitCode::from(2);
    }
    let bar = progress::bar(benches.iter().map(|bench| bench.rounds).sum());
    let mut report = Report::default();
    for bench in &benches {
        bar.set_message(bench.name.clone());
        report.add((bench.measure)(&bar));
    }
    bar.finish_and_clear();
    let text = if args.json { report.json() } else { report.table() };
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bench_has_a_name_of_its_own() {
        let mut names: Vec<String> = benches().into_iter().map(|bench| bench.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), count), (10, 10));
    }
}
