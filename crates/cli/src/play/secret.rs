//! The table of a game with secrets: each player sees what that player may know, and no more.

use senet::notation::Meant;
use senet::{Event, Glimpse, Viewer};
use serde_json::json;

use super::round::drawn;
use super::table::Table;
use crate::answer::Outcome;
use crate::failure::Failure;

/// Clears a terminal and what it remembers.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

impl Table<'_> {
    /// Whether players may not see everything.
    pub(super) fn hides(&self) -> bool {
        self.context.game().has_secrets()
    }

    /// Who looks at the table: the person who plays against an opponent, or else the player to
    /// move.
    fn viewer(&self) -> Viewer {
        Viewer::Player(self.person.unwrap_or(self.context.position.player()))
    }

    /// Lets chance do what has a name and no dice, such as to deal cards.
    pub(super) fn deal(&mut self) -> Result<(), Failure> {
        while let Some(event) = self.dealt() {
            self.carry_out(&Meant::Event(event))?;
        }
        Ok(())
    }

    fn dealt(&self) -> Option<Event> {
        let position = &self.context.position;
        if !position.awaits_chance() {
            return None;
        }
        let event = drawn(&self.context, self.seed, &self.played)?;
        let Event::Roll(outcome) = event else { return None };
        position.game().outcome_name(outcome).is_some().then_some(event)
    }

    /// Plays events and tells what the viewer sees of them.
    pub(super) fn carry_out_unseen(&mut self, events: &[Event]) -> Result<(), Failure> {
        for &event in events {
            let before = self.context.position.clone();
            // Players who share a screen both read what chance does.
            let viewer = match (event, self.person) {
                (Event::Roll(_), None) => Viewer::Spectator,
                _ => self.viewer(),
            };
            self.played.apply(event)?;
            self.context.position = self.played.position();
            let glimpse = before.glimpse(event, &self.context.position, viewer);
            let game = before.game();
            let player = match event {
                Event::Roll(_) => "chance",
                _ => game.player_name(before.player()),
            };
            let text = glimpse.text(game.rules());
            if self.output.is_json() {
                self.output.json(&json!({ "player": player, "event": text }))?;
                continue;
            }
            let text = match (event, glimpse) {
                (_, Glimpse::Nothing) => "hidden",
                (Event::Roll(outcome), _) => game.outcome_name(outcome).unwrap_or(&text),
                _ => &text,
            };
            self.output.line(format!("{player}: {text}"))?;
        }
        Ok(())
    }

    /// Shows what the viewer knows. Where players share a screen it is cleared when another
    /// player sits down.
    pub(super) fn show_known(&mut self) -> Result<(), Failure> {
        let viewer = self.viewer();
        let observation = self.context.position.observe(viewer);
        let position = self.context.position.clone();
        let (game, rules) = (position.game(), position.game().rules());
        let outcome = Outcome::of(&position);
        let board = observation.draw(rules);
        if self.output.is_json() {
            let shown = json!({
                "player": self.context.player(),
                "ply": self.played.ply(),
                "observation": observation.record(rules),
                "hash": format!("{:032x}", observation.hash()),
                "outcome": outcome.as_ref(),
                "board": board,
            });
            return Ok(self.output.json(&shown)?);
        }
        let handed = self.seat.is_some_and(|seat| seat != viewer);
        self.seat = Some(viewer);
        if handed && outcome.is_none() {
            let name = match viewer {
                Viewer::Player(player) => game.player_name(player),
                Viewer::Spectator => "spectator",
            };
            if self.asks {
                self.output.text(CLEAR)?;
            }
            self.output.line(format!("Now {name} sits at the board."))?;
        }
        let board =
            if game.kinds().next().is_some() { format!("\n{board}\n") } else { String::new() };
        self.output.line(board)?;
        for line in aligned(&observation.table(rules)) {
            self.output.line(line)?;
        }
        if let Some(outcome) = outcome {
            self.output.line(outcome.text())?;
        }
        if position.has_legal() {
            let verb = if position.awaits_chance() { "to roll: press Enter" } else { "to move" };
            self.output.line(format!("{} {verb}", self.context.player()))?;
        }
        Ok(())
    }
}

/// Names and values as lines, the values one below another.
pub(crate) fn aligned(table: &[(String, String)]) -> Vec<String> {
    let width = table.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    table.iter().map(|(name, value)| format!("{name:width$}  {value}")).collect()
}
