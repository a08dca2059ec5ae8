//! Our engine driven by the client of python-chess.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

use super::Args;
use crate::python::{Python, target};
use crate::report::{Report, Row};

/// Builds the command, lets python-chess play whole games with it, and prints what came of them.
pub(super) fn run(python: &Python, args: &Args, root: &Path) -> ExitCode {
    match drive(python, args.games) {
        Err(error) => {
            eprintln!("oracle: {error}");
            ExitCode::from(3)
        }
        Ok(answer) => {
            let faults = answer["faults"].as_array().cloned().unwrap_or_default();
            for fault in &faults {
                eprintln!("oracle: uci: {}", fault.as_str().unwrap_or_default());
            }
            let report = report(&answer, faults.len());
            if args.json {
                println!("{answer}");
            } else {
                print!("{}", report.table());
            }
            if faults.is_empty() && !args.write(root, &report) {
                return ExitCode::FAILURE;
            }
            if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}

fn drive(python: &Python, games: u64) -> Result<Value, String> {
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "--release", "--package", "senet-cli"]);
    let built = build.status().map_err(|error| error.to_string())?;
    if !built.success() {
        return Err("the command cannot be built".to_owned());
    }
    let engine = target()?.join("release").join(format!("senet{}", std::env::consts::EXE_SUFFIX));
    let script = include_str!("uci.py");
    let mut command = python.command();
    command.args(["-c", script]).arg(engine).arg(games.to_string()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).map_err(|_| "python-chess gave up on the engine".to_owned())
}

fn report(answer: &Value, faults: usize) -> Report {
    let count = |name: &str| answer["count"][name].as_f64().unwrap_or(0.0);
    let mut row = Row::default().text("client", "python-chess");
    for name in ["games", "moves", "mates", "draws"] {
        row = row.number(name, count(name), 0);
    }
    let mut report = Report::default();
    report.push(row.number("faults", faults as f64, 0));
    report
}
