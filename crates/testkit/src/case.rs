//! A game under test, and the states that its laws are tried in.

use std::sync::Arc;

use senet_chance::Source;
use senet_core::{Event, EventKind, Game, Notation, State};

/// How many games are played at random, and how long they may last.
const WALKS: u64 = 6;
const PLIES: usize = 120;

/// A game under test, with its notation.
pub struct Case {
    /// The game.
    pub game: Arc<Game>,
    /// How it is written.
    pub notation: &'static dyn Notation,
    /// Whether some of its games are played with asides.
    talks: bool,
}

/// A game played at random.
pub struct Walk {
    /// Every state, the start first: one more than there are events.
    pub states: Vec<State>,
    /// Every event.
    pub events: Vec<Event>,
}

impl Case {
    /// A game under test.
    pub fn new(game: impl Into<Arc<Game>>, notation: &'static dyn Notation) -> Case {
        Case { game: game.into(), notation, talks: false }
    }

    /// A game played at random: most often chance is given its way where it is awaited.
    pub fn walk(&self, seed: u64) -> Walk {
        self.walk_saying(seed, 0)
    }

    /// The same, where one in `rarity` events is an aside if one is allowed; with 0 none is.
    fn walk_saying(&self, seed: u64, rarity: u64) -> Walk {
        let game = &self.game;
        let mut source = Source::seeded(seed);
        let mut walk = Walk { states: vec![game.start()], events: Vec::new() };
        while walk.events.len() < PLIES {
            let state = &walk.states[walk.events.len()];
            let said = if rarity > 0 && source.below(rarity) == 0 {
                source.pick(&game.asides(state))
            } else {
                None
            };
            let drawn = if said.is_some() {
                said
            } else if source.below(8) > 0 {
                source.draw(game, state)
            } else {
                None
            };
            let Some(event) = drawn.or_else(|| source.pick(&game.legal(state))) else { break };
            let step = game.apply(state, event);
            let step = step.unwrap_or_else(|no| panic!("{}: {no}", self.tell(state, event)));
            walk.events.push(event);
            walk.states.push(step.state);
        }
        walk
    }

    /// The same game, where what is said beside play is said in every other game.
    #[must_use]
    pub fn with_asides(self) -> Case {
        Case { talks: true, ..self }
    }

    /// Several games played at random.
    pub fn walks(&self) -> impl Iterator<Item = Walk> + '_ {
        let rarity = |seed: u64| if self.talks && seed.is_multiple_of(2) { 6 } else { 0 };
        (1..=WALKS).map(move |seed| self.walk_saying(seed, rarity(seed)))
    }

    /// States of random games, spread evenly, as many as may be looked at if each costs so much;
    /// at least three, the start and an end among them.
    pub fn states(&self, cost: usize) -> Vec<State> {
        const BUDGET: usize = 150_000;
        let all: Vec<State> = self.walks().flat_map(|walk| walk.states).collect();
        let count = (BUDGET / cost.max(1)).clamp(3, 200).min(all.len());
        let last = all.len() - 1;
        (0..count).map(|at| all[at * last / (count - 1).max(1)].clone()).collect()
    }

    /// Every event that can be written down, legal or not.
    pub fn universe(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for kind in EventKind::ALL {
            self.game.each_possible(kind, &mut |event| events.push(event));
        }
        events
    }

    /// A state and an event in words, for the message of a failure.
    pub fn tell(&self, state: &State, event: Event) -> String {
        let position = senet_core::text::format_position(&self.game, state);
        let event = senet_core::text::format_event(&self.game, event);
        format!("{} in `{position}`: {event}", self.game.name())
    }
}
