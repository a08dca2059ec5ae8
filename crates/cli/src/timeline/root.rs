//! The positions of games that were played.

use std::path::Path;

use senet::{Event, Game, Match, Position};
use senet_timeline::{Record, Root};

use crate::failure::{Code, Failure};
use crate::file;
use crate::input::Input;
use crate::pgn::{Shelf, position};

/// The positions of every game of a PGN file, or of a saved match; the first `first` of each.
pub(super) fn read(game: &Game, path: &Path, first: Option<usize>) -> Result<Vec<Root>, Failure> {
    let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    if is_pgn { read_pgn(game, path, first) } else { read_match(game, path, first) }
}

fn read_pgn(game: &Game, path: &Path, first: Option<usize>) -> Result<Vec<Root>, Failure> {
    let shelf = Shelf::new();
    let rules = shelf.rules();
    let (mut reader, bar) = Input::open(path)?.games(&rules);
    let mut roots = Vec::new();
    let mut number = 0;
    while let Some(line) = reader.next_line() {
        let line = line?;
        number += 1;
        if line.game != game.name() {
            let message =
                format!("{}: game {number} is {}, not {}", path.display(), line.game, game.name());
            return Err(Failure::new(Code::InvalidGame, message, serde_json::Value::Null));
        }
        let start = position(game, &line.start);
        let playing = Playing { number, start, events: &line.events };
        roots.extend(playing.roots(line.result.text(), first));
    }
    bar.finish_and_clear();
    Ok(roots)
}

fn read_match(game: &Game, path: &Path, first: Option<usize>) -> Result<Vec<Root>, Failure> {
    let bytes = file::read(path, file::MATCH)?;
    let replay = Match::load(game, &bytes).map_err(|error| {
        let failure = Failure::from(error);
        let message = format!("{}: {}", path.display(), failure.message);
        Failure { message, ..failure }
    })?;
    let events: Vec<Event> = replay.steps().into_iter().map(|(played, _)| played.event).collect();
    let result = match replay.outcome() {
        None => String::new(),
        Some(outcome) => game.ending_name(outcome.ending).to_owned(),
    };
    let playing = Playing { number: 1, start: replay.start(), events: &events };
    Ok(playing.roots(&result, first).collect())
}

/// One playing of a game.
struct Playing<'a> {
    number: i32,
    start: Position,
    events: &'a [Event],
}

impl<'a> Playing<'a> {
    /// Its positions, the last one too.
    fn roots(self, result: &'a str, first: Option<usize>) -> impl Iterator<Item = Root> + 'a {
        let mut next = Some(self.start);
        let events = self.events.iter().copied().map(Some).chain([None]);
        let roots = events.enumerate().map_while(move |(ply, played)| {
            let now = next.take()?;
            next = played.and_then(|event| now.apply(event).ok()).map(|step| step.position);
            let (ply, result) = (ply as i32, result.to_owned());
            let record = Record { number: self.number, ply, played, result };
            Some(Root { state: now.state().clone(), record: Some(record) })
        });
        roots.take(first.unwrap_or(usize::MAX))
    }
}
