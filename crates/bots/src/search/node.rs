//! One thread's walk through the tree.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use senet_core::{Accepted, Event, Outcome, PlayerId, State, Walker};

use super::order::{History, Order};
use super::{INFINITE, MAX_PLY, PROVEN, Search, Shared, worth_of};
use crate::bot::{Limit, Moment, Thought};
use crate::evaluation::WIN;
use crate::table::{Bound, Entry, NO_MOVE};

/// A turn of more events than this counts as more than one turn of depth.
const LONG_TURN: u32 = 8;

/// How many positions are searched between two calls of the caller's stop function.
const ASK_EVERY: u64 = 256;

/// A window of values, from the side to move.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// Where in the tree a position stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) depth: u32,
    pub(super) ply: usize,
    /// How many events the player to move has played in a row.
    streak: u32,
}

/// One thread's walk through the tree.
pub(crate) struct Walk<'w> {
    pub(super) search: &'w Search,
    pub(super) walker: Walker<'w>,
    pub(crate) limit: &'w Limit<'w>,
    shared: Arc<Shared>,
    roots: Vec<Accepted>,
    root: State,
    pub(crate) helper: usize,
    /// Who plays on the side of the player to move at the root.
    pub(super) ours: Vec<bool>,
    root_player: usize,
    /// The positions before the one looked at, those of the match first.
    path: Vec<u128>,
    pub(super) nodes: u64,
    told: u64,
    /// How many positions were judged by their looks, or by a value that was.
    pub(super) guesses: u64,
    pub(super) history: History,
    /// The line expected from each ply.
    lines: Vec<Vec<Event>>,
    /// Mixed into hashes where values depend on who asks.
    salt: u128,
    /// Up to this ply an attacked royal piece has its replies searched a turn deeper.
    extended: usize,
    /// Whether every legal event is tried at the root.
    whole: bool,
    halted: bool,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(
        search: &'w Search,
        moment: &Moment<'_>,
        limit: &'w Limit<'w>,
        roots: &[Event],
        (shared, helper): (Arc<Shared>, usize),
    ) -> Walk<'w> {
        let past = moment.asked(&search.game);
        let mut walker = search.game.after(&past).walker();
        let mut legal = Vec::new();
        walker.legal(moment.state, &mut legal);
        let all = legal.len();
        legal.retain(|one| roots.contains(&one.event()));
        let root_player = search.game.view(moment.state).player().index();
        let friends = search.traits.friends[root_player];
        let ours = (0..search.traits.friends.len()).map(|index| friends >> index & 1 == 1);
        Walk {
            search,
            walker,
            limit,
            shared,
            whole: legal.len() == all,
            roots: legal,
            root: moment.state.clone(),
            helper,
            ours: ours.collect(),
            root_player,
            path: moment.past.to_vec(),
            nodes: 0,
            told: 0,
            guesses: 0,
            history: History::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            salt: if search.traits.crowd { u128::from(friends) << 32 } else { 0 },
            extended: 0,
            halted: false,
        }
    }

    /// Whether the search is to end now.
    pub(crate) fn halted(&self) -> bool {
        self.halted
    }

    /// Adds what was counted to what all threads counted.
    pub(crate) fn account(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Searches the root to a depth, first near the value that is expected.
    pub(crate) fn iterate(&mut self, depth: u32, expected: Option<i32>) -> Option<Thought> {
        let near = expected.filter(|value| depth > 3 && value.abs() < WIN / 2);
        let near = near.filter(|_| !self.search.traits.dice);
        let mut window = near.map_or(Window { alpha: -INFINITE, beta: INFINITE }, |value| Window {
            alpha: value - 40,
            beta: value + 40,
        });
        self.extended = 2 * depth as usize;
        let mut best = None;
        loop {
            let guesses = self.guesses;
            self.lines[0].clear();
            let value = self.search_root(depth, window);
            let exact = self.guesses == guesses && self.whole;
            if let Some(&event) = self.lines[0].first() {
                let line = self.lines[0].clone();
                best = Some(Thought { event, value, depth, nodes: self.count(), line, exact });
            }
            if self.halted {
                return best;
            }
            window = match value {
                low if low <= window.alpha => Window { alpha: -INFINITE, ..window },
                high if high >= window.beta => Window { beta: INFINITE, ..window },
                _ => return best,
            };
        }
    }

    /// How many positions all threads looked at, as far as this one knows.
    fn count(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.told
    }

    fn search_root(&mut self, depth: u32, window: Window) -> i32 {
        let (events, root) = (self.roots.clone(), self.root.clone());
        self.visit_all(&root, &events, Place { depth, ply: 0, streak: 0 }, window)
    }

    /// Counts a position; whether the search is to end.
    pub(super) fn enter(&mut self) -> bool {
        self.nodes += 1;
        let asks = self.nodes.is_multiple_of(ASK_EVERY);
        if asks && self.helper > 0 {
            self.account();
        }
        let spent = self.limit.nodes.is_some_and(|most| self.count() > most);
        let told = || self.shared.halted.load(Ordering::Relaxed) || (self.limit.stop)();
        if spent || asks && told() {
            self.halted = true;
            self.shared.halted.store(true, Ordering::Relaxed);
        }
        self.halted
    }

    pub(super) fn is_ours(&self, player: PlayerId) -> bool {
        self.ours[player.index()]
    }

    /// What a position looks to be worth to the player to move.
    pub(super) fn look(&mut self, state: &State) -> i32 {
        self.guesses += 1;
        self.glance(state)
    }

    /// The same where nothing comes of it yet.
    fn glance(&self, state: &State) -> i32 {
        let value = self.search.look(state, &self.ours);
        if self.is_ours(self.search.game.view(state).player()) { value } else { -value }
    }

    /// What an outcome is worth to the player to move.
    pub(super) fn settle(&self, state: &State, outcome: Option<&Outcome>, ply: usize) -> i32 {
        let value = outcome.map_or(0, |outcome| worth_of(&outcome.scores, self.root_player, ply));
        if self.is_ours(self.search.game.view(state).player()) { value } else { -value }
    }

    /// The value of a position to the player to move.
    fn visit(&mut self, state: &State, place: Place, window: Window) -> i32 {
        self.lines[place.ply].clear();
        let game = &*self.search.game;
        if self.search.traits.dice && game.awaits_chance(state) {
            return self.average(state, place);
        }
        if place.depth == 0 || place.ply >= MAX_PLY {
            return self.calm(state, place.ply, window);
        }
        if self.enter() {
            return 0;
        }
        if self.repeats(state) {
            self.guesses += 1;
            return 0;
        }
        let hash = state.hash128() ^ self.salt;
        let known = self.search.table.get(hash);
        if let Some(value) = known.and_then(|entry| self.usable(entry, place, window)) {
            return value;
        }
        let mut events = Vec::new();
        self.walker.legal(state, &mut events);
        if events.is_empty() {
            let outcome = self.walker.outcome(state);
            return self.settle(state, outcome.as_ref(), place.ply);
        }
        if self.search.traits.open_endings
            && let Some(outcome) = self.walker.outcome(state)
        {
            return self.settle(state, Some(&outcome), place.ply);
        }
        self.visit_all(state, &events, place, window)
    }

    /// Searches every event of a position and remembers what came of it.
    fn visit_all(
        &mut self,
        state: &State,
        events: &[Accepted],
        mut place: Place,
        mut window: Window,
    ) -> i32 {
        let hash = state.hash128() ^ self.salt;
        let known = self.search.table.get(hash);
        let checked = self.is_checked(state);
        if checked && place.ply > 0 && place.ply < self.extended {
            place.depth += 1;
        }
        if let Some(value) = self.is_hopeless(state, checked, place, window) {
            return value;
        }
        let guesses = self.guesses;
        // The table does not know what came before, which may decide what is legal.
        self.guesses += u64::from(self.search.game.looks_back());
        let known = known.map(|entry| entry.best);
        let mut order = Order::new(self, state, events, known, place.ply);
        let (floor, mut best, mut best_at) = (window.alpha, -INFINITE, NO_MOVE);
        let mut tried = 0;
        self.path.push(state.hash128());
        self.walker.push_past(state);
        while let Some((at, quiet)) = order.next() {
            let event = events[at].event();
            let after = self.walker.follow(state, events[at]);
            let reduction = self.reduction(tried, quiet && !checked, place);
            let value = self.descend((state, &after), place, window, (tried, reduction));
            if self.halted {
                break;
            }
            tried += 1;
            if value > best {
                (best, best_at) = (value, at as u16);
                if value > window.alpha {
                    window.alpha = value;
                    self.extend_line(place.ply, event);
                }
                if value >= window.beta {
                    self.history.cut(event, quiet, place.ply, place.depth);
                    break;
                }
            }
        }
        self.path.pop();
        self.walker.pop_past();
        if self.halted || place.ply == 0 && !self.whole {
            return best;
        }
        let bound = match best {
            low if low <= floor => Bound::Upper,
            high if high >= window.beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let depth = if self.guesses == guesses { PROVEN } else { place.depth.min(250) as u8 };
        let value = from_here(best, place.ply);
        self.search.table.put(hash, Entry { value, depth, bound, best: best_at });
        best
    }

    /// The value of a position after an event, to the player who played it.
    fn descend(
        &mut self,
        (state, after): (&State, &State),
        place: Place,
        window: Window,
        (tried, reduction): (usize, u32),
    ) -> i32 {
        let game = &*self.search.game;
        let (mover, next) = (game.view(state).player(), game.view(after).player());
        let (passes, same) = (mover != next, self.is_ours(mover) == self.is_ours(next));
        let streak = if passes { 0 } else { place.streak + 1 };
        let spent = u32::from(passes || streak > LONG_TURN);
        let below = |depth: u32| Place { depth, ply: place.ply + 1, streak };
        let full = place.depth.saturating_sub(spent);
        let Window { alpha, beta } = window;
        let go = |walk: &mut Self, depth: u32, alpha: i32, beta: i32| match same {
            true => walk.visit(after, below(depth), Window { alpha, beta }),
            false => -walk.visit(after, below(depth), Window { alpha: -beta, beta: -alpha }),
        };
        // Averages are never cut, so a narrow window would only search chance twice.
        if tried == 0 || self.search.traits.dice {
            return go(self, full, alpha, beta);
        }
        let mut value = go(self, full.saturating_sub(reduction), alpha, alpha + 1);
        if reduction > 0 && value > alpha && !self.halted {
            value = go(self, full, alpha, alpha + 1);
        }
        if value > alpha && value < beta && !self.halted {
            value = go(self, full, alpha, beta);
        }
        value
    }

    /// How much less deep a late, quiet event is searched at first.
    fn reduction(&self, tried: usize, quiet: bool, place: Place) -> u32 {
        if self.search.traits.dice || !quiet || tried < 4 || place.depth < 3 {
            return 0;
        }
        1 + u32::from(tried >= 12 && place.depth >= 5) + u32::from(tried >= 24 && place.depth >= 7)
    }

    /// A value high enough to end here, where looks say that no reply will bring it down.
    fn is_hopeless(
        &mut self,
        state: &State,
        checked: bool,
        place: Place,
        window: Window,
    ) -> Option<i32> {
        let narrow = window.beta - window.alpha == 1 && window.beta.abs() < WIN / 2;
        let traits = &self.search.traits;
        if !narrow || checked || place.ply == 0 || place.depth > 3 || traits.dice || !traits.weighed
        {
            return None;
        }
        let value = self.glance(state);
        let hopeless = value - 120 * place.depth as i32 >= window.beta;
        self.guesses += u64::from(hopeless);
        hopeless.then_some(value)
    }

    /// The mean over what chance may give.
    fn average(&mut self, state: &State, place: Place) -> i32 {
        let game = &*self.search.game;
        if place.depth == 0 || place.ply >= MAX_PLY {
            if self.enter() {
                return 0;
            }
            return self.look(state);
        }
        if self.enter() {
            return 0;
        }
        let hash = state.hash128() ^ self.salt;
        let window = Window { alpha: -INFINITE, beta: INFINITE };
        let known = self.search.table.get(hash);
        if let Some(value) = known.and_then(|entry| self.usable(entry, place, window)) {
            return value;
        }
        let guesses = self.guesses;
        let ours = self.is_ours(game.view(state).player());
        let (mut sum, mut total) = (0i64, 1);
        for chance in game.chances(state) {
            let Some(accepted) = self.walker.accept(state, chance.event) else { continue };
            let after = self.walker.follow(state, accepted);
            let below = Place { ply: place.ply + 1, ..place };
            self.walker.push_past(state);
            let value = self.visit(&after, below, window);
            self.walker.pop_past();
            if self.halted {
                return 0;
            }
            let next = self.is_ours(game.view(&after).player());
            let value = i64::from(if next == ours { value } else { -value });
            sum += value * chance.probability.weight as i64;
            total = chance.probability.total as i64;
        }
        self.lines[place.ply].clear();
        let value = (sum / total) as i32;
        let depth = if self.guesses == guesses { PROVEN } else { place.depth.min(250) as u8 };
        let entry = Entry { value, depth, bound: Bound::Exact, best: NO_MOVE };
        self.search.table.put(hash, entry);
        value
    }

    /// What a known value says of a position, if it is deep enough and says enough.
    fn usable(&mut self, entry: Entry, place: Place, window: Window) -> Option<i32> {
        if u32::from(entry.depth) < place.depth {
            return None;
        }
        let value = to_here(entry.value, place.ply);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        // On the way to the root, the line is searched anew, so that it is whole.
        let wide = window.beta - window.alpha > 1 && !self.search.traits.dice && place.ply < 4;
        let wanted = enough && !(wide && entry.depth != PROVEN);
        self.guesses += u64::from(wanted && entry.depth != PROVEN);
        wanted.then_some(value)
    }

    /// Whether a position occurred before, where the game counts that.
    fn repeats(&self, state: &State) -> bool {
        let Some(within) = self.search.traits.reversible else { return false };
        let view = self.search.game.view(state);
        let back = view.variable(within, view.player()).max(0) as usize;
        let hash = state.hash128();
        self.path.iter().rev().take(back).any(|past| *past == hash)
    }

    /// Whether a royal piece of the player to move is attacked.
    pub(super) fn is_checked(&self, state: &State) -> bool {
        let Search { game, traits, .. } = self.search;
        traits.royal && !game.threatened_royals(state, game.view(state).player()).is_empty()
    }

    fn extend_line(&mut self, ply: usize, event: Event) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(event);
        line.extend_from_slice(&below[0]);
    }
}

/// A value as remembered: a won game counted from the position, not from the root.
fn from_here(value: i32, ply: usize) -> i32 {
    value + shift(value, ply)
}

/// A remembered value counted from the root again.
fn to_here(value: i32, ply: usize) -> i32 {
    value - shift(value, ply)
}

fn shift(value: i32, ply: usize) -> i32 {
    if value.abs() > WIN - 2 * MAX_PLY as i32 { value.signum() * ply as i32 } else { 0 }
}
