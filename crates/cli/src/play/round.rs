//! A match at a screen: what is played, selected, typed and said. It knows nothing of terminals.

use senet::chance::Source;
use senet::notation::Meant;
use senet::render::{Marks, ends};
use senet::{Accepted, Event, Game, Match, Position, TileId};

use super::keep::{Existing, Keeper};
use super::offer::{
    Asked, Consent, Question, agreement, is_agreement, is_agreement_word, is_surrender,
};
use super::opening::Opening;
use super::order::Order;
use super::paint::Paint;
use super::starts::Starts;
use super::thinker::Thinker;
use crate::answer::{self, Aside, Outcome};
use crate::context::Context;
use crate::failure::Failure;
use crate::line::Line;
use crate::opponent::Opponent;
use crate::told::Told;

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

/// An event that was played, as people write it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) player: String,
    pub(super) text: String,
    event: Event,
}

/// A match at a screen.
pub(super) struct Round {
    pub(super) context: Context,
    pub(super) played: Match,
    pub(super) starts: Starts,
    pub(super) seed: u64,
    pub(super) keeper: Keeper,
    /// The game as it was named.
    pub(super) named: Option<String>,
    /// What waits for a yes or no.
    pub(super) question: Option<Question>,
    pub(super) opponent: Option<Opponent>,
    /// What the opponent is called, also while it thinks.
    pub(super) rival: Option<String>,
    /// The opponent while it thinks.
    thinker: Option<Thinker>,
    /// How often the screen was drawn while the opponent thinks.
    pub(super) beats: usize,
    /// The events so far, also those taken back.
    pub(super) list: Vec<Entry>,
    pub(super) notice: Notice,
    pub(super) marks: Marks,
    pub(super) cursor: Option<TileId>,
    pub(super) typed: String,
    /// Events that one answer decides between.
    pub(super) choices: Vec<(Event, String)>,
    pub(super) flipped: bool,
    pub(super) paint: Paint,
    /// A text over everything.
    pub(super) overlay: Option<Overlay>,
}

/// A text over everything, and from which line on it is seen.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    pub(super) title: &'static str,
    pub(super) text: String,
    pub(super) first: u16,
}

/// What is said where a crash left a match.
pub(super) const LOST: &str =
    "There is an unfinished match of this game: type resume to continue it.";

/// What is said where there is no move to take back.
pub(super) const NOTHING_PLAYED: &str = "there is no move to take back";

impl Round {
    pub(super) fn new(opening: Opening) -> Round {
        let Opening { context, played, game, seed, opponent, keeper, flipped, paint } = opening;
        let rival = opponent.as_ref().map(|opponent| {
            let you = context.game().player_name(opponent.person());
            format!("you are {you}, against {}", opponent.name())
        });
        let mut round = Round {
            context,
            played,
            starts: Starts::default(),
            seed,
            keeper,
            named: game,
            question: None,
            opponent,
            rival,
            thinker: None,
            beats: 0,
            list: Vec::new(),
            notice: Notice::default(),
            marks: Marks::default(),
            cursor: None,
            typed: String::new(),
            choices: Vec::new(),
            flipped,
            paint,
            overlay: None,
        };
        round.relist();
        round.say(match round.position().awaits_chance() {
            true => "Press Enter to roll the dice. ? for help.",
            false => "Select a piece, or type a move. ? for help.",
        });
        if round.played.is_empty() && !round.keeper.lost().is_empty() {
            round.say(LOST);
        }
        round
    }

    /// Writes the moves of a match down that was played before.
    pub(super) fn relist(&mut self) {
        let mut before = self.played.start();
        let steps = self.played.steps().into_iter().map(|(step, after)| {
            let entry = entry(&before, step.event, &after);
            before = after;
            entry
        });
        self.list = steps.collect();
    }

    pub(super) fn game(&self) -> &Game {
        self.context.game()
    }

    pub(super) fn position(&self) -> &Position {
        &self.context.position
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_refusal: false };
    }

    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: text.into(), is_refusal: true };
    }

    /// Whose turn it is, and what is awaited.
    pub(super) fn turn(&self) -> String {
        let position = self.position();
        let player = self.context.player();
        if let Some(outcome) = Outcome::of(position).filter(|_| !position.has_legal()) {
            return outcome.text();
        }
        let acts = self.answers();
        match (position.has_legal(), position.awaits_chance()) {
            (false, _) => "no legal move".to_owned(),
            (true, true) => format!("{player} to roll"),
            (true, false) if !acts.is_empty() => format!("{player} to answer"),
            (true, false) if self.context.is_check() => format!("{player} to move, in check"),
            (true, false) => format!("{player} to move"),
        }
    }

    /// The acts that are asked for where nothing else can be played, as written.
    fn answers(&self) -> Vec<String> {
        let legal = self.position().legal();
        if !legal.iter().all(|event| matches!(event, Event::Act(_))) {
            return Vec::new();
        }
        legal.iter().map(|event| self.position().format(*event)).collect()
    }

    /// The words that can be said now: answers, to roll, and what may be said instead of playing.
    pub(super) fn words(&self) -> Vec<String> {
        if self.is_waiting() {
            return Vec::new();
        }
        let mut words = self.answers();
        if self.position().awaits_chance() {
            words.push("roll".to_owned());
        }
        let asides = answer::asides(&self.context).into_iter().map(|Aside { event, .. }| event);
        // What needs the consent of the other side is offered.
        words.extend(asides.map(|word| match is_agreement_word(&word) {
            true => "draw".to_owned(),
            false => word,
        }));
        words
    }

    /// Does what was typed.
    pub(super) fn enter(&mut self) -> Next {
        let typed = std::mem::take(&mut self.typed);
        if let Some(question) = self.question.take()
            && let Some(consent) = Consent::read(&typed)
        {
            match consent {
                Consent::Yes => match question.asked {
                    Asked::Play(event) => self.play(event),
                    Asked::TakeBack => self.undo(),
                },
                Consent::No => self.say(question.declined),
            }
            return Next::Stay;
        }
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
        let plays = matches!(order, Order::Nothing | Order::Roll(_) | Order::Play(_));
        if plays && order != Order::Play("flip".to_owned()) && self.is_waiting() {
            return Err(Failure::params(self.busy()));
        }
        match order {
            Order::Nothing if self.position().awaits_chance() => self.roll(""),
            Order::Nothing => {
                if let Some(tile) = self.cursor {
                    self.touch(tile);
                }
                Ok(())
            }
            Order::Undo => self.back(),
            Order::Redo => self.forth(),
            Order::TakeBack => self.ask_takeback(),
            Order::Help => {
                self.help();
                Ok(())
            }
            Order::Rematch => {
                self.rematch();
                Ok(())
            }
            Order::Resume => self.resume(),
            Order::Board | Order::Quit => Ok(()),
            Order::Moves => {
                let events = self.position().legal().into_iter();
                let listed = events.map(|event| self.position().notate(event));
                let listed: Vec<String> = listed.collect();
                self.say(listed.join("  "));
                Ok(())
            }
            Order::Roll(faces) => self.roll(&faces),
            Order::Why(text) => {
                let told = Told::of(&self.context, &text)?;
                self.tell(told);
                Ok(())
            }
            Order::Save(file) | Order::SaveOver(file) if file.is_empty() => {
                Err(Failure::params("save: the name of a file is missing; type save FILE"))
            }
            Order::Save(file) => self.save_as(&file, Existing::Stays),
            Order::SaveOver(file) => self.save_as(&file, Existing::Replaced),
            Order::Play(text) if text == "flip" => {
                self.flipped = !self.flipped;
                Ok(())
            }
            Order::Play(text) => self.say_move(&text),
            Order::Unreadable(why) => Err(Failure::params(why)),
        }
    }

    /// Plays a typed move or a whole turn, asks which move is meant, or shows why none is legal.
    fn say_move(&mut self, text: &str) -> Result<(), Failure> {
        let position = self.position();
        let readings = position.readings(text);
        let accepted: Vec<_> = readings.iter().filter_map(|&one| position.accept(one)).collect();
        let meant: Vec<Event> = accepted.iter().map(|one| one.event()).collect();
        let awaits_chance = position.awaits_chance();
        match meant[..] {
            [event] if is_agreement(position.game(), event) => self.offer_draw(event),
            [event] if is_surrender(position, event) => {
                self.put(Question::sure(text, event));
            }
            [_] => self.play_turn(&accepted),
            [_, _, ..] => self.offer(&meant),
            [] if awaits_chance && !matches!(readings[..], [Event::Act(_)]) => {
                return Err(Failure::params("roll the dice first: press Enter"));
            }
            [] => match self.context.parse_turn(text) {
                Ok(Meant::Turn(turn)) if turn.len() > 1 => self.play_turn(&turn),
                Err(failure) if readings.is_empty() => return Err(failure),
                _ => self.explain(text, &readings),
            },
        }
        Ok(())
    }

    /// Plays events that are accepted one after the other.
    fn play_turn(&mut self, turn: &[Accepted]) {
        let before = self.played.ply();
        for accepted in turn {
            let position = self.position().clone();
            if self.played.play(*accepted).is_some() {
                self.list_last(&position, accepted.event());
            } else if !self.record(accepted.event()) {
                return self.tell_refusal(accepted.event());
            }
        }
        self.show_since(before);
    }

    /// Plays an event and then all that happens by itself, or shows why not.
    pub(super) fn play(&mut self, event: Event) {
        let before = self.played.ply();
        if !self.record(event) {
            return self.tell_refusal(event);
        }
        self.show_since(before);
    }

    /// Shows why an event is refused.
    fn tell_refusal(&mut self, event: Event) {
        let text = self.position().format(event);
        self.explain(&text, &[event]);
    }

    /// Plays all that happens by itself after what was played since a ply, and shows it.
    fn show_since(&mut self, before: usize) {
        while let Some(due) = self.context.position.due() {
            if !self.record(due) {
                break;
            }
        }
        self.starts.begin(before);
        self.arrive();
        let told = told(&self.list[..self.played.ply()], before);
        let over = Outcome::of(self.position());
        match over.filter(|_| !self.position().has_legal()) {
            Some(outcome) => {
                self.say(format!("{} ({told}). Type rematch or quit.", outcome.text()));
            }
            None => self.say(told),
        }
    }

    /// Carries an event out and writes it down, unless it is refused.
    fn record(&mut self, event: Event) -> bool {
        let before = self.context.position.clone();
        if self.played.apply(event).is_err() {
            return false;
        }
        self.list_last(&before, event);
        true
    }

    /// Takes the position of the match, and lists the event that led to it from another.
    fn list_last(&mut self, before: &Position, event: Event) {
        self.context.position = self.played.position();
        let entry = entry(before, event, &self.context.position);
        self.list.truncate(self.played.ply() - 1);
        self.list.push(entry);
    }

    /// Marks and tells why what was wanted is accepted or refused.
    pub(super) fn explain(&mut self, text: &str, events: &[Event]) {
        self.tell(Told::of_events(&self.context, text, events));
    }

    fn tell(&mut self, told: Told) {
        let Told { explanation, marks } = told;
        let first = explanation.text.lines().next().unwrap_or_default().to_owned();
        // What is told is not selected: the next touch begins anew.
        let last = std::mem::take(&mut self.marks.last);
        self.marks = Marks { last, selected: None, ..marks };
        self.choices.clear();
        self.notice = Notice { text: first, is_refusal: !explanation.accepted };
    }

    /// Turns to the state that the match is at now.
    pub(super) fn arrive(&mut self) {
        self.context.position = self.played.position();
        self.choices.clear();
        self.marks = Marks::default();
        // The moves of a whole turn are marked, for it may be seen as one.
        let played = &self.list[..self.played.ply()];
        let mover = played.last().map(|entry| &entry.player);
        for entry in played.iter().rev().take_while(|entry| Some(&entry.player) == mover) {
            let (from, to) = ends(entry.event);
            self.marks.last.extend(from.into_iter().chain(to));
        }
        self.notice = Notice::default();
        self.question = None;
        if let Err(failure) = self.keeper.keep(&self.played) {
            self.refuse(failure.message);
        }
    }

    /// Whether the opponent is to play.
    pub(super) fn is_waiting(&self) -> bool {
        let asked = |opponent: &Opponent| opponent.is_asked(&self.played);
        self.thinker.is_some() || self.opponent.as_ref().is_some_and(asked)
    }

    /// What is said to who would play while the opponent thinks.
    pub(super) fn busy(&self) -> String {
        format!("{} is thinking; undo takes your move back", self.context.player())
    }

    /// Lets the opponent begin to think, or play what it has found; dice that it awaits are rolled.
    pub(super) fn wait(&mut self) {
        if !self.is_waiting() {
            return;
        }
        self.beats += 1;
        if self.thinker.as_ref().is_some_and(|thinker| !thinker.is_done()) {
            return;
        }
        if let Some(thinker) = self.thinker.take() {
            let (mut opponent, thought) = thinker.end();
            // An opponent that finds nothing to play leaves its side to the keyboard.
            let Some(thought) = thought else { return };
            self.play(thought.event);
            let agreement = agreement(self.position());
            if let Some(event) = agreement.filter(|_| opponent.offers_draw(&self.played)) {
                let mut question = Question::offered(&opponent.name(), event);
                question.text = format!("{}. {}", self.notice.text, question.text);
                self.put(question);
            }
            self.opponent = Some(opponent);
        } else if let Some(event) = drawn(&self.context, self.seed, &self.played) {
            self.play(event);
        } else if let Some(opponent) = self.opponent.take() {
            self.thinker = Some(Thinker::start(opponent, &self.played));
        }
    }

    /// Stops an opponent that thinks.
    pub(super) fn interrupt(&mut self) {
        if let Some(thinker) = self.thinker.take() {
            self.opponent = Some(thinker.end().0);
        }
    }

    /// Goes back or forth by an event, and on until it is a person's turn and nothing happens by
    /// itself.
    fn go(&mut self, step: fn(&Starts, &mut Match) -> bool) -> bool {
        self.interrupt();
        if !step(&self.starts, &mut self.played) {
            return false;
        }
        let due = |played: &Match| played.position().due().is_some();
        while (self.is_waiting() || due(&self.played)) && step(&self.starts, &mut self.played) {}
        true
    }

    pub(super) fn back(&mut self) -> Result<(), Failure> {
        if !self.go(Starts::back) {
            return Err(Failure::params(NOTHING_PLAYED));
        }
        self.arrive();
        self.say("taken back");
        Ok(())
    }

    fn forth(&mut self) -> Result<(), Failure> {
        if !self.go(Starts::forth) {
            return Err(Failure::params("there is no move to play again"));
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

    fn roll(&mut self, faces: &str) -> Result<(), Failure> {
        let event = match faces {
            "" => drawn(&self.context, self.seed, &self.played),
            faces => Some(rolled(&self.context, faces)?),
        };
        match event {
            Some(event) => self.play(event),
            None => return Err(Failure::params("there are no dice to roll now")),
        }
        Ok(())
    }

    /// Keeps the match where it is to be kept; it can be played on.
    pub(super) fn keep(&mut self) -> Result<(), Failure> {
        self.interrupt();
        self.keeper.complete(&self.played)
    }

    /// Keeps the match where it is to be kept; it is left and not lost.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        self.keep()?;
        self.keeper.close();
        Ok(())
    }
}

/// An event as people write it.
pub(super) fn entry(before: &Position, event: Event, after: &Position) -> Entry {
    let game = before.game();
    let (text, decided) = match event {
        Event::Roll(outcome) => {
            let faces = game.faces(outcome).iter().map(|(_, face)| face.to_string());
            // A roll may decide who plays it. Where it is not played but ends the turn, it is that
            // of the player before.
            let decided = if after.awaits_chance() { before } else { after };
            (faces.collect::<Vec<_>>().join("-"), decided)
        }
        _ => (before.notate(event), before),
    };
    Entry { player: game.player_name(decided.player()).to_owned(), text, event }
}

/// The roll that a seed gives at this ply of a match. A roll that was taken back comes up the same
/// again, whichever moves are made instead.
pub(super) fn drawn(context: &Context, seed: u64, played: &Match) -> Option<Event> {
    let mut source = Source::for_game(seed, played.ply() as u64);
    source.draw(&context.position)
}

/// What was played from an event on, and before it in the same turn, as it is said.
fn told(list: &[Entry], from: usize) -> String {
    let mover = list.get(from).map(|entry| &entry.player);
    let earlier = list[..from].iter().rev().take_while(|entry| Some(&entry.player) == mover);
    let turn = &list[from - earlier.count()..];
    if let [Entry { player, text, event: Event::Roll(_) }] = turn {
        return format!("{player} rolls {text}");
    }
    let turns = turn.chunk_by(|one, next| one.player == next.player).map(|entries| {
        let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
        format!("{}: {}", entries[0].player, texts.join(" "))
    });
    turns.collect::<Vec<_>>().join(", ")
}

/// The roll of faces that a player names.
pub(super) fn rolled(context: &Context, faces: &str) -> Result<Event, Failure> {
    match context.position.parse_event(faces) {
        Ok(roll @ Event::Roll(_)) => Ok(roll),
        _ => Ok(context.position.plain().parse_event(&format!("roll:{faces}"))?),
    }
}
