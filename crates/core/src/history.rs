//! One playing of a game: a persistent history with undo, redo, goto and branches.

use std::sync::{Arc, OnceLock};

use crate::apply::Accepted;
use crate::change::Change;
use crate::draft::Draft;
use crate::event::{Event, Outcome, Rejection};
use crate::game::Game;
use crate::hash;
use crate::id::RuleId;
use crate::state::State;

/// One playing of a game. Cloning it is a branch: both share all that was played so far, and
/// neither sees what the other plays from then on.
#[derive(Clone)]
pub struct Match {
    game: Arc<Game>,
    /// The last state of the line being played.
    tip: Arc<Node>,
    /// The state now: the tip or one of the states before it.
    now: Arc<Node>,
}

/// A state and how it came about.
struct Node {
    ply: usize,
    step: Option<Played>,
    /// The state before.
    parent: Option<Arc<Node>>,
    /// A state far before, so that any ply is found in a few hops.
    jump: Option<Arc<Node>>,
    /// The seal over everything up to here, made when it is asked for: only what is saved needs it.
    seal: OnceLock<u64>,
    state: State,
}

/// An event that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The event.
    pub event: Event,
    /// The rule that carried it out.
    pub rule: RuleId,
}

impl Match {
    /// A match from the game's start.
    pub fn new(game: Arc<Game>) -> Match {
        let start = game.start();
        Match::from_state(game, start)
    }

    /// A match from a state of the game.
    pub fn from_state(game: Arc<Game>, state: State) -> Match {
        let seal = OnceLock::from(seal_start(&game, &state));
        let (step, parent, jump) = (None, None, None);
        let now = Arc::new(Node { ply: 0, step, parent, jump, seal, state });
        Match { game, tip: now.clone(), now }
    }

    /// The game that is played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.now.state
    }

    /// How many events were played to get here.
    pub fn ply(&self) -> usize {
        self.now.ply
    }

    /// How many events the line has, those undone included.
    pub fn len(&self) -> usize {
        self.tip.ply
    }

    /// Whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.tip.ply == 0
    }

    /// The last event played, if any.
    pub fn last(&self) -> Option<Played> {
        self.now.step
    }

    /// What the last event changed.
    pub fn changes(&self) -> Vec<Change> {
        let before = self.now.parent.as_ref();
        before.map_or(Vec::new(), |before| self.game.diff(&before.state, &self.now.state))
    }

    /// The outcome now.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.after(&self.past()).outcome(&self.now.state)
    }

    /// Every event that is legal now.
    pub fn legal(&self) -> Vec<Event> {
        self.game.after(&self.past()).legal(&self.now.state)
    }

    /// The hashes of the positions before the one now, the oldest first; none where no rule asks
    /// what came before.
    pub fn past(&self) -> Vec<u64> {
        let mut past = Vec::new();
        let mut node = self.now.parent.as_ref().filter(|_| self.game.looks_back());
        while let Some(one) = node {
            past.push(one.state.hash());
            node = one.parent.as_ref();
        }
        past.reverse();
        past
    }

    /// Plays an event. What was undone is forgotten, unless it is what was undone.
    pub fn apply(&mut self, event: Event) -> Result<Played, Rejection> {
        let mut state = self.now.state.clone();
        let rule = self.game.apply_on(&self.past(), &mut state, event)?;
        Ok(self.record(Played { event, rule }, state))
    }

    /// Plays an event that the state now accepts, without judging it again. Nothing happens where
    /// another position accepted it.
    pub fn play(&mut self, accepted: Accepted) -> Option<Played> {
        let before = &self.now.state;
        if accepted.of != before.hash() || !self.game.owns(before) {
            return None;
        }
        let state = self.game.walker().play(before, accepted);
        Some(self.record(Played { event: accepted.event(), rule: accepted.rule() }, state))
    }

    /// Adds a step to the line.
    fn record(&mut self, played: Played, mut state: State) -> Played {
        self.count_repetitions(&mut state);
        if self.tip.ply > self.now.ply {
            let next = self.ancestor(self.now.ply + 1);
            if next.step == Some(played) {
                self.now = next;
                return played;
            }
        }
        let node = Node {
            ply: self.now.ply + 1,
            step: Some(played),
            jump: Some(jump_from(&self.now).clone()),
            parent: Some(self.now.clone()),
            seal: OnceLock::new(),
            state,
        };
        self.now = Arc::new(node);
        self.tip = self.now.clone();
        played
    }

    /// Notes in the new state how often its position has occurred, where the game counts that.
    fn count_repetitions(&self, state: &mut State) {
        let Some((variable, within)) = self.game.repetitions else { return };
        let player = self.game.view(state).seat();
        let mut left = self.game.view(state).variable(within, player);
        let mut times = 1;
        let mut node = Some(&self.now);
        while let Some(one) = node.filter(|_| left > 0) {
            times += i64::from(one.state.hash128() == state.hash128());
            node = one.parent.as_ref();
            left -= 1;
        }
        if self.game.view(state).variable(variable, player) != times {
            let mut draft = Draft::new(&self.game, state.clone());
            draft.set_variable(variable, player, times);
            *state = draft.state;
        }
    }

    /// Takes the last event back. The same event is there for [`Match::redo`].
    pub fn undo(&mut self) -> bool {
        let Some(parent) = self.now.parent.clone() else { return false };
        self.now = parent;
        true
    }

    /// Plays the event again that was taken back.
    pub fn redo(&mut self) -> bool {
        self.goto(self.now.ply + 1)
    }

    /// Goes to a ply of the line, back or forth.
    pub fn goto(&mut self, ply: usize) -> bool {
        if ply > self.tip.ply {
            return false;
        }
        self.now = self.ancestor(ply);
        true
    }

    /// A second match that shares everything so far.
    pub fn branch(&self) -> Match {
        self.clone()
    }

    /// The events of the line with the state after each, those undone included.
    pub fn steps(&self) -> Vec<(Played, State)> {
        let mut steps = Vec::with_capacity(self.tip.ply);
        let mut node = &self.tip;
        while let (Some(step), Some(parent)) = (node.step, &node.parent) {
            steps.push((step, node.state.clone()));
            node = parent;
        }
        steps.reverse();
        steps
    }

    /// The state at the beginning of the line.
    pub fn first_state(&self) -> State {
        self.ancestor(0).state.clone()
    }

    /// The seal over everything up to now.
    pub(crate) fn seal(&self) -> u64 {
        self.now.seal()
    }

    /// The seal over everything up to a ply, which the line has.
    pub(crate) fn seal_at(&self, ply: usize) -> u64 {
        self.ancestor(ply).seal()
    }

    /// The events of the line after its first ones, each with the seal after it.
    pub(crate) fn sealed_steps(&self, first: usize) -> Vec<(Event, u64)> {
        let mut steps = Vec::new();
        let mut node = &self.tip;
        while let (Some(step), Some(parent)) = (node.step, &node.parent)
            && node.ply > first
        {
            steps.push((step.event, node.seal()));
            node = parent;
        }
        steps.reverse();
        steps
    }

    /// A state of the line by its ply, which the line has.
    fn ancestor(&self, ply: usize) -> Arc<Node> {
        let mut node = &self.tip;
        while node.ply > ply {
            node = match (&node.jump, &node.parent) {
                (Some(jump), _) if jump.ply >= ply => jump,
                (_, Some(parent)) => parent,
                (_, None) => break,
            };
        }
        node.clone()
    }
}

/// The far state that a child of a node points to. Hops double in length, so that going back any
/// number of plies takes a number of hops that grows with its logarithm.
fn jump_from(parent: &Arc<Node>) -> &Arc<Node> {
    let once = parent.jump.as_ref().unwrap_or(parent);
    let twice = once.jump.as_ref().unwrap_or(once);
    if parent.ply - once.ply == once.ply - twice.ply { twice } else { parent }
}

impl Node {
    /// The seal over everything up to here: made step by step from the last state before that has one,
    /// for a history may be too long to recurse over.
    fn seal(&self) -> u64 {
        let mut unsealed = Vec::new();
        let mut node = self;
        let mut seal = loop {
            match (node.seal.get(), node.step, &node.parent) {
                (None, Some(step), Some(parent)) => {
                    unsealed.push((node, step.event));
                    node = parent;
                }
                // A beginning is always sealed.
                (seal, ..) => break seal.copied().unwrap_or_default(),
            }
        };
        for (node, event) in unsealed.into_iter().rev() {
            seal = *node.seal.get_or_init(|| seal_step(seal, event, &node.state));
        }
        seal
    }
}

impl Drop for Node {
    /// Lets go of a long history link by link instead of in one deep recursion.
    fn drop(&mut self) {
        let mut links = vec![self.parent.take(), self.jump.take()];
        while let Some(link) = links.pop() {
            if let Some(mut node) = link.and_then(Arc::into_inner) {
                links.extend([node.parent.take(), node.jump.take()]);
            }
        }
    }
}

/// The seal of a beginning: over the game and every word of the state.
pub(crate) fn seal_start(game: &Game, state: &State) -> u64 {
    let definition = game.definition_hash();
    let head = [definition as u64, (definition >> 64) as u64, state.hash()];
    hash::low_of_words(head.into_iter().chain(state.words().iter().copied()))
}

/// The seal after an event: over the seal before, the event and every word of the state.
pub(crate) fn seal_step(before: u64, event: Event, state: &State) -> u64 {
    let head = [before, event.encode(), state.hash()];
    hash::low_of_words(head.into_iter().chain(state.words().iter().copied()))
}
