//! One match at the server: what its log says, and what may happen next. Nothing here waits, asks
//! for the time or for chance; that all comes from outside, so that the same log is always the same
//! match.

mod command;
mod course;

use std::sync::Arc;

use senet::{ApplyError, Event, Game, Glimpse, Match, Outcome, PlayerId, Position};

use crate::clock::Clock;
use crate::problem::Problem;
use crate::proposal::Meaning;
use crate::record::{Closing, Entry, Header, Offer, Plan, Record};
use crate::sight;

pub use command::{Command, Decision};
pub use course::Course;

/// A seat that somebody has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// What the player is called.
    pub name: String,
    /// The hash of the secret token; none of a bot.
    pub token: Option<String>,
    /// What the player adds to the draws of chance.
    pub salt: String,
}

/// Who plays for somebody who has left.
const STAND_IN: &str = "random";

/// An event that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who sent it; none of chance and of what happens by itself.
    pub seat: Option<usize>,
    /// Whose turn it was.
    pub player: PlayerId,
    /// The event.
    pub event: Event,
    /// As people write it.
    pub notation: String,
    /// The hash of the position after it.
    pub hash: String,
    /// What the sender calls it.
    pub id: Option<String>,
    /// What each player and a spectator sees of it; empty where everybody sees everything.
    pub seen: Vec<Option<Glimpse>>,
}

/// An offer that not all have answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Who made it.
    pub by: usize,
    /// What is offered.
    pub offer: Offer,
    /// Who wants it, the one who made it first.
    pub agreed: Vec<usize>,
}

/// One match. A copy shares what was played.
#[derive(Clone, Debug)]
pub struct Table {
    /// How it was arranged.
    pub header: Arc<Header>,
    /// What the server promised about the seed.
    pub commitment: Arc<str>,
    /// How many records its log has.
    pub number: u64,
    /// What was played.
    pub played: Match,
    /// The events played, as they are shown.
    pub moves: Vec<Arc<Move>>,
    /// Who sits where.
    pub seats: Vec<Option<Arc<Seat>>>,
    /// The clock.
    pub clock: Clock,
    /// What is offered.
    pub offer: Option<Standing>,
    /// How the match ended otherwise than by an event.
    pub closed: Option<(Closing, Option<usize>)>,
    /// The match that follows.
    pub next: Option<String>,
    /// How many records each player and a spectator knows nothing of; empty where everybody sees
    /// everything.
    pub unseen: Vec<u64>,
    /// How the game ended by its rules.
    pub outcome: Option<Outcome>,
    /// Whose turn it is by the rules.
    pub player: PlayerId,
}

impl Table {
    /// A match of which nothing has happened.
    ///
    /// # Errors
    /// Where the game has no position of the header.
    pub fn new(game: &Game, header: Header) -> Result<Table, Problem> {
        let start = match &header.position {
            None => game.start(),
            Some(text) => game
                .position(text)
                .map_err(|error| Problem::new(422, "invalid_position", error.to_string()))?,
        };
        let players = game.players().count();
        let player = start.player();
        let played = Match::at(start);
        let outcome = played.outcome();
        Ok(Table {
            commitment: crate::draw::commitment(&header.seed).into(),
            number: 0,
            played,
            moves: Vec::new(),
            seats: vec![None; players],
            clock: Clock::new(header.control, players),
            offer: None,
            closed: None,
            next: None,
            unseen: Vec::new(),
            outcome,
            player,
            header: Arc::new(header),
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.played.game()
    }

    /// The position now.
    pub fn position(&self) -> Position {
        self.played.position()
    }

    /// Whether every seat is taken.
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.closed.is_some() || self.outcome.is_some()
    }

    /// Who is to play; nobody before everybody sits and after the end.
    pub fn mover(&self) -> Option<usize> {
        (self.is_full() && !self.is_over()).then(|| self.player.index())
    }

    /// The opponent of the server who is to play.
    pub fn bot_to_play(&self) -> Option<(usize, &str)> {
        let seat = self.mover()?;
        Some((seat, self.bot_at(seat)?))
    }

    /// The opponent of the server that has a seat: one that was wanted, or one that plays for somebody
    /// who has left.
    pub fn bot_at(&self, seat: usize) -> Option<&str> {
        match &self.header.seats[seat] {
            Plan::Bot { bot } => Some(bot),
            _ => self.seats[seat].as_ref().filter(|one| one.token.is_none()).map(|_| STAND_IN),
        }
    }

    /// What the players are called; free seats have empty names.
    pub fn names(&self) -> Vec<String> {
        let name = |seat: &Option<Arc<Seat>>| seat.as_ref().map(|seat| seat.name.clone());
        self.seats.iter().map(|seat| name(seat).unwrap_or_default()).collect()
    }

    /// The seats that belong to a token, of which this is the hash.
    pub fn seats_of(&self, hash: &str) -> Vec<usize> {
        let mine = |seat: &Option<Arc<Seat>>| {
            seat.as_ref().is_some_and(|seat| seat.token.as_deref() == Some(hash))
        };
        (0..self.seats.len()).filter(|&seat| mine(&self.seats[seat])).collect()
    }

    /// Whether dice are awaited, and the player may do something else first, such as double.
    pub fn awaits_roll(&self) -> bool {
        let position = self.position();
        position.awaits_chance() && !position.asides().is_empty()
    }

    /// Takes a record of the log over.
    ///
    /// # Errors
    /// Where the record does not continue the log, or an event of it is refused.
    pub fn fold(&mut self, record: &Record) -> Result<(), Problem> {
        let header = self.header.clone();
        let broken = |what: &str| {
            let detail = format!("record {} of {}: {what}", record.number, header.id);
            Problem::new(500, "broken_log", detail)
        };
        if record.number != self.number {
            return Err(broken("a record is missing before it"));
        }
        match &record.entry {
            Entry::Sit { seat, name, token, salt } => {
                let place = self.seats.get_mut(*seat).ok_or_else(|| broken("no such seat"))?;
                let (name, token, salt) = (name.clone(), token.clone(), salt.clone());
                *place = Some(Arc::new(Seat { name, token, salt }));
            }
            Entry::Play { seat, event, hash, id } => {
                let read = self.position().plain().parse_event(event);
                let read = read.map_err(|error| broken(&error.to_string()))?;
                let id = id.as_deref();
                let played = self.play(read.into(), *seat, id);
                let played = played.map_err(|error| broken(&error.to_string()))?;
                if *hash != played.hash {
                    return Err(broken("the position after it has another hash"));
                }
            }
            Entry::Offer { seat, offer } => self.offer(*seat, *offer),
            Entry::Decline { .. } => self.offer = None,
            Entry::Undo { ply } => {
                if !self.played.goto(*ply) {
                    return Err(broken("there is no such ply"));
                }
                self.moves.truncate(*ply);
                self.outcome = self.played.outcome();
                self.player = self.position().player();
                self.offer = None;
            }
            Entry::Leave { seat } => {
                let place = self.seats.get_mut(*seat).and_then(Option::as_mut);
                let place = place.ok_or_else(|| broken("nobody sits there"))?;
                let (name, salt) = (place.name.clone(), place.salt.clone());
                *place = Arc::new(Seat { name, token: None, salt });
                self.offer = None;
            }
            Entry::Close { reason, winner } => {
                self.closed = Some((*reason, *winner));
                self.offer = None;
            }
            Entry::Rematch { id } => {
                self.next = Some(id.clone());
                self.offer = None;
            }
            Entry::Resume { stopped } => self.clock.resume(*stopped, record.at),
        }
        self.advance(record.at);
        Ok(())
    }

    /// A player offers something, or agrees to what another one offers.
    fn offer(&mut self, seat: usize, offer: Offer) {
        match &mut self.offer {
            Some(standing) if standing.offer == offer => standing.agreed.push(seat),
            other => *other = Some(Standing { by: seat, offer, agreed: vec![seat] }),
        }
    }

    /// Another record of the log was taken over.
    fn advance(&mut self, at: u64) {
        self.number += 1;
        self.clock.turn(self.mover(), at);
    }

    /// Plays an event that the rules accept.
    fn play(
        &mut self,
        meant: Meaning,
        seat: Option<usize>,
        id: Option<&str>,
    ) -> Result<Arc<Move>, ApplyError> {
        let (before, event) = (self.position(), meant.event);
        let notation = before.notate(event);
        meant.play(&mut self.played)?;
        self.outcome = self.played.outcome();
        let after = self.position();
        self.player = after.player();
        let seen = sight::sights(&before, event, &after);
        self.unseen.resize(seen.len(), 0);
        for (count, sight) in self.unseen.iter_mut().zip(&seen) {
            *count += u64::from(sight.is_none());
        }
        let (player, hash) = (before.player(), hash_of(&after));
        let id = id.map(str::to_owned);
        let played = Arc::new(Move { seat, player, event, notation, hash, id, seen });
        self.moves.push(played.clone());
        if seat.is_some() {
            self.offer = None;
        }
        Ok(played)
    }
}

/// The hash of a position as text.
pub fn hash_of(position: &Position) -> String {
    format!("{:032x}", position.hash128())
}
