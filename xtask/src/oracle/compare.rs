//! What is asked of both programs about a position or a game, and where their answers differ.

use std::collections::BTreeMap;

use senet_core::{Event, Game, Match, State};
use serde_json::{Value, json};

use super::Edition;
use super::peer::Peer;

/// The quantities that are compared, in the order of the table.
pub(super) const QUANTITIES: [&str; 10] = [
    "positions",
    "moves",
    "SAN",
    "SAN read",
    "FEN after",
    "check",
    "ending",
    "claim",
    "repetition",
    "plies",
];

/// How much was compared of one edition, and every difference.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// How often each ending was met.
    pub(super) endings: BTreeMap<String, u64>,
    pub(super) differences: Vec<Difference>,
}

/// A difference, with the position in which it is seen.
pub(super) struct Difference {
    pub(super) quantity: &'static str,
    pub(super) fen: String,
    pub(super) ours: String,
    pub(super) theirs: String,
}

impl Tally {
    fn note(&mut self, quantity: &'static str, fen: &str, ours: String, theirs: String) {
        *self.counts.entry(quantity).or_default() += 1;
        if ours != theirs {
            let fen = fen.to_owned();
            self.differences.push(Difference { quantity, fen, ours, theirs });
        }
    }

    pub(super) fn add(&mut self, quantity: &'static str, count: u64) {
        *self.counts.entry(quantity).or_default() += count;
    }
}

/// Compares a position: its moves, how they are written, what they lead to and how it stands.
pub(super) fn position(
    edition: &Edition,
    peer: &mut Peer,
    state: &State,
    tally: &mut Tally,
) -> Result<(), String> {
    let (game, notation) = (&*edition.game, edition.notation);
    let fen = notation.format_position(game, state);
    let answer = peer.ask(&json!({ "game": edition.name, "fen": fen }))?;
    tally.add("positions", 1);
    let theirs: BTreeMap<&str, &Value> = answer["moves"]
        .as_object()
        .map(|moves| moves.iter().map(|(uci, rest)| (uci.as_str(), rest)).collect())
        .unwrap_or_default();
    let legal = game.legal(state);
    let ours: BTreeMap<String, Event> =
        legal.iter().map(|&event| (notation.format_event(game, state, event), event)).collect();
    let list = |words: Vec<&str>| words.join(" ");
    let our_list = list(ours.keys().map(String::as_str).collect());
    tally.note("moves", &fen, our_list, list(theirs.keys().copied().collect()));
    tally.add("moves", (legal.len() as u64).saturating_sub(1));
    for (uci, &event) in &ours {
        let Some(theirs) = theirs.get(uci.as_str()) else { continue };
        let (san, after) = (word(&theirs[0]), word(&theirs[1]));
        tally.note("SAN", &fen, notation.notate(game, state, event), san.clone());
        let read = notation.parse_event(game, state, &san).ok();
        let read = read.map_or(san, |event| notation.format_event(game, state, event));
        tally.note("SAN read", &fen, read, uci.clone());
        let next = game.apply(state, event).map(|step| step.state);
        let next = next.map_or(String::new(), |next| notation.format_position(game, &next));
        tally.note("FEN after", &format!("{fen} {uci}"), next, after);
    }
    status(edition, state, &answer["status"], &fen, tally);
    Ok(())
}

/// Compares a whole game, position by position, with the repetitions that only a history knows.
pub(super) fn game(
    edition: &Edition,
    peer: &mut Peer,
    (start, events): (&State, &[Event]),
    tally: &mut Tally,
) -> Result<(), String> {
    let (game, notation) = (&*edition.game, edition.notation);
    let mut played = Match::from_state(edition.game.clone(), start.clone());
    let mut moves = Vec::new();
    let mut states = Vec::new();
    for &event in events {
        moves.push(notation.format_event(game, played.state(), event));
        played.apply(event).map_err(|error| error.to_string())?;
        states.push(played.state().clone());
    }
    let fen = notation.format_position(game, start);
    let question = json!({ "game": edition.name, "fen": fen, "moves": moves });
    let answer = peer.ask(&question)?;
    let variable = game.variable("repetitions").expect("chess counts repetitions");
    for (ply, state) in states.iter().enumerate() {
        let theirs = &answer["plies"][ply];
        let at = format!("{fen} {}", moves[..=ply].join(" "));
        tally.add("plies", 1);
        tally.note("FEN after", &at, notation.format_position(game, state), word(&theirs["fen"]));
        let view = game.view(state);
        // The other program was asked for no more than five.
        let times = view.variable(variable, view.player()).min(5);
        tally.note("repetition", &at, times.to_string(), theirs["repetitions"].to_string());
        status(edition, state, theirs, &at, tally);
    }
    Ok(())
}

/// Compares how a position stands.
fn status(edition: &Edition, state: &State, theirs: &Value, fen: &str, tally: &mut Tally) {
    let game = &*edition.game;
    tally.note("check", fen, check(edition, state).to_string(), theirs["check"].to_string());
    let outcome = game.outcome(state);
    let over = outcome.is_some();
    let ours = outcome.map_or("none".to_owned(), |outcome| {
        let name = game.ending_name(outcome.ending);
        *tally.endings.entry(name.to_owned()).or_default() += 1;
        described(name, outcome.winner.map(|winner| game.player_name(winner)))
    });
    let name = theirs["ending"].as_str();
    let theirs_ending =
        name.map_or("none".to_owned(), |name| described(name, theirs["winner"].as_str()));
    tally.note("ending", fen, ours, theirs_ending);
    let claim = game.action("claim-draw").expect("a draw may be claimed in chess");
    let ours = !over && game.asides(state).contains(&Event::Act(claim));
    tally.note("claim", fen, ours.to_string(), theirs["claim"].to_string());
}

fn described(name: &str, winner: Option<&str>) -> String {
    winner.map_or(name.to_owned(), |winner| format!("{name}, {winner} wins"))
}

/// Whether the player to move is in check. Kings that touch are never in check in atomic chess.
fn check(edition: &Edition, state: &State) -> bool {
    let game = &*edition.game;
    let player = game.view(state).player();
    if edition.name == "atomic" && kings_touch(game, state) {
        return false;
    }
    !game.threatened_royals(state, player).is_empty()
}

fn kings_touch(game: &Game, state: &State) -> bool {
    let king = game.kind("king").expect("chess has kings");
    let view = game.view(state);
    let square = |tile| {
        let name = game.tile_name(tile).as_bytes();
        (name[0], name[1])
    };
    let kings: Vec<(u8, u8)> = view.of_kind(king).iter().map(square).collect();
    let [one, two] = kings[..] else { return false };
    one.0.abs_diff(two.0) <= 1 && one.1.abs_diff(two.1) <= 1
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
