//! Alpha-beta with iterative deepening, through dice where a game has them.
//!
//! A turn of several events counts as one turn of depth, and chance counts none. With two sides
//! the search is exact minimax; with more it is paranoid: all who are not friends of the player
//! are taken to play against them together.

mod node;
mod order;
mod quiet;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use senet_core::written::Play;
use senet_core::{Event, Game, PlayerId, State};

use crate::bot::{Bot, Limit, Moment, Thought};
use crate::evaluation::{Evaluation, WIN};
use crate::spec::Brain;
use crate::table::Table;
use node::{Walk, Window};

/// No line is longer than this many events.
pub(crate) const MAX_PLY: usize = 200;

/// The greatest depth of an iteration.
const MAX_DEPTH: u32 = 100;

/// The depth of what needs no more depth, since it is proven.
pub(crate) const PROVEN: u8 = u8::MAX;

/// A value beyond all values.
pub(crate) const INFINITE: i32 = i32::MAX / 2;

/// Searches a game by alpha-beta. It remembers what it searched before.
pub struct Search {
    pub(crate) game: Arc<Game>,
    pub(crate) evaluation: Evaluation,
    pub(crate) table: Table,
    pub(crate) traits: Traits,
    /// The noise that is added to evaluations; it depends on the position and the seed alone.
    noise: i32,
    seed: u64,
    budget: Limit<'static>,
}

/// What the search must know of a game.
pub(crate) struct Traits {
    /// Whether chance takes part.
    pub(crate) dice: bool,
    /// Whether pieces may be royal.
    pub(crate) royal: bool,
    /// Whether an outcome may be declared while play goes on.
    pub(crate) open_endings: bool,
    /// The variable that says how many events back a position may have occurred.
    pub(crate) reversible: Option<senet_core::VariableId>,
    /// By player, a bit for every friend, the player included.
    pub(crate) friends: Vec<u64>,
    /// Whether there are more than two sides.
    pub(crate) crowd: bool,
    /// Whether the game gave weights, so that looks can be trusted for pruning.
    pub(crate) weighed: bool,
}

impl Search {
    /// A search of a game that judges by the weights of the game, or by pieces alone.
    pub fn new(game: Arc<Game>) -> Search {
        let evaluation = Evaluation::new(&game);
        let traits = Traits::new(&game, game.definition().weights.is_some());
        let table = Table::of_bytes(16 << 20);
        let (noise, seed, budget) = (0, 0, Limit::NONE);
        Search { game, evaluation, table, traits, noise, seed, budget }
    }

    /// The same with a table of about `bytes` bytes.
    #[must_use]
    pub fn remembering(mut self, bytes: usize) -> Search {
        self.table = Table::of_bytes(bytes);
        self
    }

    /// The same with a budget of its own, beside the limits it is asked with.
    #[must_use]
    pub fn within(mut self, depth: Option<u32>, nodes: Option<u64>) -> Search {
        self.budget = Limit { depth, nodes, ..Limit::NONE };
        self
    }

    /// The same with noise of up to this much in evaluations, different for each seed.
    #[must_use]
    pub fn noisy(mut self, noise: i32, seed: u64) -> Search {
        (self.noise, self.seed) = (noise.max(0), seed);
        self
    }

    /// The same as weak as a level from 1 to [`crate::LEVELS`], differently for each seed.
    #[must_use]
    pub fn at_level(self, level: u8, seed: u64) -> Search {
        let (nodes, noise) = crate::spec::level(Brain::Search, level);
        self.within(None, Some(nodes)).noisy(noise, seed)
    }

    /// Forgets everything, as before a new match.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// How full the table is with what the last search learned, in thousandths.
    pub fn fill(&self) -> u32 {
        self.table.fill()
    }

    /// Searches, telling of every iteration. Only these first events are tried, or all legal ones
    /// where none are given.
    pub fn think(
        &self,
        moment: &Moment<'_>,
        limit: &Limit<'_>,
        only: &[Event],
        tell: &mut dyn FnMut(&Thought),
    ) -> Option<Thought> {
        let limit = &self.budget.and(limit);
        let mut roots = self.game.after(&moment.asked(&self.game)).legal(moment.state);
        if !only.is_empty() {
            roots.retain(|event| only.contains(event));
        }
        let first = *roots.first()?;
        self.table.begin();
        let shared = Arc::new(Shared::default());
        let walk = |helper| Walk::new(self, moment, limit, &roots, (shared.clone(), helper));
        let best = std::thread::scope(|scope| {
            for helper in 1..limit.threads.max(1) {
                let mut walk = walk(helper);
                scope.spawn(move || deepen(&mut walk, &mut |_| ()));
            }
            let best = deepen(&mut walk(0), tell);
            shared.halted.store(true, Ordering::Relaxed);
            best
        });
        let nodes = shared.nodes.load(Ordering::Relaxed);
        Some(match best {
            Some(best) => Thought { nodes: nodes.max(best.nodes), ..best },
            None => Thought::bare(first),
        })
    }

    /// One who judges positions by their looks once nothing is to be captured, where that can be:
    /// in a game of two sides without dice that says how its positions look.
    pub(crate) fn judge(&self, state: &State) -> Option<Judge<'_>> {
        let Traits { dice, crowd, weighed, .. } = self.traits;
        let shared = (Arc::default(), 0);
        (!dice && !crowd && weighed)
            .then(|| Judge(Walk::new(self, &Moment::of(state), &NO_LIMIT, &[], shared)))
    }

    /// What a position looks to be worth to a side.
    pub(crate) fn look(&self, state: &State, ours: &[bool]) -> i32 {
        let value = self.evaluation.value(&self.game, state, ours);
        if self.noise == 0 {
            return value;
        }
        let mixed = (state.hash() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let span = 2 * i64::from(self.noise) + 1;
        let off = (((mixed >> 32) as i64 * span) >> 32) as i32 - self.noise;
        value + if ours[self.game.view(state).player().index()] { off } else { -off }
    }
}

static NO_LIMIT: Limit<'static> = Limit::NONE;

/// Judges positions by their looks once nothing is to be captured.
pub(crate) struct Judge<'s>(Walk<'s>);

impl Judge<'_> {
    /// What a position is worth to the player to move.
    pub(crate) fn value(&mut self, state: &State) -> i32 {
        self.0.calm(state, 0, Window { alpha: -INFINITE, beta: INFINITE })
    }
}

/// What the threads of one search share.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) halted: AtomicBool,
    pub(crate) nodes: AtomicU64,
}

/// Searches deeper and deeper until a limit is met or the value is proven.
fn deepen(walk: &mut Walk<'_>, tell: &mut dyn FnMut(&Thought)) -> Option<Thought> {
    let deepest = walk.limit.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut best: Option<Thought> = None;
    for depth in 1..=deepest {
        // Helpers walk ahead, so that the first thread finds their entries.
        let ahead = u32::from(depth > 1) * (walk.helper as u32 & 1);
        let found = walk.iterate(depth + ahead, best.as_ref().map(|thought| thought.value));
        if let Some(thought) = found {
            if !walk.halted() {
                tell(&thought);
            }
            best = Some(thought);
        }
        // A win or loss within the depth is known for good: a shorter one would have been found.
        let near = |end: i32| end.unsigned_abs() <= depth;
        let ends =
            |thought: &Thought| !walk.search.traits.dice && thought.end_in().is_some_and(near);
        let proven = best.as_ref().is_some_and(|thought| thought.exact || ends(thought));
        if walk.halted() || proven {
            break;
        }
    }
    walk.account();
    best
}

impl Bot for Search {
    fn choose(&mut self, moment: &Moment<'_>, limit: &Limit<'_>) -> Option<Thought> {
        match self.game.after(&moment.asked(&self.game)).legal(moment.state)[..] {
            [] => None,
            [only] => Some(Thought::bare(only)),
            _ => self.think(moment, limit, &[], &mut |_| ()),
        }
    }
}

impl Traits {
    fn new(game: &Game, weighed: bool) -> Traits {
        let written = game.definition();
        let reversible = written.variables.iter().find_map(|one| one.repetitions_within.as_ref());
        let friends: Vec<u64> = game.players().map(|player| friends_of(game, player)).collect();
        Traits {
            dice: !written.dice.is_empty(),
            royal: written.kinds.iter().any(|kind| kind.royal),
            open_endings: written.endings.iter().any(|ending| ending.play == Play::MayGoOn),
            reversible: reversible.and_then(|name| game.variable(name)),
            crowd: {
                let sides = friends.iter().take(game.seats().count());
                sides.collect::<std::collections::BTreeSet<_>>().len() > 2
            },
            friends,
            weighed,
        }
    }
}

/// A bit for every friend of a player, the player included.
pub(crate) fn friends_of(game: &Game, player: PlayerId) -> u64 {
    let players = &game.definition().players;
    let team = &players[player.index()].team;
    let friend =
        |&index: &usize| index == player.index() || team.is_some() && players[index].team == *team;
    (0..players.len()).filter(friend).fold(0, |bits, index| bits | 1 << index)
}

/// What an outcome is worth to a player, the sooner the better.
pub(crate) fn worth_of(scores: &[i64], player: usize, ply: usize) -> i32 {
    let score = scores[player].clamp(-1000, 1000) as i32;
    score * WIN - score.signum() * ply as i32
}
