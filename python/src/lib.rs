//! The Python package of Senet: the facade crate as Python classes.
//!
//! Plain data such as outcomes and reasons, and the exceptions, are classes written in Python
//! (`senet/_data.py`, `senet/_errors.py`); this module makes instances of them.

mod batch;
mod bot;
mod data;
mod error;
mod event;
mod explanation;
mod game;
mod history;
mod interrupt;
mod pickle;
mod picture;
mod position;
mod record;
mod timeline;
mod tree;
mod turn;

use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the command with these arguments and returns its exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    let arguments = std::iter::once("senet".to_owned()).chain(arguments);
    let arguments = arguments.map(Into::into).collect();
    let code = py.detach(|| senet_cli::run(arguments));
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}

#[pymodule]
fn _senet(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::restore_game, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::restore_position, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::restore_event, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::restore_match, module)?)?;
    module.add_function(wrap_pyfunction!(record::read_pgn, module)?)?;
    module.add_function(wrap_pyfunction!(record::read_mat, module)?)?;
    module.add_function(wrap_pyfunction!(picture::film, module)?)?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<event::Event>()?;
    module.add_class::<explanation::Explanation>()?;
    module.add_class::<turn::Turn>()?;
    module.add_class::<history::Match>()?;
    module.add_class::<bot::Bot>()?;
    module.add_class::<timeline::Timeline>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<tree::Tree>()
}
