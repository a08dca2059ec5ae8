//! What a player asks for besides moves: to save, to begin again, to play on, to offer a draw.

use std::path::Path;

use senet::{Event, Match};

use super::keep::Existing;
use super::offer::Question;
use super::panel;
use super::round::{NOTHING_PLAYED, Overlay, Round};
use super::starts::Starts;
use crate::answer::Outcome;
use crate::failure::Failure;
use crate::replay;

impl Round {
    pub(super) fn save_as(&mut self, file: &str, existing: Existing) -> Result<(), Failure> {
        self.keeper.save_as(Path::new(file), &self.played, existing)?;
        self.say(format!("saved as {file}"));
        Ok(())
    }

    /// Shows the help over everything.
    pub(super) fn help(&mut self) {
        let text = panel::HELP.to_owned();
        self.overlay = Some(Overlay { title: "help", text, first: 0 });
    }

    /// Shows all that is said, where there is too little room for it.
    pub(super) fn expand(&mut self) {
        if !self.notice.text.is_empty() {
            let text = self.notice.text.clone();
            self.overlay = Some(Overlay { title: "message", text, first: 0 });
        }
    }

    /// Plays the same game once more, with other dice.
    pub(super) fn rematch(&mut self) {
        self.interrupt();
        let kept = self.keeper.complete(&self.played);
        if let Some(opponent) = &mut self.opponent {
            opponent.begin_game();
        }
        self.played = Match::at(self.played.start());
        self.seed = self.seed.wrapping_add(1);
        self.starts = Starts::default();
        self.list.clear();
        self.arrive();
        match kept {
            Ok(()) => self.say("A new game."),
            Err(failure) => self.refuse(failure.message),
        }
    }

    /// Plays on the match that a crash ended last.
    pub(super) fn resume(&mut self) -> Result<(), Failure> {
        let lost = self.keeper.lost();
        let Some(path) = lost.first() else {
            return Err(Failure::params("there is no unfinished match of this game"));
        };
        self.interrupt();
        self.played = replay::open(path, self.named.as_deref())?;
        self.starts = Starts::default();
        let _ = std::fs::remove_file(path);
        self.relist();
        self.arrive();
        self.say("The match goes on.");
        Ok(())
    }

    /// Offers a draw to the other side: an opponent answers at once, a person is asked.
    pub(super) fn offer_draw(&mut self, event: Event) {
        let player = self.context.player().to_owned();
        if let Some(opponent) = &mut self.opponent {
            let name = opponent.name();
            return match opponent.agrees(&self.played) {
                true => self.play(event),
                false => self.say(format!("{name} declines the draw")),
            };
        }
        self.put(Question::draw(&player, event));
    }

    /// Asks the other side whether the last move may be taken back: an opponent answers at once,
    /// also while it thinks.
    pub(super) fn ask_takeback(&mut self) -> Result<(), Failure> {
        if self.played.ply() == 0 {
            return Err(Failure::params(NOTHING_PLAYED));
        }
        self.interrupt();
        let Some(opponent) = &mut self.opponent else {
            self.put(Question::takeback(self.context.player()));
            return Ok(());
        };
        let answer = opponent.answer_takeback();
        if answer.agrees {
            self.back()?;
        }
        self.say(answer.text);
        Ok(())
    }

    pub(super) fn put(&mut self, question: Question) {
        self.say(question.text.clone());
        self.question = Some(question);
    }

    /// What is said when the screen is left.
    pub(super) fn farewell(&self) -> String {
        let position = self.position();
        let mut said = format!("{}: {}", self.game().name(), self.turn());
        if Outcome::of(position).is_none() {
            said.push_str(&format!("\n{position}"));
        }
        if let Some(file) = self.keeper.file() {
            said.push_str(&format!("\nsaved as {}", file.display()));
        }
        said
    }
}
