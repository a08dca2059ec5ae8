//! Numbers for the events of a game.

use senet_core::backend::PackedEvent;
use senet_core::{Event, TileId};

use crate::game::Game;
use crate::position::Position;

/// No action: the value of table entries that nothing has.
const NONE: u32 = u32::MAX;

/// The source of a packed event that puts a piece.
const PUT: PackedEvent = 0xffff;

/// The actions of a game: every event that players can ever propose, each with a fixed number.
///
/// Numbers are dense from 0, in the order of [`Event`], and the same whenever
/// [`Game::definition_hash`] is. Outcomes of chance are not actions, and neither are
/// [asides](Position::asides).
#[derive(Clone, Debug)]
pub struct Actions {
    events: Vec<Event>,
    tiles: usize,
    /// The first move of each pair of tiles.
    moves: Vec<u32>,
    /// The first move by dice of each pair of tiles.
    advances: Vec<u32>,
    /// Of each kind and tile.
    puts: Vec<u32>,
    acts: Vec<u32>,
    /// Of each act and tile.
    picks: Vec<u32>,
}

impl Actions {
    /// The actions of a game.
    pub fn of(game: &Game) -> Actions {
        let tiles = game.tile_count();
        let events = game.rules().event_space();
        let (mut moves, mut advances) = (Vec::new(), Vec::new());
        let (mut puts, mut acts, mut picks) = (Vec::new(), Vec::new(), Vec::new());
        for (number, &event) in events.iter().enumerate() {
            let (table, size, at) = match event {
                Event::Move { from, to, .. } => (&mut moves, tiles * tiles, pair(tiles, from, to)),
                Event::Advance { from, to, .. } => {
                    (&mut advances, tiles * tiles, pair(tiles, from, to))
                }
                Event::Put { kind, to } => {
                    let kinds = game.kinds().count();
                    (&mut puts, kinds * tiles, kind.index() * tiles + to.index())
                }
                Event::Act(action) => (&mut acts, game.actions().count(), action.index()),
                Event::Pick { action, to } => {
                    let at = action.index() * tiles + to.index();
                    (&mut picks, game.actions().count() * tiles, at)
                }
                Event::Roll(_) => continue,
            };
            if table.is_empty() {
                table.resize(size, NONE);
            }
            if table[at] == NONE {
                table[at] = number as u32;
            }
        }
        Actions { events, tiles, moves, advances, puts, acts, picks }
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The event of an action.
    pub fn event(&self, action: u32) -> Option<Event> {
        self.events.get(action as usize).copied()
    }

    /// The first event, in the order of the actions, of which something holds.
    pub fn find(&self, holds: impl Fn(Event) -> bool) -> Option<Event> {
        self.events.iter().copied().find(|&event| holds(event))
    }

    /// The action of an event; none for outcomes of chance and for events that no rule takes.
    pub fn action(&self, event: Event) -> Option<u32> {
        let first = match event {
            Event::Move { from, to, .. } => self.moves.get(self.pair(from, to)?),
            Event::Advance { from, to, .. } => self.advances.get(self.pair(from, to)?),
            Event::Put { kind, to } if to.index() < self.tiles => {
                self.puts.get(kind.index() * self.tiles + to.index())
            }
            Event::Pick { action, to } if to.index() < self.tiles => {
                self.picks.get(action.index() * self.tiles + to.index())
            }
            Event::Put { .. } | Event::Pick { .. } | Event::Roll(_) => None,
            Event::Act(action) => self.acts.get(action.index()),
        };
        let first = *first.filter(|&&first| first != NONE)?;
        let alone = !matches!(event, Event::Move { .. } | Event::Advance { .. });
        if alone || self.events[first as usize] == event {
            return Some(first);
        }
        // Events of one pair of tiles follow each other: there are as many as there are choices.
        let rest = &self.events[first as usize..];
        let same = |one: &&Event| ends(**one) == ends(event);
        let place = rest.iter().take_while(same).position(|&one| one == event)?;
        Some(first + place as u32)
    }

    /// Finds the actions of packed events of a game. An event that has none is left out of both lists; the
    /// event space of a game leaves none out.
    pub(crate) fn number(
        &self,
        game: &senet_core::Game,
        events: &mut Vec<PackedEvent>,
        ids: &mut Vec<u32>,
    ) {
        let action = |word: PackedEvent| {
            let (to, kind) = ((word >> 32 & 0xffff) as usize, (word >> 16 & 0xffff) as usize);
            // Most puts can be told apart without a look at other events.
            match word >> 48 == PUT && to < self.tiles {
                true => self.puts.get(kind * self.tiles + to).copied().unwrap_or(NONE),
                false => self.action(game.unpacked(word)).unwrap_or(NONE),
            }
        };
        ids.clear();
        ids.extend(events.iter().map(|&word| action(word)));
        if ids.contains(&NONE) {
            events.retain(|&word| action(word) != NONE);
            ids.retain(|&id| id != NONE);
        }
    }

    /// The actions of the legal events of a position, in the order of [`Position::legal`].
    pub fn legal(&self, position: &Position) -> Vec<u32> {
        position.legal().into_iter().filter_map(|event| self.action(event)).collect()
    }

    fn pair(&self, from: TileId, to: TileId) -> Option<usize> {
        let known = from.index() < self.tiles && to.index() < self.tiles;
        known.then(|| pair(self.tiles, from, to))
    }
}

fn pair(tiles: usize, from: TileId, to: TileId) -> usize {
    from.index() * tiles + to.index()
}

/// What the events of one table entry share.
fn ends(event: Event) -> (u8, Option<TileId>, Option<TileId>, usize) {
    match event {
        Event::Move { from, to, .. } => (0, Some(from), Some(to), 0),
        Event::Advance { from, to, .. } => (1, Some(from), Some(to), 0),
        Event::Put { kind, to } => (2, None, Some(to), kind.index()),
        Event::Roll(outcome) => (3, None, None, outcome.index()),
        Event::Act(action) => (4, None, None, action.index()),
        Event::Pick { action, to } => (5, None, Some(to), action.index()),
    }
}
