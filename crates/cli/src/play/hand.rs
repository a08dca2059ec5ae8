//! Playing by hand: tiles that are touched with keys or mouse, and which move that means.

use senet::render::{Marks, ends};
use senet::{Event, Reason, TileId};

use super::round::{Notice, Round};

impl Round {
    /// The tile at which keys begin: the first of the player to move, or of the board.
    pub(super) fn first_of_mover(&self) -> TileId {
        let view = self.position().view();
        let mut tiles = self.game().tiles();
        let first = tiles.next().expect("a game has tiles");
        view.owned(view.seat()).iter().next().unwrap_or(first)
    }

    /// Selects a tile, or goes from the selected tile to this one.
    pub(super) fn touch(&mut self, tile: TileId) {
        self.cursor = Some(tile);
        if self.is_waiting() {
            return self.refuse(self.busy());
        }
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
        let view = self.position().view();
        view.is_owned(tile, view.seat())
    }

    fn legal_from(&self, from: Option<TileId>) -> Vec<Event> {
        let mut events = self.position().legal();
        events.retain(|event| ends(*event).0 == from && ends(*event).1.is_some());
        events
    }

    fn between(&self, from: TileId, to: TileId) -> Vec<Event> {
        let mut events = self.legal_from(Some(from));
        let exact = |event: &Event| self.position().landing(*event) == Some(to);
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
        let (game, name) = (self.game(), self.position().label(tile));
        let events = self.legal_from(Some(tile));
        if !events.is_empty() {
            let targets =
                events.iter().filter_map(|event| self.position().landing(*event)).collect();
            (self.marks.selected, self.marks.targets) = (Some(tile), targets);
            return self.say(format!("{name}: choose where to"));
        }
        if self.is_mine(tile) {
            self.marks.selected = Some(tile);
            return self.refuse(format!("nothing on {name} can move; touch a tile to see why"));
        }
        // Where pieces are only put, a touch is a move, and the rules say why not.
        let put = game.kinds().next().map(|kind| Event::Put { kind, to: tile });
        let refused = put.map(|event| (event, self.position().explain_event(event)));
        let unwanted = |reason: Option<&Reason>| matches!(reason, Some(Reason::Unwanted(_)) | None);
        match refused.filter(|(_, told)| !unwanted(told.reasons.first())) {
            Some((event, _)) => {
                let text = self.position().format(event);
                self.explain(&text, &[event]);
            }
            None => self.refuse(format!("no piece of {} on {name}", self.context.player())),
        }
    }

    /// Asks which of several events is meant.
    pub(super) fn offer(&mut self, events: &[Event]) {
        let name = |event: &Event| (*event, self.position().notate(*event));
        self.choices = events.iter().map(name).collect();
        let listed = self.choices.iter().enumerate();
        let listed: Vec<String> =
            listed.map(|(at, (_, text))| format!("{} {text}", at + 1)).collect();
        self.say(format!("Type a number: {}", listed.join("   ")));
    }
}
