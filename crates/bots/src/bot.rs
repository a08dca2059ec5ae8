//! What every opponent is: it is asked at a moment and answers with a thought.

use std::sync::Arc;

use senet_chance::Source;
use senet_core::observe::Recall;
use senet_core::{Event, Game, Match, State};

/// A moment of a match, as an opponent sees it.
#[derive(Clone, Copy)]
pub struct Moment<'m> {
    /// The state now. It awaits a player, not chance. In a game with secrets it is what the player
    /// to move knows.
    pub state: &'m State,
    /// The hashes of the positions before it, the oldest first; empty where nobody kept them.
    pub past: &'m [u128],
    /// What the player to move has seen and done, in a game with secrets.
    pub recall: Option<&'m Recall>,
}

impl<'m> Moment<'m> {
    /// A moment of which nothing before is known.
    pub fn of(state: &'m State) -> Moment<'m> {
        Moment { state, past: &[], recall: None }
    }

    /// What the rules of a game may ask of the positions before it: nothing where they ask for none.
    pub(crate) fn asked(&self, game: &Game) -> Vec<u64> {
        let past = if game.looks_back() { self.past } else { &[] };
        past.iter().map(|hash| *hash as u64).collect()
    }

    /// The hashes of all positions of a match before the one it is at.
    pub fn past_of(played: &Match) -> Vec<u128> {
        let mut hashes = vec![played.first_state().hash128()];
        hashes.extend(played.steps().iter().map(|(_, state)| state.hash128()));
        hashes.truncate(played.ply());
        hashes
    }
}

/// What ends a search. Whichever comes first counts.
#[derive(Clone, Copy)]
pub struct Limit<'l> {
    /// A depth in turns.
    pub depth: Option<u32>,
    /// A number of positions or playouts.
    pub nodes: Option<u64>,
    /// Asked again and again; when it says true, the best so far is the answer.
    pub stop: &'l (dyn Fn() -> bool + Sync),
    /// How many threads share the work.
    pub threads: usize,
}

impl Limit<'_> {
    /// No limit at all.
    pub const NONE: Limit<'static> =
        Limit { depth: None, nodes: None, stop: &|| false, threads: 1 };

    /// A depth in turns.
    pub fn depth(depth: u32) -> Limit<'static> {
        Limit { depth: Some(depth), ..Limit::NONE }
    }

    /// A number of positions or playouts.
    pub fn nodes(nodes: u64) -> Limit<'static> {
        Limit { nodes: Some(nodes), ..Limit::NONE }
    }

    /// Another limit, with the depth and the positions of this one where they are less.
    pub(crate) fn and<'o>(&self, other: &Limit<'o>) -> Limit<'o> {
        let depth = self.depth.into_iter().chain(other.depth).min();
        let nodes = self.nodes.into_iter().chain(other.nodes).min();
        Limit { depth, nodes, ..*other }
    }
}

/// What an opponent would play, and what it thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The event it would play.
    pub event: Event,
    /// What the position is worth to the player to move; a win counts [`crate::WIN`].
    pub value: i32,
    /// How many turns it looked ahead.
    pub depth: u32,
    /// How many positions or playouts it looked at.
    pub nodes: u64,
    /// The events that it expects, the first of them its own; chance is not in it.
    pub line: Vec<Event>,
    /// Whether the value is proven: no position was judged by its looks.
    pub exact: bool,
}

impl Thought {
    /// A choice without an opinion.
    pub(crate) fn bare(event: Event) -> Thought {
        Thought { event, value: 0, depth: 0, nodes: 0, line: vec![event], exact: false }
    }

    /// In how many events the player to move wins, or loses if negative, where that is known.
    /// Only means something in a game without dice whose every win counts one.
    pub fn end_in(&self) -> Option<i32> {
        let distance = crate::WIN - self.value.abs();
        (0..=crate::search::MAX_PLY as i32).contains(&distance).then_some(if self.value > 0 {
            distance
        } else {
            -distance
        })
    }
}

/// An opponent.
pub trait Bot: Send {
    /// What it would play; none where nothing is legal. A limit beside its own budget may stop it.
    fn choose(&mut self, moment: &Moment<'_>, limit: &Limit<'_>) -> Option<Thought>;
}

/// Plays any legal event, every one equally likely.
pub struct Random {
    game: Arc<Game>,
    source: Source,
}

impl Random {
    /// The random player of a seed.
    pub fn new(game: Arc<Game>, seed: u64) -> Random {
        Random { game, source: Source::seeded(seed) }
    }
}

impl Bot for Random {
    fn choose(&mut self, moment: &Moment<'_>, _: &Limit<'_>) -> Option<Thought> {
        let events = self.game.after(&moment.asked(&self.game)).legal(moment.state);
        self.source.pick(&events).map(Thought::bare)
    }
}
