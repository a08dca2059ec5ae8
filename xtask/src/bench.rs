//! Measurements: how long things take, how often they ask for memory, and that they are right.
//!
//! A bench is a function that measures and gives findings. Programs that are compared do their work
//! in turn, round by round, so that a slow moment of the machine strikes all of them. Every answer
//! is checked while it is measured, since the speed of a wrong answer is no news.

mod allocation;
mod backgammon;
mod chess;
mod clock;
mod contest;
mod edit;
mod finding;
mod growth;
mod instruction;
mod memory;
mod path;
pub(crate) mod peer;
mod pgn;
mod playout;
mod process;
mod python;
mod sample;
mod target;
mod timeline;
mod variant;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use crate::{page, progress};
use finding::Findings;
use peer::Peers;

pub(crate) use instruction::{Workload, work};

/// What to measure and how to print it.
#[derive(clap::Args)]
#[command(after_help = "Exit code 1: something of ours was wrong, and its speed is no news.")]
pub(crate) struct Args {
    /// Measure the programs of others in the same rounds; builds and installs them where needed
    #[arg(long)]
    peers: bool,
    /// Measure only what has this text in its name, such as `chess`
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// How often everything is measured
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// Count instructions of small workloads instead of time, which noise cannot touch
    #[arg(long)]
    instructions: bool,
    /// Write JSON to a file, or instead of the tables to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write the tables into docs/speed.md
    #[arg(long)]
    write: bool,
}

/// What a bench is given.
struct Setting<'a> {
    rounds: u64,
    peers: &'a Peers,
    root: &'a Path,
}

/// One thing to measure.
struct Bench {
    /// The name that a filter is matched with.
    name: &'static str,
    /// Measures it.
    measure: fn(&Setting<'_>) -> Findings,
}

/// Everything that can be measured, in the order in which it is printed.
const BENCHES: &[Bench] = &[
    Bench { name: "chess/perft", measure: chess::perft },
    Bench { name: "chess/made", measure: chess::made },
    Bench { name: "chess/interpreted", measure: chess::interpreted },
    Bench { name: "capablanca/perft", measure: chess::capablanca },
    Bench { name: "chess/playout", measure: chess::playouts },
    Bench { name: "backgammon/turns", measure: backgammon::turns },
    Bench { name: "backgammon/playout", measure: backgammon::playouts },
    Bench { name: "openspiel/playout", measure: playout::shared },
    Bench { name: "variant/perft", measure: variant::perft },
    Bench { name: "edit/perft", measure: edit::perft },
    Bench { name: "path/slider", measure: path::queries },
    Bench { name: "match/apply", measure: memory::apply },
    Bench { name: "memory/sizes", measure: memory::sizes },
    Bench { name: "memory/perft", measure: memory::trees },
    Bench { name: "memory/million-plies", measure: memory::million },
    Bench { name: "threads/perft", measure: chess::threads },
    Bench { name: "process/perft-1", measure: process::start },
    Bench { name: "growth", measure: growth::curve },
    Bench { name: "pgn/read", measure: pgn::read },
    Bench { name: "timeline/rows", measure: timeline::rows },
    Bench { name: "timeline/cluster", measure: timeline::cluster },
    Bench { name: "python", measure: python::all },
];

impl Args {
    /// Whether something that this process does itself is measured. The Python package brings its
    /// own machine code.
    pub(crate) fn needs_machine_code(&self) -> bool {
        let mut chosen = BENCHES.iter().filter(|bench| bench.name.contains(&self.filter));
        self.instructions || chosen.any(|bench| bench.name != "python")
    }
}

/// Measures what the filter chooses and prints what was found.
pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    let peers = Peers::new(args.peers, root.to_path_buf());
    let findings = if args.instructions {
        instruction::count(&args.filter, args.peers, root)
    } else {
        let chosen: Vec<&Bench> =
            BENCHES.iter().filter(|bench| bench.name.contains(&args.filter)).collect();
        if chosen.is_empty() {
            let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
            eprintln!("bench: no name contains {:?}; names are {}", args.filter, names.join(", "));
            return ExitCode::from(2);
        }
        measure(&chosen, args.rounds, &peers, root)
    };
    let shown = show(&findings, args, root);
    if let Err(error) = shown {
        eprintln!("bench: {error}");
        return ExitCode::FAILURE;
    }
    findings.wrong().iter().for_each(|wrong| eprintln!("bench: wrong: {wrong}"));
    if findings.wrong().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(chosen: &[&Bench], rounds: u64, peers: &Peers, root: &Path) -> Findings {
    let bar = progress::bar(chosen.len() as u64);
    let mut findings = Findings::default();
    for bench in chosen {
        bar.set_message(bench.name);
        findings.add((bench.measure)(&Setting { rounds, peers, root }));
        bar.inc(1);
    }
    bar.finish_and_clear();
    findings
}

/// Prints the tables or JSON, and writes the files that were asked for.
fn show(findings: &Findings, args: &Args, root: &Path) -> io::Result<()> {
    let json = || format!("{}\n", json!({ "rounds": args.rounds, "found": findings.json() }));
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    if let Some(file) = args.json.as_deref().filter(|_| !to_stdout) {
        fs::write(file, json())?;
    }
    if args.write {
        let command = "cargo xtask bench --peers --write";
        page::write(root, "docs/speed.md", command, &findings.markdown())?;
    }
    let text = if to_stdout { json() } else { findings.table() };
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bench_has_a_name_of_its_own() {
        let mut names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BENCHES.len());
    }

    /// Whether one of the benches that have a row for each of several games has this one.
    fn has_row(name: &str) -> bool {
        playout::names().chain(variant::names()).any(|row| row == name)
    }

    #[test]
    fn every_target_has_a_bench() {
        for target in target::TARGETS {
            let group = target.name.split(['/', '-']).next().unwrap_or_default();
            let named = BENCHES.iter().any(|bench| bench.name.contains(group));
            assert!(named || has_row(target.name), "{}", target.name);
        }
    }
}
