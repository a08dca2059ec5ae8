//! Opponents.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use senet::bots::{Limit, Spec};

use crate::data;
use crate::error;
use crate::history::Match;
use crate::interrupt;
use crate::position::Position;

/// An opponent at one game.
#[pyclass(frozen, module = "senet")]
pub(crate) struct Bot {
    bot: Mutex<senet::bots::Bot>,
    spec: String,
    game: String,
}

impl Bot {
    pub(crate) fn new(py: Python<'_>, game: &senet::Game, spec: &str, seed: u64) -> PyResult<Bot> {
        let parsed: Spec = spec.parse().map_err(|error| error::value(py, error))?;
        let bot = game.bot(parsed, seed);
        Ok(Bot { bot: Mutex::new(bot), spec: parsed.to_string(), game: game.name().to_owned() })
    }
}

#[pymethods]
impl Bot {
    /// What it would play in a position or where a match is now; none where nothing is legal. The
    /// limits come beside its own budget; whichever is reached first counts.
    #[pyo3(signature = (at, /, *, depth = None, nodes = None, seconds = None, threads = 1))]
    fn choose<'py>(
        &self,
        at: &Bound<'py, PyAny>,
        depth: Option<u32>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = at.py();
        let (played, position) = moment(at)?;
        if position.get().inner().awaits_chance() {
            let message = "the position awaits chance: apply one of its outcomes first";
            return Err(error::value(py, message));
        }
        let time = seconds.map(checked_time).transpose()?;
        let begin = Instant::now();
        let thought = interrupt::run(py, |stop| {
            let stop = || time.is_some_and(|time| begin.elapsed() >= time) || stop();
            let limit = Limit { depth, nodes, stop: &stop, threads: threads.clamp(1, 256) };
            let mut bot = self.bot.try_lock().ok()?;
            Some(bot.choose(&played, &limit))
        })?;
        let busy = || PyRuntimeError::new_err("the bot is thinking in another thread");
        let thought = thought.ok_or_else(busy)?;
        let thought = thought.map_err(|error| error::foreign(py, error))?;
        thought.map(|thought| data::thought(py, &position, &thought)).transpose()
    }

    /// The opponent as written, such as `"search:3"`.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    fn __repr__(&self) -> String {
        format!("<Bot {} at {}>", self.spec, self.game)
    }
}

/// The match and the position that a bot is asked about.
fn moment<'py>(value: &Bound<'py, PyAny>) -> PyResult<(senet::Match, Bound<'py, Position>)> {
    if let Ok(position) = value.cast::<Position>() {
        return Ok((senet::Match::at(position.get().inner().clone()), position.clone()));
    }
    let Ok(played) = value.cast::<Match>() else {
        let found = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected a Position or a Match, not {found}")));
    };
    let played = played.try_borrow()?;
    let position = Bound::new(value.py(), played.now())?;
    Ok((played.inner().clone(), position))
}

fn checked_time(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds);
    time.map_err(|_| PyValueError::new_err(format!("seconds must be 0 or more, not {seconds}")))
}
