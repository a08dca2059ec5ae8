//! Opponents for any game: random, trees of playouts, and alpha-beta search.
//!
//! ```
//! use senet::Match;
//! use senet::bots::{Limit, Spec};
//!
//! let game = senet::load("tic-tac-toe")?;
//! let mut bot = game.bot("search:9".parse::<Spec>()?, 1);
//! let mut played = Match::replay(game.start(), "a1 b2 a2")?;
//! let thought = bot.choose(&played, &Limit::NONE)?.expect("there is a legal move");
//! assert_eq!(played.position().notate(thought.event), "a3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use senet_bots::Moment;
pub use senet_bots::{Brain, Budget, LEVELS, Limit, Spec, SpecError, Thought, WIN};
use senet_core::Event;
pub use senet_core::written::{KindWeight, TileOrder, Weights};

use crate::game::{Game, OtherGame};
use crate::history::Match;

/// An opponent at one game.
pub struct Bot {
    game: Game,
    bot: Box<dyn senet_bots::Bot>,
}

/// The alpha-beta search of one game, for those who want to see it think.
pub struct Search {
    game: Game,
    search: senet_bots::Search,
}

impl Game {
    /// The opponent of a description such as `search:3`, with the weights that the game has.
    pub fn bot(&self, spec: Spec, seed: u64) -> Bot {
        Bot { game: self.clone(), bot: spec.bot(self.rules(), seed) }
    }

    /// The search of this game, with the weights that the game has.
    pub fn search(&self) -> Search {
        let search = senet_bots::Search::new(self.rules().clone());
        Search { game: self.clone(), search }
    }
}

impl Bot {
    /// What it would play where a match is now; none where nothing is legal. A limit beside its
    /// own budget may stop it.
    ///
    /// The position must await a player, not chance.
    pub fn choose(
        &mut self,
        played: &Match,
        limit: &Limit<'_>,
    ) -> Result<Option<Thought>, OtherGame> {
        self.game.check_same(played.game())?;
        let (position, past) = (played.position(), played.past());
        let recall = played.recall(position.player());
        let known = recall.as_ref().map(|recall| recall.known().known());
        // What is legal follows from what the player sees. But an ending may hold in what the player
        // knows and not in truth, as where a game ends without kings and the other one is not seen.
        let known = known.filter(|known| self.game.rules().has_legal(known));
        let state = known.unwrap_or(position.state());
        let moment = Moment { state, past: &past, recall: recall.as_ref() };
        Ok(self.bot.choose(&moment, limit))
    }
}

impl Search {
    /// The same search with a table of about `bytes` bytes.
    #[must_use]
    pub fn remembering(self, bytes: usize) -> Search {
        Search { search: self.search.remembering(bytes), ..self }
    }

    /// The same search as weak as a level from 1 to [`LEVELS`], differently for each seed.
    #[must_use]
    pub fn at_level(self, level: u8, seed: u64) -> Search {
        Search { search: self.search.at_level(level, seed), ..self }
    }

    /// Forgets all that it has seen.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// How full its table is, in thousandths.
    pub fn fill(&self) -> u32 {
        self.search.fill()
    }

    /// Searches where a match is now, of the first events only those in `only` unless that is
    /// empty, and tells what it thinks after each depth.
    pub fn think(
        &self,
        played: &Match,
        limit: &Limit<'_>,
        only: &[Event],
        tell: &mut dyn FnMut(&Thought),
    ) -> Result<Option<Thought>, OtherGame> {
        self.game.check_same(played.game())?;
        let (position, past) = (played.position(), played.past());
        let moment = Moment { state: position.state(), past: &past, recall: None };
        Ok(self.search.think(&moment, limit, only, tell))
    }
}
