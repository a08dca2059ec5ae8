//! `senet perft`: the leaves of a game tree, counted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use senet::{Budget, Event, Position, Stopped, Turn};
use serde::Serialize;
use serde_json::json;

use crate::context::Subject;
use crate::failure::{Code, Failure};
use crate::output::{Output, columns, counted};
use crate::progress;
use crate::worker::{self, Threads};

const EXAMPLES: &str = "\
Examples:
  senet perft tic-tac-toe --depth 9
  senet perft tic-tac-toe --depth 5 --divide --threads 2
  senet perft tic-tac-toe --depth 3 --expect 504   exit code 1 if it is another number
  senet perft backgammon --depth 2

Where a turn is several moves by dice, whole turns are counted: every roll, and of the turns that
lead to one position one, with the first player on roll unless a position is given. Sequences that end earlier because the game is over do not count.";

/// Counts the sequences of legal moves or turns of a length.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The length of the sequences, in plies; where there are dice, in turns.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Show the count below each first move.
    #[arg(long)]
    divide: bool,
    /// The number that is expected.
    #[arg(long, value_name = "NODES")]
    expect: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Serialize)]
struct Answer<'g> {
    game: &'g str,
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// Nodes per second.
    nps: u64,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Share>>,
}

/// The count below a first event.
#[derive(Serialize)]
struct Share {
    event: String,
    notation: String,
    nodes: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut position = args.subject.resolve()?.position;
    if args.subject.position.is_none() {
        position = position.game().count_start();
    }
    // A tree so small is counted before other threads have started.
    let threads = if args.depth < 3 { 1 } else { args.threads.count() };
    let begin = Instant::now();
    let count = Count::new(&position, args.depth, threads)?;
    let seconds = begin.elapsed().as_secs_f64();
    let share = |(turn, nodes): &(Turn, u64)| {
        let told = |event: &Event| position.format(*event);
        Share {
            event: turn.events.iter().map(told).collect::<Vec<_>>().join(" "),
            notation: position.notate_turn(turn),
            nodes: *nodes,
        }
    };
    let answer = Answer {
        game: position.game().name(),
        position: position.to_string(),
        depth: args.depth,
        nodes: count.nodes,
        seconds,
        nps: (count.nodes as f64 / seconds.max(1e-9)) as u64,
        threads,
        divide: args.divide.then(|| count.divide.iter().map(share).collect()),
    };
    if let Some(expected) = args.expect.filter(|expected| *expected != count.nodes) {
        let nodes = counted(count.nodes, "node");
        let message = format!("depth {} has {nodes}, expected {expected}", args.depth);
        let details = json!({ "nodes": count.nodes, "expected": expected });
        return Err(Failure::new(Code::Mismatch, message, details));
    }
    show(&answer, output)
}

fn show(answer: &Answer<'_>, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() {
        return Ok(output.json(answer)?);
    }
    let shares = answer.divide.iter().flatten();
    let rows: Vec<_> = shares.map(|one| [one.notation.clone(), one.nodes.to_string()]).collect();
    for line in columns(&rows) {
        output.line(line)?;
    }
    let Answer { depth, nodes, seconds, nps, .. } = answer;
    let nodes = counted(*nodes, "node");
    output.line(format!("depth {depth}: {nodes} in {seconds:.3} s, {nps} per second"))?;
    Ok(())
}

/// The leaves of a tree, and those below each first event.
pub(crate) struct Count {
    pub(crate) nodes: u64,
    divide: Vec<(Turn, u64)>,
}

/// A part of the tree: below which first event it is, and from which position on.
struct Part {
    first: usize,
    position: Position,
    depth: u32,
}

impl Count {
    /// Counts on `threads` threads. Numbers and order do not depend on how many there are.
    pub(crate) fn new(position: &Position, depth: u32, threads: usize) -> Result<Count, Failure> {
        if depth == 0 {
            return Ok(Count { nodes: 1, divide: Vec::new() });
        }
        let by_turns = position.game().plays_by_turns();
        let firsts = if by_turns { position.turns()? } else { single_events(position) };
        let parts = match by_turns {
            true => split_turns(position, &firsts, depth)?,
            false => split(&firsts, depth, threads),
        };
        let bar = if depth > 4 {
            progress::bar(parts.len() as u64, "parts")
        } else {
            ProgressBar::hidden()
        };
        let failed = AtomicBool::new(false);
        let counts = worker::share(threads, parts.len(), |task| {
            let Part { position, depth, .. } = &parts[task];
            let stop = || failed.load(Ordering::Relaxed);
            let mut budget = Budget::until(&stop);
            let nodes = match by_turns {
                true => position.turn_perft_within(*depth, &mut budget),
                false => position.perft_within(*depth, &mut budget),
            };
            // Where one part cannot be counted, the others need not be.
            failed.fetch_or(nodes.is_err(), Ordering::Relaxed);
            bar.inc(1);
            nodes
        });
        bar.finish_and_clear();
        let mut divide: Vec<(Turn, u64)> = firsts.into_iter().map(|first| (first, 0)).collect();
        let mut stopped = None;
        for (part, nodes) in parts.iter().zip(counts) {
            let sum = nodes
                .and_then(|nodes| divide[part.first].1.checked_add(nodes).ok_or(Stopped::TooMany));
            match sum {
                Ok(sum) => divide[part.first].1 = sum,
                Err(Stopped::Asked) => {}
                Err(reason) => stopped = stopped.or(Some(reason)),
            }
        }
        if let Some(reason) = stopped {
            return Err(reason.into());
        }
        let nodes = divide.iter().try_fold(0u64, |sum, (_, nodes)| sum.checked_add(*nodes));
        Ok(Count { nodes: nodes.ok_or(Stopped::TooMany)?, divide })
    }
}

/// The tree in parts: one for each first event, or where that is too few for the threads and the
/// tree is deep enough, one for each two.
fn split(firsts: &[Turn], depth: u32, threads: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    for (first, turn) in firsts.iter().enumerate() {
        if depth < 3 || threads == 1 {
            parts.push(Part { first, position: turn.position.clone(), depth: depth - 1 });
            continue;
        }
        for second in turn.position.legal() {
            let Ok(step) = turn.position.apply(second) else { continue };
            parts.push(Part { first, position: step.position, depth: depth - 2 });
        }
    }
    parts
}

/// Every legal event, as if it were a whole turn.
fn single_events(position: &Position) -> Vec<Turn> {
    let turn = |event: Event| {
        let step = position.apply(event).ok()?;
        Some(Turn { events: vec![event], position: step.position })
    };
    position.legal().into_iter().filter_map(turn).collect()
}

/// The tree of turns in parts: one for each roll, or where the tree is deep one for each turn that
/// a roll allows. Where dice lie on the board already, one for each turn.
fn split_turns(position: &Position, firsts: &[Turn], depth: u32) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    let rolls = position.awaits_chance();
    for (first, turn) in firsts.iter().enumerate() {
        let part = |position: Position, depth: u32| Part { first, position, depth };
        if rolls && depth > 2 {
            let turns = turn.position.turns()?.into_iter();
            parts.extend(turns.map(|turn| part(turn.position, depth - 1)));
        } else {
            parts.push(part(turn.position.clone(), if rolls { depth } else { depth - 1 }));
        }
    }
    Ok(parts)
}
