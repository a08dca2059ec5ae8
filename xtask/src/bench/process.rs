//! The command as a whole process: from its start to its last line.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::Setting;
use super::finding::Findings;
use super::sample::Samples;
use crate::python;

/// How often the command is run for a round of other benches: a run is short.
const RUNS: u64 = 3;

/// `senet perft chess --depth 1`.
pub(super) fn start(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    match measure(setting) {
        Ok(milliseconds) => findings.figure("process/perft-1", "ms", &milliseconds),
        Err(problem) => findings.leave_out("process/perft-1", &problem),
    }
    findings
}

fn measure(setting: &Setting<'_>) -> Result<Samples, String> {
    let program = build(setting.root)?;
    let mut milliseconds = Samples::default();
    for round in 0..=setting.rounds * RUNS {
        let begin = Instant::now();
        let output = Command::new(&program).args(["perft", "chess", "--depth", "1"]).output();
        let passed = begin.elapsed().as_secs_f64() * 1e3;
        let output = output.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !said.contains("20 nodes") {
            return Err(format!("the command said {said:?}"));
        }
        if round > 0 {
            milliseconds.push(passed);
        }
    }
    Ok(milliseconds)
}

/// Builds the command as anyone would, and gives its path.
pub(super) fn build(root: &Path) -> Result<PathBuf, String> {
    let target = python::target()?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--release", "--package", "senet-cli", "--manifest-path"]);
    command.arg(root.join("Cargo.toml")).arg("--target-dir").arg(&target);
    python::run(&mut command)?;
    Ok(target.join("release").join(format!("senet{}", env::consts::EXE_SUFFIX)))
}
