//! Many games played at once.

use std::collections::VecDeque;
use std::fmt;
use std::iter::repeat_n;
use std::sync::{Arc, Mutex, PoisonError};

use senet_chance::Source;
use senet_core::backend::{PLACES, PackedEvent};
use senet_core::setup::{Held, Stand};
use senet_core::{Advance, Outcome, PlayerId, Setup, State, Walker, WalkerCache};

use crate::define::Share;
use crate::game::Game;
use crate::learn::action::Actions;
use crate::learn::buffer::{Buffers, End, Row, Sizes};
use crate::learn::plane::Planes;
use crate::learn::pool::{Pool, share};
use crate::position::Position;

/// A thread is worth its start from this many games on.
const GAMES_PER_THREAD: usize = 128;

/// So many games a thread takes at once: few, so that all threads are done at about the same time, and
/// enough that machine code plays them together.
const GAMES_AT_ONCE: usize = PLACES;

/// Chance acts at most so often in a row. In a game in which it goes on, nobody may ever be to move.
const MOST_DRAWS: usize = 1_000;

/// How a batch is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// How many games.
    pub games: usize,
    /// How many positions an observation shows.
    pub history: usize,
    /// After how many actions a game is cut off; never where there is no number.
    pub limit: Option<u32>,
    /// How many threads share the work. The results do not depend on it.
    pub threads: usize,
}

/// An action that is not legal in its game. No game has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The number of the game.
    pub game: usize,
    /// The action found.
    pub action: i64,
}

/// Many games of one kind, played at once and for ever: where one ends, it begins anew in the same
/// step. Chance is drawn by the batch, so that every game awaits a player. A game in which chance acts a
/// thousand times in a row is over.
pub struct Batch {
    game: Game,
    actions: Arc<Actions>,
    planes: Planes,
    options: BatchOptions,
    lanes: Vec<Lane>,
    start: State,
    /// What is legal at the start, unless chance comes first.
    opening: Option<Legal>,
    /// What the walker of each thread keeps from step to step. Nobody waits for these locks: with
    /// them, threads may share a batch.
    caches: Vec<Mutex<WalkerCache>>,
    pool: Option<Pool>,
}

/// One of the games.
struct Lane {
    state: State,
    /// The positions before, the newest first.
    past: VecDeque<State>,
    legal: Legal,
    source: Source,
    /// How many actions were taken.
    played: u32,
    /// The place among the legal events of what is played next.
    chosen: usize,
    /// How the game has ended, where the last event was played together with those of other games.
    outcome: Option<Outcome>,
}

/// Legal events, with the action of each.
#[derive(Default)]
struct Legal {
    events: Vec<PackedEvent>,
    ids: Vec<u32>,
}

/// Games with their parts of the buffers.
struct Part<'b> {
    lanes: &'b mut [Lane],
    /// Room for the actions that are chosen at random, or none.
    picked: &'b mut [i64],
    buffers: Buffers<'b>,
}

/// What lanes share.
struct Table<'t> {
    game: &'t Game,
    actions: &'t Actions,
    planes: &'t Planes,
    start: &'t State,
    opening: Option<&'t Legal>,
    limit: Option<u32>,
    /// Whether chance ever acts.
    draws: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Reset,
    Step,
}

impl Batch {
    /// Games from the start of a game. They are played after the first [`Batch::reset`].
    pub fn new(game: &Game, options: BatchOptions) -> Batch {
        let start = game.rules().start();
        let lane = |_| Lane {
            state: start.clone(),
            past: VecDeque::with_capacity(options.history.saturating_sub(1)),
            legal: Legal::default(),
            source: Source::seeded(0),
            played: 0,
            chosen: 0,
            outcome: None,
        };
        let actions = Actions::of(game);
        let opening = (game.rules().chance_count() == 0).then(|| {
            let mut legal = Legal::default();
            legal.list(&actions, &mut game.rules().walker(), &start);
            legal
        });
        Batch {
            game: game.clone(),
            actions: Arc::new(actions),
            planes: Planes::of(game, options.history),
            lanes: (0..options.games).map(lane).collect(),
            options,
            start,
            opening,
            caches: Vec::new(),
            pool: None,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The actions.
    pub fn actions(&self) -> &Arc<Actions> {
        &self.actions
    }

    /// How observations are written.
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The position of one of the games. Which of several like pieces stands where is not kept.
    pub fn position(&self, game: usize) -> Option<Position> {
        self.lanes.get(game).map(|lane| rearranged(&self.game, &lane.state))
    }

    /// Begins all games. Chance follows from the seed and the number of the game alone.
    ///
    /// # Panics
    /// If a buffer has another length than the batch needs.
    pub fn reset(&mut self, seed: u64, buffers: &mut Buffers<'_>) {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            lane.source = Source::for_game(seed, number as u64);
        }
        buffers.masks.fill(false);
        self.run(Task::Reset, None, buffers);
    }

    /// Plays an action in each game. Where one is not legal, no game moves.
    ///
    /// # Panics
    /// If a buffer has another length than the batch needs, or there is not one action for each
    /// game.
    pub fn step(
        &mut self,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Result<(), IllegalAction> {
        assert_eq!(actions.len(), self.lanes.len(), "an action for each game");
        self.choose(actions)?;
        self.run(Task::Step, None, buffers);
        Ok(())
    }

    /// Plays a legal action in each game, every one equally likely; `picked` gets them. It draws
    /// from the same source of each game as chance does.
    ///
    /// # Panics
    /// As [`Batch::step`] does.
    pub fn step_randomly(&mut self, picked: &mut [i64], buffers: &mut Buffers<'_>) {
        assert_eq!(picked.len(), self.lanes.len(), "an action for each game");
        self.run(Task::Step, Some(picked), buffers);
    }

    /// How many threads share the work, and how many games each has.
    fn shares(&self) -> (usize, usize) {
        let games = self.lanes.len();
        let threads = self.options.threads.min(games / GAMES_PER_THREAD).max(1);
        (threads, games.div_ceil(threads).max(1))
    }

    /// Chooses what is played in each game, or finds the first action that is not legal.
    fn choose(&mut self, actions: &[i64]) -> Result<(), IllegalAction> {
        let (threads, size) = self.shares();
        let parts = self.lanes.chunks_mut(size).zip(actions.chunks(size)).enumerate();
        let illegal: Mutex<Option<IllegalAction>> = Mutex::new(None);
        share(Pool::of(&mut self.pool, threads - 1), parts, |(part, (lanes, actions))| {
            let illegal_at = lanes.iter_mut().zip(actions).position(|(lane, &action)| {
                let place = lane.legal.ids.iter().position(|&id| i64::from(id) == action);
                lane.chosen = place.unwrap_or(lane.chosen);
                place.is_none()
            });
            if let Some(at) = illegal_at {
                let found = IllegalAction { game: part * size + at, action: actions[at] };
                let mut illegal = illegal.lock().unwrap_or_else(PoisonError::into_inner);
                *illegal = illegal.filter(|one| one.game < found.game).or(Some(found));
            }
        });
        illegal.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Runs a task in every game; where there is room for what is picked, actions are chosen at random.
    fn run(&mut self, task: Task, picked: Option<&mut [i64]>, buffers: &mut Buffers<'_>) {
        let table = Table {
            game: &self.game,
            actions: &self.actions,
            planes: &self.planes,
            start: &self.start,
            opening: self.opening.as_ref(),
            limit: self.options.limit,
            draws: self.game.rules().chance_count() > 0,
        };
        let (tensor, actions, players) = table.sizes();
        let games = self.lanes.len();
        assert_eq!(buffers.observations.len(), games * tensor, "an observation for each game");
        assert_eq!(buffers.masks.len(), games * actions, "a mask for each game");
        assert_eq!(buffers.rewards.len(), games * players, "rewards for each game");
        assert!(
            [0, games * tensor].contains(&buffers.finals.len()),
            "no finals or one for each game"
        );
        let (threads, size) = self.shares();
        self.caches.resize_with(threads, Mutex::default);
        let (caches, picked) = (&self.caches, picked.unwrap_or_default());
        let mut all = Part { lanes: &mut self.lanes, picked, buffers: buffers.reborrow() };
        let sizes = table.sizes();
        let regions: Vec<_> =
            (0..threads).map(|_| Mutex::new(all.take(size, End::Front, sizes))).collect();
        // Games stay with their thread as far as possible, which has them at hand. One that has played
        // its own helps the others from the end.
        share(Pool::of(&mut self.pool, threads - 1), 0..threads, |thread| {
            let mut cache = caches[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut walker = table.game.rules().walker_with(std::mem::take(&mut *cache));
            for step in 0..threads {
                let region = &regions[(thread + step) % threads];
                let end = if step == 0 { End::Front } else { End::Back };
                loop {
                    let mut region = region.lock().unwrap_or_else(PoisonError::into_inner);
                    let part = region.take(GAMES_AT_ONCE, end, sizes);
                    drop(region);
                    if part.lanes.is_empty() {
                        break;
                    }
                    table.run(task, part, &mut walker);
                }
            }
            *cache = walker.into_cache();
        });
    }
}

impl<'b> Part<'b> {
    /// Takes so many games off an end, or as many as there are.
    fn take(&mut self, games: usize, end: End, sizes: Sizes) -> Part<'b> {
        let games = games.min(self.lanes.len());
        let Part { lanes, picked, buffers } = self;
        Part {
            lanes: end.take(lanes, games),
            picked: end.take(picked, games.min(picked.len())),
            buffers: buffers.take(games, end, sizes),
        }
    }
}

impl Table<'_> {
    /// How many numbers an observation, actions a mask and players a game has.
    fn sizes(&self) -> Sizes {
        (self.planes.len(), self.actions.len(), self.game.players().count())
    }

    /// Plays games together.
    fn run(&self, task: Task, part: Part<'_>, walker: &mut Walker<'_>) {
        let Part { lanes, picked, buffers } = part;
        for (lane, picked) in lanes.iter_mut().zip(picked) {
            lane.chosen = lane.source.below(lane.legal.ids.len() as u64) as usize;
            *picked = lane.legal.ids.get(lane.chosen).map_or(-1, |&id| id.into());
        }
        if task == Task::Step && !self.draws {
            lanes.iter_mut().for_each(|lane| lane.remember(self));
            walker.advance(lanes, Lane::advance);
        }
        for (lane, row) in lanes.iter_mut().zip(buffers.rows(self.sizes())) {
            lane.run(task, self, walker, row);
        }
    }
}

impl Lane {
    fn run(&mut self, task: Task, table: &Table<'_>, walker: &mut Walker<'_>, row: Row<'_>) {
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.legal.ids.iter().for_each(|&id| row.mask[id as usize] = false);
        match task {
            Task::Reset => self.begin(table, walker),
            Task::Step => {
                let outcome = self.play(table, walker);
                *row.terminated = outcome.is_some() || self.legal.events.is_empty();
                *row.truncated =
                    !*row.terminated && table.limit.is_some_and(|limit| self.played >= limit);
                if let Some(outcome) = outcome {
                    let scores = row.rewards.iter_mut().zip(outcome.scores);
                    scores.for_each(|(reward, score)| *reward = score as f32);
                }
                if *row.terminated || *row.truncated {
                    if let Some(last) = row.last {
                        self.observe(table, last);
                    }
                    self.begin(table, walker);
                }
            }
        }
        self.legal.ids.iter().for_each(|&id| row.mask[id as usize] = true);
        *row.player = self.observe(table, row.observation).index() as i32;
    }

    /// Writes what the player to move sees, and says who that is.
    fn observe(&self, table: &Table<'_>, into: &mut [f32]) -> PlayerId {
        let states = std::iter::once(&self.state).chain(&self.past);
        let mover = table.game.rules().view(&self.state).player();
        table.planes.write_states(mover, states, into);
        mover
    }

    fn begin(&mut self, table: &Table<'_>, walker: &mut Walker<'_>) {
        self.state.clone_from(table.start);
        self.past.clear();
        self.played = 0;
        match table.opening {
            Some(opening) => {
                self.legal.events.clone_from(&opening.events);
                self.legal.ids.clone_from(&opening.ids);
            }
            None => drop(self.settle(table, walker)),
        }
    }

    /// Plays the chosen event, and says how the game has ended if it has.
    fn play(&mut self, table: &Table<'_>, walker: &mut Walker<'_>) -> Option<Outcome> {
        if table.draws {
            let chosen = *self.legal.events.get(self.chosen)?;
            self.remember(table);
            walker.go_packed(&mut self.state, chosen);
            return self.settle(table, walker);
        }
        // It was played together with those of other games, unless there was none.
        self.legal.number(table.actions, table.game.rules());
        match self.played {
            0 => table.game.rules().outcome(&self.state),
            _ => self.outcome.take(),
        }
    }

    /// Notes the position before an event.
    fn remember(&mut self, table: &Table<'_>) {
        if self.legal.events.get(self.chosen).is_none() {
            return;
        }
        if table.planes.history() > 1 {
            self.past.truncate(table.planes.history() - 2);
            self.past.push_front(self.state.clone());
        }
        self.played += 1;
    }

    /// What it takes to play the chosen event.
    fn advance(&mut self) -> Option<Advance<'_>> {
        let event = *self.legal.events.get(self.chosen)?;
        let Lane { state, legal, outcome, .. } = self;
        Some(Advance { state, event, legal: &mut legal.events, outcome })
    }

    /// Lets chance act until a player is to move, and lists what is legal then: nothing where chance
    /// goes on and on.
    fn settle(&mut self, table: &Table<'_>, walker: &mut Walker<'_>) -> Option<Outcome> {
        let (mut outcome, mut draws) = (None, 0);
        while let Some(event) = self.source.draw_of(&walker.chances(&self.state)) {
            draws += 1;
            if draws > MOST_DRAWS {
                self.legal.events.clear();
                self.legal.ids.clear();
                return None;
            }
            let Some(accepted) = walker.accept(&self.state, event) else { break };
            if self.played > 0 {
                outcome = walker.outcome_with_events(&self.state);
            }
            if outcome.is_some() {
                break;
            }
            self.state = walker.follow(&self.state, accepted);
        }
        self.legal.list(table.actions, walker, &self.state);
        outcome.or_else(|| match self.legal.events.is_empty() {
            true => table.game.rules().outcome(&self.state),
            false if self.played > 0 => walker.outcome_with_events(&self.state),
            false => None,
        })
    }
}

impl Legal {
    /// Lists what is legal in a position.
    fn list(&mut self, actions: &Actions, walker: &mut Walker<'_>, state: &State) {
        walker.legal_packed(state, &mut self.events);
        self.number(actions, walker.game());
    }

    /// Finds the actions of the events.
    fn number(&mut self, actions: &Actions, rules: &senet_core::Game) {
        actions.number(rules, &mut self.events, &mut self.ids);
    }
}

/// The position of a state that does not tell which piece stands where: each piece is the first that
/// fits.
fn rearranged(game: &Game, state: &State) -> Position {
    let view = game.rules().view(state);
    let mut setup = Setup::empty(view.seat());
    let mut held = Vec::new();
    for (owner, kind) in
        game.players().flat_map(|owner| game.kinds().map(move |kind| (owner, kind)))
    {
        for tile in (view.owned(owner) & view.of_kind(kind)).iter() {
            let flags = if game.stacks(tile) { 0 } else { view.flags_at(tile) };
            let stand = Stand { tile, owner, kind, flags, piece: None };
            setup.pieces.extend(repeat_n(stand, view.count(tile, owner, kind)));
        }
        held.extend(repeat_n(Held { player: owner, kind, piece: None }, view.hand(owner, kind)));
    }
    setup.hands = Some(held);
    for mark in game.marks() {
        setup.marks.extend(view.marked(mark).iter().map(|tile| (mark, tile)));
    }
    for variable in game.variables() {
        let seats = match game.definition().variables[variable.index()].share {
            Share::Common => 1,
            _ => game.players().count(),
        };
        let seats = game.players().take(seats);
        setup.variables.extend(seats.map(|seat| (variable, seat, view.variable(variable, seat))));
    }
    setup.dice = game.dice().filter_map(|die| Some((die, view.die(die)?))).collect();
    match game.setup(&setup) {
        Ok(position) if position.hash128() == state.hash128() => position,
        // The requirements of a setup are not those of play.
        _ => game.holding(state.clone()),
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({}, {} games)", self.game.name(), self.lanes.len())
    }
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalAction { game, action } = self;
        write!(f, "action {action} is not legal in game {game}: choose one that its mask allows")
    }
}

impl std::error::Error for IllegalAction {}
