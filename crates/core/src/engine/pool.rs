//! What engines leave behind, so that a question to a state allocates nothing.

use std::sync::{Mutex, PoisonError};

use super::AnyMachine;
use crate::game::Game;
use crate::interpret::{Machine, Room};
use crate::walker::WalkerCache;

/// The most that is kept: as many as threads may ask at once without allocating.
const MOST: usize = 64;

/// What engines of one game left behind.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<(AnyRoom, WalkerCache)>>);

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
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (room, cache) =
            left.map_or((None, WalkerCache::default()), |(room, cache)| (Some(room), cache));
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
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rooms.len() < MOST {
            rooms.push((room, cache));
        }
    }
}
