//! What may be asked of a match, and what follows from it.

use senet::{Event, PlayerId};

use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::{Closing, Entry, Offer, Plan};
use crate::table::{Course, Table, hash_of};
use crate::told;

/// The longest match.
const MOST_EVENTS: usize = 20_000;

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
#[derive(Clone, Debug)]
pub enum Decision {
    /// This happens, as soon as it is written down.
    Happens(Box<Course>),
    /// It was done already: the event at this ply.
    Known(usize),
}

impl Table {
    /// What follows from a command, or why it is refused. Nothing has changed yet.
    ///
    /// # Errors
    /// Where the command is refused.
    pub fn decide(&self, command: &Command, now: u64) -> Result<Decision, Problem> {
        let entries = match command {
            Command::Sit { .. } => match self.sit(command)? {
                known if known.is_empty() => return Ok(Decision::Known(self.moves.len())),
                sitting => sitting,
            },
            Command::Play { seat, ply, id, proposal } => {
                return self.move_of(*seat, *ply, id.as_deref(), proposal, now);
            }
            Command::Offer { seat, offer } => self.offered(*seat, *offer)?,
            Command::Decline { seat } => match self.offer {
                Some(_) => vec![Entry::Decline { seat: *seat }],
                None => return Err(Problem::conflict("no_offer", "nothing is offered")),
            },
            Command::Takeback { seat } => self.takeback(*seat)?,
            Command::Resign { seat } => self.resign(*seat)?,
            Command::Abandon { seat } => self.abandon(*seat)?,
            Command::Flag => self.flag(now)?,
        };
        let mut course = Course::new(self.clone(), now);
        for entry in entries {
            course.note(entry)?;
        }
        // The last who sits down starts the match, with the dice where it begins with them.
        if matches!(command, Command::Sit { .. }) {
            course.follow();
        }
        Ok(Decision::Happens(Box::new(course)))
    }

    /// Who takes which seat; nobody where the holder of the token sits there already.
    fn sit(&self, command: &Command) -> Result<Vec<Entry>, Problem> {
        let Command::Sit { seat, name, token, invitation, salt } = command else {
            return Ok(Vec::new());
        };
        let mine = self.seats_of(token);
        if seat.map_or(!mine.is_empty(), |seat| mine.contains(&seat)) {
            return Ok(Vec::new());
        }
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
        let (name, token, salt) = (name.clone(), Some(token.clone()), salt.clone());
        Ok(vec![Entry::Sit { seat: at, name, token, salt }])
    }

    fn move_of(
        &self,
        seat: usize,
        ply: usize,
        id: Option<&str>,
        proposal: &Proposal,
        now: u64,
    ) -> Result<Decision, Problem> {
        if self.was_played(seat, ply, id) {
            return Ok(Decision::Known(ply));
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
        let told = self.told();
        let events = proposal.events(&told, || self.draw())?;
        let mut course = Course::new(self.clone(), now);
        for (at, meant) in events.into_iter().enumerate() {
            let before = if at == 0 { told.clone() } else { course.table.told() };
            let played = course.play(meant, Some(seat), id.filter(|_| at == 0));
            played.map_err(|_| told::refusal(&before, meant.event))?;
        }
        course.follow();
        Ok(Decision::Happens(Box::new(course)))
    }

    /// Whether the holder of a seat has played a move of this name at this ply. What others call
    /// their moves does not matter: it would tell of moves that the player does not see.
    fn was_played(&self, seat: usize, ply: usize, id: Option<&str>) -> bool {
        let (Some(id), Some(one)) = (id, self.moves.get(ply)) else { return false };
        let mine = |by: usize| by == seat || self.same_holder(by, seat);
        one.id.as_deref() == Some(id) && one.seat.is_some_and(mine)
    }

    /// The hash of the token of a seat; none of a bot and of a free seat.
    fn holder(&self, seat: usize) -> Option<&str> {
        self.seats.get(seat)?.as_ref()?.token.as_deref()
    }

    /// Whether two seats belong to one person.
    fn same_holder(&self, one: usize, other: usize) -> bool {
        self.holder(one).is_some_and(|holder| self.holder(other) == Some(holder))
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

    /// What comes of an offer: it stands until every other person wants the same.
    fn offered(&self, seat: usize, offer: Offer) -> Result<Vec<Entry>, Problem> {
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
                if !self.may_say("agree-draw") {
                    let detail = "the players cannot agree to a draw here";
                    return Err(Problem::new(422, "refused", detail));
                }
            }
            Offer::Undo => {
                self.check_open()?;
                // Who agrees need not have moved.
                let standing = self.offer.as_ref().filter(|one| one.offer == offer);
                let by = standing.map_or(seat, |one| one.by);
                if self.undo_to(by).is_none() {
                    return Err(Problem::conflict("nothing", "you have not moved yet"));
                }
            }
        }
        // A bot agrees to be played again and to take back; it does not judge draws.
        let bot = |at: &usize| self.bot_at(*at).is_some();
        if offer == Offer::Draw && (0..self.seats.len()).any(|at| bot(&at)) {
            return Err(Problem::conflict("declined", "the opponent declines"));
        }
        let standing = self.offer.as_ref().filter(|standing| standing.offer == offer);
        let agreed = |at: usize| {
            let by = standing.into_iter().flat_map(|one| &one.agreed).chain([&seat]);
            { by }.any(|by| *by == at || self.same_holder(*by, at))
        };
        if !(0..self.seats.len()).filter(|at| !bot(at)).all(agreed) {
            return Ok(vec![Entry::Offer { seat, offer }]);
        }
        let by = standing.map_or(seat, |one| one.by);
        Ok(match offer {
            Offer::Draw => self.said("agree-draw", seat).into_iter().collect(),
            Offer::Undo => self.undo_to(by).map(|ply| Entry::Undo { ply }).into_iter().collect(),
            Offer::Rematch => vec![Entry::Rematch { id: crate::secret::name() }],
        })
    }

    /// Whether the rules let the players agree to a draw now.
    pub fn may_be_drawn(&self) -> bool {
        self.mover().is_some() && self.may_say("agree-draw")
    }

    /// What a player may say by an act of this name, where the rules know one.
    fn act(&self, name: &str) -> Option<Event> {
        let act = self.game().action(name).map(Event::Act)?;
        self.position().asides().contains(&act).then_some(act)
    }

    /// Whether a player may say something now.
    fn may_say(&self, name: &str) -> bool {
        self.act(name).is_some()
    }

    /// What a player says, as it is written down; none where the rules do not let it be said.
    fn said(&self, name: &str, seat: usize) -> Option<Entry> {
        let (event, before) = (self.act(name)?, self.position());
        let after = before.apply(event).ok()?.position;
        let (event, hash) = (before.plain().format(event), hash_of(&after));
        Some(Entry::Play { seat: Some(seat), event, hash, id: None })
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
        let winner = self.other(seat);
        // Where several others play against each other, they go on.
        let goes_on = |at: &usize| self.bot_at(*at).is_none() && !self.same_holder(*at, seat);
        if winner.is_none() && (0..self.seats.len()).any(|at| at != seat && goes_on(&at)) {
            return Ok(vec![Entry::Leave { seat }]);
        }
        Ok(vec![Entry::Close { reason: Closing::Resigned, winner }])
    }

    fn abandon(&self, seat: usize) -> Result<Vec<Entry>, Problem> {
        if self.is_over() {
            return Err(Problem::conflict("over", "the match is over"));
        }
        if self.moves.iter().any(|one| one.seat == Some(seat)) {
            return Err(Problem::conflict("begun", "you have moved already: resign instead"));
        }
        let others = { self.moves.iter() }.filter_map(|one| one.seat).any(|by| by != seat);
        if self.seats.len() > 2 && others {
            return Err(Problem::conflict("begun", "others have moved already: resign instead"));
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
        if let Some(said) = self.said("flag", seat) {
            return Ok(vec![said]);
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
}
