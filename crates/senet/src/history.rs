//! One playing of a game, with its history.

use std::fmt;

use senet_core::notation::Meant;
use senet_core::observe::Recall;
use senet_core::save::{LoadError, SaveForm, SaveMark};
use senet_core::{Accepted, Change, Event, Outcome, Played, PlayerId, Rejection, State};

use crate::apply::{ApplyError, Proposal, Reading, Step};
use crate::game::Game;
use crate::position::Position;

/// One playing of a game: undo, redo, branches, saving and loading. Cloning it is a branch; both
/// share what was played so far. Positions that repeat are counted, where the rules ask for that.
///
/// As text it is the events played, as people write them, with spaces between;
/// [`Match::replay`] reads it again.
#[derive(Clone)]
pub struct Match {
    game: Game,
    history: senet_core::Match,
}

/// Why a list of moves cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Which move it is, counted from 1.
    pub number: usize,
    /// The move as it was written.
    pub text: String,
    /// What is wrong with it.
    pub error: ApplyError,
}

impl Match {
    /// A match from the start of a game.
    pub fn new(game: &Game) -> Match {
        Match::at(game.start())
    }

    /// A match from a position.
    pub fn at(position: Position) -> Match {
        let game = position.game().clone();
        let history = senet_core::Match::from_state(game.rules().clone(), position.state().clone());
        Match { game, history }
    }

    /// A match from a position with moves played, which are written with spaces between them.
    pub fn replay(position: Position, moves: &str) -> Result<Match, ReplayError> {
        let mut played = Match::at(position);
        for (index, text) in moves.split_whitespace().enumerate() {
            played.apply(text).map_err(|error| ReplayError {
                number: index + 1,
                text: senet_core::notation::excerpt(text),
                error,
            })?;
        }
        Ok(played)
    }

    /// Reads what [`Match::save`] or [`Match::to_json`] wrote and checks every step of it. A match
    /// of another game is an error.
    pub fn load(game: &Game, bytes: &[u8]) -> Result<Match, LoadError> {
        let history = senet_core::Match::load(game.rules().clone(), bytes)?;
        Ok(Match { game: game.clone(), history })
    }

    /// The name of the game that a saved match is of, if it says one.
    pub fn saved_game(bytes: &[u8]) -> Option<String> {
        senet_core::Match::saved_game(bytes)
    }

    /// The match in the compact form of saved matches.
    pub fn save(&self) -> Vec<u8> {
        self.history.to_bytes()
    }

    /// The match in the form of saved matches that people can read.
    pub fn to_json(&self) -> String {
        self.history.to_json()
    }

    /// The match in one of the forms of saved matches, and how far it was saved.
    pub fn save_as(&self, form: SaveForm) -> (Vec<u8>, SaveMark) {
        self.history.save(form)
    }

    /// What is to be written at [`SaveMark::offset`] so that a match saved earlier becomes this one;
    /// none where this match does not continue it.
    pub fn save_after(&self, mark: &SaveMark) -> Option<(Vec<u8>, SaveMark)> {
        self.history.save_after(mark)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position now.
    pub fn position(&self) -> Position {
        let state = self.history.state().clone();
        Position::reached(self.game.clone(), state, self.history.past())
    }

    /// The position in which the match began.
    pub fn start(&self) -> Position {
        self.game.holding(self.history.first_state())
    }

    /// How many events were played to get here.
    pub fn ply(&self) -> usize {
        self.history.ply()
    }

    /// How many events the line has, those undone included.
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// The last event played, if any.
    pub fn last(&self) -> Option<Played> {
        self.history.last()
    }

    /// What the last event changed.
    pub fn changes(&self) -> Vec<Change> {
        self.history.changes()
    }

    /// The events of the line with the position after each, those undone included.
    pub fn steps(&self) -> Vec<(Played, Position)> {
        let (mut past, mut before) = (Vec::new(), self.history.first_state().hash());
        let reached = |(played, state): (Played, State)| {
            if self.game.rules().looks_back() {
                past.push(before);
                before = state.hash();
            }
            (played, Position::reached(self.game.clone(), state, past.clone()))
        };
        self.history.steps().into_iter().map(reached).collect()
    }

    /// The stable hashes of the positions before the one now, the oldest first.
    pub fn past(&self) -> Vec<u128> {
        let mut hashes = vec![self.history.first_state().hash128()];
        hashes.extend(self.history.steps().iter().map(|(_, state)| state.hash128()));
        hashes.truncate(self.ply());
        hashes
    }

    /// What a player has seen and done so far, in a game with secrets; none in others, where every
    /// player has seen everything.
    pub fn recall(&self, player: PlayerId) -> Option<Recall> {
        let rules = self.game.rules();
        if !rules.has_secrets() {
            return None;
        }
        let mut before = self.history.first_state();
        let mut recall = Recall::start(rules, &before, player);
        for (played, after) in self.history.steps().into_iter().take(self.ply()) {
            recall.follow(rules, &before, played.event, &after);
            before = after;
        }
        Some(recall)
    }

    /// How the match has ended, if it has. Unlike a position alone, it knows of repetitions.
    pub fn outcome(&self) -> Option<Outcome> {
        self.history.outcome()
    }

    /// Plays an event, or the text of one, or says why not. What was undone is forgotten, unless
    /// this is what was undone.
    pub fn apply(&mut self, proposal: impl Proposal) -> Result<Played, ApplyError> {
        let position = self.position();
        match position.accepted(&proposal.readings(&position)) {
            Reading::One(event) => self.apply_event(&position, event),
            Reading::Accepted(accepted) => self.carry_out(accepted),
            Reading::Unclear => self.apply_event(&position, proposal.event(&position)?),
        }
    }

    /// Plays an event that the position now accepts, without judging it again; nothing happens where
    /// another position accepted it, or where the rules ask what came before, which a position alone
    /// does not know.
    pub fn play(&mut self, accepted: Accepted) -> Option<Played> {
        if self.game.rules().looks_back() {
            return None;
        }
        self.history.play(accepted)
    }

    /// Plays events one after another, or none of them where one is refused.
    pub fn apply_all(&mut self, events: &[Event]) -> Result<Vec<Step>, ApplyError> {
        self.all_or_none(events, Match::apply)
    }

    /// Plays a whole turn that [`Position::parse_turn`] read, or a single event, or nothing where it
    /// is refused. A turn without events is what happens by itself, where anything does.
    pub fn apply_turn(&mut self, turn: &Meant) -> Result<Vec<Step>, ApplyError> {
        match turn {
            Meant::Event(event) => self.apply_all(&[*event]),
            Meant::Turn(turn) if turn.is_empty() => {
                let due: Vec<Event> = self.position().due().into_iter().collect();
                self.apply_all(&due)
            }
            Meant::Turn(turn) => self.all_or_none(turn, Match::carry_out),
        }
    }

    /// Plays an event that was accepted, without judging it again where that is not needed.
    fn carry_out(&mut self, accepted: Accepted) -> Result<Played, ApplyError> {
        match self.play(accepted) {
            Some(played) => Ok(played),
            None => self.apply(accepted.event()),
        }
    }

    fn all_or_none<T: Copy>(
        &mut self,
        all: &[T],
        play: impl Fn(&mut Match, T) -> Result<Played, ApplyError>,
    ) -> Result<Vec<Step>, ApplyError> {
        let before = self.clone();
        let mut steps = Vec::with_capacity(all.len());
        for &one in all {
            match play(self, one) {
                Ok(Played { event, rule }) => {
                    steps.push(Step { event, rule, position: self.position() });
                }
                Err(error) => {
                    *self = before;
                    return Err(error);
                }
            }
        }
        Ok(steps)
    }

    fn apply_event(&mut self, position: &Position, event: Event) -> Result<Played, ApplyError> {
        position.check_known(event)?;
        self.history.apply(event).map_err(|rejection: Rejection| position.refuse(rejection))
    }

    /// Takes the last event back; false where nothing was played.
    pub fn undo(&mut self) -> bool {
        self.history.undo()
    }

    /// Plays the event again that was taken back; false where none was.
    pub fn redo(&mut self) -> bool {
        self.history.redo()
    }

    /// Goes to a ply of the line, back or forth; false where the line has no such ply.
    pub fn goto(&mut self, ply: usize) -> bool {
        self.history.goto(ply)
    }

    /// A second match that shares everything so far.
    pub fn branch(&self) -> Match {
        self.clone()
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = self.start();
        for (index, (played, after)) in self.steps().into_iter().take(self.ply()).enumerate() {
            let gap = if index > 0 { " " } else { "" };
            write!(f, "{gap}{}", before.notate(played.event))?;
            before = after;
        }
        Ok(())
    }
}

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Match({}, {}, {self})", self.game.name(), self.start())
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}, `{}`: {}", self.number, self.text, self.error)
    }
}

impl std::error::Error for ReplayError {}
