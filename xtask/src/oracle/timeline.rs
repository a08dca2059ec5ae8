//! Our Parquet files opened by the programs that people open such files with.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::{Value, json};

use crate::progress;
use crate::python::{self, Python};
use crate::report::{Report, Row};

/// The programs, each with what reads Parquet for it.
const READERS: [(&str, Option<&str>); 3] =
    [("duckdb", None), ("polars", None), ("pandas", Some("pyarrow"))];

/// Trees of games, and how deep.
const TREES: [(&str, u32); 3] = [("chess", 4), ("backgammon", 2), ("tic-tac-toe", 6)];

/// Writes trees, lets each program read them and compares what they find with what core counts.
pub(super) fn run(json: bool) -> ExitCode {
    let (report, faults) = match compare() {
        Ok(compared) => compared,
        Err(error) => {
            eprintln!("oracle: {error}");
            return ExitCode::from(3);
        }
    };
    for fault in &faults {
        eprintln!("oracle: {fault}");
    }
    if json {
        println!("{}", json!({ "read": report.rows(), "faults": faults }));
    } else {
        print!("{}", report.table());
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What each program has read, and in which way that is wrong.
fn compare() -> Result<(Report, Vec<String>), String> {
    let (mut report, mut faults) = (Report::default(), Vec::new());
    let bar = progress::bar((TREES.len() * READERS.len()) as u64);
    bar.set_message("building senet");
    let senet = build()?;
    for (game, depth) in TREES {
        bar.set_message(format!("{game}: writing"));
        let path = write(&senet, game, depth)?;
        let mut first: Option<Value> = None;
        for (reader, engine) in READERS {
            bar.set_message(format!("{game}: {reader}"));
            let found = read(reader, engine, &path)?;
            let expected = first.get_or_insert_with(|| found.clone());
            let problems = [counts(game, depth, &found), same(expected, &found)];
            let problems = problems.into_iter().filter_map(Result::err);
            faults.extend(problems.map(|problem| format!("{reader}: {game}: {problem}")));
            let rows = plies(&found).iter().map(|ply| ply[1]).sum::<u64>();
            let row = Row::default().text("reader", reader).text("game", game);
            report.push(row.number("depth", depth.into(), 0).number("rows", rows as f64, 0));
            bar.inc(1);
        }
        let _ = fs::remove_file(path);
    }
    bar.finish_and_clear();
    Ok((report, faults))
}

/// Builds the command as anyone would who wants such files.
fn build() -> Result<PathBuf, String> {
    let target = python::target()?;
    let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--release", "--package", "senet-cli"]);
    build.args(["--features", "timeline", "--target-dir"]).arg(&target);
    python::run(&mut build)?;
    Ok(target.join("release").join(format!("senet{}", env::consts::EXE_SUFFIX)))
}

/// Writes a tree.
fn write(senet: &Path, game: &str, depth: u32) -> Result<PathBuf, String> {
    let path = python::target()?.join(format!("oracle-{game}.parquet"));
    let mut senet = Command::new(senet);
    senet.args(["timeline", game, "--depth", &depth.to_string(), "--out"]).arg(&path);
    python::run(&mut senet)?;
    Ok(path)
}

fn read(reader: &str, engine: Option<&str>, path: &Path) -> Result<Value, String> {
    if let Some(engine) = engine {
        Python::with(engine)?;
    }
    let python = Python::with(reader)?;
    let script = include_str!("timeline.py");
    let mut command = python.command();
    command.args(["-c", script, reader]).arg(path).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).map_err(|_| format!("{reader} gave up on the file"))
}

/// Rows of ply, moves, captures and replies.
fn plies(found: &Value) -> Vec<[u64; 4]> {
    let rows = found["plies"].as_array().into_iter().flatten();
    let number = |row: &Value, at: usize| row[at].as_u64().unwrap_or(0);
    rows.map(|row| [0, 1, 2, 3].map(|at| number(row, at))).collect()
}

/// Whether the rows of each ply are as many as core counts, and so are all replies to them.
fn counts(game: &str, depth: u32, found: &Value) -> Result<(), String> {
    let entry = senet_registry::find(game).map_err(|error| error.to_string())?;
    let game = entry.game();
    let plies = plies(found);
    let expected: Vec<u64> = (1..=depth).map(|ply| game.perft(&game.start(), ply)).collect();
    let counted: Vec<u64> = plies.iter().map(|ply| ply[1]).collect();
    if counted != expected {
        return Err(format!("rows by ply are {counted:?}, counted are {expected:?}"));
    }
    let replies: Vec<u64> = plies.iter().map(|ply| ply[3]).collect();
    if replies[..replies.len() - 1] != expected[1..] {
        return Err(format!("replies by ply are {replies:?}, counted are {expected:?}"));
    }
    match found["orphans"].as_u64() {
        Some(0) => Ok(()),
        orphans => Err(format!("rows without a parent: {orphans:?}")),
    }
}

fn same(expected: &Value, found: &Value) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("found {found}, others {expected}")) }
}
