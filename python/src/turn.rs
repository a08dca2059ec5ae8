//! Whole turns.

use pyo3::prelude::*;

use crate::event::Event;
use crate::position::Position;

/// A whole turn: everything that a player does from one outcome of chance on.
#[pyclass(frozen, module = "senet")]
pub(crate) struct Turn {
    turn: senet::Turn,
    start: Py<Position>,
}

impl Turn {
    /// A turn that begins in a position.
    pub(crate) fn at(start: &Bound<'_, Position>, turn: senet::Turn) -> Turn {
        Turn { turn, start: start.clone().unbind() }
    }

    fn text_of(&self) -> String {
        self.start.get().inner().notate_turn(&self.turn)
    }
}

#[pymethods]
impl Turn {
    /// The events in order. What happens by itself, such as a turn that passes, is not among them.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Event>>> {
        let start = self.start.bind(py);
        let mut events = Vec::with_capacity(self.turn.events.len());
        let mut before = start.clone();
        for (_, step) in start.get().inner().line(&self.turn.events) {
            events.push(Event::at(&before, step.event)?);
            before = Bound::new(py, start.get().beside(step.position))?;
        }
        Ok(events)
    }

    /// The position after it.
    #[getter]
    fn position(&self) -> Position {
        self.start.get().beside(self.turn.position.clone())
    }

    /// The turn as people write it.
    #[getter]
    fn text(&self) -> String {
        self.text_of()
    }

    fn __str__(&self) -> String {
        self.text_of()
    }

    fn __repr__(&self) -> String {
        format!("Turn('{}')", self.text_of())
    }

    fn __eq__(&self, other: &Bound<'_, Turn>) -> bool {
        let other = other.get();
        self.turn == other.turn && self.start.get().inner() == other.start.get().inner()
    }

    fn __hash__(&self) -> u64 {
        self.turn.position.hash128() as u64
    }
}
