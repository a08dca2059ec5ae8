//! Every event that would be accepted, from the same rules that accept it.

use crate::apply::Accepted;
use crate::engine::Engine;
use crate::event::Event;
use crate::game::Game;
use crate::interpret::Found;
use crate::state::State;
use crate::written::Listing;

impl Game {
    /// Every event that [`Game::apply`] accepts in a state as play, each once: by kind of event,
    /// then in the order of the rules, then of the tiles.
    pub fn legal(&self, state: &State) -> Vec<Event> {
        let mut list = Vec::new();
        self.engine().legal(state, &mut list);
        list.into_iter().map(|found| found.event).collect()
    }

    /// How many events are legal.
    pub fn legal_count(&self, state: &State) -> u64 {
        self.engine().count(state)
    }

    /// Every event that [`Game::apply`] accepts beside play, such as to resign.
    pub fn asides(&self, state: &State) -> Vec<Event> {
        let mut engine = self.engine();
        let mut list = Vec::new();
        if !engine.is_decided(state) {
            engine.list(state, Listing::Aside, &mut list);
        }
        list.into_iter().map(|found| found.event).collect()
    }

    /// Whether any event is legal.
    pub fn has_legal(&self, state: &State) -> bool {
        let mut engine = self.engine();
        !engine.stops(state) && engine.can_play(state)
    }

    /// Whether the rules would accept no event even if no ending stopped play.
    pub(crate) fn is_stuck(&self, state: &State) -> bool {
        !self.engine().can_play(state)
    }

    /// The event that happens by itself in a state, because its phase has no other.
    pub fn due(&self, state: &State) -> Option<Event> {
        let mut engine = self.engine();
        if engine.stops(state) {
            return None;
        }
        let phase = engine.active_phase(state)?;
        if !self.leaves[phase.index()].has_otherwise {
            return None;
        }
        let mut list = Vec::new();
        engine.list(state, Listing::Play, &mut list);
        let first = list.first()?;
        self.lists(first.rule, Listing::Otherwise).then_some(first.event)
    }

    /// A walker over the trees of this game: the way to list, count and play many states without
    /// judging any event twice.
    pub fn walker(&self) -> Walker<'_> {
        Walker { engine: self.engine(), list: Vec::new() }
    }
}

/// Walks trees of a game. It keeps what one question needs for the next, and is cheap to make.
pub struct Walker<'g> {
    engine: Engine<'g>,
    list: Vec<Found>,
}

impl<'g> Walker<'g> {
    /// The game.
    pub fn game(&self) -> &'g Game {
        self.engine.game
    }

    /// Lists the events of [`Game::legal`], in the same order, in the place of what a list holds.
    pub fn legal(&mut self, state: &State, into: &mut Vec<Accepted>) {
        self.engine.legal(state, &mut self.list);
        let of = state.hash();
        into.clear();
        into.extend(self.list.iter().map(|&found| Accepted { found, of }));
    }

    /// How many events are legal.
    pub fn count(&mut self, state: &State) -> u64 {
        self.engine.count(state)
    }

    /// An event with the rule that accepts it, if it is accepted.
    pub fn accept(&mut self, state: &State, event: Event) -> Option<Accepted> {
        let (rule, _) = self.engine.attempt(state, event)?;
        Some(Accepted { found: Found { event, rule }, of: state.hash() })
    }

    /// The event at a place, from 0, in the list of [`Game::legal`]. The place is asked for when
    /// it is known how many there are, and only if there is one.
    pub fn pick(&mut self, state: &State, place: impl FnOnce(u64) -> u64) -> Option<Accepted> {
        self.engine.legal(state, &mut self.list);
        if self.list.is_empty() {
            return None;
        }
        let found = *self.list.get(place(self.list.len() as u64) as usize)?;
        Some(Accepted { found, of: state.hash() })
    }

    /// The state after an accepted event, as [`Game::apply`] gives it.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn play(&mut self, state: &State, accepted: Accepted) -> State {
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        let Found { event, rule } = accepted.found;
        let phase = self.engine.active_phase(state);
        let derived =
            phase.is_some_and(|phase| self.engine.preprocessor(state, phase, event).is_some());
        if derived && let Some((_, after)) = self.engine.attempt(state, event) {
            return after;
        }
        let mut after = self.engine.make(state, rule, event);
        self.engine.clear_idle_flags(&mut after);
        after
    }
}
