//! Walking the trees of a game: many questions to many states, without judging any event twice.

mod replay;

pub use replay::Hint;

use crate::apply::Accepted;
use crate::backend::{PLACES, PackedEvent, Purpose, Session};
use crate::chance::Chance;
use crate::engine::{Engine, Stuck};
use crate::event::{Event, Outcome};
use crate::game::Game;
use crate::id::{PlayerId, RuleId, TileId};
use crate::interpret::Found;
use crate::state::State;

impl Game {
    /// A walker over the trees of this game: the way to list, count and play many states without
    /// judging any event twice.
    pub fn walker(&self) -> Walker<'_> {
        Walker { engine: self.engine() }
    }

    /// A walker that goes on with what an earlier one of this game has kept. What one of another
    /// game has kept does not count.
    pub fn walker_with(&self, cache: WalkerCache) -> Walker<'_> {
        let mut walker = self.walker();
        if cache.0.as_ref().is_some_and(|kept| kept.game == self.definition_hash()) {
            self.rooms.keep_cache(std::mem::replace(&mut walker.engine.cache, cache));
        }
        walker
    }

    /// Makes a state the one after an event, by a session that an earlier walker has left, and says
    /// which rule carries it out: no machine is made ready for it. None where there is no such session,
    /// or the event may be refused; the state is then as it was.
    pub(crate) fn play_by_session(&self, state: &mut State, event: Event) -> Option<RuleId> {
        if event.target().is_none() || !self.knows(event) {
            return None;
        }
        let mut cache = self.rooms.take_cache()?;
        let told = cache.attempt(self, state, event).flatten();
        let played = told.map(|(rule, hash)| {
            if !self.follow_into(state, Found { event, rule }, cache.words(), hash) {
                *state = self.engine().make_step(state, rule, event);
            }
            rule
        });
        self.rooms.keep_cache(cache);
        played
    }

    /// Makes a state the one after an event, of which a session has told the position. Says whether it
    /// could: nothing changes where which piece then stands where does not follow from the position.
    fn follow_into(&self, state: &mut State, found: Found, words: &[u64], hash: u128) -> bool {
        let carried = match found.event {
            Event::Move { from, to, .. } | Event::Advance { from, to, .. } => Some((from, to)),
            Event::Put { .. } | Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => None,
        };
        let followed = self.consequences.brings_one[found.rule.index()]
            && self.layout.follow(state.words_mut(), words, carried);
        if followed {
            state.words_mut()[..words.len()].copy_from_slice(words);
            state.hash = hash;
        }
        followed
    }
}

impl WalkerCache {
    /// Whether it keeps nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What a session says of an event that names a target: the rule by which it is legal, if it is,
    /// and the hash of the position after it. Its words are kept.
    fn attempt(
        &mut self,
        game: &Game,
        state: &State,
        event: Event,
    ) -> Option<Option<(RuleId, u128)>> {
        let kept = self.0.as_mut()?;
        let session = kept.session.as_mut()?;
        kept.words.resize(game.layout.tail, 0);
        let word = game.pack(Found { event, rule: RuleId::at(0) });
        let told = session.attempt(state, word, &mut kept.words)?;
        Some(told.map(|(rule, hash)| (RuleId::at(rule), hash)))
    }

    fn words(&self) -> &[u64] {
        self.0.as_ref().map_or(&[], |kept| &kept.words)
    }
}

/// After this many questions a walker asks for a session of the game's backend.
const FEW: u32 = 500;

/// After this many games at random it asks for one that plays them.
const FEW_GAMES: u32 = 8;

/// Every so many questions before that it asks whether somebody else has prepared one.
const CHECK: u32 = 16;

/// Walks trees of a game. It keeps what one question needs for the next, and is cheap to make.
pub struct Walker<'g> {
    engine: Engine<'g>,
}

/// A position that is played on together with others.
pub struct Advance<'a> {
    /// The position before the event, then the one after it.
    pub state: &'a mut State,
    /// What is played: one of the legal events of the position.
    pub event: PackedEvent,
    /// Gets what is legal then.
    pub legal: &'a mut Vec<PackedEvent>,
    /// Gets how the game has ended, if it has.
    pub outcome: &'a mut Option<Outcome>,
}

/// What a walker keeps from one question to the next. It borrows nothing, so that whoever cannot
/// hold a walker for long can hold this.
#[derive(Default)]
pub struct WalkerCache(Option<Box<Kept>>);

#[derive(Default)]
struct Kept {
    /// The definition hash of the game.
    game: u128,
    list: Vec<Found>,
    onto: Vec<Accepted>,
    session: Option<Box<dyn Session>>,
    asked: u32,
    /// The same for random play.
    player: Option<Box<dyn Session>>,
    played: u32,
    packed: Vec<PackedEvent>,
    /// The last position of a game played at random, whose memory the next one uses.
    last: Option<Box<State>>,
    words: Vec<u64>,
    hints: Vec<u64>,
    log: Vec<u64>,
}

/// How a game that was played at random ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// How many events were played.
    pub events: usize,
    /// How it ended; none when the limit came first, or nobody could go on.
    pub outcome: Option<Outcome>,
    /// The last position of a game without an outcome; which piece stands where is not kept.
    pub unfinished: Option<Box<State>>,
}

impl<'g> Walker<'g> {
    /// Tells the positions before the states it is asked about, by their hashes. Only games that
    /// [look back](Game::looks_back) ask for them.
    pub fn remember(&mut self, past: &[u64]) {
        self.engine.remember(past);
    }

    /// Adds a position to those before the states it is asked about.
    pub fn push_past(&mut self, state: &State) {
        self.engine.push_past(state);
    }

    /// Takes the last position back that was added.
    pub fn pop_past(&mut self) {
        self.engine.pop_past();
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.engine.game
    }

    #[inline]
    fn kept(&mut self) -> &mut Kept {
        let game = self.engine.game;
        let fresh = || Box::new(Kept { game: game.definition_hash(), ..Kept::default() });
        self.engine.cache.0.get_or_insert_with(fresh)
    }

    /// What it keeps, for a later walker.
    pub fn into_cache(mut self) -> WalkerCache {
        std::mem::take(&mut self.engine.cache)
    }

    /// The answer of [`Game::outcome`], with the positions that it was told.
    pub fn outcome(&mut self, state: &State) -> Option<Outcome> {
        self.game().owns(state).then(|| self.engine.outcome(state, Stuck::Ask))?
    }

    /// The answer of [`Game::outcome_with_events`].
    pub fn outcome_with_events(&mut self, state: &State) -> Option<Outcome> {
        self.game().owns(state).then(|| self.engine.outcome(state, Stuck::AssumeNot))?
    }

    /// Lists the events of [`Game::legal`], in the same order, in the place of what a list holds.
    pub fn legal(&mut self, state: &State, into: &mut Vec<Accepted>) {
        into.clear();
        let (game, of) = (self.game(), state.hash());
        if !game.owns(state) {
            return;
        }
        let mut packed = std::mem::take(&mut self.kept().packed);
        match self.session().and_then(|session| session.legal(state, &mut packed)) {
            Some(()) => {
                into.extend(packed.iter().map(|&word| Accepted { found: game.unpack(word), of }));
            }
            None => {
                let mut list = std::mem::take(&mut self.kept().list);
                list.clear();
                self.engine.legal(state, &mut list);
                into.extend(list.iter().map(|&found| Accepted { found, of }));
                self.kept().list = list;
            }
        }
        self.kept().packed = packed;
    }

    /// The same as packed events.
    pub fn legal_packed(&mut self, state: &State, into: &mut Vec<PackedEvent>) {
        into.clear();
        let game = self.game();
        if !game.owns(state) {
            return;
        }
        if self.session().and_then(|session| session.legal(state, into)).is_none() {
            let mut list = std::mem::take(&mut self.kept().list);
            list.clear();
            self.engine.legal(state, &mut list);
            into.clear();
            into.extend(list.iter().map(|&found| game.pack(found)));
            self.kept().list = list;
        }
    }

    fn list(&mut self, state: &State) {
        let game = self.game();
        let mut list = std::mem::take(&mut self.kept().list);
        let mut packed = std::mem::take(&mut self.kept().packed);
        list.clear();
        if game.owns(state) {
            match self.session().and_then(|session| session.legal(state, &mut packed)) {
                Some(()) => list.extend(packed.iter().map(|&word| game.unpack(word))),
                None => self.engine.legal(state, &mut list),
            }
        }
        let kept = self.kept();
        (kept.list, kept.packed) = (list, packed);
    }

    /// Lists those events of [`Walker::legal`] whose target is a tile, in the same order.
    pub fn legal_onto(&mut self, state: &State, tile: TileId, into: &mut Vec<Accepted>) {
        into.clear();
        if !self.game().owns(state) {
            return;
        }
        let (game, of) = (self.game(), state.hash());
        let onto = |found: &Found| found.event.target() == Some(tile);
        let accepted = |found: Found| Accepted { found, of };
        let mut packed = std::mem::take(&mut self.kept().packed);
        match self.session().and_then(|session| session.legal_onto(state, tile, &mut packed)) {
            Some(()) => {
                let found = packed.iter().map(|&word| game.unpack(word));
                into.extend(found.filter(onto).map(accepted));
            }
            None => {
                self.list(state);
                into.extend(self.kept().list.iter().copied().filter(onto).map(accepted));
            }
        }
        self.kept().packed = packed;
    }

    /// The session of the game's backend, once enough was asked that one is worth its preparation.
    fn session(&mut self) -> Option<&mut dyn Session> {
        let (game, asked) = (self.game(), self.kept().asked);
        if asked < FEW {
            let ready = asked.is_multiple_of(CHECK) && self.is_ready(Purpose::Play);
            let kept = self.kept();
            kept.asked = if ready { FEW } else { asked + 1 };
            if kept.asked == FEW {
                kept.session = game.session(Purpose::Play);
            }
        }
        Some(&mut **self.kept().session.as_mut()?)
    }

    /// The session that plays at random, once enough games were asked for.
    fn player(&mut self) -> Option<&mut dyn Session> {
        let (game, played) = (self.game(), self.kept().played);
        if played < FEW_GAMES {
            let ready = self.is_ready(Purpose::Random);
            let kept = self.kept();
            kept.played = if ready { FEW_GAMES } else { played + 1 };
            if kept.played == FEW_GAMES {
                kept.player = game.session(Purpose::Random);
            }
        }
        Some(&mut **self.kept().player.as_mut()?)
    }

    fn is_ready(&self, purpose: Purpose) -> bool {
        let game = self.engine.game;
        game.backend().is_some_and(|backend| backend.is_ready(game, purpose))
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
        let mut after = state.clone();
        self.go(&mut after, accepted);
        after
    }

    /// Makes a state the position after an accepted event, as [`Walker::follow`] gives it.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    fn go(&mut self, state: &mut State, accepted: Accepted) {
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        self.go_packed(state, self.game().pack(accepted.found));
    }

    /// Makes a state the position after one of its legal events, as [`Walker::follow`] gives it.
    ///
    /// # Panics
    /// Perhaps, where the event is not legal.
    pub fn go_packed(&mut self, state: &mut State, event: PackedEvent) {
        let game = self.game();
        let mut words = std::mem::take(&mut self.kept().words);
        words.resize(game.layout.tail, 0);
        match self.session().and_then(|session| session.play(state, event, &mut words)) {
            Some(hash) => {
                state.words_mut()[..words.len()].copy_from_slice(&words);
                state.hash = hash;
            }
            None => *state = self.play_by_engine(state, game.unpack(event)),
        }
        self.kept().words = words;
    }

    /// Plays a legal event in each of many positions, as [`Walker::follow`] does, lists what is legal
    /// then, as [`Walker::legal`] does, and says how the game has ended. `of` gives the parts of an item;
    /// an item that gives none stays as it is.
    ///
    /// # Panics
    /// Perhaps, where an event is not legal.
    pub fn advance<T>(&mut self, items: &mut [T], of: impl Fn(&mut T) -> Option<Advance<'_>>) {
        let mut rest = &mut *items;
        while !rest.is_empty() {
            let done = self.advance_together(rest, &of).unwrap_or_else(|| {
                if let Some(one) = of(&mut rest[0]) {
                    self.go_packed(one.state, one.event);
                    self.legal_packed(one.state, one.legal);
                    *one.outcome = match one.legal.is_empty() {
                        true => self.engine.outcome(one.state, Stuck::Ask),
                        false => self.engine.outcome(one.state, Stuck::AssumeNot),
                    };
                }
                1
            });
            rest = &mut rest[done..];
        }
    }

    /// Advances some of the first items together, and says how many.
    fn advance_together<T>(
        &mut self,
        items: &mut [T],
        of: &impl Fn(&mut T) -> Option<Advance<'_>>,
    ) -> Option<usize> {
        let game = self.game();
        let session = self.session()?;
        let (mut seen, mut placed) = (0, 0);
        for item in items.iter_mut() {
            if let Some(one) = of(item) {
                if placed == PLACES {
                    break;
                }
                session.place(placed, one.state, one.event)?;
                placed += 1;
            }
            seen += 1;
        }
        if placed == 0 {
            return Some(seen);
        }
        let advanced = session.advance(placed)?;
        let mut at = 0;
        for (number, item) in items[..seen].iter_mut().enumerate() {
            let Some(one) = of(item) else { continue };
            if at == advanced {
                return Some(number);
            }
            let words = &mut one.state.words_mut()[..game.layout.tail];
            let after = self.session().and_then(|session| session.placed(at, words, one.legal));
            let Some((hash, ending)) = after else { return (number > 0).then_some(number) };
            one.state.hash = hash;
            *one.outcome = ending.map(|(ending, player)| {
                game.outcome_of(&mut self.engine, one.state, (ending, PlayerId::at(player)))
            });
            at += 1;
        }
        Some(seen)
    }

    /// Plays at random until the game is over or this many events were played, as
    /// [`Session::playout`] says. None where the backend cannot do so, or little was asked before; the
    /// source is then as it was.
    pub fn play_out(&mut self, state: &State, source: &mut [u64; 4], limit: u32) -> Option<Finish> {
        let game = self.game();
        if !game.owns(state) || game.looks_back {
            return None;
        }
        self.player()?;
        let mut last = match self.kept().last.take() {
            Some(mut last) => {
                last.words_mut().copy_from_slice(state.words());
                last
            }
            None => Box::new(state.clone()),
        };
        let player = self.kept().player.as_mut()?;
        let played = player.playout(&mut last.words_mut()[..game.layout.tail], source, limit)?;
        let events = played.events as usize;
        let Some((ending, player)) = played.ending else {
            last.hash = game.full_hash(&last);
            return Some(Finish { events, outcome: None, unfinished: Some(last) });
        };
        let ending = (ending, PlayerId::at(player));
        let outcome = game.outcome_of(&mut self.engine, &last, ending);
        self.kept().last = Some(last);
        Some(Finish { events, outcome: Some(outcome), unfinished: None })
    }

    /// An event with the rule that accepts it, if it is accepted.
    pub fn accept(&mut self, state: &State, event: Event) -> Option<Accepted> {
        if !self.game().owns(state) {
            return None;
        }
        if let (Some(tile), true) = (event.target(), self.session().is_some()) {
            let mut onto = std::mem::take(&mut self.kept().onto);
            self.legal_onto(state, tile, &mut onto);
            let accepted = onto.iter().find(|accepted| accepted.event() == event).copied();
            self.kept().onto = onto;
            if accepted.is_some() || self.game().plays_all(event.kind()) {
                return accepted;
            }
        }
        let (rule, _) = self.engine.attempt(state, event)?;
        Some(Accepted { found: Found { event, rule }, of: state.hash() })
    }

    /// The rule that carries an event out and the state after it, as [`Game::apply`] gives them.
    pub(crate) fn attempt(&mut self, state: &State, event: Event) -> Option<(RuleId, State)> {
        if self.session().is_none() {
            return self.engine.attempt(state, event);
        }
        let accepted = self.accept(state, event)?;
        Some((accepted.rule(), self.play(state, accepted)))
    }

    /// The event at a place, from 0, in the list of [`Game::legal`]. The place is asked for when
    /// it is known how many there are, and only if there is one.
    pub fn pick(&mut self, state: &State, place: impl FnOnce(u64) -> u64) -> Option<Accepted> {
        self.list(state);
        let list = &self.kept().list;
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
        let mut after = state.clone();
        self.play_on(&mut after, accepted);
        after
    }

    /// Makes a state the one after an accepted event, as [`Walker::play`] gives it.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn play_on(&mut self, state: &mut State, accepted: Accepted) {
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        if !self.play_by_session(state, accepted.found) {
            *state = self.play_by_engine(state, accepted.found);
        }
    }

    /// Makes a state the one after an accepted event by a session, if there is one that can.
    fn play_by_session(&mut self, state: &mut State, found: Found) -> bool {
        let game = self.game();
        let Some(kept) = self.engine.cache.0.as_mut() else { return false };
        let Some(session) =
            kept.session.as_mut().filter(|_| game.consequences.brings_one[found.rule.index()])
        else {
            return false;
        };
        kept.words.resize(game.layout.tail, 0);
        let hash = session.play(state, game.pack(found), &mut kept.words);
        hash.is_some_and(|hash| game.follow_into(state, found, &kept.words, hash))
    }

    fn play_by_engine(&mut self, state: &State, Found { event, rule }: Found) -> State {
        let derived = self.game().has_preprocessors && {
            let phase = self.engine.active_phase(state);
            phase.is_some_and(|phase| self.engine.preprocessor(state, phase, event).is_some())
        };
        if derived && let Some((_, after)) = self.engine.attempt(state, event) {
            return after;
        }
        self.engine.make_step(state, rule, event)
    }
}
