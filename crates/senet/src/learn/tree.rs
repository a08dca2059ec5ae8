//! Monte Carlo tree search with evaluations from outside.

use std::sync::Arc;

use senet_chance::Source;
use senet_core::Event;

use crate::game::Game;
use crate::learn::action::Actions;
use crate::position::Position;

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// How much untried moves with a good prior are preferred to moves that have done well.
    pub exploration: f32,
    /// The share of noise in the priors at the root, from 0 to 1; noise makes games of one policy
    /// with itself differ.
    pub noise: f32,
    /// The seed of chance and noise.
    pub seed: u64,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions { exploration: 1.5, noise: 0.0, seed: 0 }
    }
}

/// What an evaluator says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// How good each legal event looks, in the order of [`Position::legal`]. They need not sum up
    /// to 1; negative numbers and those that are not numbers count as 0.
    pub priors: Vec<f32>,
    /// What the position is worth to each player.
    pub values: Vec<f32>,
}

/// A position whose evaluation the tree awaits.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    node: usize,
    path: Vec<(usize, usize)>,
}

/// A search tree by the PUCT rule. [`Tree::select`] finds positions that need an evaluation, as
/// many at a time as a network likes, and [`Tree::expand`] takes what the evaluator says of them.
/// While evaluations are awaited, their paths count as visited without success, so that one
/// selection spreads over the tree.
#[derive(Debug)]
pub struct Tree {
    game: Game,
    actions: Arc<Actions>,
    options: TreeOptions,
    source: Source,
    nodes: Vec<Node>,
    playouts: u64,
}

#[derive(Debug)]
struct Node {
    position: Position,
    turn: Turn,
    edges: Vec<Edge>,
    visits: u32,
}

#[derive(Debug)]
enum Turn {
    /// Awaits an evaluation; true while one is under way.
    Unknown(bool),
    Player(usize),
    Chance,
    Over(Vec<f32>),
}

#[derive(Debug)]
struct Edge {
    event: Event,
    prior: f32,
    visits: u32,
    /// Visits whose result is not known yet.
    awaited: u32,
    /// What they were worth to the player to move above, all together.
    total: f32,
    child: Option<usize>,
}

impl Tree {
    /// A tree of a position alone.
    pub fn new(position: &Position, actions: &Arc<Actions>, options: TreeOptions) -> Tree {
        let mut tree = Tree {
            game: position.game().clone(),
            actions: actions.clone(),
            options,
            source: Source::seeded(options.seed),
            nodes: Vec::new(),
            playouts: 0,
        };
        tree.add(position.clone());
        tree
    }

    /// How many playouts it has seen: descents that ended with a value.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Descends up to `descents` times and adds the positions that need an evaluation to a list.
    /// Descents that end in a decided position need none. It adds nothing where every descent ends
    /// decided or at a position that is already awaited.
    pub fn select(&mut self, descents: usize, into: &mut Vec<Leaf>) {
        for _ in 0..descents {
            let (node, path) = self.descend();
            match &self.nodes[node].turn {
                Turn::Over(values) => {
                    let values = values.clone();
                    self.back_up(&path, &values);
                }
                Turn::Unknown(false) => {
                    self.nodes[node].turn = Turn::Unknown(true);
                    let position = self.nodes[node].position.clone();
                    into.push(Leaf { position, node, path });
                }
                // Another descent of this selection is here already.
                Turn::Unknown(true) | Turn::Player(_) | Turn::Chance => {
                    self.withdraw(&path);
                    return;
                }
            }
        }
    }

    /// Takes the evaluation of a position that [`Tree::select`] gave.
    pub fn expand(&mut self, leaf: Leaf, evaluation: &Evaluation) {
        let Leaf { position, node, path } = leaf;
        let numbered = |event: &Event| self.actions.action(*event).is_some();
        let events: Vec<Event> = position.legal().into_iter().filter(numbered).collect();
        let sound = |at: usize| {
            let prior = evaluation.priors.get(at).copied().unwrap_or(0.0);
            if prior.is_finite() { prior.max(0.0) } else { 0.0 }
        };
        let sum: f32 = (0..events.len()).map(sound).sum();
        let even = 1.0 / events.len().max(1) as f32;
        let mut priors: Vec<f32> = (0..events.len())
            .map(|at| if sum > 0.0 && sum.is_finite() { sound(at) / sum } else { even })
            .collect();
        if node == 0 && self.options.noise > 0.0 {
            self.blur(&mut priors);
        }
        let edge =
            |(event, prior)| Edge { event, prior, visits: 0, awaited: 0, total: 0.0, child: None };
        self.nodes[node].edges = events.into_iter().zip(priors).map(edge).collect();
        self.nodes[node].turn = Turn::Player(position.player().index());
        let value = |player: usize| {
            let value = evaluation.values.get(player).copied().unwrap_or(0.0);
            if value.is_finite() { value } else { 0.0 }
        };
        let values: Vec<f32> = (0..self.game.players().count()).map(value).collect();
        self.back_up(&path, &values);
    }

    /// Gives a position back without an evaluation, as when the evaluator has failed.
    pub fn release(&mut self, leaf: &Leaf) {
        self.nodes[leaf.node].turn = Turn::Unknown(false);
        self.withdraw(&leaf.path);
    }

    /// The events at the root, each with its visits and its mean value to the player to move.
    pub fn tally(&self) -> Vec<(Event, u32, f32)> {
        let mean = |edge: &Edge| edge.total / edge.visits.max(1) as f32;
        self.nodes[0].edges.iter().map(|edge| (edge.event, edge.visits, mean(edge))).collect()
    }

    /// The event at the root that was visited most often, the first of equals.
    pub fn best(&self) -> Option<Event> {
        let edges = self.nodes[0].edges.iter();
        edges.rev().max_by_key(|edge| edge.visits).map(|edge| edge.event)
    }

    fn add(&mut self, position: Position) -> usize {
        let has_legal = position.has_legal();
        let over = match has_legal {
            true if self.nodes.is_empty() => None,
            _ => position.outcome(),
        };
        let players = self.game.players().count();
        let turn = match over {
            Some(outcome) => Turn::Over(outcome.scores.iter().map(|&score| score as f32).collect()),
            None if position.awaits_chance() => Turn::Chance,
            None if !has_legal => Turn::Over(vec![0.0; players]),
            None => Turn::Unknown(false),
        };
        self.nodes.push(Node { position, turn, edges: Vec::new(), visits: 0 });
        self.nodes.len() - 1
    }

    /// Goes down to a node without edges. Edges on the way are awaited from now on.
    fn descend(&mut self) -> (usize, Vec<(usize, usize)>) {
        let (mut node, mut path) = (0, Vec::new());
        loop {
            let at = match self.nodes[node].turn {
                Turn::Player(_) => self.choose(node),
                Turn::Chance => self.draw(node),
                Turn::Unknown(_) | Turn::Over(_) => None,
            };
            let Some(at) = at else { return (node, path) };
            self.nodes[node].edges[at].awaited += 1;
            path.push((node, at));
            node = match self.nodes[node].edges[at].child {
                Some(child) => child,
                None => {
                    let event = self.nodes[node].edges[at].event;
                    let Ok(step) = self.nodes[node].position.apply(event) else {
                        return (node, path);
                    };
                    let child = self.add(step.position);
                    self.nodes[node].edges[at].child = Some(child);
                    child
                }
            };
        }
    }

    /// The edge that promises most.
    fn choose(&self, node: usize) -> Option<usize> {
        let node = &self.nodes[node];
        let awaited: u32 = node.edges.iter().map(|edge| edge.awaited).sum();
        let seen = ((node.visits + awaited).max(1) as f32).sqrt();
        let mut best: Option<(usize, f32)> = None;
        for (at, edge) in node.edges.iter().enumerate() {
            // What is awaited counts as lost.
            let visits = (edge.visits + edge.awaited) as f32;
            let mean = (edge.total - edge.awaited as f32) / visits.max(1.0);
            let promise = mean + self.options.exploration * edge.prior * seen / (1.0 + visits);
            if best.is_none_or(|(_, most)| promise > most) {
                best = Some((at, promise));
            }
        }
        best.map(|(at, _)| at)
    }

    /// The edge of an outcome that chance gives.
    fn draw(&mut self, node: usize) -> Option<usize> {
        let event = self.source.draw(self.game.rules(), self.nodes[node].position.state())?;
        let edges = &mut self.nodes[node].edges;
        let known = edges.iter().position(|edge| edge.event == event);
        Some(known.unwrap_or_else(|| {
            edges.push(Edge { event, prior: 0.0, visits: 0, awaited: 0, total: 0.0, child: None });
            edges.len() - 1
        }))
    }

    fn back_up(&mut self, path: &[(usize, usize)], values: &[f32]) {
        self.playouts += 1;
        for &(node, at) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            let gain = if let Turn::Player(player) = node.turn { values[player] } else { 0.0 };
            let edge = &mut node.edges[at];
            edge.awaited = edge.awaited.saturating_sub(1);
            edge.visits += 1;
            edge.total += gain;
        }
    }

    fn withdraw(&mut self, path: &[(usize, usize)]) {
        for &(node, at) in path {
            let edge = &mut self.nodes[node].edges[at];
            edge.awaited = edge.awaited.saturating_sub(1);
        }
    }

    /// Mixes noise into priors.
    fn blur(&mut self, priors: &mut [f32]) {
        const STEPS: u64 = 1 << 24;
        let share = self.options.noise.clamp(0.0, 1.0);
        // A power of even draws is high for few events and low for most, on every machine alike.
        let draw = |source: &mut Source| {
            let unit = (source.below(STEPS) + 1) as f32 / STEPS as f32;
            unit * unit * unit * unit
        };
        let noise: Vec<f32> = priors.iter().map(|_| draw(&mut self.source)).collect();
        let sum: f32 = noise.iter().sum();
        for (prior, noise) in priors.iter_mut().zip(noise) {
            *prior = *prior * (1.0 - share) + share * noise / sum.max(f32::MIN_POSITIVE);
        }
    }
}
