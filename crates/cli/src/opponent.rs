//! Who plays at the other side of the table.

use std::time::{Duration, Instant};

use senet::bots::{Bot, Brain, Budget, LEVELS, Limit, Spec, SpecError, Thought};
use senet::{Game, Match, PlayerId, Position};

use crate::complete;
use crate::failure::Failure;
use crate::worker;

/// Flags that call for an opponent.
#[derive(clap::Args)]
pub(crate) struct Invitation {
    /// Play against an opponent: random, mcts or search, optionally with a budget as in `duel`.
    #[arg(long, value_name = "BOT", value_parser = complete::bots(), hide_possible_values = true)]
    bot: Option<String>,
    /// How strong the opponent is, from 1 to 10; 5 by default.
    #[arg(long, value_name = "N", requires = "bot")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(LEVELS)))]
    level: Option<u8>,
    /// Which player you are; the first by default.
    #[arg(long, value_name = "PLAYER", requires = "bot")]
    side: Option<String>,
}

/// How long an opponent considers an offer.
const CONSIDERED: Duration = Duration::from_secs(1);

/// What a position is worth to one side when the other takes a draw, in hundredths of a pawn or
/// parts of a won game.
const LOST: i32 = 150;

/// What an even position is worth at most to either side, in the same units.
const EVEN: i32 = 50;

/// After how many moves that lead to even positions an opponent offers a draw.
const EVEN_MOVES: usize = 8;

/// From which ply on a game is late, also where most pieces are left.
const LATE: usize = 80;

/// An opponent at the table: it plays for everyone but one player.
pub(crate) struct Opponent {
    bot: Bot,
    /// Who plays at the keyboard.
    person: PlayerId,
    spec: Spec,
    /// How many takebacks it has agreed to.
    takebacks: usize,
    /// How many of its last moves it believed to lead to an even position.
    even: usize,
}

/// What an opponent says to an offer.
pub(crate) struct Reply {
    pub(crate) agrees: bool,
    pub(crate) text: String,
}

/// How many takebacks an opponent agrees to in one game.
const TAKEBACKS: usize = 3;

impl Invitation {
    /// The opponent that the flags call for.
    pub(crate) fn opponent(&self, game: &Game, seed: u64) -> Result<Option<Opponent>, Failure> {
        let Some(bot) = &self.bot else { return Ok(None) };
        let mut spec: Spec =
            bot.parse().map_err(|error: SpecError| Failure::params(error.to_string()))?;
        if let Some(level) = self.level {
            if bot.parse::<Brain>().is_err() {
                let message =
                    format!("--level: `{bot}` already has a budget; leave one of them out");
                return Err(Failure::params(message));
            }
            spec.budget = Budget::Level(level);
        }
        let person = match &self.side {
            None => game.players().next(),
            Some(name) => Some(game.player(name).ok_or_else(|| {
                let players: Vec<&str> = game.players().map(|id| game.player_name(id)).collect();
                let allowed = players.join(" or ");
                Failure::params(format!("--side: there is no player `{name}`; use {allowed}"))
            })?),
        };
        let bot = game.bot(spec, seed);
        let person = person.expect("every game has a player");
        Ok(Some(Opponent { bot, person, spec, takebacks: 0, even: 0 }))
    }
}

impl Opponent {
    /// Whether the opponent is to play in the state that a match is at.
    pub(crate) fn is_asked(&self, played: &Match) -> bool {
        let position = played.position();
        position.player() != self.person && position.has_legal()
    }

    /// Who plays at the keyboard.
    pub(crate) fn person(&self) -> PlayerId {
        self.person
    }

    /// What the opponent is called.
    pub(crate) fn name(&self) -> String {
        match self.spec.budget {
            Budget::Level(level) if self.spec.brain != Brain::Random => {
                format!("{}, level {level}", self.spec.brain.name())
            }
            _ => self.spec.to_string(),
        }
    }

    /// Whether the opponent agrees to a draw that the person offers: it does where it believes
    /// that it would lose.
    pub(crate) fn agrees(&mut self, played: &Match) -> bool {
        let until = Instant::now() + CONSIDERED;
        let thought = self.think(played, &|| Instant::now() >= until);
        // The value is that of the person, who is to move.
        self.spec.brain != Brain::Random && thought.is_some_and(|thought| thought.value > LOST)
    }

    /// Whether the opponent agrees that the person takes the last move back. It does a few times in
    /// a game.
    pub(crate) fn answer_takeback(&mut self) -> Reply {
        let (name, agrees) = (self.name(), self.takebacks < TAKEBACKS);
        self.takebacks += usize::from(agrees);
        let text = match TAKEBACKS - self.takebacks {
            _ if !agrees => {
                format!("{name} declines the takeback: it agreed to {TAKEBACKS} in this game.")
            }
            left => format!("{name} agrees to the takeback, and to {left} more in this game."),
        };
        Reply { agrees, text }
    }

    /// A new game begins.
    pub(crate) fn begin_game(&mut self) {
        (self.takebacks, self.even) = (0, 0);
    }

    /// Whether the opponent offers a draw after the move it has just played: it does where nothing
    /// has been in it for some moves, late in a game. It waits as long before it offers again.
    pub(crate) fn offers_draw(&mut self, played: &Match) -> bool {
        let pieces = |position: &Position| {
            let (game, view) = (position.game(), position.view());
            game.pieces().filter(|piece| view.piece(*piece).tile.is_some()).count()
        };
        let offers = self.even >= EVEN_MOVES
            && (played.ply() >= LATE
                || 2 * pieces(&played.position()) <= played.game().pieces().count());
        if offers {
            self.even = 0;
        }
        offers
    }

    /// What the opponent plays; none where chance is awaited or nothing is legal. When it is told
    /// to stop, it plays the best it has found.
    pub(crate) fn choose(
        &mut self,
        played: &Match,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Thought> {
        let thought = self.think(played, stop)?;
        let is_even = thought.value.abs() <= EVEN && self.spec.brain != Brain::Random;
        self.even = if is_even { self.even + 1 } else { 0 };
        Some(thought)
    }

    /// The best move for the player to move.
    fn think(&mut self, played: &Match, stop: &(dyn Fn() -> bool + Sync)) -> Option<Thought> {
        if played.position().awaits_chance() {
            return None;
        }
        // More threads change what a search finds, and never what a tree of playouts does.
        let threads = if self.spec.brain == Brain::Mcts { worker::all() } else { 1 };
        let limit = Limit { threads, stop, ..Limit::NONE };
        self.bot.choose(played, &limit).expect("the opponent was made for this game")
    }
}
