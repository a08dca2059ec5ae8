//! Matches written down: in Senet's own forms, as PGN or as a `.mat` file. The ending of the file
//! decides which.

use std::path::Path;

use senet_core::{Event, Game, Match, Notation, State};
use senet_registry::backgammon::mat::{self, Deed, Entry, Header, Winning};
use senet_registry::backgammon::position::Position;
use senet_registry::backgammon::{NOTATION, play};
use senet_registry::chess::Chess;
use senet_registry::chess::pgn::{Record, Rules, Tags, Termination, Tree};

use crate::failure::Failure;
use crate::picture::extension;
use crate::shelf::Edition;

/// What a match is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Compact, with everything in it.
    Senet,
    /// JSON, with everything in it.
    Json,
    /// The moves of a game of chess.
    Pgn,
    /// The games of a match of backgammon.
    Mat,
}

impl Form {
    /// The form that the ending of a file asks for, if matches of the game can be written so.
    pub(crate) fn of(path: &Path, edition: &Edition) -> Result<Form, Failure> {
        let known = match family(edition) {
            Family::Chess(_) => [".json", ".senet", ".pgn"].as_slice(),
            Family::Backgammon => &[".json", ".senet", ".mat"],
            Family::Other => &[".json", ".senet"],
        };
        match (extension(path), family(edition)) {
            ("json", _) => Ok(Form::Json),
            ("senet", _) => Ok(Form::Senet),
            ("pgn", Family::Chess(_)) => Ok(Form::Pgn),
            ("mat", Family::Backgammon) => Ok(Form::Mat),
            _ => {
                let (shown, name) = (path.display(), edition.game.name());
                let known = known.join(", ");
                let message = format!(
                    "{shown}: the ending says how a match is written; for {name} use one of {known}"
                );
                Err(Failure::params(message))
            }
        }
    }

    /// A match in this form, with the names of those who play, in the order of play.
    pub(crate) fn write(self, edition: &Edition, played: &Match, names: &[String]) -> Vec<u8> {
        match (self, family(edition)) {
            (Form::Senet, _) => played.to_bytes(),
            (Form::Pgn, Family::Chess(notation)) => pgn(notation, played, names).into_bytes(),
            (Form::Mat, _) => mat(played, names).into_bytes(),
            _ => played.to_json().into_bytes(),
        }
    }
}

/// Which customs a game is written by.
enum Family {
    Chess(&'static Chess),
    Backgammon,
    Other,
}

fn family(edition: &Edition) -> Family {
    let name = edition.game.name();
    // A definition file may have a registered name and be another game.
    if edition.summary.is_empty() {
        return Family::Other;
    }
    match senet_registry::PGN.iter().find(|(known, _)| *known == name) {
        Some((_, notation)) => Family::Chess(notation),
        None if senet_registry::MAT.contains(&name) => Family::Backgammon,
        None => Family::Other,
    }
}

/// The events up to now, each with the states before and after it.
fn steps(played: &Match) -> Vec<(State, Event, State)> {
    let mut before = played.first_state();
    let steps =
        played.steps().into_iter().take(played.ply()).map(|(step, after)| {
            (std::mem::replace(&mut before, after.clone()), step.event, after)
        });
    steps.collect()
}

fn pgn(notation: &Chess, played: &Match, names: &[String]) -> String {
    let (game, start) = (played.game(), played.first_state());
    let mut tree = Tree::new();
    let mut last = 0;
    for (_, event, _) in steps(played) {
        // What is said at the board is no move; what came of it is the result.
        if !matches!(event, Event::Act(_)) {
            last = tree.add(last, event);
        }
    }
    let result = match game.outcome(played.state()) {
        None => Termination::Unknown,
        Some(outcome) => match outcome.winner.map(senet_core::PlayerId::index) {
            Some(0) => Termination::White,
            Some(_) => Termination::Black,
            None => Termination::Draw,
        },
    };
    let mut tags = Tags::default();
    let name = |at: usize| names.get(at).map_or("?", String::as_str);
    for (tag, value) in [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")] {
        tags.set(tag, value);
    }
    tags.set("White", name(0));
    tags.set("Black", name(1));
    tags.set("Result", result.text());
    if game.name() != "chess" {
        tags.set("Variant", game.name());
    }
    if start != game.start() || game.name() == "chess960" {
        tags.set("FEN", notation.format_position(game, &start));
        tags.set("SetUp", "1");
    }
    let record = Record { tags, game: game.name().to_owned(), start, tree, result };
    record.format(&Rules::new(game, notation)).expect("what was played can be written")
}

fn mat(played: &Match, names: &[String]) -> String {
    let game = played.game();
    let first = NOTATION.position(game, &played.first_state());
    let fresh = |number: u32, position: &Position| mat::Game {
        number,
        players: std::array::from_fn(|at| names.get(at).cloned().unwrap_or_default()),
        score: position.score,
        ..mat::Game::default()
    };
    let mut games = vec![fresh(1, &first)];
    for (before, event, after) in steps(played) {
        let was = NOTATION.position(game, &before);
        let is = NOTATION.position(game, &after);
        if is.opening && !was.opening {
            games.push(fresh(games.len() as u32 + 1, &is));
        }
        let now = games.last_mut().expect("there is always one");
        if let Some(entry) = entry(game, (&before, &was), event, &is) {
            now.entries.push(entry);
        } else if let (Event::Advance { .. }, Some(Entry { deed: Deed::Play { trips, .. }, .. })) =
            (event, now.entries.last_mut())
        {
            let step = NOTATION.notate(game, &before, event);
            let step = step.split(':').next().unwrap_or_default();
            trips.extend(play::read(step).unwrap_or_default());
        }
        if let (None, Some((side, _))) = (was.won, is.won) {
            let points = is.score[side.index()].saturating_sub(was.score[side.index()]);
            let decides = game.outcome(&after).is_some() && is.length > 0;
            let points = if points == 0 { is.cube.value() as u32 } else { points.into() };
            let winning = Some(Winning { side, points, decides });
            games.last_mut().expect("there is always one").winning = winning;
        }
    }
    let header = Header { comments: Vec::new(), length: first.length };
    let games: String = games.iter().map(mat::write_game).collect();
    mat::write_header(&header) + &games
}

/// What an event is in a `.mat` file, where it begins something there.
fn entry(
    game: &Game,
    (before, was): (&State, &Position),
    event: Event,
    is: &Position,
) -> Option<Entry> {
    let (side, deed) = match event {
        Event::Roll(outcome) => {
            let faces: Vec<u8> = game.faces(outcome).iter().map(|(_, face)| *face).collect();
            let [one, two] = faces[..] else { return None };
            // Equal dice do not open a game: they are rolled again.
            if is.opening {
                return None;
            }
            (is.turn, Deed::Play { dice: [one, two], trips: Vec::new() })
        }
        Event::Act(action) => {
            let deed = match game.action_name(action) {
                "double" => Deed::Double(was.cube.value() * 2),
                "beaver" => Deed::Beaver(was.cube.value() * 4),
                "take" => Deed::Take,
                "drop" => Deed::Drop,
                _ => return None,
            };
            let player = game.view(before).player().index();
            (senet_registry::backgammon::position::Side::BOTH[player], deed)
        }
        _ => return None,
    };
    Some(Entry { side, deed, line: 0 })
}
