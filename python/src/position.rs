//! Positions.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use senet::chance::Source;
use senet::learn::Actions;
use senet::render::Picture;
use senet::{Budget, Event as RawEvent, PlayerId, Stopped, Viewer};

use crate::data::{self, class};
use crate::error;
use crate::event::{Event, Proposal};
use crate::explanation::Explanation;
use crate::game::{Game, Shared};
use crate::history::{Match, replay};
use crate::interrupt;
use crate::pickle::{self, Reduced};
use crate::picture::{self, Wanted};
use crate::timeline::Timeline;
use crate::turn::Turn;

/// A position of a game. It never changes: `apply` gives the next one.
///
/// `str(position)` is what the notation of the game writes, such as FEN. Two positions are equal
/// when they count as the same position of the same game.
///
/// >>> import senet
/// >>> position = senet.load("chess").start().apply("e4").apply("e5")
/// >>> position
/// Position('chess', 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')
/// >>> [str(event) for event in position.legal() if event.piece is None][:3]
/// ['a3', 'b3', 'c3']
/// >>> position.player, position.outcome, position.perft(3)
/// ('white', None, 24825)
#[pyclass(frozen, module = "senet")]
pub(crate) struct Position {
    position: senet::Position,
    shared: Arc<Shared>,
}

/// The deepest tree that is counted: nobody lives to see a deeper one.
const MOST_DEPTH: u32 = 1_000;

impl Position {
    pub(crate) fn new(position: senet::Position, shared: Arc<Shared>) -> Position {
        Position { position, shared }
    }

    pub(crate) fn inner(&self) -> &senet::Position {
        &self.position
    }

    /// Another position of the same game.
    pub(crate) fn beside(&self, position: senet::Position) -> Position {
        Position::new(position, self.shared.clone())
    }

    pub(crate) fn actions(&self) -> &Arc<Actions> {
        self.shared.actions(self.position.game())
    }

    /// The actions that are legal; none where chance is awaited.
    pub(crate) fn legal_ids(&self) -> Vec<u32> {
        let legal = self.shared.walk(|walk| walk.legal(&self.position)).into_iter();
        let actions = self.actions();
        legal.filter_map(|accepted| actions.action(accepted.event())).collect()
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The player of a name.
    fn player_named(&self, py: Python<'_>, name: &str) -> PyResult<PlayerId> {
        player_named(py, self.position.game(), name)
    }

    fn step(&self, py: Python<'_>, proposal: &Proposal) -> PyResult<Position> {
        let step = match proposal {
            Proposal::Event(event) => self.position.apply(*event),
            Proposal::Text(text) => self.position.apply(text.as_str()),
        };
        match step {
            Ok(step) => Ok(self.beside(step.position)),
            Err(error) => Err(error::apply(py, &error)),
        }
    }
}

fn events<'py>(
    slf: &Bound<'py, Position>,
    events: Vec<RawEvent>,
) -> PyResult<Vec<Bound<'py, Event>>> {
    events.into_iter().map(|event| Event::at(slf, event)).collect()
}

/// The player of a name.
pub(crate) fn player_named(py: Python<'_>, game: &senet::Game, name: &str) -> PyResult<PlayerId> {
    game.player(name).ok_or_else(|| {
        let names: Vec<&str> = game.players().map(|player| game.player_name(player)).collect();
        let found = senet::excerpt(name);
        error::value(
            py,
            format!("no player is named `{found}`: the players are {}", names.join(", ")),
        )
    })
}

fn checked_depth(depth: u32) -> PyResult<u32> {
    if depth <= MOST_DEPTH {
        return Ok(depth);
    }
    Err(PyValueError::new_err(format!("depth must be 0 to {MOST_DEPTH}, not {depth}")))
}

#[pymethods]
impl Position {
    /// Every legal event, in a fixed order. Where chance is awaited, these are its outcomes.
    fn legal<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, Event>>> {
        let position = slf.get();
        let legal = position.shared.walk(|walk| walk.legal(&position.position));
        legal.into_iter().map(|accepted| Event::legal_at(slf, accepted)).collect()
    }

    /// How many events are legal.
    fn legal_count(&self) -> u64 {
        self.position.legal_count()
    }

    /// What the player may say instead of playing, such as to resign.
    fn asides<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, Event>>> {
        events(slf, slf.get().position.asides())
    }

    /// The position after an event or the text of one; raises `Rejected` if the rules refuse it.
    fn apply(slf: &Bound<'_, Self>, event: &Bound<'_, PyAny>) -> PyResult<Position> {
        let position = slf.get();
        if let Ok(event) = event.cast::<Event>()
            && let Some(accepted) = event.get().accepted_in(slf)
        {
            let after = position.shared.walk(|walk| walk.play(&position.position, accepted));
            return Ok(position.beside(after));
        }
        position.step(event.py(), &Proposal::new(event, &position.position)?)
    }

    /// The position after several events or their texts.
    fn apply_all(slf: &Bound<'_, Self>, events: Vec<Bound<'_, PyAny>>) -> PyResult<Py<Position>> {
        let mut now = slf.clone().unbind();
        for event in events {
            let next = Position::apply(now.bind(slf.py()), &event)?;
            now = Py::new(slf.py(), next)?;
        }
        Ok(now)
    }

    /// Whether the rules accept an event or the text of one.
    fn accepts(&self, event: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(match Proposal::new(event, &self.position)? {
            Proposal::Event(event) => self.position.accepts(event),
            Proposal::Text(text) => self.position.apply(text.as_str()).is_ok(),
        })
    }

    /// Why an event or the text of one is accepted or refused.
    ///
    /// >>> import senet
    /// >>> told = senet.load("chess").start().explain("a1a4")
    /// >>> told.accepted, told.path, told.blocker
    /// (False, ['a1', 'a2', 'a3', 'a4'], 'a2')
    fn explain(slf: &Bound<'_, Self>, event: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let position = &slf.get().position;
        let told = match Proposal::new(event, position)? {
            Proposal::Event(event) => position.explain(event),
            Proposal::Text(text) => position.explain(text),
        };
        let told = told.map_err(|error| error::notation(slf.py(), error))?;
        Ok(Explanation::new(slf, told))
    }

    /// Why the move from a tile to another, or onto a tile, is accepted or refused; none where the
    /// game has no such move anywhere.
    fn explain_move(
        slf: &Bound<'_, Self>,
        source: Option<&str>,
        target: &str,
    ) -> PyResult<Option<Explanation>> {
        let position = slf.get();
        let game = position.position.game();
        let tile = |name: &str| {
            let found = game.tile(name);
            found.ok_or_else(|| error::value(slf.py(), picture::no_tile(name)))
        };
        let ends = (source.map(tile).transpose()?, Some(tile(target)?));
        let event = position.actions().find(|event| senet::render::ends(event) == ends);
        let told = event.map(|event| position.position.explain_event(event));
        Ok(told.map(|told| Explanation::new(slf, told)))
    }

    /// Reads an event in the notation of the game, legal or not.
    fn parse<'py>(slf: &Bound<'py, Self>, text: &str) -> PyResult<Bound<'py, Event>> {
        let event = slf.get().position.parse_event(text);
        Event::at(slf, event.map_err(|error| error::notation(slf.py(), error))?)
    }

    /// Every whole turn of the player to move, one for each position it can lead to.
    fn turns(slf: &Bound<'_, Self>) -> PyResult<Vec<Turn>> {
        let py = slf.py();
        let position = &slf.get().position;
        let turns = py.detach(|| position.turns());
        let turns = turns.map_err(|stopped| error::value(py, stopped))?;
        Ok(turns.into_iter().map(|turn| Turn::at(slf, turn)).collect())
    }

    /// Whether dice or another outcome of chance is awaited.
    #[getter]
    fn awaits_chance(&self) -> bool {
        self.position.awaits_chance()
    }

    /// What chance may give, each outcome with its exact probability.
    ///
    /// >>> import senet
    /// >>> start = senet.load("backgammon").count_start()
    /// >>> roll, probability = start.chances()[1]
    /// >>> str(roll), roll.dice, probability
    /// ('21', [2, 1], Fraction(1, 18))
    fn chances<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Vec<(Bound<'py, Event>, Bound<'py, PyAny>)>> {
        let fraction = class!(slf.py(), "fractions", "Fraction")?;
        let chances = slf.get().position.chances().into_iter();
        let one = |chance: senet::Chance| {
            let senet::Probability { weight, total } = chance.probability;
            Ok((Event::at(slf, chance.event)?, fraction.call1((weight, total))?))
        };
        chances.map(one).collect()
    }

    /// What chance gives, drawn by its probabilities with a seed; none where it is not awaited.
    fn draw_chance<'py>(slf: &Bound<'py, Self>, seed: u64) -> PyResult<Option<Bound<'py, Event>>> {
        let event = Source::seeded(seed).draw(&slf.get().position);
        event.map(|event| Event::at(slf, event)).transpose()
    }

    /// How the game has ended, if it has.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = self.position.outcome();
        outcome.map(|outcome| data::outcome(py, self.position.game(), &outcome)).transpose()
    }

    /// The number of sequences of `depth` legal events.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let depth = checked_depth(depth)?;
        let count = interrupt::run(py, |stop| {
            self.position.perft_within(depth, &mut Budget::until(&|| stop()))
        })?;
        count.map_err(|stopped| error::value(py, stopped))
    }

    /// The count of `perft` below each first event, as programs write it.
    fn divide(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        let depth = checked_depth(depth)?;
        let Some(rest) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let counts = interrupt::run(py, |stop| {
            let count = |event: RawEvent| {
                let Ok(step) = self.position.apply(event) else { return Ok(0) };
                step.position.perft_within(rest, &mut Budget::until(&|| stop()))
            };
            let events = self.position.legal().into_iter();
            let counts = events.map(|event| Ok((self.position.format(event), count(event)?)));
            counts.collect::<Result<Vec<(String, u64)>, Stopped>>()
        })?;
        counts.map_err(|stopped| error::value(py, stopped))
    }

    /// Plays at random until the game is over or `limit` events have been played.
    #[pyo3(signature = (seed, limit = 100_000))]
    fn playout(slf: &Bound<'_, Self>, seed: u64, limit: usize) -> PyResult<Match> {
        let position = &slf.get().position;
        let played = interrupt::run(slf.py(), |stop| {
            let mut source = Source::seeded(seed);
            let mut events = Vec::new();
            let mut now = position.clone();
            // In parts, so that it can be stopped.
            while events.len() < limit && !stop() {
                let playout = now.playout(&mut source, (limit - events.len()).min(10_000));
                let over = playout.outcome.is_some() || playout.events.is_empty();
                now = playout.position;
                events.extend(playout.events);
                if over {
                    break;
                }
            }
            replay(position, &events, stop)
        })?;
        let played = played.map_err(|error| error::apply(slf.py(), &error))?;
        Ok(Match::of(played, slf.get().shared.clone(), Vec::new()))
    }

    /// The tree below the position as a table with a row for each move.
    #[pyo3(signature = (depth, columns = None, *, distinct = false, prune = None, threads = None))]
    fn timeline(
        &self,
        py: Python<'_>,
        depth: u32,
        columns: Option<Vec<String>>,
        distinct: bool,
        prune: Option<String>,
        threads: Option<usize>,
    ) -> PyResult<Timeline> {
        let roots = std::slice::from_ref(&self.position);
        Timeline::new(py, roots, depth, columns, (distinct, prune, threads))
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.position.game().clone(), self.shared.clone())
    }

    /// Who is to move.
    #[getter]
    fn player(&self) -> &str {
        self.position.game().player_name(self.position.player())
    }

    /// The phase that is open, if one is.
    #[getter]
    fn phase(&self) -> Option<&str> {
        self.position.phase().map(|phase| self.position.game().phase_name(phase))
    }

    /// The stable 128-bit hash: the same for equal positions, on every machine.
    #[getter]
    fn hash(&self) -> u128 {
        self.position.hash128()
    }

    /// What a player sees: pieces, dice, variables, hands and marks; all of it without a player.
    #[pyo3(signature = (player = None))]
    fn view<'py>(&self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let seer = player.map(|name| self.player_named(py, name)).transpose()?;
        data::view(py, &self.position, seer)
    }

    /// The piece on a tile, the first of several; none where it is empty.
    fn piece_at<'py>(&self, py: Python<'py>, tile: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = self.position.game();
        let Some(id) = game.tile(tile) else {
            return Err(error::value(py, picture::no_tile(tile)));
        };
        let Some(piece) = self.position.view().first_at(id) else { return Ok(None) };
        let state = self.position.view().piece(piece);
        let fields = (
            game.piece_name(piece),
            game.player_name(state.owner),
            game.kind_name(state.kind),
            tile,
            data::flag_names(game, state.flags),
        );
        class!(py, "senet._data", "Piece")?.call1(fields).map(Some)
    }

    /// The position in one of the forms of its notation, such as `"epd"` or `"plain"`.
    fn format_as(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let message = || format!("there is no form `{}`", senet::excerpt(form));
        self.position.format_as(form).ok_or_else(|| error::value(py, message()))
    }

    /// The board drawn with letters: all of it, or what a player sees.
    #[pyo3(signature = (player = None))]
    fn draw(&self, py: Python<'_>, player: Option<&str>) -> PyResult<String> {
        let Some(name) = player else { return Ok(self.position.draw()) };
        let viewer = Viewer::Player(self.player_named(py, name)?);
        Ok(self.position.observe(viewer).draw(self.position.game().rules()))
    }

    /// A picture as SVG text: of all there is, or of what a player sees. Where the last event is given as
    /// an `Event`, it is marked only if the player saw all of it.
    #[pyo3(signature = (
        *, player = None, last = None, selected = None, targets = None, caption = None,
        dark = false, flipped = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn svg(
        &self,
        py: Python<'_>,
        player: Option<&str>,
        last: Option<&Bound<'_, PyAny>>,
        selected: Option<&str>,
        targets: Option<Vec<String>>,
        caption: Option<String>,
        dark: bool,
        flipped: bool,
    ) -> PyResult<String> {
        let seer = player.map(|name| self.player_named(py, name)).transpose()?;
        let style = picture::Style { dark, flipped };
        let targets = targets.unwrap_or_default();
        let wanted = Wanted { seer, last, selected, targets, caption, style };
        picture::draw(py, &self.position, wanted, |picture| picture.svg())
    }

    /// Where each tile lies in the picture of `svg` without a caption: left, top, width, height.
    #[pyo3(signature = (*, flipped = false))]
    fn tile_frames<'py>(&self, py: Python<'py>, flipped: bool) -> PyResult<Bound<'py, PyDict>> {
        let frames = PyDict::new(py);
        for (tile, [x, y, width, height]) in picture::frames(&self.position, flipped) {
            frames.set_item(tile, (x, y, width, height))?;
        }
        Ok(frames)
    }

    /// A picture as the bytes of a PNG file: of all there is, or of what a player sees.
    #[pyo3(signature = (
        *, player = None, last = None, selected = None, targets = None, caption = None,
        dark = false, flipped = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn png<'py>(
        &self,
        py: Python<'py>,
        player: Option<&str>,
        last: Option<&Bound<'py, PyAny>>,
        selected: Option<&str>,
        targets: Option<Vec<String>>,
        caption: Option<String>,
        dark: bool,
        flipped: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let seer = player.map(|name| self.player_named(py, name)).transpose()?;
        let style = picture::Style { dark, flipped };
        let targets = targets.unwrap_or_default();
        let wanted = Wanted { seer, last, selected, targets, caption, style };
        let draw = |picture: Picture<'_>| py.detach(|| picture.png());
        let bytes = picture::draw(py, &self.position, wanted, draw)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A picture as a uint8 array of rows, columns and red, green and blue: of all there is, or of what
    /// a player sees.
    #[pyo3(signature = (player = None))]
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        player: Option<&str>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        py.import("numpy")?;
        let seer = player.map(|name| self.player_named(py, name)).transpose()?;
        let wanted = Wanted { seer, ..Wanted::default() };
        let draw = |picture: Picture<'_>| py.detach(|| picture.rgb());
        let (width, height, bytes) = picture::draw(py, &self.position, wanted, draw)?;
        PyArray1::from_vec(py, bytes).reshape(vec![height, width, 3])
    }

    fn _repr_svg_(&self) -> String {
        picture::plain(&self.position).svg()
    }

    /// The actions that are legal, in the order of `legal`; none where chance is awaited.
    fn legal_actions(&self) -> Vec<u32> {
        self.legal_ids()
    }

    /// The position after an action.
    fn apply_action(&self, py: Python<'_>, action: i64) -> PyResult<Position> {
        let event = u32::try_from(action).ok().and_then(|action| self.actions().event(action));
        let Some(event) = event else {
            return Err(error::illegal_action(py, senet::learn::IllegalAction { game: 0, action }));
        };
        self.step(py, &Proposal::Event(event))
    }

    /// Whether each action is legal, as a bool array.
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        py.import("numpy")?;
        let mut mask = vec![false; self.actions().len()];
        self.legal_ids().into_iter().for_each(|action| mask[action as usize] = true);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// What a player sees as a float32 array; the player to move unless another one is named.
    /// `Game.observation_planes` says what its planes show.
    #[pyo3(signature = (player = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        player: Option<&str>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        py.import("numpy")?;
        let viewer = player.map(|name| self.player_named(py, name)).transpose()?;
        let viewer = viewer.unwrap_or_else(|| self.position.player());
        let planes = self.shared.planes(self.position.game());
        let mut tensor = vec![0.0; planes.len()];
        planes.write_for(viewer, std::slice::from_ref(&self.position), &mut tensor);
        PyArray1::from_vec(py, tensor).reshape(planes.shape().to_vec())
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', '{}')", self.position.game().name(), self.position)
    }

    fn __hash__(&self) -> u64 {
        self.position.hash128() as u64
    }

    fn __eq__(&self, other: &Bound<'_, Position>) -> bool {
        let other = other.get();
        self.position == other.position
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Reduced<'py, (Game, Bound<'py, PyBytes>)>> {
        let words = self.position.state().words().iter();
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        pickle::reduce(py, "restore_position", (self.game(), PyBytes::new(py, &bytes)))
    }
}
