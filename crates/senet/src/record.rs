//! Matches as the files of others: PGN and `.mat`.

use senet_registry::backgammon::mat::{self, Deed, Entry, Header, Winning};
use senet_registry::backgammon::position::{Position as Diagram, Side};
use senet_registry::backgammon::{NOTATION, play};
use senet_registry::chess::Chess;
use senet_registry::chess::pgn::{Record, Rules, Tags, Termination, Tree};

use crate::notation::{is_mat_game, pgn_notation};
use crate::{Event, Match, PlayerId, Position};

/// A match as PGN, with the names of those who play, in the order of play; none where PGN cannot
/// contain the game. A result is that of the position, unless one is given.
pub fn write_pgn(played: &Match, names: &[String], result: Option<Termination>) -> Option<String> {
    let notation = pgn_notation(played.game())?;
    let result = result.unwrap_or_else(|| result_of(played));
    Some(pgn(notation, played, names, result))
}

/// A match as a `.mat` file, with the names of those who play; none where such a file cannot contain
/// the game. A turn that is not yet played to its end is left out.
pub fn write_mat(played: &Match, names: &[String]) -> Option<String> {
    is_mat_game(played.game()).then(|| written_mat(played, names))
}

/// The events up to now, each with the positions before and after it.
pub(crate) fn steps(played: &Match) -> Vec<(Position, Event, Position)> {
    let mut before = played.start();
    let steps =
        played.steps().into_iter().take(played.ply()).map(|(step, after)| {
            (std::mem::replace(&mut before, after.clone()), step.event, after)
        });
    steps.collect()
}

fn result_of(played: &Match) -> Termination {
    match played.position().outcome() {
        None => Termination::Unknown,
        Some(outcome) => match outcome.winner.map(PlayerId::index) {
            Some(0) => Termination::White,
            Some(_) => Termination::Black,
            None => Termination::Draw,
        },
    }
}

fn pgn(notation: &Chess, played: &Match, names: &[String], result: Termination) -> String {
    let (game, start) = (played.game(), played.start());
    let mut tree = Tree::new();
    let mut last = 0;
    for (_, event, _) in steps(played) {
        // What is said at the board is no move; what came of it is the result.
        if !matches!(event, Event::Act(_)) {
            last = tree.add(last, event);
        }
    }
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

fn written_mat(played: &Match, names: &[String]) -> String {
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
    // Such a file contains whole turns: one that is not yet played to its end is left out.
    let goes_on = played.position().legal();
    if goes_on.iter().any(|event| matches!(event, Event::Advance { .. })) {
        games.last_mut().expect("there is always one").entries.pop();
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
