//! Pickling: how games, positions and events are taken apart and made again.

use pyo3::prelude::*;

use crate::error;
use crate::event::Event;
use crate::game::{self, Game};
use crate::history::{Described, Match};
use crate::position::Position;

/// What `__reduce__` gives: a function and the arguments with which it makes the object again.
pub(crate) type Reduced<'py, A> = (Bound<'py, PyAny>, A);

/// Has a function of this module make an object again.
pub(crate) fn reduce<'py, A>(
    py: Python<'py>,
    function: &str,
    arguments: A,
) -> PyResult<Reduced<'py, A>> {
    Ok((py.import("senet._senet")?.getattr(function)?, arguments))
}

/// The game of a pickle: a shipped one by name, another by its definition and how it is written.
#[pyfunction]
#[pyo3(signature = (name, hash, definition = None, notation = None))]
pub(crate) fn restore_game(
    py: Python<'_>,
    name: &str,
    hash: u128,
    definition: Option<&str>,
    notation: Option<&str>,
) -> PyResult<Game> {
    let game = match definition {
        None => game::load(py, name, None)?,
        Some(definition) => game::defined(py, definition, notation.unwrap_or("plain"))?,
    };
    if game.inner().definition_hash() != hash {
        let message = format!("`{name}` has changed since the pickle was made");
        return Err(error::foreign(py, message));
    }
    Ok(game)
}

/// The position of a pickle. Every fact of it is checked.
#[pyfunction]
pub(crate) fn restore_position(game: &Bound<'_, Game>, bytes: &[u8]) -> PyResult<Position> {
    let (words, []) = bytes.as_chunks::<8>() else {
        return Err(error::value(game.py(), "the bytes of a position are words of 8 bytes"));
    };
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let position = game.get().inner().restore(&words);
    let position = position.map_err(|error| error::foreign(game.py(), error))?;
    Ok(game.get().hold(position))
}

/// The match of a pickle. Every step of it is checked.
#[pyfunction]
pub(crate) fn restore_match(
    game: &Bound<'_, Game>,
    saved: &[u8],
    tags: Described,
) -> PyResult<Match> {
    Ok(Match::load(game, saved)?.tagged(tags))
}

/// The event of a pickle.
#[pyfunction]
pub(crate) fn restore_event<'py>(
    position: &Bound<'py, Position>,
    text: &str,
) -> PyResult<Bound<'py, Event>> {
    let raw = position.get().inner().parse_event(text);
    Event::at(position, raw.map_err(|error| error::notation(position.py(), error))?)
}
