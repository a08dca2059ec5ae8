//! What engines leave behind, so that a question to a state allocates nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::AnyMachine;
use crate::game::Game;
use crate::interpret::{Machine, Room};
use crate::walker::WalkerCache;

/// The most that is kept: as many as threads may ask at once without allocating.
const MOST: usize = 64;

/// What engines of one game left behind.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Left>);

/// Rooms of machines, and what walkers kept, for whoever comes next.
#[derive(Default)]
struct Left {
    rooms: Vec<AnyRoom>,
    caches: Vec<WalkerCache>,
}

/// The room of a machine as wide as the board.
enum AnyRoom {
    One(Room<1>),
    Two(Room<2>),
    Four(Room<4>),
    Eight(Room<8>),
    Sixteen(Room<16>),
}

impl Pool {
    /// A machine for a game, in the room that an earlier one has left if there is one, and what was
    /// kept with it.
    #[inline(always)]
    pub(super) fn take<'g>(&self, game: &'g Game) -> (AnyMachine<'g>, WalkerCache) {
        let (room, cache) = {
            let mut left = self.lock();
            (left.rooms.pop(), left.caches.pop().unwrap_or_default())
        };
        let machine = match room {
            Some(AnyRoom::One(room)) => AnyMachine::One(Machine::new(game, room)),
            Some(AnyRoom::Two(room)) => AnyMachine::Two(Machine::new(game, room)),
            Some(AnyRoom::Four(room)) => AnyMachine::Four(Machine::new(game, room)),
            Some(AnyRoom::Eight(room)) => AnyMachine::Eight(Machine::new(game, room)),
            Some(AnyRoom::Sixteen(room)) => AnyMachine::Sixteen(Machine::new(game, room)),
            None => match game.code.width {
                1 => AnyMachine::One(Machine::new(game, Room::default())),
                2 => AnyMachine::Two(Machine::new(game, Room::default())),
                4 => AnyMachine::Four(Machine::new(game, Room::default())),
                8 => AnyMachine::Eight(Machine::new(game, Room::default())),
                _ => AnyMachine::Sixteen(Machine::new(game, Room::default())),
            },
        };
        (machine, cache)
    }

    /// Keeps the room of a machine that is not needed any more, and what walkers kept with it.
    pub(super) fn keep(&self, machine: &mut AnyMachine<'_>, cache: WalkerCache) {
        let room = match machine {
            AnyMachine::One(machine) => AnyRoom::One(machine.take_room()),
            AnyMachine::Two(machine) => AnyRoom::Two(machine.take_room()),
            AnyMachine::Four(machine) => AnyRoom::Four(machine.take_room()),
            AnyMachine::Eight(machine) => AnyRoom::Eight(machine.take_room()),
            AnyMachine::Sixteen(machine) => AnyRoom::Sixteen(machine.take_room()),
        };
        let mut left = self.lock();
        if left.rooms.len() < MOST {
            left.rooms.push(room);
        }
        left.keep_cache(cache);
    }

    fn lock(&self) -> MutexGuard<'_, Left> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a walker has kept, for a question that needs no machine; none where nobody left any.
    pub(crate) fn take_cache(&self) -> Option<WalkerCache> {
        self.lock().caches.pop()
    }

    /// Keeps what a walker has kept.
    pub(crate) fn keep_cache(&self, cache: WalkerCache) {
        self.lock().keep_cache(cache);
    }
}

impl Left {
    fn keep_cache(&mut self, cache: WalkerCache) {
        if self.caches.len() < MOST && !cache.is_empty() {
            self.caches.push(cache);
        }
    }
}
