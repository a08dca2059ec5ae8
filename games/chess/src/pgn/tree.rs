//! The moves of a game with their variations, as one flat list of nodes.

use std::fmt;

use senet_core::Event;

/// The moves of a game. Node 0 is the start, before any move.
#[derive(Clone)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A move and what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The move; none at the start.
    pub event: Option<Event>,
    /// Comments before the move, at the beginning of a variation.
    pub before: Vec<String>,
    /// Glyphs, by their numbers.
    pub nags: Vec<u8>,
    /// Comments after the move; at the start, before the first.
    pub after: Vec<String>,
    parent: usize,
    /// The main move after it; most moves have no other, and need no list.
    main: Option<usize>,
    variations: Vec<usize>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// The start alone.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// How many nodes there are, the start included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no move was played.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// A node.
    ///
    /// # Panics
    /// If the tree has no such node.
    pub fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// A node to write comments and glyphs to.
    ///
    /// # Panics
    /// If the tree has no such node.
    pub fn node_mut(&mut self, node: usize) -> &mut Node {
        &mut self.nodes[node]
    }

    /// The node before a node; the start is before itself.
    pub fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent
    }

    /// What may follow a node: the main move first, then the variations.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let node = &self.nodes[node];
        node.main.into_iter().chain(node.variations.iter().copied())
    }

    /// Adds a move after a node: the first is the main move, any other a variation.
    pub fn add(&mut self, parent: usize, event: Event) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node { event: Some(event), parent, ..Node::default() });
        let before = &mut self.nodes[parent];
        match before.main {
            None => before.main = Some(node),
            Some(_) => before.variations.push(node),
        }
        node
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut node = 0;
        while let Some(next) = self.nodes[node].main {
            events.extend(self.nodes[next].event);
            node = next;
        }
        events
    }
}

/// Trees are equal when they say the same, in whatever order their nodes were added.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mut pairs = vec![(0, 0)];
        while let Some((one, two)) = pairs.pop() {
            let (a, b) = (&self.nodes[one], &other.nodes[two]);
            let same = a.event == b.event
                && a.before == b.before
                && a.nags == b.nags
                && a.after == b.after
                && self.children(one).count() == other.children(two).count();
            if !same {
                return false;
            }
            pairs.extend(self.children(one).zip(other.children(two)));
        }
        true
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.nodes).finish()
    }
}
