//! Fair chance: the server commits itself to a seed before a match, and everybody can check each
//! draw when the seed is shown after it.
//!
//! The commitment is SHA-256 of the seed as it is written, 64 hexadecimal digits. Draw `n` of a match
//! takes 64 bits at a time from `HMAC-SHA-256(seed, "senet draw\n" match "\n" ply "\n" salts "\n" k)`
//! with `k` from 0, the salts of the players in order with commas between, until the bits are below
//! the largest multiple of the number of equally likely throws.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use senet::{Event, Game, Match, Position};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::secret;

/// What the draws of one match depend on.
#[derive(Clone, Copy, Debug)]
pub struct Chance<'m> {
    /// The seed as hexadecimal digits.
    pub seed: &'m str,
    /// The name of the match.
    pub id: &'m str,
    /// What each player added, in the order of the seats.
    pub salts: &'m [&'m str],
}

/// What a server shows before a match: the hash of the seed.
pub fn commitment(seed: &str) -> String {
    secret::hash(seed)
}

/// Everything with which the draws of a match can be checked, as a server exports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draws {
    /// The name of the match.
    #[serde(rename = "match")]
    pub id: String,
    /// The seed as hexadecimal digits.
    pub seed: String,
    /// What the server showed before the match.
    pub commitment: String,
    /// What each player added, in the order of the seats.
    pub salts: Vec<String>,
    /// The match in Senet's own form, byte by byte.
    pub saved: String,
}

/// Why draws are not those that were promised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The seed is not the one that was committed to.
    Seed,
    /// The match cannot be replayed.
    Match(String),
    /// A draw is another than the seed gives.
    Draw {
        /// Which event it is, counted from 1.
        number: usize,
        /// What is in the match.
        found: String,
        /// What the seed gives.
        promised: String,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Seed => {
                f.write_str("the seed is not the one that was committed to before the match")
            }
            Broken::Match(error) => write!(f, "the match cannot be replayed: {error}"),
            Broken::Draw { number, found, promised } => {
                write!(f, "event {number} is {found}, but the seed gives {promised}")
            }
        }
    }
}

impl std::error::Error for Broken {}

impl Draws {
    /// Makes every draw of the match again and counts them.
    ///
    /// # Errors
    /// Where the seed or a draw is another than was promised, or an event is refused.
    pub fn verify(&self, game: &Game) -> Result<usize, Broken> {
        if commitment(&self.seed) != self.commitment {
            return Err(Broken::Seed);
        }
        let played = Match::load(game, self.saved.as_bytes())
            .map_err(|error| Broken::Match(error.to_string()))?;
        let salts: Vec<&str> = self.salts.iter().map(String::as_str).collect();
        let chance = Chance { seed: &self.seed, id: &self.id, salts: &salts };
        let (mut before, mut count) = (played.start(), 0);
        for (ply, (step, after)) in played.steps().into_iter().enumerate() {
            if let Event::Roll(_) = step.event {
                let promised = chance.draw(&before, ply);
                if promised != Some(step.event) {
                    let promised = promised.map_or("nothing".into(), |event| before.notate(event));
                    let (number, found) = (ply + 1, before.notate(step.event));
                    return Err(Broken::Draw { number, found, promised });
                }
                count += 1;
            }
            before = after;
        }
        Ok(count)
    }
}

impl Chance<'_> {
    /// What chance gives in a position that awaits it; none in others.
    pub fn draw(&self, position: &Position, ply: usize) -> Option<Event> {
        let chances = position.chances();
        let total = chances.first()?.probability.total;
        let mut at = self.below(total, ply);
        for chance in &chances {
            match at.checked_sub(chance.probability.weight) {
                Some(rest) => at = rest,
                None => return Some(chance.event),
            }
        }
        None
    }

    /// A number below a bound, every one equally likely.
    fn below(&self, bound: u64, ply: usize) -> u64 {
        let bound = bound.max(1);
        let fair = u64::MAX - u64::MAX % bound;
        let words = (0_u64..).flat_map(|count| self.words(ply, count));
        let word = { words }.find(|word| *word < fair);
        word.unwrap_or_default() % bound
    }

    fn words(&self, ply: usize, count: u64) -> [u64; 4] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.seed.as_bytes())
            .expect("a key of any length will do");
        let salts = self.salts.join(",");
        mac.update(format!("senet draw\n{}\n{ply}\n{salts}\n{count}", self.id).as_bytes());
        let bytes = mac.finalize().into_bytes();
        let word = |at: usize| {
            bytes[at * 8..at * 8 + 8].iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
        };
        [word(0), word(1), word(2), word(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_fair_and_repeatable() {
        let game = senet::load("backgammon").unwrap();
        let start = game.start();
        let mut counts = std::collections::BTreeMap::new();
        for ply in 0..3_600 {
            let chance = Chance { seed: "5eed", id: "abc", salts: &["a", "b"] };
            let event = chance.draw(&start, ply).unwrap();
            assert_eq!(chance.draw(&start, ply), Some(event));
            *counts.entry(start.notate(event)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 36, "{counts:?}");
        assert!(counts.values().all(|count| (60..=140).contains(count)), "{counts:?}");
    }

    #[test]
    fn each_part_changes_the_draws() {
        let start = senet::load("backgammon").unwrap().start();
        let line = |seed, id, salts: [&str; 2]| {
            let chance = Chance { seed, id, salts: &salts };
            (0..20).map(|ply| chance.draw(&start, ply)).collect::<Vec<_>>()
        };
        let first = line("1", "abc", ["", ""]);
        assert_ne!(first, line("2", "abc", ["", ""]));
        assert_ne!(first, line("1", "abd", ["", ""]));
        assert_ne!(first, line("1", "abc", ["x", ""]));
    }
}
