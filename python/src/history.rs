//! Matches: one playing of a game with its history.

use std::sync::Arc;

use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use senet::learn::InformationTensor;
use senet::notation::pgn::{Record, Tags, Termination, Tree};
use senet::{ApplyError, Event as RawEvent, Glimpse, PlayerId, Viewer, notation};

use crate::data;
use crate::error;
use crate::event::{Event, Proposal};
use crate::game::{Game, Shared, events_of};
use crate::interrupt::Stop;
use crate::pickle::{self, Reduced};
use crate::picture;
use crate::position::{Position, player_named};
use crate::record::pgn_games;

/// What a file says about a match, such as the names of the players.
pub(crate) type Described = Vec<(String, String)>;

/// One playing of a game: undo, redo, branches, saving and loading. Positions that repeat are
/// counted, where the rules ask for that.
///
/// `str(match)` is the events played, as people write them.
///
/// >>> import senet
/// >>> played = senet.Match(senet.load("chess"), ["f3", "e5", "g4", "Qh4"])
/// >>> str(played), str(played.outcome)
/// ('f3 e5 g4 Qh4#', 'black wins: checkmate')
/// >>> played.undo(), played.ply
/// (True, 3)
#[pyclass(module = "senet")]
pub(crate) struct Match {
    played: senet::Match,
    shared: Arc<Shared>,
    /// What a file says about it.
    tags: Described,
}

impl Match {
    fn at(position: senet::Position, shared: Arc<Shared>) -> Match {
        Match { played: senet::Match::at(position), shared, tags: Vec::new() }
    }

    /// What was played, with what a file says about it.
    pub(crate) fn of(played: senet::Match, shared: Arc<Shared>, tags: Described) -> Match {
        Match { played, shared, tags }
    }

    /// The same match with what a file says about it.
    pub(crate) fn tagged(self, tags: Described) -> Match {
        Match { tags, ..self }
    }

    pub(crate) fn inner(&self) -> &senet::Match {
        &self.played
    }

    /// The position now.
    pub(crate) fn now(&self) -> Position {
        self.hold(self.played.position())
    }

    fn hold(&self, position: senet::Position) -> Position {
        Position::new(position, self.shared.clone())
    }

    /// The player of a name, or the one to move.
    fn viewer(&self, py: Python<'_>, name: Option<&str>) -> PyResult<PlayerId> {
        match name {
            Some(name) => player_named(py, self.played.game(), name),
            None => Ok(self.played.position().player()),
        }
    }

    /// Every position of the line up to now, the start first.
    pub(crate) fn line(&self) -> Vec<(senet::Position, Option<RawEvent>)> {
        let steps = self.played.steps().into_iter().take(self.played.ply());
        let steps = steps.map(|(played, position)| (position, Some(played.event)));
        std::iter::once((self.played.start(), None)).chain(steps).collect()
    }
}

/// Plays events from a position until it is told to stop.
pub(crate) fn replay(
    start: &senet::Position,
    events: &[RawEvent],
    stop: Stop<'_>,
) -> Result<senet::Match, ApplyError> {
    let mut played = senet::Match::at(start.clone());
    for &event in events {
        if stop() {
            break;
        }
        played.apply(event)?;
    }
    Ok(played)
}

#[pymethods]
impl Match {
    /// A match from the start of a game or from a position, with moves played.
    #[new]
    #[pyo3(signature = (start, moves = None))]
    fn new(start: &Bound<'_, PyAny>, moves: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<Match> {
        let mut made = if let Ok(game) = start.cast::<Game>() {
            let position = game.get().start_of();
            Match::at(position.inner().clone(), position.shared().clone())
        } else {
            let position = start.cast::<Position>()?.get();
            Match::at(position.inner().clone(), position.shared().clone())
        };
        for event in moves.unwrap_or_default() {
            made.apply(&event)?;
        }
        Ok(made)
    }

    /// Reads what `save` or `to_json` wrote and checks every step of it.
    #[staticmethod]
    pub(crate) fn load(game: &Bound<'_, Game>, saved: &[u8]) -> PyResult<Match> {
        let inner = game.get().inner();
        let played = game.py().detach(|| senet::Match::load(inner, saved));
        let played = played.map_err(|error| error::record(game.py(), error))?;
        let shared = game.get().start_of().shared().clone();
        Ok(Match { played, shared, tags: Vec::new() })
    }

    /// The match in the compact form of saved matches.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.played.save())
    }

    /// The match in the form of saved matches that people can read.
    fn to_json(&self) -> String {
        self.played.to_json()
    }

    /// The match as a PGN file; only games of chess can be written so.
    #[pyo3(signature = (**tags))]
    fn pgn(&self, py: Python<'_>, tags: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let (game, start) = (self.played.game(), self.played.start());
        if notation::pgn_notation(game).is_none() {
            let message = format!("`{}` cannot be written as PGN", game.name());
            return Err(error::record(py, message));
        }
        let mut record = Record {
            tags: Tags(self.tags.clone()),
            game: game.name().to_owned(),
            start: start.state().clone(),
            tree: Tree::new(),
            result: self.result(),
        };
        for (name, value) in tags.into_iter().flatten() {
            record.tags.set(&name.extract::<String>()?, value.str()?.to_string());
        }
        if game.name() != "chess" {
            record.tags.set("Variant", game.name());
        }
        if start != game.start() {
            record.tags.set("SetUp", "1");
            record.tags.set("FEN", start.to_string());
        }
        record.tags.set("Result", record.result.text());
        let mut node = 0;
        for (_, event) in self.line() {
            if let Some(event) = event {
                node = record.tree.add(node, event);
            }
        }
        let written = record.format(&notation::pgn_rules(pgn_games()));
        written.map_err(|problem| error::record(py, problem))
    }

    /// The match as a `.mat` file, with the names of the players; only games of backgammon can be written
    /// so. A turn that is not yet played to its end is left out.
    #[pyo3(signature = (*names))]
    fn mat(&self, py: Python<'_>, names: Vec<String>) -> PyResult<String> {
        notation::write_mat(&self.played, &names).ok_or_else(|| {
            let name = self.played.game().name();
            error::record(py, format!("`{name}` cannot be written as a .mat file"))
        })
    }

    /// What a file says about the match, such as the names of the players.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.tags {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.played.game().clone(), self.shared.clone())
    }

    /// The position now.
    #[getter]
    fn position(&self) -> Position {
        self.hold(self.played.position())
    }

    /// The position in which the match began.
    #[getter]
    fn start(&self) -> Position {
        self.hold(self.played.start())
    }

    /// How many events the line has, with those that were taken back.
    #[getter]
    fn length(&self) -> usize {
        self.played.len()
    }

    /// How many events were played to get here.
    #[getter]
    fn ply(&self) -> usize {
        self.played.ply()
    }

    /// The events played to get here.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Event>>> {
        let line = self.line();
        let mut events = Vec::with_capacity(line.len());
        for pair in line.windows(2) {
            let [(before, _), (_, Some(event))] = pair else { continue };
            let before = Bound::new(py, self.hold(before.clone()))?;
            events.push(Event::at(&before, *event)?);
        }
        Ok(events)
    }

    /// The events played to get here as a player has seen them, as programs write them: `None` where
    /// nothing of an event was seen.
    ///
    /// >>> import senet
    /// >>> dealt = senet.Match(senet.load("kuhn-poker"), ["jack", "king", "pass"])
    /// >>> dealt.events_seen("two")
    /// [None, 'roll:king', 'pass']
    fn events_seen(&self, py: Python<'_>, player: &str) -> PyResult<Vec<Option<String>>> {
        let viewer = Viewer::Player(player_named(py, self.played.game(), player)?);
        let line = self.line();
        let seen = line.windows(2).filter_map(|pair| {
            let [(before, _), (after, Some(event))] = pair else { return None };
            let glimpse = before.glimpse(*event, after, viewer);
            let seen = !matches!(glimpse, Glimpse::Nothing);
            Some(seen.then(|| glimpse.text(self.played.game().rules())))
        });
        Ok(seen.collect())
    }

    /// Every position of the match up to now, the start first.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.line().into_iter().map(|(position, _)| self.hold(position)).collect()
    }

    /// How the match has ended, if it has. Unlike a position, it knows of repetitions.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = self.played.outcome();
        outcome.map(|outcome| data::outcome(py, self.played.game(), &outcome)).transpose()
    }

    /// Plays an event or the text of one; raises `Rejected` if the rules refuse it. What was undone
    /// is forgotten, unless this is what was undone.
    fn apply(&mut self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        let played = match Proposal::new(event, &self.played.position())? {
            Proposal::Event(event) => self.played.apply(event),
            Proposal::Text(text) => self.played.apply(text),
        };
        played.map(|_| ()).map_err(|error| error::apply(event.py(), &error))
    }

    /// Takes the last event back; false where nothing was played.
    fn undo(&mut self) -> bool {
        self.played.undo()
    }

    /// Plays the event again that was taken back; false where none was.
    fn redo(&mut self) -> bool {
        self.played.redo()
    }

    /// Goes to a ply of the line, back or forth.
    fn goto(&mut self, ply: usize) -> PyResult<()> {
        if self.played.goto(ply) {
            return Ok(());
        }
        let most = self.played.len();
        Err(PyIndexError::new_err(format!("there is no ply {ply}: the line has plies 0 to {most}")))
    }

    /// A second match that shares everything so far.
    fn branch(&self) -> Match {
        let (played, shared) = (self.played.branch(), self.shared.clone());
        Match { played, shared, tags: self.tags.clone() }
    }

    /// Everything that a player has seen and done, as text: equal for matches that the player cannot
    /// tell apart. The player is the one to move unless another one is named.
    ///
    /// >>> import senet
    /// >>> poker = senet.load("kuhn-poker")
    /// >>> one, two = (senet.Match(poker, ["jack", card]) for card in ("queen", "king"))
    /// >>> one.information_state("one") == two.information_state("one")
    /// True
    /// >>> one.information_state("two") == two.information_state("two")
    /// False
    #[pyo3(signature = (player = None))]
    fn information_state(&self, py: Python<'_>, player: Option<&str>) -> PyResult<String> {
        let viewer = self.viewer(py, player)?;
        Ok(match self.played.recall(viewer) {
            Some(recall) => recall.text(self.played.game().rules()),
            // Everybody has seen everything.
            None => format!("{}\n{}", self.played.start(), self.played),
        })
    }

    /// What a player knows as a float32 array of one dimension: what `Position.observe` shows, then
    /// a row for each of the last `events` events of which the player has seen something, the newest
    /// first. A row has a 1 at 0 for an own event or at 1 for another, and a 1 at 2 plus its action
    /// where all of it was seen.
    #[pyo3(signature = (player = None, *, events = 16))]
    fn information_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<&str>,
        events: usize,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        py.import("numpy")?;
        let viewer = self.viewer(py, player)?;
        let game = self.played.game();
        let tensor = InformationTensor::of(game, self.shared.actions(game), events_of(events)?);
        let mut numbers = vec![0.0; tensor.len()];
        tensor.write(&self.played, viewer, &mut numbers);
        Ok(PyArray1::from_vec(py, numbers))
    }

    fn __len__(&self) -> usize {
        self.played.ply()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        self.played.to_string()
    }

    fn __repr__(&self) -> String {
        let (name, ply) = (self.played.game().name(), self.played.ply());
        format!("<Match of {name} after {ply} events: {}>", self.played.position())
    }

    fn __eq__(&self, other: PyRef<'_, Match>) -> bool {
        self.played.game() == other.played.game() && self.line() == other.line()
    }

    fn __copy__(&self) -> Match {
        self.branch()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Match {
        self.branch()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Reduced<'py, (Game, Bound<'py, PyBytes>, Described)>> {
        pickle::reduce(py, "restore_match", (self.game(), self.save(py), self.tags.clone()))
    }

    fn _repr_svg_(&self) -> String {
        let last = self.played.last().map(|played| played.event);
        picture::after(&self.played.position(), last).svg()
    }

    fn _repr_html_(&self) -> String {
        let moves = picture::escape(&self.played.to_string());
        let outcome = self.played.outcome();
        let outcome = outcome.map_or(String::new(), |outcome| {
            format!("<p>{}</p>", picture::escape(&self.played.game().outcome_text(&outcome)))
        });
        format!("<div>{}<p>{moves}</p>{outcome}</div>", self._repr_svg_())
    }
}

impl Match {
    fn result(&self) -> Termination {
        match self.played.outcome() {
            None => Termination::Unknown,
            Some(outcome) => match outcome.winner.map(senet::PlayerId::index) {
                None => Termination::Draw,
                Some(0) => Termination::White,
                Some(_) => Termination::Black,
            },
        }
    }
}
