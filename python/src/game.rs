//! Games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

use senet::lang::{Library, Source};
use senet::learn::{Actions, Planes};
use senet::{Files, GameError};

use crate::bot::Bot;
use crate::error;
use crate::event::Event;
use crate::position::Position;
use crate::timeline::Timeline;

/// What positions of a game share beside the rules, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct Shared {
    actions: OnceLock<Arc<Actions>>,
    planes: OnceLock<Planes>,
}

impl Shared {
    pub(crate) fn actions(&self, game: &senet::Game) -> &Arc<Actions> {
        self.actions.get_or_init(|| Arc::new(Actions::of(game)))
    }

    pub(crate) fn planes(&self, game: &senet::Game) -> &Planes {
        self.planes.get_or_init(|| Planes::of(game, 1))
    }
}

/// A game: its compiled rules and how it is written. Two games are equal when they have the same
/// definition.
///
/// >>> import senet
/// >>> game = senet.load("tic-tac-toe")
/// >>> game.players, game.tiles[:3], game.num_actions
/// (['x', 'o'], ['a1', 'b1', 'c1'], 9)
/// >>> senet.Game.from_json(game.to_json()) == game
/// True
#[pyclass(frozen, module = "senet")]
pub(crate) struct Game {
    game: senet::Game,
    shared: Arc<Shared>,
}

/// Games that were compiled before, by definition hash: loading one again is free.
static KNOWN: Mutex<BTreeMap<u128, (senet::Game, Arc<Shared>)>> = Mutex::new(BTreeMap::new());

/// The definition hashes of shipped games by name.
static SHIPPED: Mutex<BTreeMap<String, u128>> = Mutex::new(BTreeMap::new());

impl Game {
    pub(crate) fn new(game: senet::Game, shared: Arc<Shared>) -> Game {
        Game { game, shared }
    }

    /// A game that was just compiled.
    fn compiled(game: senet::Game) -> Game {
        Game::new(game, Arc::default())
    }

    fn of_source(
        py: Python<'_>,
        source: &Source,
        files: &Files,
        settings: BTreeMap<String, i64>,
    ) -> PyResult<Game> {
        let game = py.detach(|| senet::Game::from_source(source, files, settings));
        let game = game.map_err(|problems| error::game(py, GameError::File(problems)))?;
        Ok(Game::compiled(game))
    }

    pub(crate) fn inner(&self) -> &senet::Game {
        &self.game
    }

    /// The position at the start.
    pub(crate) fn start_of(&self) -> Position {
        self.hold(self.game.start())
    }

    /// A position of this game.
    pub(crate) fn hold(&self, position: senet::Position) -> Position {
        Position::new(position, self.shared.clone())
    }
}

fn known(hash: u128) -> Option<Game> {
    let known = KNOWN.lock().ok()?;
    known.get(&hash).map(|(game, shared)| Game::new(game.clone(), shared.clone()))
}

fn remember(game: Game) -> Game {
    if let Ok(mut known) = KNOWN.lock() {
        let hash = game.game.definition_hash();
        let kept = known.entry(hash).or_insert_with(|| (game.game.clone(), game.shared.clone()));
        return Game::new(kept.0.clone(), kept.1.clone());
    }
    game
}

/// The names of the shipped games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    senet::games().collect()
}

/// The shipped game of a name, with values for its options.
#[pyfunction]
#[pyo3(signature = (name, **options))]
pub(crate) fn load(
    py: Python<'_>,
    name: &str,
    options: Option<BTreeMap<String, i64>>,
) -> PyResult<Game> {
    if let Some(settings) = options {
        let files = Files::new([]);
        let source = files.source(name);
        let Some(source) = source else { return load(py, name, None) };
        return Game::of_source(py, &source, &files, settings).map(remember);
    }
    let hash = SHIPPED.lock().ok().and_then(|shipped| shipped.get(name).copied());
    if let Some(game) = hash.and_then(known) {
        return Ok(game);
    }
    let loaded = py.detach(|| senet::load(name));
    let game = loaded.map_err(|error| error::unknown_game(py, &error))?;
    if let Ok(mut shipped) = SHIPPED.lock() {
        shipped.insert(name.to_owned(), game.definition_hash());
    }
    Ok(remember(Game::compiled(game)))
}

/// The game of a pickle: a shipped one by name, another by its definition.
#[pyfunction]
#[pyo3(signature = (name, hash, definition))]
pub(crate) fn restore_game(
    py: Python<'_>,
    name: &str,
    hash: u128,
    definition: Option<&str>,
) -> PyResult<Game> {
    if let Some(game) = known(hash) {
        return Ok(game);
    }
    let game = match definition {
        None => load(py, name, None)?,
        Some(definition) => remember(Game::from_json(py, definition)?),
    };
    if game.game.definition_hash() != hash {
        let message = format!("`{name}` has changed since the pickle was made");
        return Err(error::foreign(py, message));
    }
    Ok(game)
}

/// The games of Python positions that must all be of one game.
fn positions<'py>(
    game: &Game,
    values: &[Bound<'py, Position>],
) -> PyResult<Vec<Bound<'py, Position>>> {
    for value in values {
        if value.get().inner().game() != &game.game {
            let found = value.get().inner().game().name();
            let message = format!("a position of `{found}`, not of `{}`", game.game.name());
            return Err(error::foreign(value.py(), message));
        }
    }
    Ok(values.to_vec())
}

#[pymethods]
impl Game {
    /// Reads and compiles a definition in JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Game> {
        let game = py.detach(|| senet::Game::from_json(text));
        game.map(Game::compiled).map_err(|error| error::game(py, error))
    }

    /// Reads and compiles the text of a game file, with values for its options.
    #[staticmethod]
    #[pyo3(signature = (text, **options))]
    fn from_text(
        py: Python<'_>,
        text: &str,
        options: Option<BTreeMap<String, i64>>,
    ) -> PyResult<Game> {
        let source = Source::new("text", text);
        Game::of_source(py, &source, &Files::new([]), options.unwrap_or_default())
    }

    /// Reads and compiles a game file, or a definition in JSON.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Game> {
        let game = py.detach(|| senet::Game::from_file(path));
        game.map(Game::compiled).map_err(|error| error::game(py, error))
    }

    /// The definition in JSON; `Game.from_json` reads it again.
    fn to_json(&self) -> PyResult<String> {
        let written = serde_json::to_string(self.game.definition());
        written.map_err(|error| PyTypeError::new_err(error.to_string()))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    /// What it is, in a line; none for a game that is not shipped.
    #[getter]
    fn summary(&self) -> Option<&'static str> {
        self.game.summary()
    }

    /// The hash of its definition as 32 hexadecimal digits. Action ids and saved matches are bound
    /// to it.
    #[getter]
    fn definition_hash(&self) -> String {
        format!("{:032x}", self.game.definition_hash())
    }

    /// The players in the order of play.
    #[getter]
    fn players(&self) -> Vec<&str> {
        self.game.players().map(|player| self.game.player_name(player)).collect()
    }

    /// The tiles in the order of the definition.
    #[getter]
    fn tiles(&self) -> Vec<&str> {
        self.game.tiles().map(|tile| self.game.tile_name(tile)).collect()
    }

    /// The kinds of pieces.
    #[getter]
    fn kinds(&self) -> Vec<&str> {
        self.game.kinds().map(|kind| self.game.kind_name(kind)).collect()
    }

    /// The names of all pieces.
    #[getter]
    fn pieces(&self) -> Vec<&str> {
        self.game.pieces().map(|piece| self.game.piece_name(piece)).collect()
    }

    /// The dice.
    #[getter]
    fn dice(&self) -> Vec<&str> {
        self.game.dice().map(|die| self.game.die_name(die)).collect()
    }

    /// The variables.
    #[getter]
    fn variables(&self) -> Vec<&str> {
        self.game.variables().map(|variable| self.game.variable_name(variable)).collect()
    }

    /// The position at the start.
    fn start(&self) -> Position {
        self.start_of()
    }

    /// The position from which published trees are counted: the start, or in backgammon the start
    /// with the first player on roll.
    fn count_start(&self) -> Position {
        self.hold(self.game.count_start())
    }

    /// Reads a position in the notation of the game, such as FEN.
    fn position(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let position = self.game.position(text);
        position.map(|one| self.hold(one)).map_err(|error| error::position(py, &error))
    }

    /// An opponent such as `"search:3"`, `"mcts:1000"`, `"search:200ms"` or `"random"`.
    #[pyo3(signature = (spec, seed = 0))]
    fn bot(&self, py: Python<'_>, spec: &str, seed: u64) -> PyResult<Bot> {
        Bot::new(py, &self.game, spec, seed)
    }

    /// The tree below the start as a table with a row for each move.
    #[pyo3(signature = (depth, columns = None, *, distinct = false, prune = None, threads = None))]
    fn timeline(
        &self,
        py: Python<'_>,
        depth: u32,
        columns: Option<Vec<String>>,
        distinct: bool,
        prune: Option<String>,
        threads: Option<usize>,
    ) -> PyResult<Timeline> {
        let start = self.game.start();
        Timeline::new(py, &[start], depth, columns, (distinct, prune, threads))
    }

    /// How many actions there are: events that players can ever propose.
    #[getter]
    fn num_actions(&self) -> usize {
        self.shared.actions(&self.game).len()
    }

    /// The event of an action, as one of the start position.
    fn action_to_event<'py>(&self, py: Python<'py>, action: usize) -> PyResult<Bound<'py, Event>> {
        let actions = self.shared.actions(&self.game);
        let event = u32::try_from(action).ok().and_then(|action| actions.event(action));
        let event = event.ok_or_else(|| {
            let count = actions.len();
            PyIndexError::new_err(format!(
                "there is no action {action}: actions are 0 to {}",
                count - 1
            ))
        })?;
        Event::at(&Bound::new(py, self.start())?, event)
    }

    /// The action of an event; none for what chance gives.
    fn event_to_action(&self, py: Python<'_>, event: &Bound<'_, Event>) -> PyResult<Option<u32>> {
        let raw = event.get().raw_in(py, &self.game.start())?;
        Ok(self.shared.actions(&self.game).action(raw))
    }

    /// The sizes of an observation: planes, then rows and columns, or planes and tiles.
    #[pyo3(signature = (history = 1))]
    fn observation_shape(&self, history: usize) -> PyResult<Vec<usize>> {
        Ok(Planes::of(&self.game, depth_of(history)?).shape().to_vec())
    }

    /// What each plane of an observation shows, in order.
    #[pyo3(signature = (history = 1))]
    fn observation_planes(&self, history: usize) -> PyResult<Vec<String>> {
        let planes = Planes::of(&self.game, depth_of(history)?).planes();
        Ok(planes.into_iter().map(|plane| plane.name).collect())
    }

    /// The greatest number that an observation may contain; the least is 0.
    #[getter]
    fn observation_high(&self) -> f32 {
        self.shared.planes(&self.game).greatest()
    }

    /// The observations of positions, one after another, as a float32 array.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, Position>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        py.import("numpy")?;
        let positions = self::positions(self, &positions)?;
        let planes = self.shared.planes(&self.game);
        let mut tensor = vec![0.0; planes.len() * positions.len()];
        for (position, part) in positions.iter().zip(tensor.chunks_exact_mut(planes.len())) {
            planes.write(std::slice::from_ref(position.get().inner()), part);
        }
        let mut shape = vec![positions.len()];
        shape.extend(planes.shape());
        PyArray1::from_vec(py, tensor).reshape(shape)
    }

    /// For each position whether each action is legal, as a bool array.
    fn masks<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, Position>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        py.import("numpy")?;
        let positions = self::positions(self, &positions)?;
        let actions = self.shared.actions(&self.game);
        let mut masks = vec![false; actions.len() * positions.len()];
        for (number, position) in positions.iter().enumerate() {
            for action in position.get().legal_ids() {
                masks[number * actions.len() + action as usize] = true;
            }
        }
        PyArray1::from_vec(py, masks).reshape(vec![positions.len(), actions.len()])
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.game.name())
    }

    fn __hash__(&self) -> u64 {
        self.game.definition_hash() as u64
    }

    fn __eq__(&self, other: &Bound<'_, Game>) -> bool {
        let other = other.get();
        self.game == other.game
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, u128, Option<String>))> {
        let definition = (!self.game.is_shipped()).then(|| self.to_json()).transpose()?;
        let restore = py.import("senet._senet")?.getattr("restore_game")?;
        let arguments = (self.game.name().to_owned(), self.game.definition_hash(), definition);
        Ok((restore, arguments))
    }
}

/// How many positions an observation may show.
const MOST_HISTORY: usize = 64;

/// A number of positions that an observation may show.
pub(crate) fn depth_of(history: usize) -> PyResult<usize> {
    if (1..=MOST_HISTORY).contains(&history) {
        return Ok(history);
    }
    let message = format!("history is {history}, but must be 1 to {MOST_HISTORY}");
    Err(pyo3::exceptions::PyValueError::new_err(message))
}
