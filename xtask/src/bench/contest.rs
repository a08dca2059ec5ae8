//! Programs that do the same work in turn, round by round.

use super::sample::Samples;

/// What was done and how long it took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) units: f64,
    pub(super) seconds: f64,
}

impl Work {
    fn rate(self) -> f64 {
        self.units / self.seconds
    }
}

/// Does the smallest amount of work the given number of times.
type Run<'a> = Box<dyn FnMut(u64) -> Result<Work, String> + 'a>;

/// How long a round of one program takes at least, where its work can be repeated.
const ROUND: f64 = 0.06;

/// The most repetitions in a round.
const MOST: f64 = 10_000.0;

struct Contestant<'a> {
    name: &'static str,
    run: Run<'a>,
    scale: u64,
    rates: Samples,
    problem: Option<String>,
}

/// The programs, ours first.
pub(super) struct Contest<'a>(Vec<Contestant<'a>>);

/// What came of one program.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) name: &'static str,
    /// Units each second, for each round.
    pub(super) rates: Samples,
    /// Why it was left out.
    pub(super) problem: Option<String>,
}

impl<'a> Contest<'a> {
    /// A contest of our own program with others.
    pub(super) fn new(ours: impl FnMut(u64) -> Result<Work, String> + 'a) -> Self {
        Contest(Vec::new()).against("senet", ours)
    }

    /// One more program.
    pub(super) fn against(
        mut self,
        name: &'static str,
        run: impl FnMut(u64) -> Result<Work, String> + 'a,
    ) -> Self {
        let (run, rates) = (Box::new(run), Samples::default());
        self.0.push(Contestant { name, run, scale: 1, rates, problem: None });
        self
    }

    /// Holds the rounds. The first round warms up and tells how often each program must repeat its
    /// work to be timed well; who begins changes from round to round.
    pub(super) fn hold(mut self, rounds: u64) -> Vec<Standing> {
        let count = self.0.len();
        for round in 0..=rounds {
            for turn in 0..count {
                let one = &mut self.0[(turn + round as usize) % count];
                if one.problem.is_some() {
                    continue;
                }
                match (one.run)(one.scale) {
                    Ok(work) if round == 0 => {
                        one.scale = (ROUND / work.seconds).ceil().clamp(1.0, MOST) as u64;
                    }
                    Ok(work) => one.rates.push(work.rate()),
                    Err(problem) => one.problem = Some(format!("{}: {problem}", one.name)),
                }
            }
        }
        let standing = |Contestant { name, rates, problem, .. }: Contestant<'a>| Standing {
            name,
            rates,
            problem,
        };
        self.0.into_iter().map(standing).collect()
    }
}

/// Repeats a piece of work that times itself.
pub(super) fn repeat(
    times: u64,
    mut work: impl FnMut() -> Result<Work, String>,
) -> Result<Work, String> {
    let mut all = Work::default();
    for _ in 0..times {
        let Work { units, seconds } = work()?;
        all = Work { units: all.units + units, seconds: all.seconds + seconds };
    }
    Ok(all)
}

/// The standings of several contests as one: for each program and round, the geometric mean.
pub(super) fn merge(contests: &[Vec<Standing>]) -> Vec<Standing> {
    let Some(first) = contests.first() else { return Vec::new() };
    let merged = first.iter().enumerate().map(|(index, one)| {
        let all = || contests.iter().filter_map(|contest| contest.get(index));
        let rates: Vec<&Samples> = all().map(|standing| &standing.rates).collect();
        let problem = all().find_map(|standing| standing.problem.clone());
        Standing { name: one.name, rates: Samples::geometric_mean(&rates), problem }
    });
    merged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(units: f64) -> Result<Work, String> {
        Ok(Work { units, seconds: 1.0 })
    }

    #[test]
    fn every_program_has_a_rate_for_every_round() {
        let contest = Contest::new(|_| work(6.0)).against("slow", |_| work(2.0));
        let standings = contest.hold(5);
        let ratio = standings[0].rates.over(&standings[1].rates);
        assert_eq!((ratio.len(), ratio.summary().median), (5, 3.0));
        assert_eq!((standings[0].name, standings[1].name), ("senet", "slow"));
    }

    #[test]
    fn a_program_that_fails_is_left_out_and_says_why() {
        let contest = Contest::new(|_| work(1.0)).against("other", |_| Err("miscounts".into()));
        let standings = contest.hold(2);
        assert_eq!(standings[1].problem.as_deref(), Some("other: miscounts"));
        assert_eq!((standings[0].rates.len(), standings[1].rates.len()), (2, 0));
    }

    #[test]
    fn short_work_is_repeated() {
        let mut scales = Vec::new();
        let run = |scale: u64| {
            scales.push(scale);
            Ok(Work { units: scale as f64, seconds: 0.01 * scale as f64 })
        };
        Contest::new(run).hold(1);
        assert_eq!(scales, [1, 6]);
    }

    #[test]
    fn contests_are_merged_round_by_round() {
        let hold = |units| Contest::new(move |_| work(units)).hold(3);
        let merged = merge(&[hold(2.0), hold(8.0)]);
        assert!((merged[0].rates.summary().median - 4.0).abs() < 1e-9);
    }
}
