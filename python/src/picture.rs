//! Pictures and animations.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use senet::render::{Film, Marks, Picture, Theme};
use senet::{Event as RawEvent, Glimpse, PlayerId, Viewer};

use crate::error;
use crate::event::{Event, Proposal};
use crate::history::Match;
use crate::interrupt;
use crate::position::player_named;

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
#[derive(Default)]
pub(crate) struct Wanted<'a, 'py> {
    /// Who sees it; none for all there is.
    pub(crate) seer: Option<PlayerId>,
    pub(crate) last: Option<&'a Bound<'py, PyAny>>,
    pub(crate) selected: Option<&'a str>,
    pub(crate) targets: Vec<String>,
    pub(crate) caption: Option<String>,
    pub(crate) style: Style,
}

/// Draws a position with what the caller asks for.
pub(crate) fn draw<T>(
    py: Python<'_>,
    position: &senet::Position,
    wanted: Wanted<'_, '_>,
    finish: impl FnOnce(Picture<'_>) -> T,
) -> PyResult<T> {
    let last = wanted.last.map(|value| last_event(position, value, wanted.seer)).transpose()?;
    let last = last.flatten();
    let mut marks = last.map_or_else(Marks::default, |event| Marks::default().after(event));
    let tile = |name: &str| {
        let found = position.game().tile(name);
        found.ok_or_else(|| error::value(py, no_tile(name)))
    };
    marks.selected = wanted.selected.map(tile).transpose()?;
    for name in &wanted.targets {
        marks.targets.insert(tile(name)?);
    }
    let known = seen(position, wanted.seer, &mut marks);
    let picture = plain(known.as_ref().unwrap_or(position)).marks(marks);
    Ok(finish(wanted.style.of(match wanted.caption {
        Some(caption) => picture.caption(caption),
        None => picture,
    })))
}

/// The position as a player knows it, with marks on the tiles that the player does not see.
fn seen(
    position: &senet::Position,
    seer: Option<PlayerId>,
    marks: &mut Marks,
) -> Option<senet::Position> {
    let viewer = Viewer::Player(seer?);
    marks.unseen = position.observe(viewer).unseen();
    Some(position.known_to(viewer))
}

/// What is said of a tile that a game does not have.
pub(crate) fn no_tile(name: &str) -> String {
    format!("no tile is named `{}`", senet::excerpt(name))
}

/// The event that led to a position, unless the player who looks did not see all of it.
fn last_event(
    position: &senet::Position,
    value: &Bound<'_, PyAny>,
    seer: Option<PlayerId>,
) -> PyResult<Option<RawEvent>> {
    let event = match Proposal::new(value, position)? {
        Proposal::Event(event) => event,
        Proposal::Text(text) => {
            let event = position.parse_event(&text);
            return event.map(Some).map_err(|error| error::notation(value.py(), error));
        }
    };
    let (Some(seer), Ok(given)) = (seer, value.cast::<Event>()) else { return Ok(Some(event)) };
    let before = given.get().position.get().inner();
    Ok(is_seen(before, event, position, seer).then_some(event))
}

/// Whether a player sees all of an event.
fn is_seen(
    before: &senet::Position,
    event: RawEvent,
    after: &senet::Position,
    seer: PlayerId,
) -> bool {
    matches!(before.glimpse(event, after, Viewer::Player(seer)), Glimpse::Whole(_))
}

/// Where each tile lies in a picture of a position without a caption.
pub(crate) fn frames(position: &senet::Position, flipped: bool) -> Vec<(String, [f64; 4])> {
    let game = position.game();
    let frames = plain(position).flipped(flipped).tiles().into_iter();
    let frames = frames.map(|frame| [frame.x, frame.y, frame.width, frame.height]);
    game.tiles().map(|tile| game.tile_name(tile).to_owned()).zip(frames).collect()
}

/// The picture of an explanation, with the path and what refuses it. Who asks is the player to move,
/// and sees no more than that player.
pub(crate) fn explained(told: &senet::Explanation, style: Style) -> String {
    let mut marks = Marks::default().explaining(told);
    let position = told.position();
    let seer = position.game().has_secrets().then(|| position.player());
    let known = seen(position, seer, &mut marks);
    style.of(plain(known.as_ref().unwrap_or(position)).marks(marks)).svg()
}

/// Text as it is written in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A match as an animated GIF: a picture after every event, of all there is or of what a player sees.
#[pyfunction]
#[pyo3(signature = (played, *, player = None, delay = 900, dark = false, flipped = false))]
pub(crate) fn film<'py>(
    py: Python<'py>,
    played: &Bound<'py, Match>,
    player: Option<&str>,
    delay: u32,
    dark: bool,
    flipped: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    if !(20..=60_000).contains(&delay) {
        return Err(PyValueError::new_err(format!("delay must be 20 to 60000 ms, not {delay}")));
    }
    let (line, name, outcome) = {
        let played = played.try_borrow()?;
        let inner = played.inner();
        let outcome = inner.outcome().map(|outcome| inner.game().outcome_text(&outcome));
        (played.line(), inner.game().name().to_owned(), outcome)
    };
    if line.len() > PICTURES {
        let message = format!("a film has at most {PICTURES} pictures, not {}", line.len());
        return Err(PyValueError::new_err(message));
    }
    let game = line[0].0.game();
    let seer = player.map(|name| player_named(py, game, name)).transpose()?;
    let captions = captions(&line, &name, outcome.as_deref(), seer);
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
            let last = last.filter(|&event| {
                seer.is_none_or(|seer| is_seen(&line[at - 1].0, event, position, seer))
            });
            let mut marks = last.map_or_else(Marks::default, |event| Marks::default().after(event));
            let known = seen(position, seer, &mut marks);
            let picture = plain(known.as_ref().unwrap_or(position)).marks(marks);
            film.add(&style.of(picture.caption(caption.clone()).lines(lines)), hold)?;
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
    seer: Option<PlayerId>,
) -> Vec<String> {
    let mut captions = vec![name.to_owned()];
    for (ply, pair) in line.windows(2).enumerate() {
        let [(before, _), (after, Some(event))] = pair else { continue };
        let glimpse = seer.map(|seer| before.glimpse(*event, after, Viewer::Player(seer)));
        let text = match glimpse {
            None | Some(Glimpse::Whole(_)) => before.notate(*event),
            Some(Glimpse::Nothing) => "hidden".to_owned(),
            Some(part) => part.text(before.game().rules()),
        };
        let player = before.game().player_name(before.player());
        captions.push(format!("{}. {player}: {text}", ply + 1));
    }
    if let (Some(outcome), Some(last)) = (outcome, captions.last_mut()) {
        last.push_str(&format!("; {outcome}"));
    }
    captions
}
