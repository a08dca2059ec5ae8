//! Files of games: PGN and `.mat`.

use std::sync::OnceLock;

use pyo3::prelude::*;

use senet::notation::pgn::Reader;
use senet::notation::{self, PgnGame};

use crate::error;
use crate::game;
use crate::history::{Described, Match, replay};
use crate::interrupt::{self, Stop};

/// A game of a file with what the file says about it, or why it cannot be read.
type Read = Result<(senet::Match, Described), String>;

/// Takes what is read, and says whether to read on.
type Sink<'s> = &'s mut dyn FnMut(Read) -> bool;

/// The games of PGN files, compiled once.
pub(crate) fn pgn_games() -> &'static [PgnGame] {
    static GAMES: OnceLock<Vec<PgnGame>> = OnceLock::new();
    GAMES.get_or_init(notation::pgn_games)
}

/// The games of a PGN text: of each the tags and the main line; variations and comments are left out.
/// The first game that cannot be read raises `MatchError`. With `on_error`, that is called with the
/// `MatchError` of each such game, and the others are given.
///
/// >>> import senet
/// >>> problems = []
/// >>> text = '[Round "1"]\n1. e4 e5 *\n[Round "2"]\n1. Ke2 *\n[Round "3"]\n1. d4 *\n'
/// >>> games = senet.read_pgn(text, on_error=problems.append)
/// >>> [str(game) for game in games], len(problems)
/// (['e4 e5', 'd4'], 1)
#[pyfunction]
#[pyo3(signature = (text, *, on_error = None))]
pub(crate) fn read_pgn(
    py: Python<'_>,
    text: &str,
    on_error: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Match>> {
    collect(py, on_error, |sink, stop| {
        let games = pgn_games();
        let rules = notation::pgn_rules(games);
        let mut reader = Reader::new(text.as_bytes(), "pgn", &rules);
        while let Some(line) = reader.next_line() {
            let line = match line {
                Ok(line) => line,
                Err(error) if sink(Err(error.to_string())) => continue,
                Err(_) => return,
            };
            let known = games.iter().find(|(game, _)| game.name() == line.game);
            let Some((game, _)) = known else { continue };
            let start = game.at(&line.start).map_err(|error| error.to_string());
            let played = start.and_then(|start| {
                replay(&start, &line.events, stop).map_err(|error| error.to_string())
            });
            if !sink(played.map(|played| (played, line.tags.0.clone()))) {
                return;
            }
        }
    })
}

/// The games of a `.mat` text. The first one that cannot be read raises `MatchError`. With
/// `on_error`, that is called with the `MatchError` of each such game, and the others are given.
#[pyfunction]
#[pyo3(signature = (text, *, on_error = None))]
pub(crate) fn read_mat(
    py: Python<'_>,
    text: &str,
    on_error: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Match>> {
    static GAMES: OnceLock<Vec<senet::Game>> = OnceLock::new();
    collect(py, on_error, |sink, stop| {
        let games = GAMES.get_or_init(notation::mat_games);
        let mut reader = notation::mat_reader(games, text.as_bytes(), "mat");
        while let Some(record) = reader.next_game() {
            let record = match record {
                Ok(record) => record,
                Err(error) if sink(Err(error.to_string())) => continue,
                Err(_) => return,
            };
            let known = games.iter().find(|game| game.name() == record.variant);
            let Some(game) = known else { continue };
            let start = game.at(&record.start).map_err(|error| error.to_string());
            let played = start.and_then(|start| {
                replay(&start, &record.events, stop).map_err(|error| error.to_string())
            });
            let [one, other] = record.game.players;
            let tags = vec![("One".to_owned(), one), ("Two".to_owned(), other)];
            if !sink(played.map(|played| (played, tags))) {
                return;
            }
        }
    })
}

/// Reads games without the interpreter lock, up to the first that cannot be read unless somebody hears
/// of it.
fn collect(
    py: Python<'_>,
    on_error: Option<&Bound<'_, PyAny>>,
    read: impl FnOnce(Sink<'_>, Stop<'_>) + Send,
) -> PyResult<Vec<Match>> {
    let reads_on = on_error.is_some();
    let found = interrupt::run(py, |stop| {
        let mut found: Vec<Read> = Vec::new();
        let mut sink = |one: Read| {
            let goes_on = (one.is_ok() || reads_on) && !stop();
            found.push(one);
            goes_on
        };
        read(&mut sink, stop);
        found
    })?;
    let mut matches = Vec::with_capacity(found.len());
    for one in found {
        match (one, on_error) {
            (Ok((played, tags)), _) => {
                let shared =
                    game::load(py, played.game().name(), None)?.start_of().shared().clone();
                matches.push(Match::of(played, shared, tags));
            }
            (Err(message), Some(on_error)) => {
                on_error.call1((error::record(py, message).into_value(py),))?;
            }
            (Err(message), None) => return Err(error::record(py, message)),
        }
    }
    Ok(matches)
}
