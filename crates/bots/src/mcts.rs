//! A tree grown by playouts: UCT with chance nodes, for any number of players.
//!
//! Every player is taken to play for what is best for themselves. Trees are grown apart from each
//! other, each with its own seed, and their counts are added; how many there are depends on the
//! budget alone, so that threads change how fast the answer comes, never the answer.

mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use senet_chance::Source;
use senet_core::{Event, Game};

use crate::bot::{Bot, Limit, Moment, Thought};
use crate::evaluation::WIN;
use crate::search::Search;
use tree::Tree;

/// Fewer playouts than this are one tree's.
const SPLIT: u64 = 2_000;

/// The most trees.
const TREES: u64 = 8;

/// Grows trees by playouts.
pub struct Mcts {
    game: Arc<Game>,
    /// Knows how positions look.
    search: Search,
    seed: u64,
    asked: u64,
    nodes: Option<u64>,
}

impl Mcts {
    /// A tree player of a seed that judges by the weights of the game, or by pieces alone.
    pub fn new(game: Arc<Game>, seed: u64) -> Mcts {
        let search = Search::new(game.clone()).remembering(0);
        Mcts { game, search, seed, asked: 0, nodes: None }
    }

    /// The same with a budget of playouts of its own.
    #[must_use]
    pub fn within(mut self, nodes: Option<u64>) -> Mcts {
        self.nodes = nodes;
        self
    }

    /// Grows the trees. With a budget of playouts their number follows from it; without, there is
    /// one for each thread.
    fn grow(&self, moment: &Moment<'_>, limit: &Limit<'_>) -> Vec<Tree<'_>> {
        let threads = limit.threads.max(1);
        let (trees, each) = match limit.nodes {
            Some(nodes) => {
                let trees = (nodes / SPLIT).clamp(1, TREES);
                (trees as usize, Some(nodes.div_ceil(trees)))
            }
            None => (threads, None),
        };
        let seed = Source::for_game(self.seed, self.asked).below(u64::MAX);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut grown = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= trees {
                    return grown;
                }
                let source = Source::for_game(seed, number as u64);
                let mut tree = Tree::new(&self.search, moment, source);
                tree.grow(each, limit.stop);
                grown.push((number, tree));
            }
        };
        let mut grown = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(trees)).map(|_| scope.spawn(work)).collect();
            let mut grown = work();
            for other in others {
                grown.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            grown
        });
        grown.sort_by_key(|(number, _)| *number);
        grown.into_iter().map(|(_, tree)| tree).collect()
    }
}

impl Bot for Mcts {
    fn choose(&mut self, moment: &Moment<'_>, limit: &Limit<'_>) -> Option<Thought> {
        let events = self.game.after(&moment.asked(&self.game)).legal(moment.state);
        let first = *events.first()?;
        self.asked += 1;
        if events.len() == 1 {
            return Some(Thought::bare(first));
        }
        let nodes = limit.nodes.into_iter().chain(self.nodes).min();
        let trees = self.grow(moment, &Limit { nodes, ..*limit });
        let tally = |event: &Event| {
            let counts = trees.iter().filter_map(|tree| tree.tally(*event));
            counts.fold((0u64, 0.0), |(visits, sum), one| (visits + one.0, sum + one.1))
        };
        let mut best: Option<(Event, (u64, f64))> = None;
        for event in &events {
            let counted = tally(event);
            let better = |&(_, (visits, sum)): &(Event, (u64, f64))| {
                counted.0 > visits || counted.0 == visits && counted.1 > sum
            };
            if best.as_ref().is_none_or(better) {
                best = Some((*event, counted));
            }
        }
        let (event, (visits, sum)) = best?;
        let mean = if visits > 0 { sum / visits as f64 } else { 0.5 };
        let value = ((mean - 0.5) * 2.0 * f64::from(WIN)) as i32;
        let nodes = trees.iter().map(Tree::playouts).sum();
        let line = trees.iter().map(|tree| tree.line(event)).max_by_key(Vec::len);
        let line = line.filter(|line| !line.is_empty()).unwrap_or_else(|| vec![event]);
        let depth = line.len() as u32;
        Some(Thought { event, value, depth, nodes, line, exact: false })
    }
}
