//! Explanations of events.

use pyo3::prelude::*;

use senet::Verdict;

use crate::data::{self, class};
use crate::event::Event;
use crate::picture::{self, Style};
use crate::position::Position;

/// Why an event is accepted or refused: the phase, what each rule says, the path that was tried
/// and what blocks it. `str(explanation)` tells it in lines.
#[pyclass(frozen, module = "senet")]
pub(crate) struct Explanation {
    told: senet::Explanation,
    position: Py<Position>,
}

impl Explanation {
    pub(crate) fn new(position: &Bound<'_, Position>, told: senet::Explanation) -> Explanation {
        Explanation { told, position: position.clone().unbind() }
    }

    fn game(&self) -> &senet::Game {
        self.told.position().game()
    }
}

#[pymethods]
impl Explanation {
    /// Whether the rules accept the event.
    #[getter]
    fn accepted(&self) -> bool {
        self.told.is_accepted()
    }

    /// The explanation in lines.
    #[getter]
    fn text(&self) -> String {
        self.told.to_string()
    }

    /// The event asked about.
    #[getter]
    fn event<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Event>> {
        Event::at(self.position.bind(py), self.told.event)
    }

    /// The position in which it was asked.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// The phase that is open.
    #[getter]
    fn phase(&self) -> Option<&str> {
        self.told.phase.map(|phase| self.game().phase_name(phase))
    }

    /// The rule that accepts it.
    #[getter]
    fn rule(&self) -> Option<&str> {
        self.told.accepted_by.map(|rule| self.game().rule_name(rule))
    }

    /// Every reason for a refusal, the main one first.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.told.reasons.iter().map(|&reason| data::reason(py, self.game(), reason)).collect()
    }

    /// What each rule about such events says, in order.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = class!(py, "senet._data", "RuleReport")?;
        let report = |report: &senet::RuleReport| {
            let (verdict, reason) = match report.verdict {
                Verdict::Valid => ("valid", None),
                Verdict::Ignore => ("ignored", None),
                Verdict::Invalid(reason) => ("invalid", Some(reason)),
            };
            let reason = reason.map(|reason| data::reason(py, self.game(), reason)).transpose()?;
            let checks = report.checks.iter().map(|check| (check.condition.clone(), check.holds));
            let checks: Vec<(String, bool)> = checks.collect();
            class.call1((self.game().rule_name(report.rule), verdict, reason, checks))
        };
        self.told.rules.iter().map(report).collect()
    }

    /// The tiles of the path that was tried, from the source on.
    #[getter]
    fn path(&self) -> Vec<String> {
        self.told.path.iter().map(|&tile| data::tile_name(self.game(), tile)).collect()
    }

    /// The tile that blocks the path.
    #[getter]
    fn blocker(&self) -> Option<String> {
        self.told.blocker.map(|tile| data::tile_name(self.game(), tile))
    }

    /// The attacks because of which it is refused: from which tile, by which kind, on which tile.
    #[getter]
    fn attacks(&self) -> Vec<(String, String, String)> {
        let game = self.game();
        let attack = |attack: &senet::Attack| {
            let kind = game.kind_name(attack.kind).to_owned();
            (data::tile_name(game, attack.from), kind, data::tile_name(game, attack.on))
        };
        self.told.attacks.iter().map(attack).collect()
    }

    /// What the turn could do instead, where it must use more of the dice.
    #[getter]
    fn instead<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Event>>> {
        self.told.instead.iter().map(|&event| Event::at(self.position.bind(py), event)).collect()
    }

    fn __bool__(&self) -> bool {
        self.told.is_accepted()
    }

    fn __str__(&self) -> String {
        self.told.to_string()
    }

    fn __repr__(&self) -> String {
        let said = if self.told.is_accepted() { "accepted" } else { "refused" };
        format!("<Explanation of {}: {said}>", self.told.position().format(self.told.event))
    }

    /// A picture as SVG text: the path, and what refuses it.
    #[pyo3(signature = (*, dark = false, flipped = false))]
    fn svg(&self, dark: bool, flipped: bool) -> String {
        picture::explained(&self.told, Style { dark, flipped })
    }

    fn _repr_svg_(&self) -> String {
        picture::explained(&self.told, Style::default())
    }

    fn _repr_html_(&self) -> String {
        let text = picture::escape(&self.told.to_string());
        format!("<div>{}<pre>{text}</pre></div>", self._repr_svg_())
    }
}
