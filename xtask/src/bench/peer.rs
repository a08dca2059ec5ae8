//! The programs of others: found, built or installed once, started and asked.

use std::cell::{OnceCell, RefCell};
use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

use super::clock;
use super::contest::Work;
use crate::pipe::Pipe;
use crate::python::{self, Python};

/// A program that others share in asking.
pub(super) type Shared = Rc<RefCell<Pipe>>;

/// A program, or why there is none.
type Found = Result<Shared, String>;

/// Plays for OpenSpiel, whose games and rollouts are C++ below the Python.
const OPEN_SPIEL: &str = include_str!("open_spiel.py");

/// For which machine the libraries of others are built.
#[derive(Clone, Copy)]
pub(super) enum Machine {
    /// This one, with everything it has.
    Native,
    /// What an instruction counter knows.
    Counter,
}

/// All programs of others, each started when it is first asked for.
pub(super) struct Peers {
    wanted: bool,
    root: PathBuf,
    libraries: OnceCell<Found>,
    stockfish: OnceCell<Found>,
    fairy_stockfish: OnceCell<Found>,
    open_spiel: OnceCell<Found>,
}

impl Peers {
    /// Peers that answer only where they are wanted.
    pub(super) fn new(wanted: bool, root: PathBuf) -> Peers {
        let (libraries, stockfish) = (OnceCell::new(), OnceCell::new());
        let (fairy_stockfish, open_spiel) = (OnceCell::new(), OnceCell::new());
        Peers { wanted, root, libraries, stockfish, fairy_stockfish, open_spiel }
    }

    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// cozy-chess and bkgm.
    pub(super) fn libraries(&self) -> Found {
        self.get(&self.libraries, || {
            let program = build(&self.root, Machine::Native)?;
            Pipe::start("the libraries", &mut Command::new(program))
        })
    }

    pub(super) fn stockfish(&self) -> Found {
        self.get(&self.stockfish, || engine("stockfish", &[]))
    }

    /// Fairy-Stockfish, set to Capablanca's chess.
    pub(super) fn fairy_stockfish(&self) -> Found {
        let capablanca = ["setoption name UCI_Variant value capablanca"];
        self.get(&self.fairy_stockfish, || engine("fairy-stockfish", &capablanca))
    }

    /// Fairy-Stockfish, set to a variant.
    pub(super) fn variant(&self, name: &str) -> Found {
        let setting = format!("setoption name UCI_Variant value {name}");
        self.get(&OnceCell::new(), || engine("fairy-stockfish", &[&setting]))
    }

    pub(super) fn open_spiel(&self) -> Found {
        self.get(&self.open_spiel, || {
            let python = Python::with_module("open_spiel", "pyspiel")?;
            Pipe::start("OpenSpiel", python.command().args(["-c", OPEN_SPIEL]))
        })
    }

    fn get(&self, cell: &OnceCell<Found>, start: impl Fn() -> Result<Pipe, String>) -> Found {
        if !self.wanted {
            return Err("asked only with --peers".to_owned());
        }
        cell.get_or_init(|| start().map(|pipe| Rc::new(RefCell::new(pipe)))).clone()
    }
}

/// Builds the libraries of others and gives the program that asks them.
pub(super) fn build(root: &std::path::Path, machine: Machine) -> Result<PathBuf, String> {
    let (folder, cpu) = match machine {
        Machine::Native => ("peers", "native"),
        Machine::Counter => ("peers-counted", counted_cpu()),
    };
    let folder = python::target()?.join(folder);
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    command.arg(root.join("xtask/peers/Cargo.toml")).arg("--target-dir").arg(&folder);
    if has_pext() {
        command.args(["--features", "pext"]);
    }
    command.env("RUSTFLAGS", format!("-C target-cpu={cpu}"));
    python::run(&mut command)?;
    Ok(folder.join("release").join(format!("senet-peers{}", env::consts::EXE_SUFFIX)))
}

#[cfg(target_arch = "x86_64")]
fn has_pext() -> bool {
    std::arch::is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_pext() -> bool {
    false
}

fn counted_cpu() -> &'static str {
    if has_pext() { "x86-64-v3" } else { "generic" }
}

/// Starts a chess engine that the package manager of the system has installed, or can.
pub(crate) fn engine(name: &'static str, settings: &[&str]) -> Result<Pipe, String> {
    let places = [name.to_owned(), format!("/usr/games/{name}")];
    let start = || {
        let tries = places.iter().map(|place| Pipe::start(name, &mut Command::new(place)));
        tries.reduce(Result::or).unwrap_or_else(|| Err(format!("{name} is nowhere")))
    };
    let mut pipe = start().or_else(|_| {
        install(name)?;
        start()
    })?;
    pipe.ask_for("uci", "uciok")?;
    settings.iter().try_for_each(|setting| pipe.say(setting))?;
    pipe.ask_for("isready", "readyok")?;
    Ok(pipe)
}

fn install(name: &str) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.args(["install", "--yes", "--quiet", "--no-install-recommends", name]);
    let hint = "installing needs the rights of an administrator";
    python::run(&mut command).map_err(|error| format!("not installed, and {error}; {hint}"))
}

/// Asks a program that answers with a count and the seconds it took.
pub(super) fn ask(peer: &Shared, question: &str) -> Result<(u64, f64), String> {
    let answer = peer.borrow_mut().ask(question)?;
    let (count, seconds) = answer.split_once(' ').unwrap_or_default();
    match (count.parse(), seconds.parse()) {
        (Ok(count), Ok(seconds)) => Ok((count, seconds)),
        _ => Err(format!("{question:?} was answered {answer:?}")),
    }
}

/// Asks for a count that is known.
pub(super) fn ask_known(peer: &Shared, question: &str, expected: u64) -> Result<Work, String> {
    let (count, seconds) = ask(peer, question)?;
    verified(count, expected)?;
    Ok(Work { units: count as f64, seconds })
}

/// Has an engine count a tree.
pub(super) fn count(engine: &Shared, fen: &str, depth: u32, nodes: u64) -> Result<Work, String> {
    count_from(engine, &format!("position fen {fen}"), depth, nodes)
}

/// Has an engine count a tree from the start of its variant.
pub(super) fn count_start(engine: &Shared, depth: u32, nodes: u64) -> Result<Work, String> {
    count_from(engine, "position startpos", depth, nodes)
}

fn count_from(engine: &Shared, position: &str, depth: u32, nodes: u64) -> Result<Work, String> {
    let mut engine = engine.borrow_mut();
    engine.say(position)?;
    engine.ask_for("isready", "readyok")?;
    let question = format!("go perft {depth}");
    let (answer, seconds) =
        clock::timed(&mut engine, |engine| engine.ask_for(&question, "Nodes searched"))?;
    let counted = answer.rsplit(' ').next().and_then(|count| count.parse().ok());
    verified(counted.ok_or_else(|| format!("found {answer:?}"))?, nodes)?;
    Ok(Work { units: nodes as f64, seconds })
}

/// Whether a count is the one expected.
pub(super) fn verified(count: u64, expected: u64) -> Result<(), String> {
    match count == expected {
        true => Ok(()),
        false => Err(format!("counted {count}, expected {expected}")),
    }
}
