//! Plays a game again from what a file says, and checks every step of it.

use senet_core::{Event, State};

use crate::lexicon::Lexicon;
use crate::mat::{Deed, Entry, Game, Header, Problem, Record, Winning};
use crate::play::{Hop, Trip};
use crate::position::{Side, Win};
use crate::turn;

/// Something wrong, with its place in the file.
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) at_move: Option<String>,
    pub(crate) problem: Problem,
}

/// Plays a game from its start; the line is the last of it.
pub(crate) fn replay(
    lexicon: &Lexicon<'_>,
    (header, mut game, last): (Header, Game, usize),
    crawford: bool,
) -> Result<Record, Fault> {
    let first = game.entries.first().map_or(last, |entry| entry.line);
    let start = start(lexicon, &header, &game, crawford).map_err(|problem| Fault {
        line: first.saturating_sub(1),
        at_move: None,
        problem,
    })?;
    let mut table = Table { lexicon, state: start.clone(), events: Vec::new() };
    for (index, entry) in game.entries.iter_mut().enumerate() {
        table.follow(entry).map_err(|problem| {
            let (side, row) = (entry.side.name(), index / 2 + 1);
            let what = match &entry.deed {
                Deed::Play { dice: [one, two], .. } => format!("{one}{two}"),
                other => word(other).to_owned(),
            };
            let at_move = Some(format!("{row}, {side}: {what}"));
            Fault { line: entry.line, at_move, problem }
        })?;
    }
    let ended = table.won();
    let win = match game.winning {
        None => None,
        Some(winning) => {
            Some(table.check_winning(winning, &header, &game).map_err(|problem| Fault {
                line: last,
                at_move: None,
                problem,
            })?)
        }
    };
    Ok(Record {
        header,
        opens: false,
        variant: lexicon.game.name().to_owned(),
        game,
        start,
        events: table.events,
        state: table.state,
        win: win.or(ended.map(|(_, win)| win)),
        awarded: win.is_some() && ended.is_none(),
    })
}

/// The state before the opening roll.
fn start(
    lexicon: &Lexicon<'_>,
    header: &Header,
    game: &Game,
    crawford: bool,
) -> Result<State, Problem> {
    let mut position = lexicon.position(&lexicon.game.start());
    position.length = header.length;
    position.score = game.score;
    position.crawford = crawford;
    position.beavers = header.length == 0;
    position.jacoby = header.length == 0 && header.says("Jacoby", "True");
    let mut faults = crate::position::Faults::default();
    position.check(lexicon.checkers, &mut faults);
    let wrong = |error: senet_core::notation::PositionError| {
        let found = format!("{} to {} of {}", game.score[0], game.score[1], header.length);
        Problem::Score { found, allowed: error.reasons.into_iter().map(|r| r.message).collect() }
    };
    faults.finish(()).and_then(|()| lexicon.state(&position)).map_err(wrong)
}

impl Header {
    /// Whether a comment gives a name this value.
    fn says(&self, name: &str, value: &str) -> bool {
        let said = format!("[{name} \"{value}\"]").to_ascii_lowercase();
        self.comments.iter().any(|comment| comment.trim().to_ascii_lowercase() == said)
    }
}

fn word(deed: &Deed) -> &'static str {
    match deed {
        Deed::Play { .. } => "plays",
        Deed::Double(_) => "doubles",
        Deed::Beaver(_) => "beavers",
        Deed::Take => "takes",
        Deed::Drop => "drops",
    }
}

/// A game being played again.
struct Table<'l> {
    lexicon: &'l Lexicon<'l>,
    state: State,
    events: Vec<Event>,
}

impl Table<'_> {
    /// Does what an entry says, and writes its play in single steps.
    fn follow(&mut self, entry: &mut Entry) -> Result<(), Problem> {
        if self.won().is_some() {
            return Err(illegal(word(&entry.deed), "the game is over".to_owned()));
        }
        self.turn_of(entry)?;
        match &mut entry.deed {
            Deed::Play { dice, trips } => self.play(entry.side, *dice, trips),
            Deed::Double(value) | Deed::Beaver(value) => {
                let due = 2 * self.lexicon.value(&self.state, "cube");
                let again = self.lexicon.value(&self.state, "offered") == 1;
                // A beaver turns the cube twice: for the double and for itself.
                let due = if again { 2 * due } else { due };
                if *value != due as u64 {
                    let reason = format!("the cube would show {due}");
                    return Err(illegal(&format!("doubles to {value}"), reason));
                }
                self.act(if again { "beaver" } else { "double" })
            }
            Deed::Take => self.act("take"),
            Deed::Drop => self.act("drop"),
        }
    }

    /// Checks that it is the turn of the side of an entry. A beaver that nobody speaks of again
    /// was taken; what happens by itself happens.
    fn turn_of(&mut self, entry: &Entry) -> Result<(), Problem> {
        self.pass()?;
        let (lexicon, playing) = (self.lexicon, matches!(entry.deed, Deed::Play { .. }));
        if playing && lexicon.value(&self.state, "offered") == 2 {
            self.act("take")?;
        }
        let opening = lexicon.value(&self.state, "opening") == 1;
        let mover = lexicon.mover(&self.state);
        if opening && !playing {
            let reason = "the opening roll comes first".to_owned();
            return Err(illegal(word(&entry.deed), reason));
        }
        if !opening && mover != entry.side {
            let reason = format!("it is the turn of {}", mover.name());
            return Err(illegal(word(&entry.deed), reason));
        }
        Ok(())
    }

    /// Rolls and plays.
    fn play(&mut self, side: Side, dice: [u8; 2], trips: &mut Vec<Trip>) -> Result<(), Problem> {
        let lexicon = self.lexicon;
        let (high, low) = (dice[0].max(dice[1]), dice[0].min(dice[1]));
        let opening = lexicon.value(&self.state, "opening") == 1;
        let written = format!("{}{}", dice[0], dice[1]);
        if opening && high == low {
            let reason = "the opening roll shows two different numbers".to_owned();
            return Err(illegal(&written, reason));
        }
        // In the opening each player rolls a die, and the higher begins.
        let faces = if opening && side == Side::Black { [low, high] } else { [high, low] };
        let rolled = lexicon.game.chances(&self.state).into_iter().map(|chance| chance.event);
        let shows = |event: &Event| match event {
            Event::Roll(outcome) => lexicon.game.faces(*outcome).iter().map(|f| f.1).eq(faces),
            _ => false,
        };
        let Some(roll) = rolled.into_iter().find(shows) else {
            return Err(illegal(&written, "no roll is awaited".to_owned()));
        };
        self.apply(roll)?;
        let turn = turn::resolve(lexicon, &self.state, trips).map_err(|refusal| {
            let play = crate::mat::writer::written_trips(trips);
            illegal(&format!("{written}: {play}"), refusal.to_string())
        })?;
        trips.clear();
        let mut walker = lexicon.game.walker();
        for accepted in turn {
            let hop = lexicon.hop(&self.state, accepted.event());
            let trip = |hop: Hop| Trip { from: hop.from, stops: vec![(hop.to, hop.hit)], times: 1 };
            trips.extend(hop.map(trip));
            self.state = walker.play(&self.state, accepted);
            self.events.push(accepted.event());
        }
        self.pass()
    }

    /// Lets a turn pass in which nothing can be played.
    fn pass(&mut self) -> Result<(), Problem> {
        match self.lexicon.game.due(&self.state).filter(|_| self.won().is_none()) {
            Some(due) => self.apply(due),
            None => Ok(()),
        }
    }

    fn act(&mut self, name: &str) -> Result<(), Problem> {
        let action = self.lexicon.game.action(name).expect("every game of the family has it");
        self.apply(Event::Act(action))
    }

    fn apply(&mut self, event: Event) -> Result<(), Problem> {
        let game = self.lexicon.game;
        let step = game.apply(&self.state, event).map_err(|rejection| {
            let reasons = rejection.reasons.iter().map(|reason| game.reason_text(*reason));
            let found = senet_core::text::format_event(game, event);
            illegal(&found, reasons.collect::<Vec<_>>().join("; "))
        })?;
        self.events.push(event);
        self.state = step.state;
        Ok(())
    }

    /// Who has won, and how.
    fn won(&self) -> Option<(Side, Win)> {
        self.lexicon.position(&self.state).won
    }

    /// Checks who is said to win, and how much. A game that is not over was given up, or its end
    /// is not told.
    fn check_winning(
        &self,
        winning: Winning,
        header: &Header,
        game: &Game,
    ) -> Result<Win, Problem> {
        let cube = self.lexicon.value(&self.state, "cube") as u64;
        let points = u64::from(winning.points);
        let found = format!("{} wins {points}", winning.side.name());
        let missing = u64::from(header.length.saturating_sub(game.score[winning.side.index()]));
        // Some programs give no more points than the match needs.
        let counts = |win: Win| {
            let worth = u64::from(win.factor()) * cube;
            worth == points || header.length > 0 && points == missing && worth > points
        };
        match self.won() {
            Some((side, win)) if side == winning.side && counts(win) => Ok(win),
            Some((side, win)) => {
                let worth = u64::from(win.factor()) * cube;
                Err(illegal(&found, format!("{} wins {worth}, a {}", side.name(), win.name())))
            }
            None => Win::ALL.into_iter().find(|win| counts(*win)).ok_or_else(|| {
                illegal(
                    &found,
                    format!("a game with a cube of {cube} is worth one to three times it"),
                )
            }),
        }
    }
}

fn illegal(found: &str, reason: String) -> Problem {
    Problem::Illegal { found: senet_core::notation::excerpt(found), reason }
}
