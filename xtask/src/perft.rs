//! Game trees counted and compared with the numbers that others have published.

use std::fs;
use std::io::{self, Write};
use std::num::ParseIntError;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use indicatif::ProgressBar;
use senet_core::{Game, Notation, State};

use crate::report::{Report, Row};
use crate::{page, progress};

/// How deep to count, and how to print it.
#[derive(clap::Args)]
#[command(after_help = "Exit code 1: a count differs.")]
pub(crate) struct Args {
    /// Count trees of up to some thousand million leaves: minutes instead of seconds
    #[arg(long)]
    deep: bool,
    /// How many threads share the work; all the machine has when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Write the table into docs/exact.md
    #[arg(long)]
    write: bool,
}

/// The most leaves of a tree that is counted without and with `--deep`.
const LEAVES: [u64; 2] = [200_000_000, 4_000_000_000];

/// The tables of published numbers: a game, and the file of its numbers.
const TABLES: [(&str, &str); 5] = [
    ("chess", "games/chess/tests/data/chess.perft"),
    ("capablanca", "games/chess/tests/data/capablanca.perft"),
    ("atomic", "games/chess/tests/data/atomic.perft"),
    ("three-check", "games/chess/tests/data/three-check.perft"),
    ("king-of-the-hill", "games/chess/tests/data/king-of-the-hill.perft"),
];

/// A position with the leaves below it, by depth from one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) position: String,
    pub(crate) nodes: Vec<u64>,
}

impl Entry {
    /// The deepest tree that has no more leaves than wanted: its depth and its leaves.
    pub(crate) fn deepest(&self, most: u64) -> (u32, u64) {
        let depth = self.nodes.iter().take_while(|nodes| **nodes <= most).count();
        (depth as u32, depth.checked_sub(1).map_or(1, |last| self.nodes[last]))
    }
}

/// The published numbers of a game.
///
/// # Errors
/// A line that says which file cannot be read and why.
pub(crate) fn published(root: &Path, game: &str) -> Result<Vec<Entry>, String> {
    let (_, file) = TABLES.iter().find(|(name, _)| *name == game).ok_or("no table")?;
    let text = fs::read_to_string(root.join(file)).map_err(|error| error.to_string());
    text.and_then(|text| parse(&text)).map_err(|error| format!("{file}: {error}"))
}

/// Reads a table: for each entry a line with its name, its position and its leaves.
fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((key, rest)) = line.split_once(' ').filter(|(key, _)| *key != "#") else {
            continue;
        };
        let rest = rest.trim();
        match (key, entries.last_mut()) {
            ("name", _) => {
                let (name, position) = (rest.to_owned(), String::new());
                entries.push(Entry { name, position, nodes: Vec::new() });
            }
            ("position", Some(entry)) => entry.position = rest.to_owned(),
            ("nodes", Some(entry)) => {
                let nodes: Result<_, _> = rest.split_whitespace().map(str::parse).collect();
                entry.nodes = nodes
                    .map_err(|error: ParseIntError| format!("line {}: {error}", number + 1))?;
            }
            _ => return Err(format!("line {}: found {key:?}", number + 1)),
        }
    }
    Ok(entries)
}

/// Counts what was published and prints a table.
pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    let all = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(all, usize::from);
    let most = LEAVES[usize::from(args.deep)];
    let mut report = Report::default();
    let mut differences = 0;
    for (name, _) in TABLES {
        let entries = match published(root, name) {
            Ok(entries) => entries,
            Err(error) => {
                eprintln!("perft: {error}");
                return ExitCode::from(2);
            }
        };
        let known = senet_registry::find(name).expect("the tables are of registered games");
        let (game, notation) = (known.game(), known.notation);
        for entry in &entries {
            match count(&game, notation, entry, most, threads) {
                Ok(row) => report.push(row),
                Err(error) => {
                    differences += 1;
                    eprintln!("perft: {name}, {}: {error}", entry.name);
                }
            }
        }
    }
    let text = if args.json { report.json() } else { report.table() };
    if args.write && differences == 0 {
        // How long it takes is another question.
        let table = report.without(&["seconds", "Mnodes/s", "threads"]).markdown();
        if let Err(error) = page::write(root, "docs/exact.md", "cargo xtask perft --write", &table)
        {
            eprintln!("perft: {error}");
            return ExitCode::FAILURE;
        }
    }
    if let Err(error) = io::stdout().lock().write_all(text.as_bytes())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        eprintln!("perft: {error}");
        return ExitCode::FAILURE;
    }
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts the deepest tree of an entry that has no more leaves than wanted.
fn count(
    game: &Game,
    notation: &dyn Notation,
    entry: &Entry,
    most: u64,
    threads: usize,
) -> Result<Row, String> {
    let state =
        notation.parse_position(game, &entry.position).map_err(|error| error.to_string())?;
    let (depth, expected) = entry.deepest(most);
    let begin = Instant::now();
    let nodes = leaves(game, &state, depth, threads);
    let seconds = begin.elapsed().as_secs_f64();
    if nodes != expected {
        return Err(format!("depth {depth} has {nodes} leaves, published are {expected}"));
    }
    Ok(Row::default()
        .text("game", game.name())
        .text("position", &entry.name)
        .number("depth", f64::from(depth), 0)
        .number("nodes", nodes as f64, 0)
        .number("seconds", seconds, 2)
        .number("Mnodes/s", nodes as f64 / seconds / 1e6, 1)
        .number("threads", threads as f64, 0))
}

/// The leaves of a tree. Threads share what lies below the replies to every first move.
pub(crate) fn leaves(game: &Game, state: &State, depth: u32, threads: usize) -> u64 {
    let Some(rest) = depth.checked_sub(2) else { return game.perft(state, depth) };
    let follow = |state: &State| -> Vec<State> {
        let legal = game.legal(state).into_iter();
        legal.filter_map(|event| game.apply(state, event).ok()).map(|step| step.state).collect()
    };
    let parts: Vec<State> = follow(state).iter().flat_map(follow).collect();
    let bar = if depth > 5 { progress::bar(parts.len() as u64) } else { ProgressBar::hidden() };
    let (next, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum.fetch_add(game.perft(part, rest), Ordering::Relaxed);
            bar.inc(1);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    bar.finish_and_clear();
    sum.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_line_by_line() {
        let text = "# where from\n\nname     start\nposition a b c\nnodes    20 400\n";
        let (name, position) = ("start".to_owned(), "a b c".to_owned());
        assert_eq!(parse(text), Ok(vec![Entry { name, position, nodes: vec![20, 400] }]));
        assert_eq!(parse("depth 3\n"), Err("line 1: found \"depth\"".to_owned()));
    }

    #[test]
    fn threads_count_what_one_counts() {
        let game = senet_registry::find("chess").map(senet_registry::Entry::game).ok().unwrap();
        for depth in 0..4 {
            let expected = [1, 20, 400, 8902][depth as usize];
            assert_eq!(leaves(&game, &game.start(), depth, 2), expected);
        }
    }
}
