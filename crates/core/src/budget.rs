//! How much of a tree may be walked, and why a walk stopped before its end.

use std::fmt;

/// How many levels of a tree are kept at once. Deeper sequences are not followed.
const MAX_LEVELS: usize = 1 << 16;

/// How many bytes the levels of a tree, or the positions of a turn, may take together.
pub(crate) const MAX_BYTES: usize = 1 << 28;

/// How many nodes are walked between two questions whether to stop.
const INTERVAL: u64 = 1 << 12;

/// How much of a tree may be walked: a number of nodes, and a question that is asked every few
/// thousand of them.
///
/// ```
/// use senet_core::{Budget, Stopped};
///
/// let mut budget = Budget::nodes(1_000);
/// # let _ = &mut budget;
/// let mut interrupted = Budget::until(&|| true);
/// # let _ = (&mut interrupted, Stopped::Asked);
/// ```
#[derive(Clone)]
pub struct Budget<'s> {
    left: u64,
    nodes: u64,
    until_asked: u64,
    stop: Option<&'s (dyn Fn() -> bool + Sync)>,
}

/// Why a walk over a tree stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The host asked for it.
    Asked,
    /// As many nodes were walked as the budget allows.
    Nodes {
        /// How many it allows.
        allowed: u64,
    },
    /// A sequence of events, or one turn, is longer than can be followed.
    TooDeep {
        /// How many levels can be followed in this game.
        allowed: u64,
    },
    /// There are more than can be counted.
    TooMany,
    /// The state is of another game.
    Foreign,
}

impl<'s> Budget<'s> {
    /// No limit but that of memory.
    pub const fn unlimited() -> Budget<'static> {
        Budget::nodes(u64::MAX)
    }

    /// At most this many nodes: states that are opened to list or count their events.
    pub const fn nodes(nodes: u64) -> Budget<'static> {
        Budget { left: nodes, nodes, until_asked: INTERVAL, stop: None }
    }

    /// Until a question is answered with yes. It is asked every few thousand nodes.
    pub const fn until(stop: &'s (dyn Fn() -> bool + Sync)) -> Budget<'s> {
        Budget { left: u64::MAX, nodes: u64::MAX, until_asked: 1, stop: Some(stop) }
    }

    /// Whether nodes are counted.
    pub(crate) fn counts_nodes(&self) -> bool {
        self.nodes != u64::MAX
    }

    /// Asks at once whether to stop.
    pub(crate) fn ask(&self) -> Result<(), Stopped> {
        match self.stop.is_some_and(|stop| stop()) {
            true => Err(Stopped::Asked),
            false => Ok(()),
        }
    }

    /// Takes note of a node.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), Stopped> {
        self.until_asked -= 1;
        if self.until_asked == 0 {
            self.until_asked = INTERVAL;
            if self.stop.is_some_and(|stop| stop()) {
                return Err(Stopped::Asked);
            }
        }
        let left = self.left.checked_sub(1);
        self.left = left.ok_or(Stopped::Nodes { allowed: self.nodes })?;
        Ok(())
    }
}

/// How many levels of a tree may be kept where each takes `bytes` bytes.
pub(crate) fn levels(bytes: usize) -> usize {
    (MAX_BYTES / bytes.max(1)).clamp(1, MAX_LEVELS)
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {} nodes left)", self.left, self.nodes)
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Asked => f.write_str("stopped before the end"),
            Stopped::Nodes { allowed } => {
                write!(f, "the tree has more than {allowed} nodes, which is all that may be walked")
            }
            Stopped::TooDeep { allowed } => write!(
                f,
                "a sequence of events is longer than {allowed}, which is all that can be followed"
            ),
            Stopped::TooMany => write!(f, "there are more than {}", u64::MAX),
            Stopped::Foreign => f.write_str("the state is of another game"),
        }
    }
}

impl std::error::Error for Stopped {}
