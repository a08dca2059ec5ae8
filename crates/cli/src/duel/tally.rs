//! What came of a duel, and how sure that is.

use std::fmt;

/// How many standard errors 95 % of all means lie within.
const SURE: f64 = 1.96;

/// What came of one game. Opponents are 0 and 1.
pub(super) struct Record {
    pub(super) winner: Option<usize>,
    /// What the first opponent got.
    pub(super) points: i64,
    pub(super) events: u64,
    /// Which opponent moved first.
    pub(super) first: usize,
    pub(super) finished: bool,
}

/// What came of all games.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(super) games: u64,
    pub(super) wins: [u64; 2],
    /// Of those, the ones of the opponent that moved first.
    pub(super) first_wins: [u64; 2],
    pub(super) draws: u64,
    pub(super) unfinished: u64,
    events: u64,
    points: i64,
    squares: i64,
}

/// A difference in strength: the one that explains the score, and where it lies with 95 %
/// confidence. None where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elo {
    pub(super) middle: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

impl Tally {
    pub(super) fn add(&mut self, record: &Record) {
        self.games += 1;
        self.events += record.events;
        self.points += record.points;
        self.squares += record.points * record.points;
        match record.winner {
            _ if !record.finished => self.unfinished += 1,
            None => self.draws += 1,
            Some(winner) => {
                self.wins[winner] += 1;
                self.first_wins[winner] += u64::from(record.first == winner);
            }
        }
    }

    /// The share of the first opponent: a draw counts half, and so does an unfinished game.
    pub(super) fn score(&self) -> f64 {
        let halves = 2 * self.wins[0] + self.draws + self.unfinished;
        halves as f64 / (2 * self.games.max(1)) as f64
    }

    /// The difference in strength, by the interval of Wilson around the score.
    pub(super) fn elo(&self) -> Elo {
        let (score, games) = (self.score(), self.games.max(1) as f64);
        let square = SURE * SURE / games;
        let centre = (score + square / 2.0) / (1.0 + square);
        let spread = (score * (1.0 - score) / games + square / (4.0 * games)).sqrt() * SURE;
        let spread = spread / (1.0 + square);
        Elo {
            middle: difference(score),
            low: difference(if score > 0.0 { centre - spread } else { 0.0 }),
            high: difference(if score < 1.0 { centre + spread } else { 1.0 }),
        }
    }

    /// Whether games count more than one point.
    pub(super) fn is_pointed(&self) -> bool {
        self.squares as u64 != self.wins[0] + self.wins[1]
    }

    /// What the first opponent got in a game, on average.
    pub(super) fn points(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// How far from that the truth lies with 95 % confidence.
    pub(super) fn points_margin(&self) -> f64 {
        let games = self.games.max(1) as f64;
        let variance = self.squares as f64 / games - self.points() * self.points();
        SURE * (variance.max(0.0) / games).sqrt()
    }

    /// How many events a game had, on average.
    pub(super) fn length(&self) -> f64 {
        self.events as f64 / self.games.max(1) as f64
    }
}

/// The difference in Elo that explains a share, if any does.
fn difference(share: f64) -> Option<f64> {
    let within = share > 0.0 && share < 1.0;
    // Shown to a tenth, so that a last digit of a logarithm cannot matter.
    within.then(|| (-400.0 * (1.0 / share - 1.0).log10() * 10.0).round() / 10.0 + 0.0)
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.middle, self.low, self.high) {
            (Some(middle), Some(low), Some(high)) => {
                write!(f, "{middle:+.0}, with 95 % confidence between {low:+.0} and {high:+.0}")
            }
            (None, Some(low), None) => {
                write!(f, "too large to tell, with 95 % confidence above {low:+.0}")
            }
            (_, _, Some(high)) => {
                write!(f, "too large to tell, with 95 % confidence below {high:+.0}")
            }
            _ => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, losses: u64, draws: u64) -> Tally {
        let mut tally = Tally::default();
        let results = [(wins, Some(0), 1), (losses, Some(1), -1), (draws, None, 0)];
        for (count, winner, points) in results {
            for _ in 0..count {
                tally.add(&Record { winner, points, events: 10, first: 0, finished: true });
            }
        }
        tally
    }

    #[test]
    fn three_of_four_points_are_191_elo() {
        let elo = tally(70, 20, 10).elo();
        assert_eq!(elo.middle, Some(190.8));
        assert!(elo.low.unwrap() > 100.0 && elo.high.unwrap() < 300.0, "{elo:?}");
        assert_eq!(tally(20, 70, 10).elo().middle, Some(-190.8));
    }

    #[test]
    fn equal_scores_are_no_difference() {
        let elo = tally(5, 5, 90).elo();
        assert_eq!((elo.middle, elo.low), (Some(0.0), elo.high.map(|high| -high)));
    }

    #[test]
    fn more_games_make_it_surer() {
        let width = |elo: Elo| elo.high.unwrap() - elo.low.unwrap();
        assert!(width(tally(600, 400, 0).elo()) < width(tally(60, 40, 0).elo()) / 2.0);
    }

    #[test]
    fn winning_every_game_has_a_lower_bound_alone() {
        let elo = tally(100, 0, 0).elo();
        assert_eq!((elo.middle, elo.high), (None, None));
        assert!((500.0..700.0).contains(&elo.low.unwrap()), "{elo:?}");
        assert_eq!(tally(0, 100, 0).elo().high, elo.low.map(|low| -low));
    }

    #[test]
    fn the_margin_of_points_is_that_of_their_mean() {
        let tally = tally(50, 50, 0);
        assert_eq!(tally.points(), 0.0);
        assert!((tally.points_margin() - 0.196).abs() < 1e-9);
        assert!(!tally.is_pointed());
    }
}
