//! What the benches found: figures beside their targets, tables of detail, what was left out.

use serde_json::{Value, json};

use super::contest::Standing;
use super::sample::{Samples, Summary};
use super::target;
use crate::report::{Report, Row};

/// One figure.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    name: String,
    against: &'static str,
    /// What the figure counts: `×` for a ratio.
    unit: &'static str,
    summary: Summary,
    /// Both rates in units each second, where the figure is a ratio of rates.
    rates: Option<(Summary, Summary)>,
}

/// What some benches found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    figures: Vec<Figure>,
    details: Vec<(String, Report)>,
    /// Why a program or a bench was left out.
    left_out: Vec<String>,
    /// What we got wrong: then no figure counts.
    wrong: Vec<String>,
}

impl Findings {
    /// A figure that stands for itself.
    pub(super) fn figure(&mut self, name: &str, unit: &'static str, samples: &Samples) {
        let (name, summary) = (name.to_owned(), samples.summary());
        self.figures.push(Figure { name, against: "", unit, summary, rates: None });
    }

    /// A figure that is the same in every round.
    pub(super) fn fact(&mut self, name: &str, unit: &'static str, value: f64) {
        let mut samples = Samples::default();
        samples.push(value);
        self.figure(name, unit, &samples);
    }

    /// A ratio to something else of our own.
    pub(super) fn ratio(&mut self, name: &str, against: &'static str, samples: &Samples) {
        let (name, summary) = (name.to_owned(), samples.summary());
        self.figures.push(Figure { name, against, unit: "×", summary, rates: None });
    }

    /// Ratios of the first program to each of the others.
    pub(super) fn contest(&mut self, name: &str, standings: &[Standing]) {
        let Some((ours, others)) = standings.split_first() else { return };
        if let Some(problem) = &ours.problem {
            self.wrong.push(format!("{name}: {problem}"));
            return;
        }
        for other in others {
            if let Some(problem) = &other.problem {
                self.leave_out(name, problem);
                continue;
            }
            let summary = ours.rates.over(&other.rates).summary();
            let rates = Some((ours.rates.summary(), other.rates.summary()));
            let (name, against) = (name.to_owned(), other.name);
            self.figures.push(Figure { name, against, unit: "×", summary, rates });
        }
        if others.iter().all(|other| other.problem.is_some()) {
            self.figure(name, "/s", &ours.rates);
        }
    }

    /// A table of detail.
    pub(super) fn detail(&mut self, title: &str, report: Report) {
        self.details.push((title.to_owned(), report));
    }

    pub(super) fn leave_out(&mut self, name: &str, problem: &str) {
        self.left_out.push(format!("{name}: {problem}"));
    }

    pub(super) fn add(&mut self, other: Findings) {
        self.figures.extend(other.figures);
        self.details.extend(other.details);
        self.left_out.extend(other.left_out);
        self.wrong.extend(other.wrong);
    }

    pub(super) fn wrong(&self) -> &[String] {
        &self.wrong
    }

    /// The figures as one table.
    fn main(&self) -> Report {
        let mut report = Report::default();
        self.figures.iter().for_each(|figure| report.push(figure.row()));
        report
    }

    /// Everything as text.
    pub(super) fn table(&self) -> String {
        let mut text = self.main().table();
        for (title, report) in &self.details {
            text += &format!("\n{title}\n{}", report.table());
        }
        for line in &self.left_out {
            text += &format!("\nleft out: {line}");
        }
        if !self.left_out.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Everything as tables of Markdown.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("### Targets\n\n{}", self.main().markdown());
        for (title, report) in &self.details {
            text += &format!("\n### {}\n\n{}", capital(title), report.markdown());
        }
        if !self.left_out.is_empty() {
            text += "\n### Left out\n\n";
            self.left_out.iter().for_each(|line| text += &format!("- {line}\n"));
        }
        text
    }

    /// Everything as one JSON value.
    pub(super) fn json(&self) -> Value {
        let details = self.details.iter().map(|(title, report)| (title.clone(), report.rows()));
        json!({
            "figures": self.figures.iter().map(Figure::json).collect::<Vec<_>>(),
            "details": details.collect::<serde_json::Map<String, Value>>(),
            "left_out": self.left_out,
            "wrong": self.wrong,
        })
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl Figure {
    fn target(&self) -> Option<&'static target::Target> {
        target::find(&self.name, self.against)
    }

    fn row(&self) -> Row {
        let Summary { median, low, high } = self.summary;
        let rate = |rate: Option<Summary>| rate.map_or(String::new(), |rate| scaled(rate.median));
        let target = self.target();
        Row::default()
            .text("what", &self.name)
            .text("against", self.against)
            .figure("senet/s", rate(self.rates.map(|rates| rates.0)))
            .figure("other/s", rate(self.rates.map(|rates| rates.1)))
            .figure("figure", with_unit(median, self.unit))
            .figure("low", digits(low))
            .figure("high", digits(high))
            .figure("wanted", target.map_or(String::new(), |target| target.bound.to_string()))
            .figure("aim", target.and_then(|target| target.aim).map_or(String::new(), digits))
            .text("is", target.map_or(String::new(), |target| target.judge(median).to_string()))
    }

    fn json(&self) -> Value {
        let summary = |s: Summary| json!({ "median": s.median, "low": s.low, "high": s.high });
        let target = self.target().map(|target| {
            let (target::Bound::AtLeast(number) | target::Bound::AtMost(number)) = target.bound;
            let side = match target.bound {
                target::Bound::AtLeast(_) => "at least",
                target::Bound::AtMost(_) => "at most",
            };
            json!({
                side: number,
                "aim": target.aim,
                "verdict": target.judge(self.summary.median).to_string(),
            })
        });
        json!({
            "name": self.name,
            "against": self.against,
            "unit": self.unit,
            "figure": summary(self.summary),
            "ours": self.rates.map(|rates| summary(rates.0)),
            "theirs": self.rates.map(|rates| summary(rates.1)),
            "target": target,
        })
    }
}

/// A number with three digits that count.
fn digits(number: f64) -> String {
    let places = match number.abs() {
        0.0 => 0,
        tiny if tiny < 0.0995 => 4,
        small if small < 9.995 => 2,
        middle if middle < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.places$}")
}

fn with_unit(number: f64, unit: &str) -> String {
    match unit {
        "/s" => format!("{}/s", scaled(number)),
        _ => format!("{} {unit}", digits(number)),
    }
}

/// A number in thousands, millions or thousand millions.
fn scaled(number: f64) -> String {
    match number {
        giga if giga >= 1e9 => format!("{} G", digits(giga / 1e9)),
        mega if mega >= 1e6 => format!("{} M", digits(mega / 1e6)),
        kilo if kilo >= 1e3 => format!("{} k", digits(kilo / 1e3)),
        one => digits(one),
    }
}

#[cfg(test)]
mod tests {
    use super::super::contest::{Contest, Work};
    use super::*;

    fn findings(theirs: Result<f64, String>) -> Findings {
        let rate = |units| Ok(Work { units, seconds: 1.0 });
        let contest = Contest::new(move |_| rate(3e6))
            .against("cozy-chess", move |_| theirs.clone().and_then(rate));
        let mut findings = Findings::default();
        findings.contest("chess/perft", &contest.hold(3));
        findings
    }

    #[test]
    fn a_figure_stands_beside_its_target() {
        let table = findings(Ok(2e6)).table();
        let line = table.lines().nth(1).unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        let expected = "chess/perft cozy-chess 3.00 M 2.00 M 1.50 × 1.50 1.50 ≥ 1.5 2.00 met";
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn who_is_left_out_is_said_and_our_rate_remains() {
        let table = findings(Err("not installed".to_owned())).table();
        assert!(table.contains("3.00 M/s"), "{table}");
        assert!(table.ends_with("\nleft out: chess/perft: cozy-chess: not installed\n"), "{table}");
    }

    #[test]
    fn json_has_figures_and_targets_as_numbers() {
        let json = findings(Ok(2e6)).json();
        assert_eq!(json["figures"][0]["figure"]["median"], 1.5);
        assert_eq!(json["figures"][0]["target"]["at least"], 1.5);
        assert_eq!(json["figures"][0]["target"]["verdict"], "met");
    }

    #[test]
    fn numbers_have_three_digits_that_count() {
        assert_eq!([0.0, 0.00123, 1.234].map(digits), ["0", "0.0012", "1.23"]);
        assert_eq!([12.34, 1234.5].map(digits), ["12.3", "1234"]);
        assert_eq!([12.0, 4.5e3, 1.5e8, 2e9].map(scaled), ["12.0", "4.50 k", "150 M", "2.00 G"]);
    }
}
