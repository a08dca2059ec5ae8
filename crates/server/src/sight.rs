//! What of a match each viewer may know. In a game with secrets, that is the observation of the
//! position and the glimpses of events, and nothing else leaves the server for that viewer: events
//! that a viewer does not see are not counted for that viewer either.

use std::borrow::Cow;
use std::sync::Arc;

use senet::{Event, Game, Glimpse, Position};

use crate::table::{Move, Table};

/// Who looks at a match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// Whoever has these seats.
    Seats(Vec<usize>),
    /// Somebody who only looks on.
    Spectator,
}

impl Viewer {
    /// The viewer that has these seats.
    pub fn new(seats: Vec<usize>) -> Viewer {
        if seats.is_empty() { Viewer::Spectator } else { Viewer::Seats(seats) }
    }

    /// The seats of the viewer.
    pub fn seats(&self) -> &[usize] {
        match self {
            Viewer::Seats(seats) => seats,
            Viewer::Spectator => &[],
        }
    }

    /// The places in lists of sights: one for each seat, or the one after all players.
    fn places(&self, players: usize) -> Vec<usize> {
        match self {
            Viewer::Seats(seats) => seats.clone(),
            Viewer::Spectator => vec![players],
        }
    }

    /// As whom the rules show a position: who has several seats looks as the player to move, or
    /// else as the first.
    pub fn eyes(&self, position: &Position) -> senet::Viewer {
        let seats = self.seats();
        let mover = position.player();
        let seat = seats.iter().find(|seat| **seat == mover.index()).or(seats.first());
        let player = seat.and_then(|seat| position.game().players().nth(*seat));
        player.map_or(senet::Viewer::Spectator, senet::Viewer::Player)
    }
}

/// What each player and, last, a spectator sees of an event; nothing where it leaves no trace. The
/// list is empty in a game without secrets, where everybody sees everything.
pub fn sights(before: &Position, event: Event, after: &Position) -> Vec<Option<Glimpse>> {
    let game = before.game();
    if !game.has_secrets() {
        return Vec::new();
    }
    let viewers = game.players().map(senet::Viewer::Player);
    let sight = |viewer: senet::Viewer| {
        let glimpse = before.glimpse(event, after, viewer);
        let changes = || before.observe(viewer) != after.observe(viewer);
        (glimpse != Glimpse::Nothing || changes()).then_some(glimpse)
    };
    viewers.chain([senet::Viewer::Spectator]).map(sight).collect()
}

/// The most that a viewer sees of an event with one of several pairs of eyes.
fn best(sights: impl Iterator<Item = Option<Glimpse>>) -> Option<Glimpse> {
    let rank = |glimpse: &Glimpse| match glimpse {
        Glimpse::Whole(_) => 2,
        Glimpse::Part { .. } => 1,
        Glimpse::Nothing => 0,
    };
    sights.flatten().max_by_key(rank)
}

impl Table {
    /// Who the holder of a token is, of which this is the hash.
    pub fn viewer(&self, holder: Option<&str>) -> Viewer {
        Viewer::new(holder.map_or(Vec::new(), |holder| self.seats_of(holder)))
    }

    /// What a viewer sees of a move; none where it leaves no trace.
    pub fn sight(&self, one: &Move, viewer: &Viewer) -> Option<Glimpse> {
        match one.seen[..] {
            [] => Some(Glimpse::Whole(one.event)),
            ref seen => best(viewer.places(self.seats.len()).into_iter().map(|at| seen[at])),
        }
    }

    /// The moves that a viewer knows of, each with what the viewer sees of it.
    pub fn seen_by(&self, viewer: &Viewer) -> Vec<(&Move, Glimpse)> {
        let seen = self.moves.iter().map(|one| Some((&**one, self.sight(one, viewer)?)));
        seen.flatten().collect()
    }

    /// The last moves that a viewer knows of, so many at most, and how many come before them.
    pub fn last_seen_by(&self, viewer: &Viewer, most: usize) -> (usize, Vec<(&Move, Glimpse)>) {
        let from = self.ply_for(viewer).saturating_sub(most);
        if !self.game().has_secrets() {
            let whole = |one: &Arc<Move>| Glimpse::Whole(one.event);
            return (from, self.moves[from..].iter().map(|one| (&**one, whole(one))).collect());
        }
        (from, self.seen_by(viewer).split_off(from))
    }

    /// What a viewer sees of the last move that is no roll of dice.
    pub fn last_move_seen_by(&self, viewer: &Viewer) -> Option<Glimpse> {
        let moves = self.moves.iter().rev().filter(|one| !matches!(one.event, Event::Roll(_)));
        { moves }.find_map(|one| self.sight(one, viewer))
    }

    /// How many records of the log a viewer knows of.
    pub fn number_for(&self, viewer: &Viewer) -> u64 {
        let known = |at: usize| self.number - self.unseen.get(at).copied().unwrap_or(0);
        viewer.places(self.seats.len()).into_iter().map(known).sum()
    }

    /// How many moves a viewer knows of.
    pub fn ply_for(&self, viewer: &Viewer) -> usize {
        if !self.game().has_secrets() {
            return self.moves.len();
        }
        let known = self.moves.iter().filter(|one| self.sight(one, viewer).is_some());
        known.count()
    }

    /// The ply of the match that a viewer means by a ply; none where there is no such.
    pub fn ply_meant(&self, viewer: &Viewer, ply: usize) -> Option<usize> {
        if !self.game().has_secrets() {
            return (ply <= self.moves.len()).then_some(ply);
        }
        let sees = |at: &usize| self.sight(&self.moves[*at], viewer).is_some();
        let mut known = (0..self.moves.len()).filter(sees);
        match known.nth(ply) {
            Some(at) => Some(at),
            None => (ply == self.ply_for(viewer)).then_some(self.moves.len()),
        }
    }

    /// The position for answers to the player to move. The rules judge by what the player knows; in
    /// a game with secrets the notation is the plain one, whose texts depend on nothing else.
    pub fn told(&self) -> Position {
        match self.game().has_secrets() {
            true => self.position().plain(),
            false => self.position(),
        }
    }
}

/// What a viewer sees of an event, as people write it.
pub fn text<'m>(game: &Game, one: &'m Move, glimpse: Glimpse) -> Cow<'m, str> {
    match glimpse {
        // What a roll is called depends on the roll alone.
        Glimpse::Whole(Event::Roll(_)) => Cow::Borrowed(&one.notation),
        Glimpse::Whole(_) if one.seen.is_empty() => Cow::Borrowed(&one.notation),
        _ => Cow::Owned(glimpse.text(game.rules())),
    }
}
