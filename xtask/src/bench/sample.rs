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

    /// How many rounds there were.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The geometric mean of several quantities, round by round.
    pub(super) fn geometric_mean(all: &[&Samples]) -> Samples {
        let rounds = all.iter().map(|one| one.len()).min().unwrap_or(0);
        let mean = |round: usize| {
            let logarithms = all.iter().map(|one| one.0[round].ln()).sum::<f64>();
            (logarithms / all.len() as f64).exp()
        };
        Samples((0..rounds).map(mean).collect())
    }

    /// Each sample as something else, such as a time for a rate.
    pub(super) fn map(&self, change: impl Fn(f64) -> f64) -> Samples {
        Samples(self.0.iter().copied().map(change).collect())
    }

    /// The median and the quartiles; zero where nothing was measured.
    pub(super) fn summary(&self) -> Summary {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        // Between two samples lies their weighted mean.
        let at = |quarter: usize| {
            let place = sorted.len().saturating_sub(1) as f64 * quarter as f64 / 4.0;
            let (below, above) = (place.floor() as usize, place.ceil() as usize);
            let sample = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
            sample(below) + (sample(above) - sample(below)) * place.fract()
        };
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
        assert_eq!(Samples(vec![1.0, 2.0]).summary().median, 1.5);
        assert_eq!(Samples::default().summary().median, 0.0);
    }

    #[test]
    fn a_geometric_mean_is_taken_round_by_round() {
        let (one, other) = (Samples(vec![1.0, 4.0, 7.0]), Samples(vec![4.0, 9.0]));
        let mean = Samples::geometric_mean(&[&one, &other]);
        assert!((mean.0[0] - 2.0).abs() < 1e-9 && (mean.0[1] - 6.0).abs() < 1e-9, "{mean:?}");
        assert_eq!(mean.len(), 2);
        assert_eq!(mean.map(|mean| mean.round() * 10.0).0, [20.0, 60.0]);
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        let ratio = Samples(vec![10.0, 100.0]).over(&Samples(vec![5.0, 50.0]));
        assert_eq!(ratio.summary(), Summary { median: 2.0, low: 2.0, high: 2.0 });
    }
}
