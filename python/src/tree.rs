//! Monte Carlo tree search with an evaluator written in Python.

use numpy::{PyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use senet::learn::{self, Evaluation, Leaf, TreeOptions};

use crate::event::Event;
use crate::position::Position;

/// A search tree below a position whose evaluations come from a Python function.
#[pyclass(module = "senet")]
pub(crate) struct Tree {
    tree: learn::Tree,
    root: Py<Position>,
}

/// An array of float32 of what a function gave back.
fn floats<'py>(value: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (value, "float32"))?;
    array.extract()
}

/// What the position is worth to each player, from what it is worth to the mover.
fn shared_out(value: f32, mover: usize, players: usize) -> Vec<f32> {
    let others = -value / players.saturating_sub(1).max(1) as f32;
    (0..players).map(|player| if player == mover { value } else { others }).collect()
}

impl Tree {
    /// Asks the evaluator about positions: a row of priors by action for each, and a value for
    /// the player to move.
    fn evaluate(
        &self,
        py: Python<'_>,
        leaves: &[Leaf],
        evaluate: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Evaluation>> {
        let root = self.root.get();
        let positions = leaves.iter().map(|leaf| Py::new(py, root.beside(leaf.position.clone())));
        let positions: Vec<Py<Position>> = positions.collect::<PyResult<_>>()?;
        let (policies, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            evaluate.call1((positions,))?.extract()?;
        let (policies, values) = (floats(&policies)?, floats(&values)?);
        let actions = root.actions();
        if policies.shape() != [leaves.len(), actions.len()] || values.len() != leaves.len() {
            return Err(PyValueError::new_err(format!(
                "the evaluator must give arrays of shape ({}, {}) and ({},), not {:?} and {:?}",
                leaves.len(),
                actions.len(),
                leaves.len(),
                policies.shape(),
                values.shape(),
            )));
        }
        let (policies, values) = (policies.as_slice()?, values.as_slice()?);
        let players = root.inner().game().players().count();
        let each = leaves.iter().zip(policies.chunks_exact(actions.len())).zip(values);
        let one = |((leaf, policy), &value): ((&Leaf, &[f32]), &f32)| {
            let legal = actions.legal(&leaf.position);
            let priors = legal.into_iter().map(|action| policy[action as usize]).collect();
            let mover = leaf.position.player().index();
            Evaluation { priors, values: shared_out(value, mover, players) }
        };
        Ok(each.map(one).collect())
    }
}

#[pymethods]
impl Tree {
    #[new]
    #[pyo3(signature = (position, *, exploration = 1.5, noise = 0.0, seed = 0))]
    fn new(
        position: &Bound<'_, Position>,
        exploration: f32,
        noise: f32,
        seed: u64,
    ) -> PyResult<Tree> {
        if !exploration.is_finite() || exploration < 0.0 || !(0.0..=1.0).contains(&noise) {
            let message = "exploration must be 0 or more and noise from 0 to 1";
            return Err(PyValueError::new_err(message));
        }
        let options = TreeOptions { exploration, noise, seed };
        let root = position.get();
        let tree = learn::Tree::new(root.inner(), root.actions(), options);
        Ok(Tree { tree, root: position.clone().unbind() })
    }

    /// Grows the tree until it has seen `playouts` playouts. The evaluator gets lists of up to
    /// `batch` positions and returns an array of priors, a row by action for each position, and an
    /// array of values to the player to move.
    #[pyo3(signature = (playouts, evaluate, *, batch = 16))]
    fn grow(
        &mut self,
        py: Python<'_>,
        playouts: u64,
        evaluate: &Bound<'_, PyAny>,
        batch: usize,
    ) -> PyResult<()> {
        if batch == 0 {
            return Err(PyValueError::new_err("batch must be at least 1"));
        }
        let mut leaves: Vec<Leaf> = Vec::new();
        while self.tree.playouts() < playouts {
            py.check_signals()?;
            let before = self.tree.playouts();
            let left = usize::try_from(playouts - before).unwrap_or(usize::MAX);
            let tree = &mut self.tree;
            py.detach(|| tree.select(batch.min(left), &mut leaves));
            if leaves.is_empty() {
                if self.tree.playouts() == before {
                    break;
                }
                continue;
            }
            match self.evaluate(py, &leaves, evaluate) {
                Ok(evaluations) => {
                    let tree = &mut self.tree;
                    py.detach(|| {
                        for (leaf, evaluation) in leaves.drain(..).zip(&evaluations) {
                            tree.expand(leaf, evaluation);
                        }
                    });
                }
                Err(error) => {
                    leaves.iter().for_each(|leaf| self.tree.release(leaf));
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// How many playouts the tree has seen.
    #[getter]
    fn playouts(&self) -> u64 {
        self.tree.playouts()
    }

    /// The events at the root, each with its visits and its mean value to the player to move.
    fn tally<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, Event>, u32, f32)>> {
        let root = self.root.bind(py);
        let each = self.tree.tally().into_iter();
        each.map(|(event, visits, mean)| Ok((Event::at(root, event)?, visits, mean))).collect()
    }

    /// The share of visits of each action at the root, as a float32 array.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        py.import("numpy")?;
        let actions = self.root.get().actions();
        let mut policy = vec![0.0; actions.len()];
        let tally = self.tree.tally();
        let total: u64 = tally.iter().map(|(_, visits, _)| u64::from(*visits)).sum();
        for (event, visits, _) in tally {
            if let Some(action) = actions.action(event) {
                policy[action as usize] = visits as f32 / total.max(1) as f32;
            }
        }
        Ok(PyArray1::from_vec(py, policy))
    }

    /// The event at the root that was visited most often.
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Event>>> {
        self.tree.best().map(|event| Event::at(self.root.bind(py), event)).transpose()
    }
}
