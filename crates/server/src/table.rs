//! One match at the server: what its log says, and what may happen next. Nothing here waits, asks
//! for the time or for chance; that all comes from outside, so that the same log is always the same
//! match.

use std::collections::BTreeMap;

use senet::{Event, Game, Glimpse, Match, Outcome, PlayerId, Position};

use crate::clock::Clock;
use crate::draw::Chance;
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::{Closing, Entry, Header, Offer, Plan, Record};
use crate::sight;
use crate::told;

/// How many events may follow from one: dice that are rolled again and turns that pass.
const MOST_FOLLOWING: usize = 64;

/// The longest match.
const MOST_EVENTS: usize = 20_000;

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
    /// What each player and a spectator sees of it; empty where everybody sees everything.
    pub seen: Vec<Option<Glimpse>>,
}

/// What may be asked of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To take a seat.
    Sit {
        /// Which; any that is free, where none is named.
        seat: Option<usize>,
        /// What the player is called.
        name: String,
        /// The hash of the new token.
        token: String,
        /// The invitation.
        invitation: Option<String>,
        /// What the player adds to the draws of chance.
        salt: String,
    },
    /// To play.
    Play {
        /// Whose move.
        seat: usize,
        /// At which ply.
        ply: usize,
        /// What the sender calls it.
        id: Option<String>,
        /// What is proposed.
        proposal: Proposal,
    },
    /// To offer something; to agree, where another player offers the same.
    Offer {
        /// Who.
        seat: usize,
        /// What.
        offer: Offer,
    },
    /// To decline or withdraw an offer.
    Decline {
        /// Who.
        seat: usize,
    },
    /// To take back the last step of a turn that is not over.
    Takeback {
        /// Who.
        seat: usize,
    },
    /// To give up.
    Resign {
        /// Who.
        seat: usize,
    },
    /// To leave a match before it has begun for the player.
    Abandon {
        /// Who.
        seat: usize,
    },
    /// To see whether somebody's time is up.
    Flag,
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This is to be written down.
    Happens(Vec<Entry>),
    /// It was done already: the event at this ply.
    Known(usize),
}

/// One match.
#[derive(Clone, Debug)]
pub struct Table {
    /// How it was arranged.
    pub header: Header,
    /// How many records its log has.
    pub number: u64,
    /// What was played.
    pub played: Match,
    /// The events played, as they are shown.
    pub moves: Vec<Move>,
    /// Who sits where.
    pub seats: Vec<Option<Seat>>,
    /// The clock.
    pub clock: Clock,
    /// What is offered, and by whom.
    pub offer: Option<(usize, Offer)>,
    /// How the match ended otherwise than by an event.
    pub closed: Option<(Closing, Option<usize>)>,
    /// The match that follows.
    pub next: Option<String>,
    /// How many records each player and a spectator knows nothing of; empty where everybody sees
    /// everything.
    pub unseen: Vec<u64>,
    ids: BTreeMap<String, usize>,
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
        Ok(Table {
            number: 0,
            played: Match::at(start),
            moves: Vec::new(),
            seats: vec![None; players],
            clock: Clock::new(header.control, players),
            offer: None,
            closed: None,
            next: None,
            unseen: Vec::new(),
            ids: BTreeMap::new(),
            header,
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
        self.closed.is_some() || self.played.outcome().is_some()
    }

    /// How the game ended by its rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.played.outcome()
    }

    /// Who is to play; nobody before everybody sits and after the end.
    pub fn mover(&self) -> Option<usize> {
        (self.is_full() && !self.is_over()).then(|| self.position().player().index())
    }

    /// The opponent of the server who is to play.
    pub fn bot_to_play(&self) -> Option<(usize, &str)> {
        let seat = self.mover()?;
        match &self.header.seats[seat] {
            Plan::Bot { bot } => Some((seat, bot)),
            _ => None,
        }
    }

    /// The seats that belong to a token.
    pub fn seats_of(&self, token: &str) -> Vec<usize> {
        let hash = crate::secret::hash(token);
        let mine = |seat: &Option<Seat>| {
            seat.as_ref().is_some_and(|seat| seat.token.as_deref() == Some(&hash))
        };
        (0..self.seats.len()).filter(|&seat| mine(&self.seats[seat])).collect()
    }

    /// Whether dice are awaited, and the player may do something else first, such as double.
    pub fn awaits_roll(&self) -> bool {
        let position = self.position();
        position.awaits_chance() && !position.asides().is_empty()
    }

    /// What follows from a command, or why it is refused. Nothing has changed yet.
    ///
    /// # Errors
    /// Where the command is refused.
    pub fn decide(&self, command: &Command, now: u64) -> Result<Decision, Problem> {
        let entries = match command {
            Command::Sit { .. } => self.sit(command)?,
            Command::Play { seat, ply, id, proposal } => {
                return self.play(*seat, *ply, id.as_deref(), proposal, now);
            }
            Command::Offer { seat, offer } => self.offer(*seat, *offer)?,
            Command::Decline { seat } => match self.offer {
                Some(_) => vec![Entry::Decline { seat: *seat }],
                None => return Err(Problem::conflict("no_offer", "nothing is offered")),
            },
            Command::Takeback { seat } => self.takeback(*seat)?,
            Command::Resign { seat } => self.resign(*seat)?,
            Command::Abandon { seat } => self.abandon(*seat)?,
            Command::Flag => self.flag(now)?,
        };
        Ok(Decision::Happens(entries))
    }

    fn sit(&self, command: &Command) -> Result<Vec<Entry>, Problem> {
        let Command::Sit { seat, name, token, invitation, salt } = command else {
            return Ok(Vec::new());
        };
        let invitation = invitation.as_deref().map(crate::secret::hash);
        let fits = |at: &usize| match &self.header.seats[*at] {
            Plan::Anyone => true,
            Plan::Invited { invitation: wanted } => invitation.as_ref() == Some(wanted),
            Plan::Bot { .. } => false,
        };
        let free = |at: &usize| self.seats[*at].is_none();
        let mut seats = (0..self.seats.len()).filter(|at| seat.is_none_or(|seat| seat == *at));
        let Some(at) = { seats.clone() }.find(|at| free(at) && fits(at)) else {
            return Err(match seats.any(|at| free(&at)) {
                true => Problem::forbidden("this seat needs an invitation that you do not have"),
                false => Problem::conflict("seat_taken", "the seat is taken"),
            });
        };
        let sit = Entry::Sit {
            seat: at,
            name: name.clone(),
            token: Some(token.clone()),
            salt: salt.clone(),
        };
        // The last who sits down starts the match, with the dice where it begins with them.
        let mut after = self.clone();
        after.fold(&Record { number: self.number, at: 0, entry: sit.clone() })?;
        let mut entries = vec![sit];
        entries.extend(after.following(&mut after.played.clone()));
        Ok(entries)
    }

    /// What happens at the start without anybody's doing: bots sit down, and dice are rolled
    /// where nobody else is waited for.
    ///
    /// # Errors
    /// Where the log would not be one.
    pub fn opening(&self) -> Result<Vec<Entry>, Problem> {
        let mut after = self.clone();
        let mut entries = Vec::new();
        for (seat, plan) in self.header.seats.iter().enumerate() {
            if let Plan::Bot { bot } = plan {
                let (name, salt) = (bot.clone(), String::new());
                let entry = Entry::Sit { seat, name, token: None, salt };
                after.fold(&Record { number: after.number, at: 0, entry: entry.clone() })?;
                entries.push(entry);
            }
        }
        entries.extend(after.following(&mut after.played.clone()));
        Ok(entries)
    }

    /// What happens by itself from where a line of play is: chance, and turns that pass.
    fn following(&self, played: &mut Match) -> Vec<Entry> {
        let mut entries = Vec::new();
        if !self.is_full() {
            return entries;
        }
        for _ in 0..MOST_FOLLOWING {
            let position = played.position();
            if played.outcome().is_some() {
                break;
            }
            let chance = position.awaits_chance();
            if chance && !position.asides().is_empty() {
                break;
            }
            let event = if chance { self.draw(played) } else { position.due() };
            let Some(event) = event else { break };
            if played.apply(event).is_err() {
                break;
            }
            entries.push(entry(&position, event, played, None));
        }
        entries
    }

    /// What chance gives where a line of play is.
    fn draw(&self, played: &Match) -> Option<Event> {
        let salts: Vec<&str> =
            self.seats.iter().map(|seat| seat.as_ref().map_or("", |seat| &seat.salt)).collect();
        let chance = Chance { seed: &self.header.seed, id: &self.header.id, salts: &salts };
        chance.draw(&played.position(), played.ply())
    }

    fn play(
        &self,
        seat: usize,
        ply: usize,
        id: Option<&str>,
        proposal: &Proposal,
        now: u64,
    ) -> Result<Decision, Problem> {
        if let Some(known) = id.and_then(|id| self.ids.get(id)) {
            let same = { self.moves.get(*known) }.is_some_and(|one| one.seat == Some(seat));
            return match *known == ply && same {
                true => Ok(Decision::Known(ply)),
                false => Err(Problem::conflict("stale", "a move with this id was made before")),
            };
        }
        self.check_open()?;
        if ply != self.played.ply() {
            return Err(Problem::conflict("stale", "the match is not at this ply"));
        }
        if self.mover() != Some(seat) {
            let who = self.game().player_name(self.position().player());
            return Err(Problem::conflict("not_your_turn", format!("{who} is to move")));
        }
        if self.clock.due().is_some_and(|due| now >= due) {
            return Err(Problem::conflict("time", "your time is up"));
        }
        if ply >= MOST_EVENTS {
            return Err(Problem::conflict("too_long", "the match has become too long to go on"));
        }
        let mut played = self.played.clone();
        let mut entries = Vec::new();
        for event in proposal.events(&self.told(), || self.draw(&self.played))? {
            let before = played.position();
            if played.apply(event).is_err() {
                return Err(told::refusal(&before.plain(), event));
            }
            entries.push(entry(&before, event, &played, Some(seat)));
        }
        if let Some(Entry::Play { id: given, .. }) = entries.first_mut() {
            *given = id.map(str::to_owned);
        }
        entries.extend(self.following(&mut played));
        Ok(Decision::Happens(entries))
    }

    fn check_open(&self) -> Result<(), Problem> {
        if !self.is_full() {
            return Err(Problem::conflict("waiting", "a seat is still free: wait for a player"));
        }
        if self.is_over() {
            return Err(Problem::conflict("over", "the match is over"));
        }
        Ok(())
    }

    fn offer(&self, seat: usize, offer: Offer) -> Result<Vec<Entry>, Problem> {
        match offer {
            Offer::Rematch if !self.is_over() => {
                return Err(Problem::conflict("not_over", "the match is not over yet"));
            }
            Offer::Rematch if self.next.is_some() => {
                return Err(Problem::conflict("known", "there is a rematch already"));
            }
            Offer::Rematch => {}
            Offer::Draw => {
                self.check_open()?;
                if self.draw_event().is_none() {
                    let detail = "the players cannot agree to a draw here";
                    return Err(Problem::new(422, "refused", detail));
                }
            }
            Offer::Undo => {
                self.check_open()?;
                // Who agrees need not have moved.
                let by = self.offer.filter(|(_, what)| *what == offer).map_or(seat, |(by, _)| by);
                if self.undo_to(by).is_none() {
                    return Err(Problem::conflict("nothing", "you have not moved yet"));
                }
            }
        }
        // A bot agrees to be played again and to take back; it does not judge draws.
        let others = (0..self.seats.len()).filter(|other| {
            let seat_of = |at: usize| self.seats[at].as_ref().and_then(|one| one.token.as_ref());
            *other != seat && seat_of(*other) != seat_of(seat)
        });
        let bots =
            { others.clone() }.all(|other| matches!(self.header.seats[other], Plan::Bot { .. }));
        let agreed = others.clone().count() == 0
            || bots && offer != Offer::Draw
            || self.offer.is_some_and(|(by, what)| what == offer && by != seat);
        if bots && offer == Offer::Draw {
            return Err(Problem::conflict("declined", "the opponent declines"));
        }
        if !agreed {
            return Ok(vec![Entry::Offer { seat, offer }]);
        }
        let by = self.offer.map_or(seat, |(by, _)| by);
        Ok(match offer {
            Offer::Draw => {
                let mut played = self.played.clone();
                let (before, event) = (self.position(), self.draw_event());
                let done = event.filter(|event| played.apply(*event).is_ok());
                done.map(|event| entry(&before, event, &played, Some(seat))).into_iter().collect()
            }
            Offer::Undo => self.undo_to(by).map(|ply| Entry::Undo { ply }).into_iter().collect(),
            Offer::Rematch => vec![Entry::Rematch { id: crate::secret::name() }],
        })
    }

    /// Whether the rules let the players agree to a draw now.
    pub fn may_be_drawn(&self) -> bool {
        self.mover().is_some() && self.draw_event().is_some()
    }

    /// The event by which the game is drawn, where the rules know one.
    fn draw_event(&self) -> Option<Event> {
        let position = self.position();
        let action = self.game().action("agree-draw")?;
        position.asides().into_iter().find(|event| *event == Event::Act(action))
    }

    /// How many events are left when a player takes a turn back.
    fn undo_to(&self, seat: usize) -> Option<usize> {
        let last = self.moves.iter().rposition(|one| one.seat == Some(seat))?;
        let mut first = last;
        while first > 0 && self.moves[first - 1].seat == Some(seat) {
            first -= 1;
        }
        Some(first)
    }

    fn takeback(&self, seat: usize) -> Result<Vec<Entry>, Problem> {
        self.check_open()?;
        if self.game().has_secrets() {
            let detail = "in a game with secrets nothing is taken back without asking";
            return Err(Problem::conflict("secret_game", detail));
        }
        let mine = self.moves.last().is_some_and(|one| one.seat == Some(seat));
        let rolled = { self.moves.last() }.is_some_and(|one| matches!(one.event, Event::Roll(_)));
        if !mine || rolled || self.mover() != Some(seat) {
            let detail = "only the steps of your own turn can be taken back without asking";
            return Err(Problem::conflict("not_your_turn", detail));
        }
        Ok(vec![Entry::Undo { ply: self.moves.len() - 1 }])
    }

    fn resign(&self, seat: usize) -> Result<Vec<Entry>, Problem> {
        self.check_open()?;
        Ok(vec![Entry::Close { reason: Closing::Resigned, winner: self.other(seat) }])
    }

    fn abandon(&self, seat: usize) -> Result<Vec<Entry>, Problem> {
        if self.is_over() {
            return Err(Problem::conflict("over", "the match is over"));
        }
        if self.moves.iter().any(|one| one.seat == Some(seat)) {
            return Err(Problem::conflict("begun", "you have moved already: resign instead"));
        }
        Ok(vec![Entry::Close { reason: Closing::Abandoned, winner: None }])
    }

    fn flag(&self, now: u64) -> Result<Vec<Entry>, Problem> {
        self.check_open()?;
        let due = self.clock.due().filter(|due| now >= *due);
        let Some((_, seat)) = due.zip(self.clock.running()) else {
            return Err(Problem::conflict("time", "nobody's time is up"));
        };
        // Rules that know what it means say it by an act of this name.
        let action = self.game().action("flag").map(Event::Act);
        let said = self.position().asides();
        let mut played = self.played.clone();
        if let Some(event) = action.filter(|event| said.contains(event))
            && played.apply(event).is_ok()
        {
            return Ok(vec![entry(&self.position(), event, &played, Some(seat))]);
        }
        Ok(vec![Entry::Close { reason: Closing::Time, winner: self.other(seat) }])
    }

    /// Who wins when a player loses: the only other side, if there is one.
    fn other(&self, loser: usize) -> Option<usize> {
        let game = self.game();
        let players: Vec<PlayerId> = game.players().collect();
        let mut foes = players.iter().filter(|one| !game.are_allied(**one, players[loser]));
        let first = *foes.next()?;
        foes.all(|one| game.are_allied(*one, first)).then(|| first.index())
    }

    /// Takes a record of the log over.
    ///
    /// # Errors
    /// Where the record does not continue the log, or an event of it is refused.
    pub fn fold(&mut self, record: &Record) -> Result<(), Problem> {
        let broken = |what: &str| {
            let detail = format!("record {} of {}: {what}", record.number, self.header.id);
            Problem::new(500, "broken_log", detail)
        };
        if record.number != self.number {
            return Err(broken("a record is missing before it"));
        }
        match &record.entry {
            Entry::Sit { seat, name, token, salt } => {
                let place = self.seats.get_mut(*seat).ok_or_else(|| broken("no such seat"))?;
                let (name, token, salt) = (name.clone(), token.clone(), salt.clone());
                *place = Some(Seat { name, token, salt });
            }
            Entry::Play { seat, event, hash, id } => {
                let before = self.position();
                let read = before.plain().parse_event(event);
                let read = read.map_err(|error| broken(&error.to_string()))?;
                let notation = before.notate(read);
                self.played.apply(read).map_err(|error| broken(&error.to_string()))?;
                if *hash != hash_of(&self.played.position()) {
                    return Err(broken("the position after it has another hash"));
                }
                if let Some(id) = id {
                    self.ids.insert(id.clone(), self.moves.len());
                }
                let seen = sight::sights(&before, read, &self.played.position());
                self.unseen.resize(seen.len(), 0);
                for (count, sight) in self.unseen.iter_mut().zip(&seen) {
                    *count += u64::from(sight.is_none());
                }
                let (player, hash) = (before.player(), hash.clone());
                self.moves.push(Move { seat: *seat, player, event: read, notation, hash, seen });
                if seat.is_some() {
                    self.offer = None;
                }
            }
            Entry::Offer { seat, offer } => self.offer = Some((*seat, *offer)),
            Entry::Decline { .. } => self.offer = None,
            Entry::Undo { ply } => {
                if !self.played.goto(*ply) {
                    return Err(broken("there is no such ply"));
                }
                self.moves.truncate(*ply);
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
        self.number += 1;
        self.clock.turn(self.mover(), record.at);
        Ok(())
    }
}

/// An event as it is written down.
fn entry(before: &Position, event: Event, played: &Match, seat: Option<usize>) -> Entry {
    let (event, hash) = (before.plain().format(event), hash_of(&played.position()));
    Entry::Play { seat, event, hash, id: None }
}

/// The hash of a position as text.
pub fn hash_of(position: &Position) -> String {
    format!("{:032x}", position.hash128())
}
