//! Plain data as instances of the classes of `senet/_data.py`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use senet::{Event as RawEvent, ObservationRecord, Outcome, PlayerId, Reason, TileId, Viewer};

use crate::event::Event;
use crate::position::Position;

/// A class of a Python module, looked up once.
macro_rules! class {
    ($py:expr, $module:literal, $name:literal) => {{
        static CLASS: pyo3::sync::PyOnceLock<Py<pyo3::types::PyType>> =
            pyo3::sync::PyOnceLock::new();
        CLASS.import($py, $module, $name)
    }};
}
pub(crate) use class;

/// The name of a tile.
pub(crate) fn tile_name(game: &senet::Game, tile: TileId) -> String {
    game.tile_name(tile).to_owned()
}

/// The flags of a bit set by name.
pub(crate) fn flag_names(game: &senet::Game, flags: u64) -> Vec<String> {
    let set = game.flags().filter(|flag| flags >> flag.index() & 1 == 1);
    set.map(|flag| game.flag_name(flag).to_owned()).collect()
}

pub(crate) fn reason<'py>(
    py: Python<'py>,
    game: &senet::Game,
    reason: Reason,
) -> PyResult<Bound<'py, PyAny>> {
    let tile = reason.tile().map(|tile| tile_name(game, tile));
    class!(py, "senet._data", "Reason")?.call1((reason.code(), game.reason_text(reason), tile))
}

pub(crate) fn outcome<'py>(
    py: Python<'py>,
    game: &senet::Game,
    outcome: &Outcome,
) -> PyResult<Bound<'py, PyAny>> {
    let winner = outcome.winner.map(|winner| game.player_name(winner).to_owned());
    let scores = PyDict::new(py);
    for (player, score) in game.players().zip(&outcome.scores) {
        scores.set_item(game.player_name(player), score)?;
    }
    let (ending, text) = (game.ending_name(outcome.ending), game.outcome_text(outcome));
    class!(py, "senet._data", "Outcome")?.call1((ending, winner, scores, text))
}

/// A thought, its events bound to the positions in which they would be played.
pub(crate) fn thought<'py>(
    py: Python<'py>,
    position: &Bound<'py, Position>,
    thought: &senet::bots::Thought,
) -> PyResult<Bound<'py, PyAny>> {
    let event = Event::at(position, thought.event)?;
    let line = line(position, &thought.line);
    let senet::bots::Thought { value, depth, nodes, exact, .. } = thought;
    class!(py, "senet._data", "Thought")?.call1((event, *value, *depth, *nodes, line, *exact))
}

/// A line of events as people write it; it ends where it leaves out what chance gave.
fn line(position: &Bound<'_, Position>, events: &[RawEvent]) -> Vec<String> {
    let start = position.get().inner();
    start.line(events).map(|(before, step)| before.notate(step.event)).collect()
}

/// What a player sees of a position, or all there is to see.
pub(crate) fn view<'py>(
    py: Python<'py>,
    position: &senet::Position,
    seer: Option<PlayerId>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = position.game();
    let seen = seer.map(|player| position.observe(Viewer::Player(player)));
    let known = seer.map(|player| position.known_to(Viewer::Player(player)));
    let shown = known.as_ref().unwrap_or(position);
    let record = seen.as_ref().map(|seen| seen.record(game.rules()));
    let dice = PyDict::new(py);
    for die in game.dice() {
        dice.set_item(game.die_name(die), shown.view().die(die))?;
    }
    let hands = PyDict::new(py);
    for player in game.players() {
        let name = game.player_name(player);
        let hidden =
            record.as_ref().is_some_and(|record| matches!(record.hands.get(name), Some(None)));
        hands.set_item(name, (!hidden).then(|| hand(py, shown, player)).transpose()?)?;
    }
    let marks = PyDict::new(py);
    for mark in game.marks() {
        let tiles = shown.view().marked(mark);
        let tiles: Vec<&str> = tiles.iter().map(|tile| game.tile_name(tile)).collect();
        marks.set_item(game.mark_name(mark), tiles)?;
    }
    let unseen: Vec<&str> = seen
        .iter()
        .flat_map(|seen| seen.unseen().iter())
        .map(|tile| game.tile_name(tile))
        .collect();
    let fields = (
        seer.map(|player| game.player_name(player)),
        game.player_name(position.player()),
        pieces(py, shown)?,
        dice,
        variables(py, shown, record.as_ref())?,
        hands,
        marks,
        unseen,
    );
    class!(py, "senet._data", "View")?.call1(fields)
}

/// The pieces on the board.
fn pieces<'py>(py: Python<'py>, position: &senet::Position) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (game, view) = (position.game(), position.view());
    let class = class!(py, "senet._data", "Piece")?;
    let mut pieces = Vec::new();
    for id in game.pieces() {
        let piece = view.piece(id);
        let Some(tile) = piece.tile else { continue };
        pieces.push(class.call1((
            game.piece_name(id),
            game.player_name(piece.owner),
            game.kind_name(piece.kind),
            game.tile_name(tile),
            flag_names(game, piece.flags),
        ))?);
    }
    Ok(pieces)
}

/// How many pieces of each kind a player has in hand.
fn hand<'py>(
    py: Python<'py>,
    position: &senet::Position,
    player: PlayerId,
) -> PyResult<Bound<'py, PyDict>> {
    let (game, view) = (position.game(), position.view());
    let hand = PyDict::new(py);
    for kind in game.kinds().filter(|&kind| view.hand(player, kind) > 0) {
        hand.set_item(game.kind_name(kind), view.hand(player, kind))?;
    }
    Ok(hand)
}

/// The variables; none for those that a record of what is seen does not show.
fn variables<'py>(
    py: Python<'py>,
    position: &senet::Position,
    record: Option<&ObservationRecord>,
) -> PyResult<Bound<'py, PyDict>> {
    let (game, view) = (position.game(), position.view());
    let shows =
        |name: &str| record.is_none_or(|record| !matches!(record.variables.get(name), Some(None)));
    let variables = PyDict::new(py);
    for variable in game.variables() {
        let name = game.variable_name(variable);
        if game.definition().variables[variable.index()].share == senet::define::Share::Common {
            let value = view.variable(variable, position.player());
            variables.set_item(name, shows(name).then_some(value))?;
            continue;
        }
        let each = PyDict::new(py);
        for player in game.players() {
            let owner = game.player_name(player);
            let value = view.variable(variable, player);
            each.set_item(owner, shows(&format!("{name}:{owner}")).then_some(value))?;
        }
        variables.set_item(name, each)?;
    }
    Ok(variables)
}
