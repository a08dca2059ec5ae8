//! A match at a screen: what is played, selected, typed and said. It knows nothing of terminals.

use std::path::{Path, PathBuf};

use senet_chance::Source;
use senet_core::{Event, Game, Match, Reason, State, TileId, text};
use senet_render::{Marks, ends};

use super::order::Order;
use crate::answer::{self, Outcome};
use crate::context::Context;
use crate::failure::Failure;
use crate::file;
use crate::line::Line;
use crate::opponent::Opponent;

/// What is said to the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) text: String,
    /// Whether it is about something that could not be done.
    pub(super) is_refusal: bool,
}

/// Whether the screen stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Stay,
    Leave,
}

/// A match at a screen.
pub(super) struct Round {
    pub(super) context: Context,
    pub(super) played: Match,
    seed: u64,
    save: Option<PathBuf>,
    opponent: Option<Opponent>,
    /// The events so far as people write them, each with who played it.
    pub(super) list: Vec<(String, String)>,
    pub(super) notice: Notice,
    pub(super) marks: Marks,
    pub(super) cursor: Option<TileId>,
    pub(super) typed: String,
    /// Events that one answer decides between.
    pub(super) choices: Vec<(Event, String)>,
    pub(super) flipped: bool,
    pub(super) help: bool,
}

impl Round {
    pub(super) fn new(
        context: Context,
        seed: u64,
        save: Option<PathBuf>,
        opponent: Option<Opponent>,
    ) -> Round {
        let played = Match::from_state(context.edition.game.clone(), context.state.clone());
        let mut round = Round {
            context,
            played,
            seed,
            save,
            opponent,
            list: Vec::new(),
            notice: Notice::default(),
            marks: Marks::default(),
            cursor: None,
            typed: String::new(),
            choices: Vec::new(),
            flipped: false,
            help: false,
        };
        round.say("Select a piece, or type a move. ? for help.");
        round
    }

    pub(super) fn game(&self) -> &Game {
        &self.context.edition.game
    }

    pub(super) fn state(&self) -> &State {
        &self.context.state
    }

    fn say(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_refusal: false };
    }

    fn refuse(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_refusal: true };
    }

    /// Whose turn it is, and what is awaited.
    pub(super) fn turn(&self) -> String {
        let (game, state) = (self.game(), self.state());
        let player = self.context.player();
        if let Some(outcome) = Outcome::of(game, state).filter(|_| !game.has_legal(state)) {
            return outcome.text();
        }
        match (game.has_legal(state), game.awaits_chance(state)) {
            (false, _) => "nothing is left to play".to_owned(),
            (true, true) => format!("{player} to roll"),
            (true, false) if self.context.is_check() => format!("{player} to move, in check"),
            (true, false) => format!("{player} to move"),
        }
    }

    /// Does what was typed.
    pub(super) fn enter(&mut self) -> Next {
        let typed = std::mem::take(&mut self.typed);
        if let Ok(number) = typed.trim().parse::<usize>() {
            let choice = number.checked_sub(1).and_then(|at| self.choices.get(at));
            if let Some((event, _)) = choice.cloned() {
                self.play(event);
                return Next::Stay;
            }
        }
        match Order::read(Line::Whole(typed.as_bytes())) {
            Order::Quit => return Next::Leave,
            order => {
                if let Err(failure) = self.follow(order) {
                    self.refuse(failure.message);
                }
            }
        }
        Next::Stay
    }

    fn follow(&mut self, order: Order) -> Result<(), Failure> {
        match order {
            Order::Nothing if self.game().awaits_chance(self.state()) => self.roll(""),
            Order::Nothing => {
                if let Some(tile) = self.cursor {
                    self.touch(tile);
                }
                Ok(())
            }
            Order::Undo => self.back(),
            Order::Redo => self.forth(),
            Order::Help => {
                self.help = true;
                Ok(())
            }
            Order::Board | Order::Quit => Ok(()),
            Order::Moves => {
                let (game, notation) = (self.game(), self.context.edition.notation);
                let events = game.legal(self.state()).into_iter();
                let listed = events.map(|event| notation.notate(game, self.state(), event));
                let listed: Vec<String> = listed.collect();
                self.say(listed.join("  "));
                Ok(())
            }
            Order::Roll(faces) => self.roll(&faces),
            Order::Why(event) => {
                let event = self.context.parse_event(&event)?;
                self.explain(event);
                Ok(())
            }
            Order::Save(file) if file.is_empty() => {
                Err(Failure::params("save: found no file, allowed is save FILE"))
            }
            Order::Save(file) => {
                keep(Path::new(&file), &self.played)?;
                self.say(format!("saved as {file}"));
                Ok(())
            }
            Order::Play(text) if text == "flip" => {
                self.flipped = !self.flipped;
                Ok(())
            }
            Order::Play(text) => {
                let event = self.context.parse_event(&text)?;
                self.play(event);
                Ok(())
            }
            Order::Unreadable(why) => Err(Failure::params(why)),
        }
    }

    /// Plays an event, or shows why not.
    pub(super) fn play(&mut self, event: Event) {
        let player = self.context.player().to_owned();
        let (game, notation) = (&self.context.edition.game, self.context.edition.notation);
        let text = notation.notate(game, &self.context.state, event);
        match self.played.apply(event) {
            Ok(_) => {
                self.list.truncate(self.played.ply() - 1);
                self.list.push((player.clone(), text.clone()));
                self.arrive();
                self.say(format!("{player}: {text}"));
            }
            Err(_) => self.explain(event),
        }
    }

    /// Marks and tells why an event is accepted or refused.
    fn explain(&mut self, event: Event) {
        let Context { edition, state } = &self.context;
        let told = edition.game.explain(state, event);
        let explanation = answer::Explanation::new(&self.context, event);
        let accepted = explanation.accepted;
        let first = explanation.text.lines().next().unwrap_or_default().to_owned();
        let landing = self.context.landing(event);
        let mut marks = Marks::default().explaining(&told);
        if let Some(last) = marks.path.iter().position(|tile| Some(*tile) == landing) {
            marks.path.truncate(last + 1);
        }
        marks.last.clone_from(&self.marks.last);
        // What is told is not selected: the next touch begins anew.
        marks.selected = None;
        self.marks = marks;
        self.choices.clear();
        self.notice = Notice { text: first, is_refusal: !accepted };
    }

    /// Turns to the state that the match is at now.
    fn arrive(&mut self) {
        self.context.state = self.played.state().clone();
        self.choices.clear();
        self.marks = Marks::default();
        if let Some(last) = self.played.last() {
            self.marks = Marks::default().after(last.event);
        }
        self.notice = Notice::default();
        if let Some(path) = self.save.clone()
            && let Err(failure) = keep(&path, &self.played)
        {
            self.refuse(failure.message);
        }
    }

    /// Whether the opponent is to play.
    pub(super) fn is_waiting(&self) -> bool {
        self.opponent.as_ref().is_some_and(|opponent| opponent.is_asked(&self.played))
    }

    /// Lets the opponent play once; dice that it awaits are rolled.
    pub(super) fn let_opponent_play(&mut self) {
        let thought = self.opponent.as_mut().and_then(|opponent| opponent.choose(&self.played));
        let event = thought.map(|thought| thought.event);
        match event.or_else(|| drawn(&self.context, self.seed, &self.played)) {
            Some(event) => self.play(event),
            // An opponent that finds nothing to play leaves its side to the keyboard.
            None => self.opponent = None,
        }
    }

    /// Goes back or forth by an event, and on until it is a person's turn.
    fn go(&mut self, step: fn(&mut Match) -> bool) -> bool {
        if !step(&mut self.played) {
            return false;
        }
        while self.is_waiting() && step(&mut self.played) {}
        true
    }

    fn back(&mut self) -> Result<(), Failure> {
        if !self.go(Match::undo) {
            return Err(Failure::params("nothing was played that could be taken back"));
        }
        self.arrive();
        self.say("taken back");
        Ok(())
    }

    fn forth(&mut self) -> Result<(), Failure> {
        if !self.go(Match::redo) {
            return Err(Failure::params("nothing was taken back"));
        }
        self.arrive();
        self.say("played again");
        Ok(())
    }

    pub(super) fn undo(&mut self) {
        if let Err(failure) = self.back() {
            self.refuse(failure.message);
        }
    }

    pub(super) fn redo(&mut self) {
        if let Err(failure) = self.forth() {
            self.refuse(failure.message);
        }
    }

    /// The tile at which keys begin: the first of the player to move, or of the board.
    pub(super) fn first_of_mover(&self) -> TileId {
        let view = self.game().view(self.state());
        let mut tiles = self.game().tiles();
        let first = tiles.next().expect("a game has tiles");
        view.owned(view.player()).iter().next().unwrap_or(first)
    }

    fn roll(&mut self, faces: &str) -> Result<(), Failure> {
        let event = match faces {
            "" => drawn(&self.context, self.seed, &self.played),
            faces => {
                let Context { edition, state } = &self.context;
                Some(text::parse_event(&edition.game, state, &format!("roll:{faces}"))?)
            }
        };
        match event {
            Some(event) => self.play(event),
            None => return Err(Failure::params("no dice are awaited")),
        }
        Ok(())
    }

    /// Selects a tile, or goes from the selected tile to this one.
    pub(super) fn touch(&mut self, tile: TileId) {
        self.cursor = Some(tile);
        self.choices.clear();
        let from = self.marks.selected;
        if from == Some(tile) {
            return self.let_go();
        }
        let events = match from {
            Some(from) => self.between(from, tile),
            None => self.onto(tile),
        };
        match (&events[..], from) {
            ([event], _) => self.play(*event),
            ([_, _, ..], _) => self.offer(&events),
            ([], Some(from)) if !self.is_mine(tile) => self.try_step(from, tile),
            ([], _) => self.select(tile),
        }
    }

    /// Lets go of what is selected.
    pub(super) fn let_go(&mut self) {
        let last = std::mem::take(&mut self.marks.last);
        self.marks = Marks { last, ..Marks::default() };
        self.choices.clear();
        self.notice = Notice::default();
    }

    fn is_mine(&self, tile: TileId) -> bool {
        let view = self.game().view(self.state());
        view.is_owned(tile, view.player())
    }

    fn legal_from(&self, from: Option<TileId>) -> Vec<Event> {
        let mut events = self.game().legal(self.state());
        events.retain(|event| ends(*event).0 == from && ends(*event).1.is_some());
        events
    }

    fn between(&self, from: TileId, to: TileId) -> Vec<Event> {
        let mut events = self.legal_from(Some(from));
        let exact = |event: &Event| self.context.landing(*event) == Some(to);
        if events.iter().any(exact) {
            events.retain(exact);
        } else {
            events.retain(|event| ends(*event).1 == Some(to));
        }
        events
    }

    /// What can be put on a tile, unless something of the player's there can move.
    fn onto(&self, tile: TileId) -> Vec<Event> {
        if !self.legal_from(Some(tile)).is_empty() {
            return Vec::new();
        }
        let mut events = self.legal_from(None);
        events.retain(|event| ends(*event).1 == Some(tile));
        events
    }

    /// Shows why a step is refused; where it is the notation that knows the move, plays it.
    fn try_step(&mut self, from: TileId, to: TileId) {
        let game = self.game();
        let text = format!("{}{}", game.tile_name(from), game.tile_name(to));
        let event = self.context.parse_event(&text);
        self.play(event.unwrap_or(Event::step(from, to)));
    }

    fn select(&mut self, tile: TileId) {
        self.let_go();
        let (game, name) = (self.game(), self.game().tile_name(tile).to_owned());
        let events = self.legal_from(Some(tile));
        if !events.is_empty() {
            let targets = events.iter().filter_map(|event| self.context.landing(*event)).collect();
            (self.marks.selected, self.marks.targets) = (Some(tile), targets);
            return self.say(format!("{name}: choose where to"));
        }
        if self.is_mine(tile) {
            self.marks.selected = Some(tile);
            return self.refuse(format!("nothing on {name} can move; touch a tile to see why"));
        }
        // Where pieces are only put, a touch is a move, and the rules say why not.
        let put = game.kinds().next().map(|kind| Event::Put { kind, to: tile });
        let refused = put.map(|event| (event, game.explain(self.state(), event)));
        let unwanted = |reason: Option<&Reason>| matches!(reason, Some(Reason::Unwanted(_)) | None);
        match refused.filter(|(_, told)| !unwanted(told.reasons.first())) {
            Some((event, _)) => self.explain(event),
            None => self.refuse(format!("no piece of {} on {name}", self.context.player())),
        }
    }

    /// Asks which of several events is meant.
    fn offer(&mut self, events: &[Event]) {
        let (game, notation) = (self.game(), self.context.edition.notation);
        let name = |event: &Event| (*event, notation.notate(game, self.state(), *event));
        self.choices = events.iter().map(name).collect();
        let listed = self.choices.iter().enumerate();
        let listed: Vec<String> =
            listed.map(|(at, (_, text))| format!("{} {text}", at + 1)).collect();
        self.say(format!("Type a number: {}", listed.join("   ")));
    }

    /// Keeps the match where it is to be kept.
    pub(super) fn close(&self) -> Result<(), Failure> {
        match self.save.as_deref().filter(|_| !self.played.is_empty()) {
            Some(path) => keep(path, &self.played),
            None => Ok(()),
        }
    }
}

/// The roll that a seed gives at this ply of a match. A roll that was taken back comes up the same
/// again, whichever moves are made instead.
pub(super) fn drawn(context: &Context, seed: u64, played: &Match) -> Option<Event> {
    let mut source = Source::for_game(seed, played.ply() as u64);
    source.draw(&context.edition.game, &context.state)
}

/// Writes a match: compact where the file ends with .senet, JSON otherwise.
pub(super) fn keep(path: &Path, played: &Match) -> Result<(), Failure> {
    let compact = path.extension().is_some_and(|extension| extension == "senet");
    let bytes = if compact { played.to_bytes() } else { played.to_json().into_bytes() };
    file::write(path, &bytes)
}
