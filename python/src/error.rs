//! Errors of the facade as the exceptions of `senet/_errors.py`.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use senet::lang::{Diagnostic, line_column};
use senet::learn::IllegalAction;
use senet::notation::PositionError;
use senet::{ApplyError, GameError, Refused};

use crate::data::{self, class};

/// An exception of a class with a message and attributes.
fn raise(class: PyResult<&Bound<'_, PyType>>, message: &str, fields: &Bound<'_, PyDict>) -> PyErr {
    let made = class.and_then(|class| class.call((message,), Some(fields)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The text is not written as the game writes it.
pub(crate) fn notation(py: Python<'_>, error: impl Display) -> PyErr {
    let none = PyDict::new(py);
    raise(class!(py, "senet._errors", "NotationError"), &error.to_string(), &none)
}

/// Something belongs to another game.
pub(crate) fn foreign(py: Python<'_>, message: impl Display) -> PyErr {
    let none = PyDict::new(py);
    raise(class!(py, "senet._errors", "ForeignError"), &message.to_string(), &none)
}

/// A match that cannot be read or written.
pub(crate) fn record(py: Python<'_>, error: impl Display) -> PyErr {
    let none = PyDict::new(py);
    raise(class!(py, "senet._errors", "MatchError"), &error.to_string(), &none)
}

/// Any other question that has no answer.
pub(crate) fn value(py: Python<'_>, error: impl Display) -> PyErr {
    let none = PyDict::new(py);
    raise(class!(py, "senet._errors", "SenetError"), &error.to_string(), &none)
}

pub(crate) fn unknown_game(py: Python<'_>, error: &senet::UnknownGame) -> PyErr {
    let fields = PyDict::new(py);
    let set = fields.set_item("near", error.near.as_deref());
    let class = set.and_then(|()| class!(py, "senet._errors", "UnknownGame"));
    raise(class, &error.to_string(), &fields)
}

pub(crate) fn position(py: Python<'_>, error: &PositionError) -> PyErr {
    notation(py, error)
}

pub(crate) fn illegal_action(py: Python<'_>, error: IllegalAction) -> PyErr {
    let fields = PyDict::new(py);
    let set =
        fields.set_item("game", error.game).and_then(|()| fields.set_item("action", error.action));
    let class = set.and_then(|()| class!(py, "senet._errors", "IllegalAction"));
    raise(class, &error.to_string(), &fields)
}

pub(crate) fn apply(py: Python<'_>, error: &ApplyError) -> PyErr {
    match error {
        ApplyError::Text(error) => notation(py, error),
        ApplyError::Foreign(_) => foreign(py, error),
        ApplyError::Refused(refused) => rejected(py, refused),
    }
}

fn rejected(py: Python<'_>, refused: &Refused) -> PyErr {
    let position = refused.position();
    let (game, rejection) = (position.game(), refused.rejection());
    let fields = PyDict::new(py);
    let fill = || -> PyResult<()> {
        let reasons: PyResult<Vec<_>> =
            refused.reasons().iter().map(|&reason| data::reason(py, game, reason)).collect();
        let tile = refused.reasons().iter().find_map(|reason| reason.tile());
        let instead: Vec<String> =
            rejection.instead.iter().map(|&event| position.format(event)).collect();
        fields.set_item("event", position.format(refused.event()))?;
        fields.set_item("phase", rejection.phase.map(|phase| game.phase_name(phase)))?;
        fields.set_item("rule", rejection.rule.map(|rule| game.rule_name(rule)))?;
        fields.set_item("reasons", reasons?)?;
        fields.set_item("tile", tile.map(|tile| game.tile_name(tile)))?;
        fields.set_item("instead", instead)
    };
    let class = fill().and_then(|()| class!(py, "senet._errors", "Rejected"));
    raise(class, &refused.to_string(), &fields)
}

/// Every problem of a game that cannot be compiled, each with its place.
pub(crate) fn game(py: Python<'_>, error: GameError) -> PyErr {
    type Problem = (String, String, Option<usize>, Option<usize>);
    let text = error.to_string();
    let problems: Vec<Problem> = match error {
        GameError::Io { error, .. } => return error.into(),
        GameError::Json { line, column, message } => {
            vec![(String::new(), message, Some(line), Some(column))]
        }
        GameError::File(problems) => {
            let place = |one: &Diagnostic| {
                let source = problems.sources.get(usize::from(one.span.file));
                let text = source.map_or("", |source| source.text.as_str());
                let (line, column) = line_column(text, one.span.start);
                (source.map_or(String::new(), |source| source.name.clone()), line, column)
            };
            let each = problems.diagnostics.iter().map(|one| {
                let (name, line, column) = place(one);
                (name, one.message.clone(), Some(line), Some(column))
            });
            each.collect()
        }
        GameError::Definition(errors) => {
            let each = errors.0.into_iter();
            each.map(|error| (error.place, error.fault.to_string(), None, None)).collect()
        }
    };
    let fields = PyDict::new(py);
    let fill = || -> PyResult<()> {
        let class = class!(py, "senet._data", "Problem")?;
        let problems: PyResult<Vec<_>> =
            problems.into_iter().map(|problem| class.call1(problem)).collect();
        fields.set_item("problems", problems?)
    };
    let class = fill().and_then(|()| class!(py, "senet._errors", "GameErrors"));
    raise(class, &text, &fields)
}
