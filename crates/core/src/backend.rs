//! Faster ways to carry out the lowered rules than the interpreter, behind one contract.
//!
//! A backend answers exactly as the interpreter does; it is asked when there is enough to do that
//! preparing it pays. Which piece stands where is not its business: it sees positions alone.

use std::sync::Arc;

use crate::budget::{Budget, Stopped};
use crate::event::Event;
use crate::game::Game;
use crate::id::{ActionId, KindId, OutcomeId, RuleId, TileId};
use crate::interpret::Found;
use crate::perft::Leaves;
use crate::state::State;
use crate::typed::Leaf;
use crate::written::Usage;

/// Prepares games for a faster way of carrying out their rules.
pub trait Backend: Send + Sync {
    /// What it is, in a word.
    fn name(&self) -> &'static str;

    /// A session for a game.
    ///
    /// # Errors
    /// Says why the game cannot be carried out this way, here.
    fn session(&self, game: &Game, purpose: Purpose) -> Result<Box<dyn Session>, String>;

    /// Whether a session needs no more preparation, so that little work is worth one.
    fn is_ready(&self, game: &Game, purpose: Purpose) -> bool;
}

/// What a session is for. A backend prepares no more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// To count the leaves of trees. Hashes are not kept.
    Count,
    /// To make the leaves of trees, with their hashes.
    Make,
    /// To find whole turns. Hashes are not kept.
    Turns,
    /// To play at random.
    Random,
    /// For everything else: to list and carry out events one by one.
    Play,
}

/// An event with its rule as a word: source, target, argument and rule, 16 bits each from the top.
/// The argument of a move is one more than the kind it chooses, or 0; of a move by dice the number
/// used and bit 15; of a put the kind; of a roll the outcome; of an act the act. Where there is no
/// source, it is 0xffff for a put, 0xfffe for a roll, 0xfffd for an act and 0xfffc for one that names
/// its target.
pub type PackedEvent = u64;

/// Moves of which it is said what kind of piece goes where, and from which tiles it may come.
#[derive(Clone, Copy, Debug)]
pub struct PackedHints<'a> {
    /// For each the word of an event, with the first word of the kind's plane in the place of the rule and
    /// nothing in the place of the source; then the set of sources.
    pub words: &'a [u64],
    /// How many there are.
    pub count: usize,
    /// How many words are told of each that was played: its event, with whether a piece has come to its
    /// target in the place of the rule, and the other tiles than its source that have become empty.
    pub logged: usize,
}

/// The end of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How many events were played.
    pub events: u32,
    /// Which ending holds then.
    pub ending: Option<Ending>,
}

/// The index of the first ending that holds and of the player for whom it does; the positions before do
/// not count.
pub type Ending = (usize, usize);

/// How many positions a session plays on together.
pub const PLACES: usize = 32;

/// A backend at work on one game, for one thread at a time. Where it cannot answer, because it runs
/// out of its room, it says nothing and the interpreter answers.
pub trait Session: Send {
    /// Lists the legal events in their order.
    fn legal(&mut self, state: &State, into: &mut Vec<PackedEvent>) -> Option<()>;

    /// Lists the legal events whose target is a tile, in their order, and perhaps others.
    fn legal_onto(
        &mut self,
        state: &State,
        tile: TileId,
        into: &mut Vec<PackedEvent>,
    ) -> Option<()>;

    /// Counts the legal events.
    fn count(&mut self, state: &State) -> Option<u64>;

    /// Carries out a legal event: the words of the position after it, and its hash.
    fn play(&mut self, state: &State, event: PackedEvent, words: &mut [u64]) -> Option<u128>;

    /// Carries out an event that names a target, whatever its rule, if it is legal: the index of the
    /// rule that accepts it, the words of the position after it, and its hash.
    fn attempt(
        &mut self,
        state: &State,
        event: PackedEvent,
        words: &mut [u64],
    ) -> Option<Option<(usize, u128)>>;

    /// Plays moves one after another, each the only legal one that fits a hint, up to the first that no
    /// move or several fit, or that may bring other pieces to other tiles: what is told of those that were
    /// played, the words of the position after them, and its hash. Nothing is played where it is not certain
    /// that a move carried its piece.
    fn replay(
        &mut self,
        state: &State,
        hints: PackedHints<'_>,
        log: &mut Vec<u64>,
        words: &mut [u64],
    ) -> Option<u128>;

    /// Writes a position and a legal event of it to one of [`PLACES`].
    fn place(&mut self, at: usize, state: &State, event: PackedEvent) -> Option<()>;

    /// Carries out the events of the first so many places, and lists what is legal then. Gives how many
    /// it has done: at least one, but not all where their lists are long.
    fn advance(&mut self, places: usize) -> Option<usize>;

    /// What has become of a place: the words of the position, with its hash and which ending holds; and
    /// what is legal.
    fn placed(
        &mut self,
        at: usize,
        words: &mut [u64],
        into: &mut Vec<PackedEvent>,
    ) -> Option<(u128, Option<Ending>)>;

    /// How many nodes of trees it can visit at once so that an answer takes well below 100 ms, as far
    /// as it knows from its answers so far. What a node costs differs between games by a factor of a
    /// million.
    fn patience(&self) -> u64;

    /// Counts the leaves of a tree; none if more nodes than this must be visited.
    fn perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64>;

    /// Makes the leaves of a tree; none if more nodes than this must be visited.
    fn perft_made(&mut self, state: &State, depth: u32, nodes: u64) -> Option<Leaves>;

    /// The positions after every whole turn, in the order of [`Game::turns`], without their hashes.
    fn turns(&mut self, state: &State) -> Option<Vec<Box<[u64]>>>;

    /// Counts sequences of whole turns; none if more nodes than this must be visited.
    fn turn_perft(&mut self, state: &State, depth: u32, nodes: u64) -> Option<u64>;

    /// Plays at random until the game is over or `limit` events were played, from a source of chance
    /// that is the four words of xoshiro256**. The words of the position become those of the last one.
    /// Where nothing is said, they and the source are as they were.
    fn playout(
        &mut self,
        position: &mut [u64],
        source: &mut [u64; 4],
        limit: u32,
    ) -> Option<Played>;
}

/// Trees of up to this many nodes are left to the interpreter.
const SMALL: u64 = 2_000;

/// The most nodes that a session is asked to visit at once, whatever it says. Where candidates are tried
/// on copies of the state, or turns are looked ahead, a node may take much longer than those before it.
const MOST: u64 = 1 << 18;
const MOST_OF_TRIALS: u64 = 1 << 14;

impl Game {
    /// Uses a backend from now on, where there is enough to do. The first one stays.
    pub fn attach(&self, backend: Arc<dyn Backend>) {
        let _ = self.backend.set(backend);
    }

    /// The backend, if there is one.
    pub fn backend(&self) -> Option<&dyn Backend> {
        self.backend.get().map(|backend| &**backend)
    }

    pub(crate) fn session(&self, purpose: Purpose) -> Option<Box<dyn Session>> {
        self.backend.get()?.session(self, purpose).ok()
    }

    /// The most nodes of this game that a session is asked to visit at once.
    fn most_nodes(&self) -> u64 {
        let looks_ahead = |leaf: &Leaf| leaf.usage != Usage::Free || leaf.most.is_some();
        let tries = self.entries.tries || self.leaves.iter().any(looks_ahead);
        if tries { MOST_OF_TRIALS } else { MOST }
    }

    /// Adds up what a session says of the subtrees of a tree. Subtrees that are too large for one
    /// answer are divided. None where there is no session, or the tree is so small that none is worth
    /// its preparation.
    pub(crate) fn by_session<T>(
        &self,
        purpose: Purpose,
        (state, depth): (&State, u32),
        budget: &mut Budget<'_>,
        small: impl FnOnce(&mut Budget<'_>) -> Result<T, Stopped>,
        mut add: impl FnMut(&mut dyn Session, &State, u32, u64) -> Option<()>,
    ) -> Option<Result<Option<T>, Stopped>> {
        let backend = self.backend.get()?;
        if depth < 2 || budget.counts_nodes() {
            return None;
        }
        if !backend.is_ready(self, purpose) {
            match small(&mut Budget::nodes(SMALL)) {
                Err(Stopped::Nodes { .. }) => {}
                done => return Some(done.map(Some)),
            }
        }
        let (mut session, mut engine) = (self.session(purpose)?, self.engine_for(state)?);
        let mut rest = vec![(state.clone(), depth)];
        while let Some((state, depth)) = rest.pop() {
            if let Err(stopped) = budget.ask() {
                return Some(Err(stopped));
            }
            let width = engine.count(&state);
            let nodes = session.patience().min(self.most_nodes());
            let fits = depth <= MAX_DEPTH && width.saturating_pow(depth - 1) <= nodes;
            if fits && add(&mut *session, &state, depth, nodes).is_some() {
                continue;
            }
            if depth < 2 {
                return None;
            }
            let divided = self.walk(&mut engine, &state, 1, budget, |_, after| {
                rest.push((after.clone(), depth - 1));
                Ok(())
            });
            if let Err(stopped) = divided {
                return Some(Err(stopped));
            }
        }
        Some(Ok(None))
    }

    /// The event that a word stands for.
    #[inline]
    pub fn unpacked(&self, word: PackedEvent) -> Event {
        self.unpack(word).event
    }

    /// The event that a word stands for, with its rule.
    #[inline]
    pub(crate) fn unpack(&self, word: PackedEvent) -> Found {
        let part = |shift: u32| (word >> shift & 0xffff) as usize;
        let (from, to) = (part(48), TileId::at(part(32)));
        let (arg, rule) = (part(16), RuleId::at(part(0)));
        let event = match from {
            0xffff => Event::Put { kind: KindId::at(arg), to },
            0xfffe => Event::Roll(OutcomeId::at(arg)),
            0xfffd => Event::Act(ActionId::at(arg)),
            0xfffc => Event::Pick { action: ActionId::at(arg), to },
            _ if arg & 0x8000 != 0 => {
                Event::Advance { from: TileId::at(from), to, pips: (arg & 0x7fff) as u8 }
            }
            _ => {
                let choice = arg.checked_sub(1).map(KindId::at);
                Event::Move { from: TileId::at(from), to, choice }
            }
        };
        Found { event, rule }
    }

    /// The word that stands for an event with its rule.
    pub(crate) fn pack(&self, found: Found) -> PackedEvent {
        let word = |from: usize, to: usize, arg: usize| {
            (from as u64) << 48 | (to as u64) << 32 | (arg as u64) << 16 | found.rule.index() as u64
        };
        match found.event {
            Event::Move { from, to, choice } => {
                word(from.index(), to.index(), choice.map_or(0, |kind| kind.index() + 1))
            }
            Event::Advance { from, to, pips } => {
                word(from.index(), to.index(), 0x8000 | usize::from(pips))
            }
            Event::Put { kind, to } => word(0xffff, to.index(), kind.index()),
            Event::Roll(outcome) => word(0xfffe, 0, outcome.index()),
            Event::Act(action) => word(0xfffd, 0, action.index()),
            Event::Pick { action, to } => word(0xfffc, to.index(), action.index()),
        }
    }
}

/// Deeper trees are divided before a session is asked.
const MAX_DEPTH: u32 = 64;
