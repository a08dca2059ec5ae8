//! Many games played at once.

use std::collections::VecDeque;
use std::fmt;
use std::iter::repeat_n;
use std::sync::{Arc, Mutex, PoisonError};

use senet_chance::Source;
use senet_core::setup::{Held, Stand};
use senet_core::{Accepted, Outcome, Setup, State, Walker, WalkerCache};

use crate::define::Share;
use crate::game::Game;
use crate::learn::action::Actions;
use crate::learn::plane::Planes;
use crate::position::Position;

/// A thread is worth its start from this many games on.
const GAMES_PER_THREAD: usize = 128;

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

/// Where a batch writes, game after game. [`Batch::reset`] fills the buffers, and the same ones
/// must be given to each [`Batch::step`], unchanged.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// A tensor for each game, as long as [`Planes::len`] says.
    pub observations: &'b mut [f32],
    /// For each game whether each action is legal.
    pub masks: &'b mut [bool],
    /// For each game what each player got by the last step.
    pub rewards: &'b mut [f32],
    /// For each game whether the last step ended it.
    pub terminated: &'b mut [bool],
    /// For each game whether the last step reached the limit of actions.
    pub truncated: &'b mut [bool],
    /// For each game who is to move.
    pub players: &'b mut [i32],
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
/// step. Chance is drawn by the batch, so that every game awaits a player.
pub struct Batch {
    game: Game,
    actions: Arc<Actions>,
    planes: Planes,
    options: BatchOptions,
    lanes: Vec<Lane>,
    start: State,
    /// What the walker of each thread keeps from step to step. Nobody waits for these locks: with
    /// them, threads may share a batch.
    caches: Vec<Mutex<WalkerCache>>,
}

/// One of the games.
struct Lane {
    state: State,
    /// The positions before, the newest first.
    past: VecDeque<State>,
    legal: Vec<Accepted>,
    /// The actions of the legal events.
    ids: Vec<u32>,
    source: Source,
    /// How many actions were taken.
    played: u32,
    /// The place among the legal events of what is played next.
    chosen: usize,
}

/// The rows of one lane in the buffers.
struct Row<'b> {
    observation: &'b mut [f32],
    mask: &'b mut [bool],
    rewards: &'b mut [f32],
    terminated: &'b mut bool,
    truncated: &'b mut bool,
    player: &'b mut i32,
}

/// What lanes share.
struct Table<'t> {
    game: &'t Game,
    actions: &'t Actions,
    planes: &'t Planes,
    start: &'t State,
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
            legal: Vec::new(),
            ids: Vec::new(),
            source: Source::seeded(0),
            played: 0,
            chosen: 0,
        };
        Batch {
            game: game.clone(),
            actions: Arc::new(Actions::of(game)),
            planes: Planes::of(game, options.history),
            lanes: (0..options.games).map(lane).collect(),
            options,
            start,
            caches: Vec::new(),
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
        self.run(Task::Reset, buffers);
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
        for (game, (lane, &action)) in self.lanes.iter_mut().zip(actions).enumerate() {
            let place = lane.ids.iter().position(|&id| i64::from(id) == action);
            lane.chosen = place.ok_or(IllegalAction { game, action })?;
        }
        self.run(Task::Step, buffers);
        Ok(())
    }

    /// Plays a legal action in each game, every one equally likely; `picked` gets them. It draws
    /// from the same source of each game as chance does.
    ///
    /// # Panics
    /// As [`Batch::step`] does.
    pub fn step_randomly(&mut self, picked: &mut [i64], buffers: &mut Buffers<'_>) {
        assert_eq!(picked.len(), self.lanes.len(), "an action for each game");
        for (lane, picked) in self.lanes.iter_mut().zip(picked) {
            lane.chosen = lane.source.below(lane.ids.len() as u64) as usize;
            *picked = lane.ids.get(lane.chosen).map_or(-1, |&id| id.into());
        }
        self.run(Task::Step, buffers);
    }

    fn run(&mut self, task: Task, buffers: &mut Buffers<'_>) {
        let (tensor, actions) = (self.planes.len(), self.actions.len());
        let players = self.game.players().count();
        let games = self.lanes.len();
        assert_eq!(buffers.observations.len(), games * tensor, "an observation for each game");
        assert_eq!(buffers.masks.len(), games * actions, "a mask for each game");
        assert_eq!(buffers.rewards.len(), games * players, "rewards for each game");
        let table = Table {
            game: &self.game,
            actions: &self.actions,
            planes: &self.planes,
            start: &self.start,
            limit: self.options.limit,
            draws: self.game.rules().chance_count() > 0,
        };
        let rows = buffers
            .observations
            .chunks_exact_mut(tensor.max(1))
            .zip(buffers.masks.chunks_exact_mut(actions.max(1)))
            .zip(buffers.rewards.chunks_exact_mut(players.max(1)))
            .zip(buffers.terminated.iter_mut().zip(buffers.truncated.iter_mut()))
            .zip(buffers.players.iter_mut())
            .map(|((((observation, mask), rewards), (terminated, truncated)), player)| Row {
                observation,
                mask,
                rewards,
                terminated,
                truncated,
                player,
            });
        let threads = self.options.threads.min(games / GAMES_PER_THREAD).max(1);
        self.caches.resize_with(threads, Mutex::default);
        if threads == 1 {
            table.run(task, &mut self.lanes, rows, &mut self.caches[0]);
            return;
        }
        let mut rows = rows;
        std::thread::scope(|scope| {
            let parts = self.lanes.chunks_mut(games.div_ceil(threads));
            let mut parts = parts.zip(&mut self.caches).peekable();
            while let Some((lanes, cache)) = parts.next() {
                let part: Vec<Row<'_>> = rows.by_ref().take(lanes.len()).collect();
                let table = &table;
                let work = move || table.run(task, lanes, part.into_iter(), cache);
                // The last part is the work of this thread.
                match parts.peek() {
                    Some(_) => drop(scope.spawn(work)),
                    None => work(),
                }
            }
        });
    }
}

impl Table<'_> {
    /// Plays games one after the other.
    fn run<'b>(
        &self,
        task: Task,
        lanes: &mut [Lane],
        rows: impl Iterator<Item = Row<'b>>,
        cache: &mut Mutex<WalkerCache>,
    ) {
        let cache = cache.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut walker = self.game.rules().walker_with(std::mem::take(cache));
        for (lane, row) in lanes.iter_mut().zip(rows) {
            lane.run(task, self, &mut walker, row);
        }
        *cache = walker.into_cache();
    }
}

impl Lane {
    fn run<'t>(&mut self, task: Task, table: &Table<'t>, walker: &mut Walker<'t>, row: Row<'_>) {
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.ids.iter().for_each(|&id| row.mask[id as usize] = false);
        match task {
            Task::Reset => self.begin(table, walker),
            Task::Step => {
                if let Some(outcome) = self.play(table, walker) {
                    let scores = row.rewards.iter_mut().zip(outcome.scores);
                    scores.for_each(|(reward, score)| *reward = score as f32);
                    *row.terminated = true;
                    self.begin(table, walker);
                } else if self.legal.is_empty() {
                    *row.terminated = true;
                    self.begin(table, walker);
                } else if table.limit.is_some_and(|limit| self.played >= limit) {
                    *row.truncated = true;
                    self.begin(table, walker);
                }
            }
        }
        self.ids.iter().for_each(|&id| row.mask[id as usize] = true);
        let states = std::iter::once(&self.state).chain(&self.past);
        let mover = table.game.rules().view(&self.state).player();
        table.planes.write_states(mover, states, row.observation);
        *row.player = mover.index() as i32;
    }

    fn begin<'t>(&mut self, table: &Table<'t>, walker: &mut Walker<'t>) {
        self.state.clone_from(table.start);
        self.past.clear();
        self.played = 0;
        self.settle(table, walker);
    }

    /// Plays the chosen event, and says how the game has ended if it has.
    fn play<'t>(&mut self, table: &Table<'t>, walker: &mut Walker<'t>) -> Option<Outcome> {
        let chosen = *self.legal.get(self.chosen)?;
        if table.planes.history() > 1 {
            self.past.truncate(table.planes.history() - 2);
            self.past.push_front(self.state.clone());
        }
        self.played += 1;
        if table.draws {
            self.state = walker.follow(&self.state, chosen);
            return self.settle(table, walker);
        }
        walker.advance(&mut self.state, chosen, &mut self.legal);
        self.number(table);
        self.outcome(table, walker)
    }

    /// Lets chance act until a player is to move, and lists what is legal then.
    fn settle<'t>(&mut self, table: &Table<'t>, walker: &mut Walker<'t>) -> Option<Outcome> {
        while let Some(event) = self.source.draw_of(&walker.chances(&self.state)) {
            let Some(accepted) = walker.accept(&self.state, event) else { break };
            if self.played > 0
                && let Some(outcome) = walker.outcome_with_events(&self.state)
            {
                self.list(table, walker);
                return Some(outcome);
            }
            self.state = walker.follow(&self.state, accepted);
        }
        self.list(table, walker);
        self.outcome(table, walker)
    }

    /// How the game has ended, if it has.
    fn outcome<'t>(&self, table: &Table<'t>, walker: &mut Walker<'t>) -> Option<Outcome> {
        match self.legal.is_empty() {
            true => table.game.rules().outcome(&self.state),
            false if self.played > 0 => walker.outcome_with_events(&self.state),
            false => None,
        }
    }

    fn list<'t>(&mut self, table: &Table<'t>, walker: &mut Walker<'t>) {
        walker.legal(&self.state, &mut self.legal);
        self.number(table);
    }

    /// Finds the actions of the legal events.
    fn number(&mut self, table: &Table<'_>) {
        self.ids.clear();
        // An event without a number cannot be chosen; the event space of a game leaves none out.
        self.legal.retain(|accepted| {
            let id = table.actions.action(accepted.event());
            self.ids.extend(id);
            id.is_some()
        });
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
