//! The Python package beside the libraries that its users know, driven from one interpreter.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::Setting;
use super::contest::{Contest, Work};
use super::finding::Findings;
use super::peer::{self, Shared};
use super::sample::Samples;
use crate::package;
use crate::pipe::Pipe;
use crate::python::Python;

/// Does the work of everybody.
const SCRIPT: &str = include_str!("python.py");

/// The libraries of others: the name of each package and of its module.
const OTHERS: [(&str, &str); 6] = [
    ("numpy", "numpy"),
    ("chess", "chess"),
    ("open_spiel", "pyspiel"),
    ("pettingzoo[classic]", "pettingzoo.classic"),
    ("jax", "jax"),
    ("pgx", "pgx"),
];

/// The most rounds: some of the others take a second for one.
const ROUNDS: u64 = 5;

/// Measures all of the package that has a target.
pub(super) fn all(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let interpreter = match start(setting.root, setting.peers.are_wanted()) {
        Ok(interpreter) => interpreter,
        Err(problem) => {
            findings.leave_out("python", &problem);
            return findings;
        }
    };
    let rounds = setting.rounds.min(ROUNDS);
    let wanted = setting.peers.are_wanted();
    let rows: [(&str, &str, &[&str]); 6] = [
        ("python/moves", "moves", &["python-chess"]),
        ("python/perft-4", "perft", &["python-chess"]),
        ("python/step-chess", "step/chess", &["openspiel", "pettingzoo", "pgx"]),
        ("python/step-connect-four", "step/connect-four", &["openspiel", "pettingzoo", "pgx"]),
        ("python/step-go-9", "step/go", &["openspiel", "pettingzoo", "pgx"]),
        ("python/step-backgammon", "step/backgammon", &["openspiel", "pgx"]),
    ];
    for (name, task, others) in rows {
        let mut contest = Contest::new(|times| work(&interpreter, "senet", task, times));
        for &other in others.iter().filter(|_| wanted) {
            let interpreter = &interpreter;
            contest = contest.against(other, move |times| work(interpreter, other, task, times));
        }
        findings.contest(name, &contest.hold(rounds));
    }
    let mut calls = Samples::default();
    for _ in 0..rounds {
        match work(&interpreter, "senet", "call", 100) {
            Ok(work) => calls.push(work.seconds / work.units * 1e9),
            Err(problem) => findings.leave_out("python/call", &problem),
        }
    }
    findings.figure("python/call", "ns", &calls);
    findings
}

/// An interpreter that has the published wheel and, where they are wanted, the libraries of others.
fn start(root: &Path, peers: bool) -> Result<Shared, String> {
    let packages = if peers { &OTHERS[..] } else { &OTHERS[..1] };
    let python = Python::with_all("bench-python", packages)?;
    package::install_release(&python, root)?;
    let pipe = Pipe::start("Python", python.command().args(["-c", SCRIPT]))?;
    Ok(Rc::new(RefCell::new(pipe)))
}

fn work(interpreter: &Shared, who: &str, task: &str, times: u64) -> Result<Work, String> {
    let (units, seconds) = peer::ask(interpreter, &format!("{who} {task} {times}"))?;
    Ok(Work { units: units as f64, seconds })
}
