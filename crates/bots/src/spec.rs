//! An opponent as people write it: `random`, `search:3`, `mcts:1000`, `search:200ms`, `mcts@4`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use senet_core::Game;
use senet_core::notation::{excerpt, nearest};

use crate::bot::{Bot, Limit, Moment, Random, Thought};
use crate::infoset::InfosetMcts;
use crate::mcts::Mcts;
use crate::search::Search;

/// How many levels there are.
pub const LEVELS: u8 = 10;

/// How an opponent thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brain {
    /// It does not.
    Random,
    /// A tree grown by playouts.
    Mcts,
    /// Alpha-beta.
    Search,
}

/// How much an opponent may think about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A depth in turns.
    Depth(u32),
    /// A number of positions or playouts.
    Nodes(u64),
    /// A time for each event.
    Time(Duration),
    /// A level from 1 to [`LEVELS`].
    Level(u8),
}

/// An opponent as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// How it thinks.
    pub brain: Brain,
    /// How much.
    pub budget: Budget,
}

/// Why a text is no opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What was found.
    pub found: String,
    /// What is allowed.
    pub allowed: &'static str,
    /// What was probably meant.
    pub near: Option<String>,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an opponent: write {}", self.found, self.allowed)?;
        match &self.near {
            Some(near) => write!(f, ", did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SpecError {}

impl Brain {
    /// Every way to think.
    pub const ALL: [Brain; 3] = [Brain::Random, Brain::Mcts, Brain::Search];

    const NAMES: [(&'static str, Brain); 3] =
        [("random", Brain::Random), ("mcts", Brain::Mcts), ("search", Brain::Search)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Brain::Random => "random",
            Brain::Mcts => "mcts",
            Brain::Search => "search",
        }
    }
}

impl FromStr for Brain {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Brain, SpecError> {
        let known = Brain::NAMES.iter().find(|(name, _)| *name == text);
        known.map(|(_, brain)| *brain).ok_or_else(|| SpecError {
            found: excerpt(text),
            allowed: "random, mcts or search",
            near: nearest(text, Brain::NAMES.iter().map(|(name, _)| *name)),
        })
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        if let Some((brain, level)) = text.split_once('@') {
            let found = level.parse().ok().filter(|level| (1..=LEVELS).contains(level));
            let level = found.ok_or_else(|| SpecError {
                found: excerpt(level),
                allowed: "a level from 1 to 10",
                near: None,
            })?;
            let brain = brain.parse()?;
            if brain == Brain::Random {
                return Err(SpecError {
                    found: excerpt(text),
                    allowed: "random alone",
                    near: None,
                });
            }
            return Ok(Spec { brain, budget: Budget::Level(level) });
        }
        let (brain, budget) = text.split_once(':').unwrap_or((text, ""));
        let brain: Brain = brain.parse()?;
        let budget = match budget {
            "" => Some(Budget::Level(5)),
            budget => read_budget(brain, budget),
        };
        let budget = budget.ok_or_else(|| SpecError {
            found: excerpt(text),
            allowed: "such as search:3 turns ahead, mcts:1000 playouts, search:20000n positions, \
                      search:200ms, mcts:2s, or a level as search@4",
            near: None,
        })?;
        Ok(Spec { brain, budget })
    }
}

fn read_budget(brain: Brain, text: &str) -> Option<Budget> {
    let at_least_one = |number: u64| (number > 0).then_some(number);
    let number = |text: &str| text.parse().ok().and_then(at_least_one);
    if brain == Brain::Random {
        return None;
    }
    if let Some(text) = text.strip_suffix("ms") {
        return Some(Budget::Time(Duration::from_millis(number(text)?)));
    }
    if let Some(text) = text.strip_suffix('s') {
        return Some(Budget::Time(Duration::from_millis(number(text)?.checked_mul(1_000)?)));
    }
    if let Some(text) = text.strip_suffix('n') {
        return Some(Budget::Nodes(number(text)?));
    }
    match brain {
        Brain::Search => Some(Budget::Depth(u32::try_from(number(text)?).ok()?)),
        _ => Some(Budget::Nodes(number(text)?)),
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.brain.name())?;
        match (self.brain, self.budget) {
            (Brain::Random, _) => Ok(()),
            (_, Budget::Depth(depth)) => write!(f, ":{depth}"),
            (Brain::Mcts, Budget::Nodes(nodes)) => write!(f, ":{nodes}"),
            (_, Budget::Nodes(nodes)) => write!(f, ":{nodes}n"),
            (_, Budget::Time(time)) => write!(f, ":{}ms", time.as_millis()),
            (_, Budget::Level(level)) => write!(f, "@{level}"),
        }
    }
}

/// The budget of a level: positions or playouts, and the noise in its evaluations.
pub(crate) fn level(brain: Brain, level: u8) -> (u64, i32) {
    let step = u32::from(level.clamp(1, LEVELS)) - 1;
    let noises = [200, 120, 80, 50, 30, 20, 12, 6, 3, 0];
    let nodes = match brain {
        Brain::Mcts => 30 * 5u64.pow(step / 2) * if step % 2 == 0 { 1 } else { 2 },
        _ => 60 * 3u64.pow(step),
    };
    (nodes, noises[step as usize])
}

impl Spec {
    /// The opponent, for a game with weights or without.
    pub fn bot(&self, game: &Arc<Game>, seed: u64) -> Box<dyn Bot> {
        let (nodes, noise) = match self.budget {
            Budget::Level(chosen) => {
                let (nodes, noise) = level(self.brain, chosen);
                (Some(nodes), noise)
            }
            Budget::Nodes(nodes) => (Some(nodes), NOISE),
            Budget::Depth(_) | Budget::Time(_) => (None, NOISE),
        };
        let depth = if let Budget::Depth(depth) = self.budget { Some(depth) } else { None };
        let bot: Box<dyn Bot> = match self.brain {
            Brain::Random => Box::new(Random::new(game.clone(), seed)),
            Brain::Mcts | Brain::Search if game.has_secrets() => {
                let playouts = depth.map(|depth| u64::from(depth) * PLAYOUTS);
                let playouts = nodes.or(playouts);
                Box::new(InfosetMcts::new(game.clone(), seed).within(playouts))
            }
            Brain::Mcts => Box::new(Mcts::new(game.clone(), seed).within(nodes)),
            Brain::Search => {
                let search = Search::new(game.clone());
                Box::new(search.within(depth, nodes).noisy(noise, seed))
            }
        };
        match self.budget {
            Budget::Time(time) => Box::new(Hurried { bot, time }),
            _ => bot,
        }
    }
}

/// How many playouts stand for one turn of depth where there is nothing to search by depth.
const PLAYOUTS: u64 = 200;

/// The noise in evaluations of a search, so that no two seeds play the same match.
const NOISE: i32 = 4;

/// An opponent that stops after some time.
struct Hurried {
    bot: Box<dyn Bot>,
    time: Duration,
}

impl Bot for Hurried {
    fn choose(&mut self, moment: &Moment<'_>, limit: &Limit<'_>) -> Option<Thought> {
        let start = Instant::now();
        let stop = || start.elapsed() >= self.time || (limit.stop)();
        self.bot.choose(moment, &Limit { stop: &stop, ..*limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opponent_reads_back_as_written() {
        let specs = ["random", "search:3", "search:20000n", "search:200ms", "mcts:1000", "mcts@4"];
        for text in specs {
            assert_eq!(text.parse::<Spec>().expect(text).to_string(), text);
        }
        assert_eq!("mcts:2s".parse::<Spec>().unwrap().budget, Budget::Time(Duration::from_secs(2)));
        assert_eq!("search".parse::<Spec>().unwrap().budget, Budget::Level(5));
    }

    #[test]
    fn what_is_no_opponent_is_told() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err();
        assert_eq!(error("serch:3").near.as_deref(), Some("search"));
        let wrong = ["", "search:", "search:0", "search:x", "search:-1", "mcts@0", "mcts@11"];
        for text in wrong.into_iter().chain(["random@3", "mcts:18446744073709551615s"]) {
            if text != "search:" {
                assert!(text.parse::<Spec>().is_err(), "{text}");
            }
        }
        assert!(error("random:3").to_string().contains("`random:3` is not an opponent"));
    }

    #[test]
    fn every_level_may_more_than_the_one_below() {
        for brain in [Brain::Mcts, Brain::Search] {
            for above in 2..=LEVELS {
                let (low, high) = (level(brain, above - 1), level(brain, above));
                assert!(low.0 < high.0 && low.1 >= high.1, "{brain:?} {above}");
            }
        }
    }
}
