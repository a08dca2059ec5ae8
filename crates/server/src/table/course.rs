//! What follows from a command: the match after it, and the records that lead there.

use senet::notation::text;
use senet::{ApplyError, Event};

use crate::draw::Chance;
use crate::problem::Problem;
use crate::proposal::Meaning;
use crate::record::{Entry, Plan, Record};
use crate::table::Table;

/// How many events may follow from one: dice that are rolled again and turns that pass.
const MOST_FOLLOWING: usize = 64;

/// A match after something happened, and the records that are to be written down before it counts.
#[derive(Clone, Debug)]
pub struct Course {
    /// The match afterwards.
    pub table: Table,
    /// What is to be written down.
    pub records: Vec<Record>,
    at: u64,
}

impl Course {
    /// Nothing has happened yet to a match.
    pub fn new(table: Table, at: u64) -> Course {
        Course { table, records: Vec::new(), at }
    }

    /// Takes an entry over.
    ///
    /// # Errors
    /// Where the log would not be one with it.
    pub fn note(&mut self, entry: Entry) -> Result<(), Problem> {
        let record = Record { number: self.table.number, at: self.at, entry };
        self.table.fold(&record)?;
        self.records.push(record);
        Ok(())
    }

    /// Plays an event.
    pub(super) fn play(
        &mut self,
        meant: Meaning,
        seat: Option<usize>,
        id: Option<&str>,
    ) -> Result<(), ApplyError> {
        let written = text::format_event(self.table.game().rules(), meant.event);
        let played = self.table.play(meant, seat, id)?;
        let (hash, id) = (played.hash.clone(), id.map(str::to_owned));
        let entry = Entry::Play { seat, event: written, hash, id };
        self.records.push(Record { number: self.table.number, at: self.at, entry });
        self.table.advance(self.at);
        Ok(())
    }

    /// Lets happen what happens by itself: chance, and turns that pass.
    pub(super) fn follow(&mut self) {
        if !self.table.is_full() {
            return;
        }
        for _ in 0..MOST_FOLLOWING {
            let position = self.table.position();
            if self.table.outcome.is_some() {
                return;
            }
            let chance = position.awaits_chance();
            if chance && !position.asides().is_empty() {
                return;
            }
            let event = if chance { self.table.draw() } else { position.due() };
            if event.is_none_or(|event| self.play(event.into(), None, None).is_err()) {
                return;
            }
        }
    }

    /// Lets happen what happens at the start without anybody's doing: bots sit down, and dice are
    /// rolled where nobody else is waited for.
    ///
    /// # Errors
    /// Where the log would not be one.
    pub fn open(&mut self) -> Result<(), Problem> {
        let header = self.table.header.clone();
        for (seat, plan) in header.seats.iter().enumerate() {
            if let Plan::Bot { bot } = plan {
                let (name, salt) = (bot.clone(), String::new());
                self.note(Entry::Sit { seat, name, token: None, salt })?;
            }
        }
        self.follow();
        Ok(())
    }
}

impl Table {
    /// What chance gives now.
    pub(super) fn draw(&self) -> Option<Event> {
        let salts: Vec<&str> =
            self.seats.iter().map(|seat| seat.as_ref().map_or("", |seat| &seat.salt)).collect();
        let chance = Chance { seed: &self.header.seed, id: &self.header.id, salts: &salts };
        chance.draw(&self.played.position(), self.played.ply())
    }
}
