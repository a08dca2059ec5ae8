//! `senet perft`: the leaves of a game tree, counted.

use std::time::Instant;

use indicatif::ProgressBar;
use senet_core::{Event, Game, State};
use serde::Serialize;
use serde_json::json;

use crate::context::Subject;
use crate::failure::{Code, Failure};
use crate::output::{Output, columns};
use crate::progress;
use crate::worker::{self, Threads};

const EXAMPLES: &str = "\
Examples:
  senet perft tic-tac-toe --depth 9
  senet perft tic-tac-toe --depth 5 --divide --threads 2
  senet perft tic-tac-toe --depth 3 --expect 504   exit code 1 if it is another number

Sequences that end earlier because the game is over do not count.";

/// Counts the sequences of so many legal moves.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// How many moves long the sequences are.
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
    let context = args.subject.resolve()?;
    let (game, notation) = (&context.edition.game, context.edition.notation);
    let threads = args.threads.count();
    let begin = Instant::now();
    let count = Count::new(game, &context.state, args.depth, threads);
    let seconds = begin.elapsed().as_secs_f64();
    let share = |(event, nodes): &(Event, u64)| Share {
        event: notation.format_event(game, &context.state, *event),
        notation: notation.notate(game, &context.state, *event),
        nodes: *nodes,
    };
    let answer = Answer {
        game: game.name(),
        position: context.position(),
        depth: args.depth,
        nodes: count.nodes,
        seconds,
        nps: (count.nodes as f64 / seconds.max(1e-9)) as u64,
        threads,
        divide: args.divide.then(|| count.divide.iter().map(share).collect()),
    };
    if let Some(expected) = args.expect.filter(|expected| *expected != count.nodes) {
        let message =
            format!("depth {} has {} nodes, expected {expected}", args.depth, count.nodes);
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
    output.line(format!("depth {depth}: {nodes} nodes in {seconds:.3} s, {nps} per second"))?;
    Ok(())
}

/// The leaves of a tree, and those below each first event.
pub(crate) struct Count {
    pub(crate) nodes: u64,
    divide: Vec<(Event, u64)>,
}

/// A part of the tree: below which first event it is, and from which state on.
struct Part {
    first: usize,
    state: State,
    depth: u32,
}

impl Count {
    /// Counts with so many threads. Numbers and order do not depend on how many.
    pub(crate) fn new(game: &Game, state: &State, depth: u32, threads: usize) -> Count {
        if depth < 2 {
            let divide = game.divide(state, depth);
            return Count { nodes: game.perft(state, depth), divide };
        }
        let legal = game.legal(state);
        let parts = split(game, state, &legal, depth, threads);
        let bar = if depth > 4 {
            progress::bar(parts.len() as u64, "parts")
        } else {
            ProgressBar::hidden()
        };
        let counts = worker::share(threads, parts.len(), |task| {
            let nodes = game.perft(&parts[task].state, parts[task].depth);
            bar.inc(1);
            nodes
        });
        bar.finish_and_clear();
        let mut divide: Vec<(Event, u64)> = legal.into_iter().map(|event| (event, 0)).collect();
        for (part, nodes) in parts.iter().zip(counts) {
            divide[part.first].1 += nodes;
        }
        Count { nodes: divide.iter().map(|(_, nodes)| nodes).sum(), divide }
    }
}

/// The tree in parts: one for each first event, or where that is too few for the threads and the
/// tree is deep enough, one for each two.
fn split(game: &Game, state: &State, legal: &[Event], depth: u32, threads: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    for (first, &event) in legal.iter().enumerate() {
        let Ok(step) = game.apply(state, event) else { continue };
        if depth < 3 || threads == 1 {
            parts.push(Part { first, state: step.state, depth: depth - 1 });
            continue;
        }
        for second in game.legal(&step.state) {
            let Ok(step) = game.apply(&step.state, second) else { continue };
            parts.push(Part { first, state: step.state, depth: depth - 2 });
        }
    }
    parts
}
