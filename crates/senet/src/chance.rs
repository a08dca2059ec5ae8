//! A seeded source of chance, and random play with it: the same numbers on every machine.

use senet_core::{Event, Outcome, Walker};

use crate::game::Game;
use crate::position::Position;

/// A seeded source of chance.
#[derive(Clone, Debug)]
pub struct Source(senet_chance::Source);

/// A game played at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Every event played.
    pub events: Vec<Event>,
    /// The last position.
    pub position: Position,
    /// How it ended; none when the limit came first.
    pub outcome: Option<Outcome>,
}

impl Source {
    /// The source of a seed.
    pub fn seeded(seed: u64) -> Source {
        Source(senet_chance::Source::seeded(seed))
    }

    /// The source of one of many games under a seed, independent of the order they are played in.
    pub fn for_game(seed: u64, number: u64) -> Source {
        Source(senet_chance::Source::for_game(seed, number))
    }

    /// A number below a bound, every one equally likely; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// One of several, every one equally likely; none of nothing.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        self.0.pick(of)
    }

    /// What chance gives in a position that awaits it, by its probabilities; none in others.
    pub fn draw(&mut self, position: &Position) -> Option<Event> {
        self.0.draw(position.game().rules(), position.state())
    }
}

/// How a game that was played at random ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// How many events were played.
    pub events: usize,
    /// How it ended; none when the limit came first.
    pub outcome: Option<Outcome>,
}

/// Random games of which only the end counts, many of them: by machine code, once it is worth it.
pub struct Playouts<'g> {
    walker: Walker<'g>,
}

impl Game {
    /// Random games, one after another.
    pub fn playouts(&self) -> Playouts<'_> {
        Playouts { walker: self.rules().walker() }
    }
}

impl Playouts<'_> {
    /// Plays the game of [`Position::playout`] and tells how it ended.
    pub fn finish(&mut self, from: &Position, source: &mut Source, limit: usize) -> Finish {
        self.walker.remember(from.past());
        let played = senet_chance::finish(&mut self.walker, from.state(), &mut source.0, limit);
        Finish { events: played.events, outcome: played.outcome }
    }
}

impl Position {
    /// Plays at random, chance by its probabilities and players without preference, until the
    /// game is over or `limit` events were played.
    pub fn playout(&self, source: &mut Source, limit: usize) -> Playout {
        let mut walker = self.rules().walker();
        let played = senet_chance::playout_on(&mut walker, self.state(), &mut source.0, limit);
        let position = self.below(&played.events, played.state);
        Playout { events: played.events, position, outcome: played.outcome }
    }
}
