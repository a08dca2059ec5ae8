//! Events, each with the position in which it may be played.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use senet::{Accepted, Event as RawEvent};

use crate::error;
use crate::pickle::{self, Reduced};
use crate::position::Position;

/// What a player or chance may do in a position.
///
/// `str(event)` is what people write, such as `Nf3`; `event.text` is what programs write, such as
/// `g1f3`. Both can be given to `Position.apply`.
#[pyclass(frozen, module = "senet")]
pub(crate) struct Event {
    pub(crate) raw: RawEvent,
    pub(crate) position: Py<Position>,
    /// What is known of it where it is one of the legal events of its position.
    accepted: Option<Accepted>,
}

impl Event {
    /// An event of a position.
    pub(crate) fn at<'py>(
        position: &Bound<'py, Position>,
        raw: RawEvent,
    ) -> PyResult<Bound<'py, Event>> {
        let position = position.clone();
        Bound::new(position.py(), Event { raw, position: position.unbind(), accepted: None })
    }

    /// A legal event of a position.
    pub(crate) fn legal_at<'py>(
        position: &Bound<'py, Position>,
        accepted: Accepted,
    ) -> PyResult<Bound<'py, Event>> {
        let (raw, accepted) = (accepted.event(), Some(accepted));
        let made = Event { raw, position: position.clone().unbind(), accepted };
        Bound::new(position.py(), made)
    }

    /// How the event was accepted, if it was listed for this very position.
    pub(crate) fn accepted_in(&self, position: &Bound<'_, Position>) -> Option<Accepted> {
        self.accepted.filter(|_| self.position.is(position))
    }

    fn inner(&self) -> &senet::Position {
        self.position.get().inner()
    }

    /// The raw event, if it is of the same game as a position.
    pub(crate) fn raw_in(&self, py: Python<'_>, position: &senet::Position) -> PyResult<RawEvent> {
        let (own, other) = (self.inner().game(), position.game());
        if own == other {
            return Ok(self.raw);
        }
        let message =
            format!("the event is of `{}`, the position is of `{}`", own.name(), other.name());
        Err(error::foreign(py, message))
    }
}

/// What can be proposed: an event or its text.
pub(crate) enum Proposal {
    Event(RawEvent),
    Text(String),
}

impl Proposal {
    pub(crate) fn new(value: &Bound<'_, PyAny>, position: &senet::Position) -> PyResult<Proposal> {
        if let Ok(event) = value.cast::<Event>() {
            return event.get().raw_in(value.py(), position).map(Proposal::Event);
        }
        if let Ok(text) = value.extract::<String>() {
            return Ok(Proposal::Text(text));
        }
        let found = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected an Event or a str, not {found}")))
    }
}

#[pymethods]
impl Event {
    /// The event as programs write it.
    #[getter]
    fn text(&self) -> String {
        self.inner().format(self.raw)
    }

    /// What it is: `"move"`, `"put"`, `"roll"`, `"act"` or `"pick"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.raw {
            RawEvent::Move { .. } | RawEvent::Advance { .. } => "move",
            RawEvent::Put { .. } => "put",
            RawEvent::Roll(_) => "roll",
            RawEvent::Act(_) => "act",
            RawEvent::Pick { .. } => "pick",
        }
    }

    /// The tile that a piece leaves.
    #[getter]
    fn source(&self) -> Option<String> {
        let (from, _) = senet::render::ends(self.raw);
        from.map(|tile| self.inner().game().tile_name(tile).to_owned())
    }

    /// The tile on which a piece lands.
    #[getter]
    fn target(&self) -> Option<String> {
        let to = self.inner().landing(self.raw);
        to.map(|tile| self.inner().game().tile_name(tile).to_owned())
    }

    /// The kind that a piece becomes by choice, or that enters the board.
    #[getter]
    fn piece(&self) -> Option<String> {
        let kind = match self.raw {
            RawEvent::Move { choice, .. } => choice,
            RawEvent::Put { kind, .. } => Some(kind),
            _ => None,
        };
        kind.map(|kind| self.inner().game().kind_name(kind).to_owned())
    }

    /// What the dice show after a roll, or the die that a move spends.
    #[getter]
    fn dice(&self) -> Vec<u32> {
        match self.raw {
            RawEvent::Roll(outcome) => {
                let faces = self.inner().game().faces(outcome).iter();
                faces.map(|(_, face)| u32::from(*face)).collect()
            }
            RawEvent::Advance { pips, .. } => vec![pips.into()],
            _ => Vec::new(),
        }
    }

    /// The position that it is an event of.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// Its number among the actions of the game; none for what chance gives.
    #[getter]
    fn action(&self) -> Option<u32> {
        self.position.get().actions().action(self.raw)
    }

    fn __str__(&self) -> String {
        self.inner().notate(self.raw)
    }

    fn __repr__(&self) -> String {
        format!("Event('{}')", self.text())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.raw.hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Bound<'_, Event>) -> bool {
        let other = other.get();
        self.raw == other.raw && self.inner().game() == other.inner().game()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Py<Position>, String)>> {
        pickle::reduce(py, "restore_event", (self.position.clone_ref(py), self.text()))
    }
}
