//! Legal events, as a board wants them. In a game in which pieces are put on a large board, there are
//! hundreds after each move: the texts of those never change, and are made once.

use senet::{Event, Game, Position, TileId};
use serde::Serialize;
use serde_json::value::RawValue;

/// The largest buffer that is made for texts before it is known how many there are.
const MOST_BYTES: usize = 16 * 1024;

/// A legal event, as a board wants it. What is left out is null; a notation that is left out is the
/// same as the event.
#[derive(Serialize)]
pub struct Playable {
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<usize>,
    /// Whether the turn ends with it, where turns may have several events.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<bool>,
}

impl Playable {
    fn new(position: &Position, event: Event) -> Playable {
        let game = position.game();
        let (from, kind) = match event {
            Event::Move { from, choice, .. } => (Some(from), choice),
            Event::Advance { from, .. } => (Some(from), None),
            Event::Put { kind, .. } => (None, Some(kind)),
            Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => (None, None),
        };
        let ends = (game.plays_by_turns() && !game.has_secrets()).then(|| {
            let after = position.apply(event).ok();
            after.is_some_and(|step| step.position.player() != position.player())
        });
        let (text, notation) = (position.format(event), position.notate(event));
        Playable {
            notation: (notation != text).then_some(notation),
            event: text,
            from: from.map(TileId::index),
            to: position.landing(event).map(TileId::index),
            kind: kind.map(senet::KindId::index),
            ends,
        }
    }
}

/// The legal events of a position.
pub fn legal(position: &Position) -> Vec<Playable> {
    listed(position).map(|event| Playable::new(position, event)).collect()
}

/// Dice are not among them: the server rolls.
fn listed(position: &Position) -> impl Iterator<Item = Event> + use<> {
    position.legal().into_iter().filter(|event| !matches!(event, Event::Roll(_)))
}

/// The texts of pieces that are put on the board, by kind and tile; none in a game whose notation
/// depends on the position.
pub struct Phrases {
    puts: Vec<Box<RawValue>>,
    tiles: usize,
    /// How many bytes all of them have, with what parts them.
    size: usize,
}

impl Phrases {
    /// The texts of a game.
    pub fn new(game: &Game) -> Phrases {
        let tiles = game.tile_count();
        if !game.notation().is_plain() || game.plays_by_turns() {
            return Phrases { puts: Vec::new(), tiles, size: 0 };
        }
        let start = game.start();
        let pairs = game.kinds().flat_map(|kind| game.tiles().map(move |to| (kind, to)));
        let put = |(kind, to)| super::raw(&Playable::new(&start, Event::Put { kind, to }));
        let puts: Vec<Box<RawValue>> = pairs.map(put).collect();
        let size = puts.iter().map(|text| text.get().len() + 1).sum();
        Phrases { puts, tiles, size }
    }

    /// How many bytes the legal events of a position have at most where all have known texts; not
    /// more than a buffer should be made for.
    pub(super) fn size(&self) -> usize {
        self.size.min(MOST_BYTES)
    }

    fn of(&self, event: Event) -> Option<&RawValue> {
        match event {
            Event::Put { kind, to } => {
                self.puts.get(kind.index() * self.tiles + to.index()).map(|text| &**text)
            }
            _ => None,
        }
    }
}

/// Writes the legal events of a position as JSON, with known texts where there are.
pub(super) fn write_legal(text: &mut Vec<u8>, position: &Position, phrases: &Phrases) {
    text.push(b'[');
    for (at, event) in listed(position).enumerate() {
        if at > 0 {
            text.push(b',');
        }
        match phrases.of(event) {
            Some(known) => text.extend(known.get().as_bytes()),
            None => super::write(text, &Playable::new(position, event)),
        }
    }
    text.push(b']');
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn known_texts_are_those_that_are_made_anew() {
        for name in senet::games() {
            let game = senet::load(name).expect("it is shipped");
            let phrases = Phrases::new(&game);
            let mut position = game.start();
            for _ in 0..6 {
                let events = position.legal();
                let Some(event) = events.get(events.len() / 2).copied() else { break };
                let mut quick = Vec::new();
                write_legal(&mut quick, &position, &phrases);
                let quick: Value = serde_json::from_slice(&quick).expect("it is JSON");
                let slow = serde_json::to_value(legal(&position)).expect("it is JSON");
                assert_eq!(quick, slow, "{name}");
                position = position.apply(event).expect("it is legal").position;
            }
        }
    }
}
