//! The table that a match is played at: it follows orders and shows what came of them.

use std::path::Path;

use senet::notation::Meant;
use senet::{Event, Match, PlayerId, Viewer};
use serde::Serialize;
use serde_json::json;

use super::keep::{Existing, Keeper};
use super::offer::{Asked, Consent, Question, agreement, is_agreement, is_surrender};
use super::opening::Opening;
use super::order::Order;
use super::paint::Signs;
use super::round::{LOST, NOTHING_PLAYED, drawn, entry, rolled};
use super::starts::Starts;
use crate::answer::{self, Legal, Outcome, Position};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::moves;
use crate::opponent::Opponent;
use crate::output::{Output, columns};
use crate::replay;
use crate::told::Told;

/// What a player may type, and what it does.
const WORDS: [[&str; 2]; 8] = [
    ["moves", "every legal move"],
    ["why MOVE", "why a move is accepted or refused"],
    ["undo, redo", "take the last move back without asking, play it again"],
    ["takeback", "ask the other side whether the last move may be taken back"],
    ["board", "draw the board again"],
    [
        "save FILE",
        "save the match; the file name ending chooses the format: .json, .senet, .pgn for chess, .mat",
    ],
    ["rematch", "play the same game again"],
    ["quit", "leave; so does the end of input"],
];

/// The same in a game with dice.
const DICE: [[&str; 2]; 2] = [
    ["roll", "roll the dice; so does an empty line where dice are awaited"],
    ["roll 6-5", "take dice rolled by hand"],
];

/// A match being played.
pub(super) struct Table<'o> {
    /// The game and the position now.
    pub(super) context: Context,
    pub(super) played: Match,
    /// The plies at which something was typed: what was typed at once is taken back at once.
    starts: Starts,
    pub(super) seed: u64,
    pub(super) opponent: Option<Opponent>,
    keeper: Keeper,
    /// What waits for a yes or no.
    question: Option<Question>,
    /// The game as it was named.
    named: Option<String>,
    /// Whether a person sits at the keyboard.
    pub(super) asks: bool,
    signs: Signs,
    /// Who sat at the board last, where players may not see each other's secrets.
    pub(super) seat: Option<Viewer>,
    /// Who the person at the keyboard is, also while the opponent thinks.
    pub(super) person: Option<PlayerId>,
    pub(super) output: &'o mut Output,
}

/// The position as it is shown.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    position: Position,
    ply: usize,
    board: String,
}

impl<'o> Table<'o> {
    pub(super) fn new(opening: Opening, asks: bool, output: &'o mut Output) -> Table<'o> {
        let Opening { context, played, game, seed, opponent, keeper, paint, .. } = opening;
        let dumb = asks && std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let person = opponent.as_ref().map(Opponent::person);
        Table {
            context,
            played,
            starts: Starts::default(),
            seed,
            opponent,
            keeper,
            question: None,
            named: game,
            asks,
            signs: if dumb { Signs::Ascii } else { paint.signs },
            seat: None,
            person,
            output,
        }
    }

    /// Says what is played and shows the board.
    pub(super) fn open(&mut self) -> Result<(), Failure> {
        let game = self.context.game().clone();
        let players = game.players().map(|player| game.player_name(player));
        let players: Vec<&str> = players.collect();
        if self.output.is_json() {
            // Who knows the seed knows the cards.
            let seed = Some(self.seed).filter(|_| !game.has_secrets());
            let opening = json!({ "game": game.name(), "players": players, "seed": seed });
            self.output.json(&opening)?;
        } else {
            let players = players.join(" and ");
            let opening = format!("{}: {players}. Type a move, or help.", game.name());
            self.output.line(opening)?;
            if self.has_dice() && !game.has_secrets() {
                self.output.line(format!("The dice come from --seed {}.", self.seed))?;
            }
            if let Some(opponent) = &self.opponent {
                let (you, name) = (game.player_name(opponent.person()), opponent.name());
                self.output.line(format!("You are {you}; your opponent is {name}."))?;
            }
            if self.asks && self.played.is_empty() && !self.keeper.lost().is_empty() {
                self.output.line(LOST)?;
            }
        }
        self.deal()?;
        self.show()
    }

    /// Whether anything can be played.
    pub(super) fn is_open(&self) -> bool {
        // After the end a person may still want a rematch.
        self.asks || self.context.position.has_legal()
    }

    /// Shows all that was said. The prompt says whose turn it is to type; it is shown here at a
    /// terminal, unless a line editor does that.
    pub(super) fn ask(&mut self, shows: bool) -> Result<String, Failure> {
        let prompt = format!("{}> ", self.context.player());
        if shows && self.asks && !self.output.is_json() {
            self.output.text(&prompt)?;
        }
        self.output.flush()?;
        Ok(prompt)
    }

    /// Ends the line of a prompt that nobody answered.
    pub(super) fn leave(&mut self) -> Result<(), Failure> {
        if self.asks && !self.output.is_json() {
            self.output.line("")?;
        }
        Ok(())
    }

    /// Says where the match is kept.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        self.keeper.complete(&self.played)?;
        self.keeper.close();
        match self.keeper.file().map(|path| path.display().to_string()) {
            Some(file) if !self.played.is_empty() => self.tell_saved(&file),
            _ => Ok(()),
        }
    }

    /// Does what a player typed. What cannot be done is said, and play goes on.
    pub(super) fn follow(&mut self, order: &Order) -> Result<(), Failure> {
        match self.attempt(order) {
            Err(failure) if failure.code == Code::ClosedPipe => Err(failure),
            Err(failure) if self.output.is_json() => Ok(self.output.json(&failure.envelope())?),
            Err(failure) => Ok(self.output.line(failure.message)?),
            Ok(()) => Ok(()),
        }
    }

    fn attempt(&mut self, order: &Order) -> Result<(), Failure> {
        if let (Some(question), Order::Play(text)) = (self.question.take(), order)
            && let Some(consent) = Consent::read(text)
        {
            return match consent {
                Consent::Yes => match question.asked {
                    Asked::Play(event) => self.play(event),
                    Asked::TakeBack => self.take_back(),
                },
                Consent::No => Ok(self.say(&question.declined)?),
            };
        }
        match order {
            Order::Nothing if self.awaits_dice() => self.roll(""),
            Order::Nothing | Order::Quit => Ok(()),
            Order::Undo | Order::TakeBack | Order::Redo if self.hides() => Err(Failure::params(
                "no move is taken back in a game with secrets: what was seen stays seen",
            )),
            Order::Undo => self.take_back(),
            Order::TakeBack => self.ask_takeback(),
            Order::Redo if self.back(Starts::forth) => self.turn_to(),
            Order::Redo => Err(Failure::params("there is no move to play again")),
            Order::Moves => self.moves(),
            Order::Board => self.show(),
            Order::Help => self.help(),
            Order::Roll(faces) => self.roll(faces),
            Order::Why(event) if event.is_empty() => {
                Err(Failure::params("why: a move is missing; type why MOVE"))
            }
            Order::Why(event) => self.explain(event),
            Order::Save(file) | Order::SaveOver(file) if file.is_empty() => {
                Err(Failure::params("save: the name of a file is missing; type save FILE"))
            }
            Order::Save(file) => self.save_as(Path::new(file), Existing::Stays),
            Order::SaveOver(file) => self.save_as(Path::new(file), Existing::Replaced),
            Order::Rematch => self.rematch(),
            Order::Resume => self.resume(),
            Order::Play(text) => {
                let turn = self.context.parse_turn(text)?;
                match turn {
                    Meant::Event(event) if is_agreement(self.context.game(), event) => {
                        self.offer(event)
                    }
                    Meant::Event(event) if self.asks && self.gives_up(event) => {
                        self.put(Question::sure(text, event))
                    }
                    _ => self.play_turn(&turn),
                }
            }
            Order::Unreadable(why) => Err(Failure::params(*why)),
        }
    }

    fn gives_up(&self, event: Event) -> bool {
        is_surrender(&self.context.position, event)
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        match self.output.is_json() {
            true => self.output.json(&json!({ "said": text })),
            false => self.output.line(text),
        }
    }

    /// Asks something that is answered with yes or no.
    fn put(&mut self, question: Question) -> Result<(), Failure> {
        self.say(&question.text)?;
        self.question = Some(question);
        Ok(())
    }

    /// Offers a draw to the other side: an opponent answers at once, a person is asked.
    fn offer(&mut self, event: Event) -> Result<(), Failure> {
        if !self.context.position.accepts(event) {
            return self.play(event);
        }
        let player = self.context.player().to_owned();
        if let Some(opponent) = &mut self.opponent {
            let name = opponent.name();
            return match opponent.agrees(&self.played) {
                true => self.play(event),
                false => Ok(self.say(&format!("{name} declines the draw"))?),
            };
        }
        self.put(Question::draw(&player, event))
    }

    /// Asks the other side whether the last move may be taken back: an opponent answers at once.
    fn ask_takeback(&mut self) -> Result<(), Failure> {
        if self.played.ply() == 0 {
            return Err(Failure::params(NOTHING_PLAYED));
        }
        match &mut self.opponent {
            Some(opponent) => {
                let answer = opponent.answer_takeback();
                self.say(&answer.text)?;
                if answer.agrees { self.take_back() } else { Ok(()) }
            }
            None => self.put(Question::takeback(self.context.player())),
        }
    }

    fn take_back(&mut self) -> Result<(), Failure> {
        match self.back(Starts::back) {
            true => self.turn_to(),
            false => Err(Failure::params(NOTHING_PLAYED)),
        }
    }

    /// Plays the same game once more, with other dice.
    fn rematch(&mut self) -> Result<(), Failure> {
        self.keeper.complete(&self.played)?;
        if let Some(opponent) = &mut self.opponent {
            opponent.begin_game();
        }
        self.played = Match::at(self.played.start());
        self.seed = self.seed.wrapping_add(1);
        self.starts = Starts::default();
        self.say("A new game.")?;
        self.turn_to()
    }

    /// Plays on the match that a crash ended last.
    fn resume(&mut self) -> Result<(), Failure> {
        let lost = self.keeper.lost();
        let Some(path) = lost.first() else {
            return Err(Failure::params("there is no unfinished match of this game"));
        };
        self.played = replay::open(path, self.named.as_deref())?;
        self.starts = Starts::default();
        let _ = std::fs::remove_file(path);
        self.turn_to()
    }

    /// Whether something would happen by itself where the match is now.
    fn due(&self) -> bool {
        self.played.position().due().is_some()
    }

    fn awaits_dice(&self) -> bool {
        self.context.position.awaits_chance()
    }

    fn has_dice(&self) -> bool {
        self.context.game().dice().next().is_some()
    }

    /// Lists the words that mean something here.
    fn help(&mut self) -> Result<(), Failure> {
        let asides = answer::asides(&self.context);
        let asides = asides
            .iter()
            .map(|aside| [aside.event.clone(), "play this instead of a move".to_owned()]);
        let dice = DICE.iter().filter(|_| self.has_dice());
        let words = WORDS.iter().chain(dice).map(|row| row.map(str::to_owned));
        let rows: Vec<[String; 2]> = words.chain(asides).collect();
        let mut help = "Type a move as `moves` lists it, or one of these:".to_owned();
        for line in columns(&rows) {
            help.push_str(&format!("\n  {line}"));
        }
        if self.output.is_json() {
            return Ok(self.output.json(&json!({ "help": help }))?);
        }
        Ok(self.output.line(help)?)
    }

    fn play(&mut self, event: Event) -> Result<(), Failure> {
        self.play_turn(&Meant::Event(event))
    }

    /// Plays the events of a turn, or fails with why not, and then all that happens by itself.
    fn play_turn(&mut self, turn: &Meant) -> Result<(), Failure> {
        let before = self.played.ply();
        self.carry_out(turn)?;
        self.starts.begin(before);
        while let Some(due) = self.context.position.due() {
            self.carry_out(&Meant::Event(due))?;
        }
        self.deal()?;
        self.turn_to()
    }

    pub(super) fn carry_out(&mut self, turn: &Meant) -> Result<(), Failure> {
        if self.hides() {
            return self.carry_out_unseen(&turn.events());
        }
        let steps = self.played.apply_turn(turn)?;
        let applied = answer::Applied::new(&self.context, &steps);
        if self.output.is_json() {
            self.output.json(&applied)?;
        } else {
            let line = match (turn, &steps[..]) {
                (&Meant::Event(event @ Event::Roll(_)), [step]) => {
                    let rolled = entry(&self.context.position, event, &step.position);
                    format!("{} rolls {}", rolled.player, rolled.text)
                }
                _ => format!("{}: {}", self.context.player(), applied.notation),
            };
            self.output.line(line)?;
        }
        if let Some(last) = steps.into_iter().last() {
            self.context.position = last.position;
        }
        Ok(())
    }

    /// Takes the faces given or, where none are, those of the seed. A roll that was taken back
    /// comes up the same again, whichever moves are made instead.
    fn roll(&mut self, faces: &str) -> Result<(), Failure> {
        if !self.has_dice() {
            return Err(Failure::params("roll: this game has no dice"));
        }
        if !faces.is_empty() {
            let event = rolled(&self.context, faces)?;
            return self.play(event);
        }
        match drawn(&self.context, self.seed, &self.played) {
            Some(event) => self.play(event),
            None => Err(Failure::params("there are no dice to roll now")),
        }
    }

    /// Lets the opponent play until it is a person's turn.
    pub(super) fn let_opponent_play(&mut self) -> Result<(), Failure> {
        let Some(mut opponent) = self.opponent.take() else { return Ok(()) };
        let mut done = Ok(());
        while done.is_ok() && opponent.is_asked(&self.played) {
            self.output.flush()?;
            done = match opponent.choose(&self.played, &|| false) {
                Some(thought) => self.play(thought.event),
                None => self.roll(""),
            };
            let agreement = agreement(&self.context.position);
            if let Some(event) = agreement.filter(|_| opponent.offers_draw(&self.played)) {
                self.put(Question::offered(&opponent.name(), event))?;
            }
        }
        self.opponent = Some(opponent);
        done
    }

    /// Goes back or forth by what was typed at once, and on until it is a person's turn.
    fn back(&mut self, go: fn(&Starts, &mut Match) -> bool) -> bool {
        if !go(&self.starts, &mut self.played) {
            return false;
        }
        // What happens by itself goes with what it came of, and so does what the opponent played.
        let passing = |table: &Self| {
            let asked = |opponent: &Opponent| opponent.is_asked(&table.played);
            table.due() || table.opponent.as_ref().is_some_and(asked)
        };
        while passing(self) && go(&self.starts, &mut self.played) {}
        true
    }

    /// Shows the position the match is at now, and keeps the match.
    fn turn_to(&mut self) -> Result<(), Failure> {
        self.context.position = self.played.position();
        let kept = self.keeper.keep(&self.played);
        if let Err(failure) = kept {
            self.output.tell_aside(&failure)?;
        }
        self.show()
    }

    /// The board, in signs that the terminal has.
    fn drawing(&self) -> String {
        let board = self.context.drawing();
        match self.signs {
            Signs::Unicode => board,
            Signs::Ascii => board.replace('·', ".").replace('…', "..."),
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        if self.hides() {
            return self.show_known();
        }
        let position = &self.context.position;
        let board = self.drawing();
        if self.output.is_json() {
            let position = Position::new(&self.context);
            return Ok(self.output.json(&Shown { position, ply: self.played.ply(), board })?);
        }
        let player = self.context.player();
        let turn = match (position.has_legal(), self.awaits_dice()) {
            (false, _) => "no legal move".to_owned(),
            (true, false) if self.context.is_check() => format!("{player} to move, in check"),
            (true, false) => format!("{player} to move"),
            (true, true) => format!("{player} to roll: press Enter"),
        };
        let outcome = Outcome::of(position).map(|outcome| outcome.text());
        let open = position.has_legal();
        self.output.line(format!("\n{board}\n"))?;
        if let Some(outcome) = &outcome {
            self.output.line(outcome)?;
        }
        if open || outcome.is_none() {
            self.output.line(turn)?;
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), Failure> {
        let legal = Legal::new(&self.context);
        if self.output.is_json() {
            return Ok(self.output.json(&legal)?);
        }
        for line in moves::lines(&legal) {
            self.output.line(line)?;
        }
        Ok(())
    }

    fn explain(&mut self, event: &str) -> Result<(), Failure> {
        let explanation = Told::of(&self.context, event)?.explanation;
        if self.output.is_json() {
            return Ok(self.output.json(&explanation)?);
        }
        Ok(self.output.line(explanation.text)?)
    }

    fn save_as(&mut self, path: &Path, existing: Existing) -> Result<(), Failure> {
        self.keeper.save_as(path, &self.played, existing)?;
        self.tell_saved(&path.display().to_string())
    }

    fn tell_saved(&mut self, file: &str) -> Result<(), Failure> {
        if self.output.is_json() {
            return Ok(self.output.json(&json!({ "saved": file }))?);
        }
        Ok(self.output.line(format!("saved as {file}"))?)
    }
}
