//! Many games played at once, in arrays of NumPy.

use numpy::{PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use senet::learn::{self, BatchOptions, Buffers};

use crate::error;
use crate::game::{Game, depth_of};
use crate::position::Position;

/// The most games of a batch.
const MOST_GAMES: usize = 10_000_000;

/// The arrays that a batch writes to: observations, masks, rewards, terminated, truncated, players and
/// final observations, which may have no rows.
type Arrays<'py> = (
    PyReadwriteArrayDyn<'py, f32>,
    PyReadwriteArrayDyn<'py, bool>,
    PyReadwriteArrayDyn<'py, f32>,
    PyReadwriteArrayDyn<'py, bool>,
    PyReadwriteArrayDyn<'py, bool>,
    PyReadwriteArrayDyn<'py, i32>,
    PyReadwriteArrayDyn<'py, f32>,
);

/// Many games of one kind, played at once. `senet.vector.make` is the way to one.
#[pyclass(module = "senet")]
pub(crate) struct Batch {
    batch: learn::Batch,
    game: Py<Game>,
    begun: bool,
}

impl Batch {
    /// The arrays as buffers, each of the length that the batch needs.
    fn buffers<'a>(&self, arrays: &'a mut Arrays<'_>) -> PyResult<Buffers<'a>> {
        let games = self.batch.len();
        let buffers = Buffers {
            observations: arrays.0.as_slice_mut()?,
            masks: arrays.1.as_slice_mut()?,
            rewards: arrays.2.as_slice_mut()?,
            terminated: arrays.3.as_slice_mut()?,
            truncated: arrays.4.as_slice_mut()?,
            players: arrays.5.as_slice_mut()?,
            finals: arrays.6.as_slice_mut()?,
        };
        let tensors = games * self.batch.planes().len();
        let fits = buffers.observations.len() == tensors
            && [0, tensors].contains(&buffers.finals.len())
            && buffers.masks.len() == games * self.batch.actions().len()
            && buffers.rewards.len() == games * self.batch.game().players().count()
            && [buffers.terminated.len(), buffers.truncated.len(), buffers.players.len()]
                .iter()
                .all(|&len| len == games);
        if fits {
            return Ok(buffers);
        }
        Err(PyValueError::new_err("the arrays have other sizes than the batch needs"))
    }

    fn check_begun(&self) -> PyResult<()> {
        if self.begun { Ok(()) } else { Err(PyValueError::new_err("call reset before step")) }
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, games, history = 1, limit = None, threads = None))]
    fn new(
        game: &Bound<'_, Game>,
        games: usize,
        history: usize,
        limit: Option<u32>,
        threads: Option<usize>,
    ) -> PyResult<Batch> {
        if !(1..=MOST_GAMES).contains(&games) {
            let message = format!("a batch has 1 to {MOST_GAMES} games, not {games}");
            return Err(PyValueError::new_err(message));
        }
        if limit == Some(0) {
            return Err(PyValueError::new_err("the limit of actions must be at least 1"));
        }
        if game.get().actions().is_empty() {
            let name = game.get().inner().name();
            let message = format!("`{name}` has no actions: chance alone plays it");
            return Err(PyValueError::new_err(message));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(cores).clamp(1, 256);
        let options = BatchOptions { games, history: depth_of(history)?, limit, threads };
        let inner = game.get().inner();
        let batch = game.py().detach(|| learn::Batch::new(inner, options));
        Ok(Batch { batch, game: game.clone().unbind(), begun: false })
    }

    /// Begins all games and writes their first observations.
    fn reset(&mut self, py: Python<'_>, seed: u64, mut arrays: Arrays<'_>) -> PyResult<()> {
        let mut buffers = self.buffers(&mut arrays)?;
        let batch = &mut self.batch;
        py.detach(|| batch.reset(seed, &mut buffers));
        self.begun = true;
        Ok(())
    }

    /// Plays an action in each game.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        self.check_begun()?;
        let actions = actions.as_slice()?;
        if actions.len() != self.batch.len() {
            let (found, wanted) = (actions.len(), self.batch.len());
            let message = format!("{found} actions for {wanted} games: give one for each game");
            return Err(PyValueError::new_err(message));
        }
        let mut buffers = self.buffers(&mut arrays)?;
        let batch = &mut self.batch;
        let done = py.detach(|| batch.step(actions, &mut buffers));
        done.map_err(|error| error::illegal_action(py, error))
    }

    /// Plays a legal action at random in each game and writes which.
    fn step_randomly(
        &mut self,
        py: Python<'_>,
        mut picked: PyReadwriteArrayDyn<'_, i64>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        self.check_begun()?;
        let picked = picked.as_slice_mut()?;
        if picked.len() != self.batch.len() {
            return Err(PyValueError::new_err("the array of actions has one for each game"));
        }
        let mut buffers = self.buffers(&mut arrays)?;
        let batch = &mut self.batch;
        py.detach(|| batch.step_randomly(picked, &mut buffers));
        Ok(())
    }

    /// The position of one of the games.
    fn position(&self, number: usize) -> PyResult<Position> {
        let position = self.batch.position(number);
        let position = position.ok_or_else(|| {
            let most = self.batch.len() - 1;
            pyo3::exceptions::PyIndexError::new_err(format!(
                "there is no game {number}: games are numbered from 0 to {most}"
            ))
        })?;
        Ok(self.game.get().hold(position))
    }

    fn __len__(&self) -> usize {
        self.batch.len()
    }
}
