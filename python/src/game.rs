//! Games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

use senet::lang::{Library, Source};
use senet::learn::{Actions, InformationTensor, Planes};
use senet::{Files, GameError, Walk};

use crate::bot::Bot;
use crate::error;
use crate::event::Event;
use crate::pickle::{self, Reduced};
use crate::position::Position;
use crate::timeline::Timeline;

/// The arguments of `restore_game`: name, hash, definition and notation.
type Restored = (String, u128, Option<String>, Option<&'static str>);

/// What positions of a game share beside the rules, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct Shared {
    actions: OnceLock<Arc<Actions>>,
    planes: OnceLock<Planes>,
    walk: Mutex<Walk>,
}

impl Shared {
    pub(crate) fn actions(&self, game: &senet::Game) -> &Arc<Actions> {
        self.actions.get_or_init(|| Arc::new(Actions::of(game)))
    }

    /// Asks the walk of the game, or a new one while another thread has that.
    pub(crate) fn walk<T>(&self, ask: impl FnOnce(&mut Walk) -> T) -> T {
        match self.walk.try_lock() {
            Ok(mut walk) => ask(&mut walk),
            Err(_) => ask(&mut Walk::default()),
        }
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

/// Games that were compiled before: loading one again is free.
type Kept<K> = Mutex<BTreeMap<K, (senet::Game, Arc<Shared>)>>;

/// Shipped games by name.
static SHIPPED: Kept<String> = Mutex::new(BTreeMap::new());

/// Other games by what tells them apart: the definition, which says how a game is drawn and weighed
/// too, and the name of the notation. The hash of a definition leaves all of that out.
static OTHERS: Kept<(String, Option<&'static str>)> = Mutex::new(BTreeMap::new());

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

    pub(crate) fn actions(&self) -> &Arc<Actions> {
        self.shared.actions(&self.game)
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

/// Keeps a compiled game, or gives the one that was kept before.
fn keep<K: Ord>(kept: &Kept<K>, key: K, game: Game) -> Game {
    let Ok(mut kept) = kept.lock() else { return game };
    let (game, shared) = kept.entry(key).or_insert((game.game, game.shared));
    Game::new(game.clone(), shared.clone())
}

/// A game that was kept before.
fn kept<K: Ord>(kept: &Kept<K>, key: &K) -> Option<Game> {
    let kept = kept.lock().ok()?;
    kept.get(key).map(|(game, shared)| Game::new(game.clone(), shared.clone()))
}

/// The game of a definition in JSON, written in the notation of a name.
pub(crate) fn defined(py: Python<'_>, definition: &str, notation: &str) -> PyResult<Game> {
    let unknown = || error::value(py, format!("no notation `{}`", senet::excerpt(notation)));
    let (notation, _) = senet::notation::named(notation).ok_or_else(unknown)?;
    let key = (definition.to_owned(), Some(notation));
    if let Some(game) = kept(&OTHERS, &key) {
        return Ok(game);
    }
    let game = py.detach(|| senet::Game::from_json(definition));
    let game = game.map_err(|error| error::game(py, error))?.with_notation_named(notation);
    let misfit = || error::value(py, format!("the notation `{notation}` cannot write this game"));
    Ok(keep(&OTHERS, key, Game::compiled(game.ok_or_else(misfit)?)))
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
        let game = Game::of_source(py, &source, &files, settings)?;
        let shipped = load(py, name, None)?;
        if shipped.game.definition() == game.game.definition() {
            return Ok(shipped);
        }
        let key = (game.to_json()?, game.game.notation_name());
        return Ok(keep(&OTHERS, key, game));
    }
    let name = name.to_owned();
    if let Some(game) = kept(&SHIPPED, &name) {
        return Ok(game);
    }
    let loaded = py.detach(|| senet::load(&name));
    let game = loaded.map_err(|error| error::unknown_game(py, &error))?;
    Ok(keep(&SHIPPED, name, Game::compiled(game)))
}

/// Positions that must all be of one game.
fn positions<'a>(game: &Game, values: &'a [Bound<'_, Position>]) -> PyResult<Vec<&'a Position>> {
    let one = |value: &'a Bound<'_, Position>| {
        let found = value.get().inner().game();
        if found == &game.game {
            return Ok(value.get());
        }
        let (found, wanted) = (found.name(), game.game.name());
        let message = format!("a position of `{found}`, not of `{wanted}`");
        Err(error::foreign(value.py(), message))
    };
    values.iter().map(one).collect()
}

#[pymethods]
impl Game {
    /// Reads and compiles a definition in JSON.
    #[staticmethod]
    pub(crate) fn from_json(py: Python<'_>, text: &str) -> PyResult<Game> {
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

    /// Whether something is hidden from some players.
    #[getter]
    fn has_secrets(&self) -> bool {
        self.game.rules().has_secrets()
    }

    /// How many outcomes chance has in all; 0 in a game without chance.
    #[getter]
    fn num_chances(&self) -> usize {
        self.game.rules().chance_count()
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
            PyIndexError::new_err(match actions.len().checked_sub(1) {
                Some(last) => {
                    format!("there is no action {action}: actions are numbered from 0 to {last}")
                }
                None => format!("`{}` has no actions: chance alone plays it", self.game.name()),
            })
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

    /// How many numbers `Match.information_tensor` gives for so many events.
    #[pyo3(signature = (events = 16))]
    fn information_size(&self, events: usize) -> PyResult<usize> {
        let actions = self.shared.actions(&self.game);
        Ok(InformationTensor::of(&self.game, actions, events_of(events)?).len())
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
        py.detach(|| {
            for (position, part) in positions.iter().zip(tensor.chunks_exact_mut(planes.len())) {
                planes.write(std::slice::from_ref(position.inner()), part);
            }
        });
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
        py.detach(|| {
            for (number, position) in positions.iter().enumerate() {
                for action in position.legal_ids() {
                    masks[number * actions.len() + action as usize] = true;
                }
            }
        });
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Restored>> {
        let definition = (!self.game.is_shipped()).then(|| self.to_json()).transpose()?;
        let (name, hash) = (self.game.name().to_owned(), self.game.definition_hash());
        pickle::reduce(py, "restore_game", (name, hash, definition, self.game.notation_name()))
    }
}

/// How many events an information tensor may show.
const MOST_EVENTS: usize = 4096;

/// A number of events that an information tensor may show.
pub(crate) fn events_of(events: usize) -> PyResult<usize> {
    if events <= MOST_EVENTS {
        return Ok(events);
    }
    let message = format!("events must be 0 to {MOST_EVENTS}, not {events}");
    Err(pyo3::exceptions::PyValueError::new_err(message))
}

/// How many positions an observation may show.
const MOST_HISTORY: usize = 64;

/// A number of positions that an observation may show.
pub(crate) fn depth_of(history: usize) -> PyResult<usize> {
    if (1..=MOST_HISTORY).contains(&history) {
        return Ok(history);
    }
    let message = format!("history must be 1 to {MOST_HISTORY}, not {history}");
    Err(pyo3::exceptions::PyValueError::new_err(message))
}
