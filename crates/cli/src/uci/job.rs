//! One search for the protocol: what is told while it goes on, and the answer that ends it.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;

use senet::bots::{Limit, Search, Thought};
use senet::{Budget, Event, Match, Position};

use super::clock::Clock;
use super::command::Go;
use crate::context::Context;

/// The greatest depth of a search for several lines.
const DEEPEST: u32 = 100;

/// One search with all it needs.
pub(super) struct Job {
    pub(super) search: Search,
    pub(super) context: Context,
    pub(super) played: Match,
    /// The only first moves that are searched; all where it is empty.
    pub(super) only: Vec<Event>,
    pub(super) go: Go,
    pub(super) clock: Arc<Clock>,
    pub(super) threads: usize,
    /// How many of the best moves are told, each with its line.
    pub(super) lines: usize,
    pub(super) endless: bool,
}

/// The count of a tree, move by move, as other engines tell it.
pub(super) struct Count {
    /// Only given back.
    pub(super) search: Search,
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) clock: Arc<Clock>,
}

impl Count {
    /// Counts, answers, and gives the search back.
    pub(super) fn run(self) -> Search {
        let stop = || self.clock.is_stopped();
        let counted = self.position.divide_within(self.depth, &mut Budget::until(&stop));
        let _ = match counted {
            Ok(counts) => self.tell(&counts),
            Err(why) => say(&format!("info string perft {}: {why}", self.depth)),
        };
        self.search
    }

    fn tell(&self, counts: &[(Event, u64)]) -> io::Result<()> {
        let mut sum = u64::from(self.depth == 0);
        for (event, nodes) in counts {
            say(&format!("{}: {nodes}", self.position.format(*event)))?;
            sum += nodes;
        }
        say(&format!("\nNodes searched: {sum}\n"))
    }
}

impl Job {
    /// Searches, answers, and gives the search back.
    pub(super) fn run(self) -> Search {
        let thought = match self.lines {
            0 | 1 => self.best(),
            _ => self.several(),
        };
        while (self.go.infinite || self.clock.is_pondering()) && !self.clock.is_stopped() {
            thread::park();
        }
        let _ = say(&self.answer(thought.as_ref()));
        self.search
    }

    /// How deep the search goes at most.
    fn depth(&self) -> Option<u32> {
        match (self.go.depth, self.go.mate) {
            (Some(depth), _) => Some(depth),
            (None, Some(moves)) => Some(moves.saturating_mul(2).saturating_sub(1).max(1)),
            // Where there is nothing to choose, time is not spent on it.
            (None, None) if self.clock.is_timed() && self.context.position.legal_count() == 1 => {
                Some(1)
            }
            (None, None) => None,
        }
    }

    /// Searches for the best move alone.
    fn best(&self) -> Option<Thought> {
        let stop = || self.clock.is_over();
        let nodes = self.go.nodes;
        let limit = Limit { depth: self.depth(), nodes, stop: &stop, threads: self.threads };
        let mut told = false;
        let thought = self.search.think(&self.played, &limit, &self.only, &mut |thought| {
            told = true;
            self.tell(&[thought]);
        });
        let thought = thought.expect("the search is of this game");
        // A search that was stopped before its first depth was done has a score all the same.
        if let Some(thought) = thought.as_ref().filter(|_| !told) {
            let _ = say(&self.report(thought, None));
        }
        thought
    }

    /// Searches depth by depth for several of the best moves: for the best of all, then for the
    /// best of the others, and so on. The first of the last complete depth.
    fn several(&self) -> Option<Thought> {
        let stop = || self.clock.is_over();
        let mut roots = self.context.position.legal();
        if !self.only.is_empty() {
            roots.retain(|event| self.only.contains(event));
        }
        let wanted = self.lines.min(roots.len());
        let (mut best, mut spent): (Vec<Thought>, u64) = (Vec::new(), 0);
        for depth in 1..=self.depth().unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            let (mut found, mut left) = (Vec::new(), roots.clone());
            while found.len() < wanted {
                let nodes = self.go.nodes.map(|nodes| nodes.saturating_sub(spent).max(1));
                let limit = Limit { depth: Some(depth), nodes, stop: &stop, threads: self.threads };
                let thought = self.search.think(&self.played, &limit, &left, &mut |_| ());
                let Some(thought) = thought.expect("the search is of this game") else { break };
                spent += thought.nodes;
                left.retain(|event| *event != thought.event);
                found.push(Thought { nodes: spent, ..thought });
            }
            let over = stop() || self.go.nodes.is_some_and(|nodes| spent >= nodes);
            if over && !best.is_empty() {
                break;
            }
            found.sort_by_key(|thought| Reverse(thought.value));
            self.tell(&found.iter().collect::<Vec<_>>());
            best = found;
            let proven = best.iter().all(|thought| thought.exact);
            if over || proven || best.is_empty() || self.clock.is_stopped() {
                break;
            }
        }
        best.into_iter().next()
    }

    /// Tells of a depth that was searched, and stops where no deeper one is wanted.
    fn tell(&self, thoughts: &[&Thought]) {
        for (index, thought) in thoughts.iter().enumerate() {
            let number = (self.lines > 1).then_some(index + 1);
            // Where nobody listens, nobody waits.
            if say(&self.report(thought, number)).is_err() {
                self.clock.stop();
            }
        }
        let end = thoughts.first().and_then(|thought| thought.end_in());
        let mate = self.go.mate.zip(end);
        let found = mate.is_some_and(|(moves, end)| end > 0 && (end as u32).div_ceil(2) <= moves);
        if !self.endless && (self.clock.is_late() || found) {
            self.clock.stop();
        }
    }

    /// The line about a depth that was searched; of several lines with its number.
    fn report(&self, thought: &Thought, number: Option<usize>) -> String {
        let time = self.clock.elapsed();
        let speed = thought.nodes as f64 / time.as_secs_f64().max(1e-6);
        let score = match thought.end_in() {
            Some(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
            Some(plies) => format!("mate {}", plies / 2),
            None => format!("cp {}", thought.value),
        };
        let line = self.written(&thought.line).join(" ");
        let number = number.map_or(String::new(), |number| format!(" multipv {number}"));
        format!(
            "info depth {}{number} score {score} nodes {} nps {} hashfull {} time {} pv {line}",
            thought.depth,
            thought.nodes,
            speed as u64,
            self.search.fill(),
            time.as_millis(),
        )
    }

    /// The line that ends a search.
    fn answer(&self, thought: Option<&Thought>) -> String {
        let Some(thought) = thought else {
            let score = if self.context.is_check() { "mate 0" } else { "cp 0" };
            return format!("info depth 0 score {score}\nbestmove (none)");
        };
        let line = if thought.line.is_empty() { &[thought.event][..] } else { &thought.line };
        match &self.written(line)[..] {
            [best, reply, ..] => format!("bestmove {best} ponder {reply}"),
            [best] => format!("bestmove {best}"),
            [] => "bestmove (none)".to_owned(),
        }
    }

    /// A line of events as text.
    fn written(&self, line: &[Event]) -> Vec<String> {
        let steps = self.context.position.line(line);
        steps.map(|(before, step)| before.format(step.event)).collect()
    }
}

/// Writes a line to the other program.
pub(super) fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
