//! Pictures and animations.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use senet::Event as RawEvent;
use senet::render::{Film, Marks, Picture, Theme};

use crate::error;
use crate::event::Proposal;
use crate::history::Match;
use crate::interrupt;

/// No animation has more pictures than this.
const PICTURES: usize = 5_000;

/// How a picture looks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Style {
    pub(crate) dark: bool,
    pub(crate) flipped: bool,
}

impl Style {
    fn of(self, picture: Picture<'_>) -> Picture<'_> {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        picture.theme(theme).flipped(self.flipped)
    }
}

/// A position without marks.
pub(crate) fn plain(position: &senet::Position) -> Picture<'_> {
    position.picture().labels(position.labels())
}

/// A position with the last move marked.
pub(crate) fn after(position: &senet::Position, last: Option<RawEvent>) -> Picture<'_> {
    let marks = last.map_or_else(Marks::default, |event| Marks::default().after(event));
    plain(position).marks(marks)
}

/// What a caller asks a picture to show beside the position.
pub(crate) struct Wanted<'a, 'py> {
    pub(crate) last: Option<&'a Bound<'py, PyAny>>,
    pub(crate) selected: Option<&'a str>,
    pub(crate) targets: Vec<String>,
    pub(crate) caption: Option<String>,
    pub(crate) style: Style,
}

/// A position with what the caller asks for.
pub(crate) fn draw<'p>(
    py: Python<'_>,
    position: &'p senet::Position,
    wanted: Wanted<'_, '_>,
) -> PyResult<Picture<'p>> {
    let last = wanted.last.map(|value| last_event(position, value)).transpose()?;
    let mut marks = last.map_or_else(Marks::default, |event| Marks::default().after(event));
    let tile = |name: &str| {
        let found = position.game().tile(name);
        found.ok_or_else(|| error::value(py, no_tile(name)))
    };
    marks.selected = wanted.selected.map(tile).transpose()?;
    for name in &wanted.targets {
        marks.targets.insert(tile(name)?);
    }
    let picture = plain(position).marks(marks);
    Ok(wanted.style.of(match wanted.caption {
        Some(caption) => picture.caption(caption),
        None => picture,
    }))
}

/// What is said of a tile that a game does not have.
pub(crate) fn no_tile(name: &str) -> String {
    format!("no tile is named `{}`", senet::excerpt(name))
}

fn last_event(position: &senet::Position, value: &Bound<'_, PyAny>) -> PyResult<RawEvent> {
    match Proposal::new(value, position)? {
        Proposal::Event(event) => Ok(event),
        Proposal::Text(text) => {
            position.parse_event(&text).map_err(|error| error::notation(value.py(), error))
        }
    }
}

/// Where each tile lies in a picture of a position without a caption.
pub(crate) fn frames(position: &senet::Position, flipped: bool) -> Vec<(String, [f64; 4])> {
    let game = position.game();
    let frames = plain(position).flipped(flipped).tiles().into_iter();
    let frames = frames.map(|frame| [frame.x, frame.y, frame.width, frame.height]);
    game.tiles().map(|tile| game.tile_name(tile).to_owned()).zip(frames).collect()
}

/// The picture of an explanation, with the path and what refuses it.
pub(crate) fn explained(told: &senet::Explanation, style: Style) -> String {
    style.of(plain(told.position()).marks(Marks::default().explaining(told))).svg()
}

/// Text as it is written in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A match as an animated GIF: a picture after every event.
#[pyfunction]
#[pyo3(signature = (played, *, delay = 900, dark = false, flipped = false))]
pub(crate) fn film<'py>(
    py: Python<'py>,
    played: &Bound<'py, Match>,
    delay: u32,
    dark: bool,
    flipped: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    if !(20..=60_000).contains(&delay) {
        return Err(PyValueError::new_err(format!("delay is {delay} ms, but must be 20 to 60000")));
    }
    let (line, name, outcome) = {
        let played = played.try_borrow()?;
        let inner = played.inner();
        let outcome = inner.outcome().map(|outcome| inner.game().outcome_text(&outcome));
        (played.line(), inner.game().name().to_owned(), outcome)
    };
    if line.len() > PICTURES {
        let message = format!("a film of {} pictures is too long: at most {PICTURES}", line.len());
        return Err(PyValueError::new_err(message));
    }
    let captions = captions(&line, &name, outcome.as_deref());
    let style = Style { dark, flipped };
    let bytes = interrupt::run(py, |stop| {
        let first = style.of(plain(&line[0].0));
        let lines = captions.iter().map(|caption| first.lines_of(caption)).max().unwrap_or(1);
        let delay = u16::try_from(delay / 10).unwrap_or(u16::MAX);
        let mut film = Film::new(Vec::new());
        for (at, ((position, last), caption)) in line.iter().zip(&captions).enumerate() {
            if stop() {
                break;
            }
            let hold = if at + 1 == line.len() { delay.saturating_mul(4) } else { delay };
            let picture = after(position, *last).caption(caption.clone()).lines(lines);
            film.add(&style.of(picture), hold)?;
        }
        film.finish()
    })?;
    let bytes = bytes.map_err(|error| error::value(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// What is said below each picture.
fn captions(
    line: &[(senet::Position, Option<RawEvent>)],
    name: &str,
    outcome: Option<&str>,
) -> Vec<String> {
    let mut captions = vec![name.to_owned()];
    for (ply, pair) in line.windows(2).enumerate() {
        let [(before, _), (_, Some(event))] = pair else { continue };
        let player = before.game().player_name(before.player());
        captions.push(format!("{}. {player}: {}", ply + 1, before.notate(*event)));
    }
    if let (Some(outcome), Some(last)) = (outcome, captions.last_mut()) {
        last.push_str(&format!("; {outcome}"));
    }
    captions
}
