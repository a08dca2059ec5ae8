//! Matches written down: in Senet's own forms, as PGN or as a `.mat` file. The ending of the file
//! decides which.

use std::path::Path;

use senet::notation::backgammon::mat::{self, Deed, Entry, Header, Winning};
use senet::notation::backgammon::position::{Position as Diagram, Side};
use senet::notation::backgammon::{NOTATION, play};
use senet::notation::chess::pgn::{Record, Rules, Tags, Termination, Tree};
use senet::notation::{Chess, is_mat_game, pgn_notation};
use senet::{Event, Game, Match, PlayerId, Position, SaveForm};

use crate::failure::Failure;
use crate::file;
use crate::picture::extension;

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
    /// The form that the ending of a file asks for, if matches of the game can be written in it. A
    /// pipe or a device without an ending gets JSON.
    pub(crate) fn of(path: &Path, game: &Game) -> Result<Form, Failure> {
        if file::is_special(path) && extension(path).is_empty() {
            return Ok(Form::Json);
        }
        Form::of_name(extension(path), game).ok_or_else(|| {
            let (shown, name) = (path.display(), game.name());
            let known: Vec<String> =
                Form::known(game).iter().map(|(name, _)| format!(".{name}")).collect();
            let known = known.join(", ");
            Failure::params(format!(
                "{shown}: the file name ending chooses the format; for {name} use one of {known}"
            ))
        })
    }

    /// The form of a name, if matches of the game can be written so.
    pub(crate) fn of_name(name: &str, game: &Game) -> Option<Form> {
        let known = Form::known(game);
        known.into_iter().find(|(known, _)| *known == name).map(|(_, form)| form)
    }

    /// The names of the forms that are text.
    pub(crate) fn text_names(game: &Game) -> Vec<&'static str> {
        let known = Form::known(game).into_iter();
        known.filter(|(_, form)| form.is_text()).map(|(name, _)| name).collect()
    }

    pub(crate) fn is_text(self) -> bool {
        self != Form::Senet
    }

    /// The forms that matches of a game can be written in, by name.
    fn known(game: &Game) -> Vec<(&'static str, Form)> {
        let mut known = vec![("json", Form::Json), ("senet", Form::Senet)];
        match family(game) {
            Family::Chess(_) => known.push(("pgn", Form::Pgn)),
            Family::Backgammon => known.push(("mat", Form::Mat)),
            Family::Other => {}
        }
        known
    }

    /// The form of saved matches that this is, if it is one.
    pub(crate) fn saved(self) -> Option<SaveForm> {
        match self {
            Form::Senet => Some(SaveForm::Compact),
            Form::Json => Some(SaveForm::Json),
            Form::Pgn | Form::Mat => None,
        }
    }

    /// A match in this form, with the names of those who play, in the order of play.
    pub(crate) fn write(self, played: &Match, names: &[String]) -> Vec<u8> {
        match (self, family(played.game())) {
            (Form::Senet, _) => played.save(),
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

fn family(game: &Game) -> Family {
    match pgn_notation(game) {
        Some(notation) => Family::Chess(notation),
        None if is_mat_game(game) => Family::Backgammon,
        None => Family::Other,
    }
}

/// The events up to now, each with the positions before and after it.
fn steps(played: &Match) -> Vec<(Position, Event, Position)> {
    let mut before = played.start();
    let steps =
        played.steps().into_iter().take(played.ply()).map(|(step, after)| {
            (std::mem::replace(&mut before, after.clone()), step.event, after)
        });
    steps.collect()
}

fn pgn(notation: &Chess, played: &Match, names: &[String]) -> String {
    let (game, start) = (played.game(), played.start());
    let mut tree = Tree::new();
    let mut last = 0;
    for (_, event, _) in steps(played) {
        // What is said at the board is no move; what came of it is the result.
        if !matches!(event, Event::Act(_)) {
            last = tree.add(last, event);
        }
    }
    let result = match played.position().outcome() {
        None => Termination::Unknown,
        Some(outcome) => match outcome.winner.map(PlayerId::index) {
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
    if start.state() != game.start().state() || game.name() == "chess960" {
        tags.set("FEN", start.to_string());
        tags.set("SetUp", "1");
    }
    let name = game.name().to_owned();
    let record = Record { tags, game: name, start: start.state().clone(), tree, result };
    record.format(&Rules::new(game.rules(), notation)).expect("what was played can be written")
}

fn mat(played: &Match, names: &[String]) -> String {
    let game = played.game();
    let diagram = |position: &Position| NOTATION.position(game.rules(), position.state());
    let first = diagram(&played.start());
    let fresh = |number: u32, position: &Diagram| mat::Game {
        number,
        players: std::array::from_fn(|at| names.get(at).cloned().unwrap_or_default()),
        score: position.score,
        ..mat::Game::default()
    };
    let mut games = vec![fresh(1, &first)];
    for (before, event, after) in steps(played) {
        let (was, is) = (diagram(&before), diagram(&after));
        if is.opening && !was.opening {
            games.push(fresh(games.len() as u32 + 1, &is));
        }
        let now = games.last_mut().expect("there is always one");
        if let Some(entry) = entry(&before, &was, event, &is) {
            now.entries.push(entry);
        } else if let (Event::Advance { .. }, Some(Entry { deed: Deed::Play { trips, .. }, .. })) =
            (event, now.entries.last_mut())
        {
            let step = before.notate(event);
            let step = step.split(':').next().unwrap_or_default();
            trips.extend(play::read(step).unwrap_or_default());
        }
        if let (None, Some((side, _))) = (was.won, is.won) {
            let points = is.score[side.index()].saturating_sub(was.score[side.index()]);
            let decides = after.outcome().is_some() && is.length > 0;
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
fn entry(before: &Position, was: &Diagram, event: Event, is: &Diagram) -> Option<Entry> {
    let game = before.game();
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
            (Side::BOTH[before.player().index()], deed)
        }
        _ => return None,
    };
    Some(Entry { side, deed, line: 0 })
}
