//! Every event that would be accepted, from the same rules that accept it.

use crate::apply::Accepted;
use crate::backend::{PackedEvent, Purpose, Session};
use crate::chance::Chance;
use crate::engine::{Engine, Stuck};
use crate::event::{Event, Outcome};
use crate::game::Game;
use crate::interpret::Found;
use crate::state::State;
use crate::written::Listing;

impl Game {
    /// Every event that [`Game::apply`] accepts in a state as play, each once: by kind of event,
    /// then in the order of the rules, then of the tiles.
    pub fn legal(&self, state: &State) -> Vec<Event> {
        let mut list = Vec::new();
        if let Some(mut engine) = self.engine_for(state) {
            engine.legal(state, &mut list);
        }
        list.into_iter().map(|found| found.event).collect()
    }

    /// The same where the positions before this one are known, by their hashes: rules may ask
    /// whether a position has come up before.
    pub fn legal_after(&self, past: &[u64], state: &State) -> Vec<Event> {
        let mut list = Vec::new();
        self.engine_after(past).legal(state, &mut list);
        list.into_iter().map(|found| found.event).collect()
    }

    /// Whether rules or endings ask what came before, so that the positions before count.
    pub fn looks_back(&self) -> bool {
        self.looks_back
    }

    /// How many events are legal.
    pub fn legal_count(&self, state: &State) -> u64 {
        self.engine_for(state).map_or(0, |mut engine| engine.count(state))
    }

    /// Every event that [`Game::apply`] accepts beside play, such as to resign.
    pub fn asides(&self, state: &State) -> Vec<Event> {
        let Some(mut engine) = self.engine_for(state) else { return Vec::new() };
        let mut list = Vec::new();
        if !engine.is_decided(state) {
            engine.list(state, Listing::Aside, &mut list);
        }
        list.into_iter().map(|found| found.event).collect()
    }

    /// Whether any event is legal.
    pub fn has_legal(&self, state: &State) -> bool {
        let engine = self.engine_for(state);
        engine.is_some_and(|mut engine| !engine.stops(state) && engine.can_play(state))
    }

    /// Whether the rules would accept no event even if no ending stopped play.
    pub(crate) fn is_stuck(&self, state: &State, past: &[u64]) -> bool {
        !self.engine_after(past).can_play(state)
    }

    /// The same, asked by a rule: that a player is stuck counts as true in what is asked here.
    pub(crate) fn is_stuck_in_rule(&self, state: &State, past: &[u64]) -> bool {
        let mut engine = self.engine_after(past);
        engine.assume_stuck();
        !engine.can_play(state)
    }

    /// The event that happens by itself in a state, because its phase has no other.
    pub fn due(&self, state: &State) -> Option<Event> {
        let mut engine = self.engine_for(state)?;
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
        self.walker_with(WalkerCache::default())
    }

    /// A walker that goes on with what an earlier one of this game has kept. What one of another
    /// game has kept does not count.
    pub fn walker_with(&self, cache: WalkerCache) -> Walker<'_> {
        let own = self.definition_hash();
        let cache = if cache.game == own { cache } else { WalkerCache::default() };
        Walker { engine: self.engine(), cache: WalkerCache { game: own, ..cache } }
    }
}

/// After this many questions a walker asks for a session of the game's backend.
const FEW: u32 = 500;

/// Walks trees of a game. It keeps what one question needs for the next, and is cheap to make.
pub struct Walker<'g> {
    engine: Engine<'g>,
    cache: WalkerCache,
}

/// What a walker keeps from one question to the next. It borrows nothing, so that whoever cannot
/// hold a walker for long can hold this.
#[derive(Default)]
pub struct WalkerCache {
    /// The definition hash of the game.
    game: u128,
    list: Vec<Found>,
    session: Option<Box<dyn Session>>,
    asked: u32,
    packed: Vec<PackedEvent>,
    words: Vec<u64>,
}

impl<'g> Walker<'g> {
    /// Tells the positions before the states it is asked about, by their hashes.
    pub fn remember(&mut self, past: &[u64]) {
        self.engine.remember(past);
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.engine.game
    }

    /// What it keeps, for a later walker.
    pub fn into_cache(self) -> WalkerCache {
        self.cache
    }

    /// The answer of [`Game::outcome_with_events`].
    pub fn outcome_with_events(&mut self, state: &State) -> Option<Outcome> {
        self.game().owns(state).then(|| self.engine.outcome(state, Stuck::AssumeNot))?
    }

    /// Lists the events of [`Game::legal`], in the same order, in the place of what a list holds.
    pub fn legal(&mut self, state: &State, into: &mut Vec<Accepted>) {
        self.list(state);
        let of = state.hash();
        into.clear();
        into.extend(self.cache.list.iter().map(|&found| Accepted { found, of }));
    }

    fn list(&mut self, state: &State) {
        self.cache.list.clear();
        if !self.game().owns(state) {
            return;
        }
        let (game, mut packed) = (self.game(), std::mem::take(&mut self.cache.packed));
        match self.session().and_then(|session| session.legal(state, &mut packed)) {
            Some(()) => self.cache.list.extend(packed.iter().map(|&word| game.unpack(word))),
            None => self.engine.legal(state, &mut self.cache.list),
        }
        self.cache.packed = packed;
    }

    /// The session of the game's backend, once enough was asked that one is worth its preparation.
    fn session(&mut self) -> Option<&mut dyn Session> {
        let ready = self.cache.asked == 0 && self.is_ready();
        let cache = &mut self.cache;
        if cache.asked <= FEW {
            cache.asked = if ready { FEW } else { cache.asked + 1 };
            if cache.asked == FEW {
                cache.session = self.engine.game.session(Purpose::Play);
            }
        }
        Some(&mut **cache.session.as_mut()?)
    }

    fn is_ready(&self) -> bool {
        let game = self.engine.game;
        game.backend().is_some_and(|backend| backend.is_ready(game, Purpose::Play))
    }

    /// The answer of [`Game::chances`].
    pub fn chances(&mut self, state: &State) -> Vec<Chance> {
        let game = self.game();
        if game.chance_count() == 0 || !game.owns(state) {
            return Vec::new();
        }
        game.chances_by(&mut self.engine, state)
    }

    /// How many events are legal.
    pub fn count(&mut self, state: &State) -> u64 {
        if !self.game().owns(state) {
            return 0;
        }
        let count = self.session().and_then(|session| session.count(state));
        count.unwrap_or_else(|| self.engine.count(state))
    }

    /// The position after an accepted event. Which piece stands where is not kept: a search does
    /// not ask.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn follow(&mut self, state: &State, accepted: Accepted) -> State {
        let game = self.game();
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        let Some(session) = self.session() else { return self.play(state, accepted) };
        let (mut after, words) = (state.clone(), game.layout.tail);
        let event = game.pack(accepted.found);
        match session.play(state, event, &mut after.words_mut()[..words]) {
            Some(hash) => after.hash = hash,
            None => return self.play(state, accepted),
        }
        after
    }

    /// Plays an accepted event in a state, as [`Walker::follow`] does, and lists what is legal then, as
    /// [`Walker::legal`] does.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn advance(&mut self, state: &mut State, accepted: Accepted, legal: &mut Vec<Accepted>) {
        let game = self.game();
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        let mut packed = std::mem::take(&mut self.cache.packed);
        let mut words = std::mem::take(&mut self.cache.words);
        words.resize(game.layout.tail, 0);
        let event = game.pack(accepted.found);
        let played = self
            .session()
            .and_then(|session| session.play_and_list(state, event, &mut words, &mut packed));
        match played {
            Some(hash) => {
                state.words_mut()[..words.len()].copy_from_slice(&words);
                state.hash = hash;
                let of = state.hash();
                legal.clear();
                legal.extend(packed.iter().map(|&word| Accepted { found: game.unpack(word), of }));
            }
            None => {
                *state = self.follow(state, accepted);
                self.legal(state, legal);
            }
        }
        (self.cache.packed, self.cache.words) = (packed, words);
    }

    /// Plays at random until the game is over or this many events were played, as
    /// [`Session::playout`] says: how many events, and the last position, which does not keep which
    /// piece stands where. None where the backend cannot do so, or little was asked before; the source
    /// is then as it was.
    pub fn play_out(
        &mut self,
        state: &State,
        source: &mut [u64; 4],
        limit: u32,
    ) -> Option<(u32, State)> {
        let game = self.game();
        if !game.owns(state) || game.looks_back {
            return None;
        }
        // A game is many questions.
        if (1..FEW).contains(&self.cache.asked) {
            self.cache.asked = (self.cache.asked + FEW / 8).min(FEW - 1);
        }
        let (mut after, mut words) = (state.clone(), *source);
        let tree = &mut after.words_mut()[..game.layout.tail];
        let (played, hash) = self.session()?.playout(state, &mut words, limit, tree)?;
        (*source, after.hash) = (words, hash);
        Some((played, after))
    }

    /// An event with the rule that accepts it, if it is accepted.
    pub fn accept(&mut self, state: &State, event: Event) -> Option<Accepted> {
        if !self.game().owns(state) {
            return None;
        }
        let (rule, _) = self.engine.attempt(state, event)?;
        Some(Accepted { found: Found { event, rule }, of: state.hash() })
    }

    /// The event at a place, from 0, in the list of [`Game::legal`]. The place is asked for when
    /// it is known how many there are, and only if there is one.
    pub fn pick(&mut self, state: &State, place: impl FnOnce(u64) -> u64) -> Option<Accepted> {
        self.list(state);
        let list = &self.cache.list;
        if list.is_empty() {
            return None;
        }
        let found = *list.get(place(list.len() as u64) as usize)?;
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
        self.engine.make_step(state, rule, event)
    }
}
