//! Instructions instead of time: the same number on a busy machine as on an idle one.
//!
//! A workload runs in a process of its own below valgrind's callgrind, once with its work and once
//! without; the difference is what the work took.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::{env, io};

use senet_chance::{Source, playout};
use senet_core::{Event, Game, Match, Notation};

use super::finding::Findings;
use super::peer::{self, Machine};
use crate::report::{Report, Row};
use crate::{progress, python};

/// A piece of work to be counted, known by its name.
#[derive(clap::Args)]
pub(crate) struct Workload {
    /// The name of the workload
    name: String,
    /// Only prepare the work
    #[arg(long)]
    idle: bool,
}

/// Work that says how many units it was.
type Job = Box<dyn FnOnce() -> u64>;

/// A small workload of a game, and the question that asks others for the same.
struct Task {
    name: &'static str,
    game: &'static str,
    /// Prepares the work, which is not counted.
    ours: fn(Arc<Game>, &dyn Notation) -> Job,
    against: &'static str,
    question: &'static str,
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const TASKS: &[Task] = &[
    Task {
        name: "chess/perft",
        game: "chess",
        ours: |game, notation| {
            let state = notation.parse_position(&game, KIWIPETE).expect("a sound position");
            Box::new(move || game.perft(&state, 3))
        },
        against: "cozy-chess",
        question: "chess-perft 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    },
    Task {
        name: "chess/made",
        game: "chess",
        ours: |game, notation| {
            let state = notation.parse_position(&game, KIWIPETE).expect("a sound position");
            Box::new(move || game.perft_made(&state, 3).nodes)
        },
        against: "cozy-chess",
        question: "chess-made 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    },
    Task {
        name: "capablanca/perft",
        game: "capablanca",
        ours: |game, _| Box::new(move || game.perft(&game.start(), 3)),
        against: "",
        question: "",
    },
    Task {
        name: "chess/playout",
        game: "chess",
        ours: |game, _| Box::new(move || play(&game, 50)),
        against: "cozy-chess",
        question: "chess-playout 50 1",
    },
    Task {
        name: "tic-tac-toe/playout",
        game: "tic-tac-toe",
        ours: |game, _| Box::new(move || play(&game, 1000)),
        against: "",
        question: "",
    },
    Task {
        name: "backgammon/turns",
        game: "backgammon",
        ours: |game, _| {
            let start = senet_registry::backgammon::on_roll(&game);
            Box::new(move || game.turn_perft(&start, 2))
        },
        against: "bkgm",
        question: "backgammon-turns 2",
    },
    Task {
        name: "backgammon/playout",
        game: "backgammon",
        ours: |game, _| Box::new(move || play(&game, 20)),
        against: "bkgm",
        question: "backgammon-playout 20 1",
    },
    Task {
        name: "match/apply",
        game: "chess",
        ours: |game, _| {
            let events = playout(&game, &game.start(), &mut Source::for_game(1, 1), 300).events;
            let mut played = Match::new(game);
            Box::new(move || {
                events.iter().filter(|event| played.apply(**event).is_ok()).count() as u64
            })
        },
        against: "",
        question: "",
    },
];

fn play(game: &Game, games: u64) -> u64 {
    let one = |number| playout(game, &game.start(), &mut Source::for_game(1, number), 100_000);
    // A game of dice is counted in turns, as others count it.
    let by_turns = game.plays_by_turns();
    let counts = |event: &&Event| !by_turns || matches!(event, Event::Roll(_));
    (0..games).map(|number| one(number).events.iter().filter(counts).count() as u64).sum()
}

/// Does the work of a workload, and says how many units it was.
pub(crate) fn work(args: &Workload) -> ExitCode {
    let Some(task) = TASKS.iter().find(|task| task.name == args.name) else {
        let names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        eprintln!("work: no workload {:?}; there are {}", args.name, names.join(", "));
        return ExitCode::from(2);
    };
    let Ok(known) = senet_registry::find(task.game) else {
        eprintln!("work: no game {:?}", task.game);
        return ExitCode::FAILURE;
    };
    let job = black_box((task.ours)(known.game(), known.notation));
    let units = if args.idle { 0 } else { job() };
    println!("{units}");
    ExitCode::SUCCESS
}

/// Counts the instructions of every workload that the filter chooses.
pub(super) fn count(filter: &str, peers: bool, root: &Path) -> Findings {
    let mut findings = Findings::default();
    let chosen: Vec<&Task> = TASKS.iter().filter(|task| task.name.contains(filter)).collect();
    if let Err(error) = python::run(Command::new("valgrind").arg("--version")) {
        findings.leave_out("instructions", &format!("counted with valgrind; {error}"));
        return findings;
    }
    let libraries = if peers {
        peer::build(root, Machine::Counter)
    } else {
        Err("asked only with --peers".to_owned())
    };
    let bar = progress::bar(chosen.len() as u64);
    let mut report = Report::default();
    for task in chosen {
        bar.set_message(task.name);
        if senet_registry::find(task.game).is_err() {
            findings.leave_out(task.name, &format!("no game {:?}", task.game));
            continue;
        }
        let theirs = match task.against {
            "" => Ok(None),
            _ => libraries.clone().and_then(|path| theirs(&path, task)).map(Some),
        };
        match (ours(task), theirs) {
            (Ok(ours), Ok(theirs)) => report.push(row(task, ours, theirs)),
            (Ok(ours), Err(problem)) => {
                findings.leave_out(task.name, &format!("{}: {problem}", task.against));
                report.push(row(task, ours, None));
            }
            (Err(problem), _) => findings.leave_out(task.name, &problem),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    findings.detail("instructions of a unit: a leaf, a ply or a turn", report);
    findings
}

/// Units of work and the instructions they took.
#[derive(Clone, Copy)]
struct Taken {
    units: u64,
    instructions: u64,
}

impl Taken {
    fn each(self) -> f64 {
        self.instructions as f64 / self.units.max(1) as f64
    }
}

fn row(task: &Task, ours: Taken, theirs: Option<Taken>) -> Row {
    let other = |text: Option<String>| text.unwrap_or_default();
    Row::default()
        .text("what", task.name)
        .number("units", ours.units as f64, 0)
        .number("senet", ours.each(), 1)
        .text("against", task.against)
        .figure("other", other(theirs.map(|theirs| format!("{:.1}", theirs.each()))))
        .figure(
            "ratio",
            other(theirs.map(|theirs| format!("{:.2} ×", theirs.each() / ours.each()))),
        )
}

fn ours(task: &Task) -> Result<Taken, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let run = |more: &[&str]| counted(&program, &[&["work", task.name], more].concat(), "");
    difference(run(&[])?, run(&["--idle"])?)
}

fn theirs(program: &Path, task: &Task) -> Result<Taken, String> {
    let run = |question: &str| counted(program, &[], question);
    difference(run(&format!("{}\n", task.question))?, run("")?)
}

fn difference(busy: (String, u64), idle: (String, u64)) -> Result<Taken, String> {
    let said = busy.0.split_whitespace().next().and_then(|units| units.parse().ok());
    let units = said.ok_or_else(|| format!("the workload said {:?}", busy.0))?;
    Ok(Taken { units, instructions: busy.1.saturating_sub(idle.1) })
}

/// Runs a program below callgrind: what it said, and how many instructions it took.
fn counted(program: &Path, arguments: &[&str], input: &str) -> Result<(String, u64), String> {
    let profile = python::target()?.join("callgrind.out");
    let told = |error: io::Error| error.to_string();
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(program).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(told)?;
    if let Some(mut into) = child.stdin.take() {
        into.write_all(input.as_bytes()).map_err(told)?;
    }
    let output = child.wait_with_output().map_err(told)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let collected = collected.and_then(|(_, count)| count.trim().parse().ok());
    let collected = collected.ok_or_else(|| {
        let last = said.lines().last().unwrap_or("nothing").to_owned();
        format!("valgrind counted nothing; it said {last:?}")
    })?;
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), collected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_of_registered_games_do_something() {
        for task in TASKS {
            let Ok(known) = senet_registry::find(task.game) else { continue };
            if task.name.contains("playout") {
                continue;
            }
            assert!((task.ours)(known.game(), known.notation)() > 0, "{}", task.name);
        }
    }

    #[test]
    fn what_preparing_takes_is_not_counted() {
        let taken = difference(("40 0.1\n".to_owned(), 1000), (String::new(), 200));
        assert_eq!(taken.map(Taken::each), Ok(20.0));
        assert!(difference((String::new(), 5), (String::new(), 1)).is_err());
    }
}
