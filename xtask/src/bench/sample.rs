//! Samples of one quantity, and what they say together.

/// One number for each round.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples(Vec<f64>);

/// The middle of some samples and where the middle half of them lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    pub(super) median: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Samples {
    pub(super) fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    /// This quantity divided by another, round by round, so that a slow moment of the machine
    /// strikes both.
    pub(super) fn over(&self, other: &Samples) -> Samples {
        Samples(self.0.iter().zip(&other.0).map(|(one, other)| one / other).collect())
    }

    /// The median and the quartiles; zero where nothing was measured.
    pub(super) fn summary(&self) -> Summary {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        let at = |quarter: usize| sorted.get(last * quarter / 4).copied().unwrap_or(0.0);
        Summary { median: at(2), low: at(1), high: at(3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_not_moved_by_one_slow_round() {
        let samples = Samples(vec![5.0, 1.0, 900.0, 3.0, 4.0]);
        assert_eq!(samples.summary(), Summary { median: 4.0, low: 3.0, high: 5.0 });
        assert_eq!(Samples::default().summary().median, 0.0);
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        let ratio = Samples(vec![10.0, 100.0]).over(&Samples(vec![5.0, 50.0]));
        assert_eq!(ratio.summary(), Summary { median: 2.0, low: 2.0, high: 2.0 });
    }
}
