//! Perfect recall: everything that a player has seen and done, which is an information state.

use crate::event::Event;
use crate::game::Game;
use crate::hash;
use crate::id::PlayerId;
use crate::observe::{Glimpse, Observation, Viewer};
use crate::state::State;
use crate::text::format_event;
use crate::written::EventKind;

/// One thing that a player remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// What the player did.
    Did(Event),
    /// What the player saw of an event of another or of chance.
    Saw(Glimpse),
    /// What the player knew from then on, where it differs from before.
    Knew(Box<Observation>),
}

/// Everything that a player has seen and done in a match. Two histories that a player cannot tell
/// apart give the player equal recalls; what happens unseen and changes nothing the player sees
/// leaves no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    /// Whose it is.
    pub player: PlayerId,
    memories: Vec<Memory>,
}

impl Recall {
    /// What a player knows at the start.
    pub fn start(game: &Game, state: &State, player: PlayerId) -> Recall {
        let knew = game.observe(state, Viewer::Player(player));
        Recall { player, memories: vec![Memory::Knew(Box::new(knew))] }
    }

    /// Adds what the player sees of an event that leads from one state to another.
    pub fn follow(&mut self, game: &Game, before: &State, event: Event, after: &State) {
        let viewer = Viewer::Player(self.player);
        let did = game.view(before).player() == self.player && event.kind() != EventKind::Roll;
        if did {
            self.memories.push(Memory::Did(event));
        } else {
            match game.glimpse(before, event, after, viewer) {
                Glimpse::Nothing => {}
                glimpse => self.memories.push(Memory::Saw(glimpse)),
            }
        }
        let knows = game.observe(after, viewer);
        if *self.known() != knows {
            self.memories.push(Memory::Knew(Box::new(knows)));
        }
    }

    /// What the player knows now.
    pub fn known(&self) -> &Observation {
        let knew = self.memories.iter().rev().find_map(|memory| match memory {
            Memory::Knew(observation) => Some(&**observation),
            _ => None,
        });
        knew.expect("a recall begins with what the player knows at the start")
    }

    /// What the player remembers, from the first on.
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// The information state as text, a line for each memory.
    pub fn text(&self, game: &Game) -> String {
        let line = |memory: &Memory| match memory {
            Memory::Did(event) => format!("did {}", format_event(game, *event)),
            Memory::Saw(glimpse) => format!("saw {}", glimpse.text(game)),
            Memory::Knew(observation) => format!("knew {}", observation.text(game)),
        };
        self.memories.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The hash of the information state: the same on every machine and in every release.
    pub fn hash(&self) -> u128 {
        let words = self.memories.iter().flat_map(|memory| match memory {
            Memory::Did(event) => [1, event.encode(), 0],
            Memory::Saw(Glimpse::Whole(event)) => [2, event.encode(), 0],
            Memory::Saw(Glimpse::Part { from, to }) => {
                let tile =
                    |tile: &Option<crate::TileId>| tile.map_or(0, |tile| tile.index() as u64 + 1);
                [3, tile(from), tile(to)]
            }
            Memory::Saw(Glimpse::Nothing) => [4, 0, 0],
            Memory::Knew(observation) => {
                let hash = observation.hash();
                [5, hash as u64, (hash >> 64) as u64]
            }
        });
        hash::of_words(std::iter::once(self.player.index() as u64).chain(words))
    }
}
