//! What we want to reach: the one table of targets.

use std::fmt;

/// What is wanted of one figure.
pub(super) struct Target {
    /// The name of the figure.
    pub(super) name: &'static str,
    /// The program it is compared with; empty where the figure stands for itself.
    pub(super) against: &'static str,
    /// The figure must be at least, or at most, this.
    pub(super) bound: Bound,
    /// What is hoped for.
    pub(super) aim: Option<f64>,
}

/// On which side of a number a figure must lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// How a figure stands to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Aim,
    Met,
    Short,
}

const fn least(name: &'static str, against: &'static str, least: f64, aim: Option<f64>) -> Target {
    Target { name, against, bound: Bound::AtLeast(least), aim }
}

const fn most(name: &'static str, most: f64, aim: Option<f64>) -> Target {
    Target { name, against: "", bound: Bound::AtMost(most), aim }
}

/// Every target. Ratios are our rate divided by the other's.
pub(super) const TARGETS: &[Target] = &[
    least("chess/perft", "cozy-chess", 1.5, Some(2.0)),
    least("chess/made", "cozy-chess", 2.0, Some(3.0)),
    least("capablanca/perft-4", "fairy-stockfish", 20.0, Some(40.0)),
    least("capablanca/perft-5", "fairy-stockfish", 20.0, Some(40.0)),
    least("three-check/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("king-of-the-hill/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("crazyhouse/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("xiangqi/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("shogi/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("atomic/perft", "fairy-stockfish", 3.0, Some(10.0)),
    least("chess/playout", "cozy-chess", 1.0, Some(1.5)),
    least("chess/playout", "openspiel", 25.0, None),
    least("backgammon/turns", "bkgm", 1.5, Some(2.0)),
    least("backgammon/playout", "bkgm", 1.5, Some(2.0)),
    least("backgammon/playout", "openspiel", 15.0, None),
    least("tic-tac-toe/playout", "openspiel", 3.0, Some(10.0)),
    least("connect-four/playout", "openspiel", 3.0, Some(10.0)),
    least("othello/playout", "openspiel", 3.0, Some(10.0)),
    least("hex/playout", "openspiel", 3.0, Some(10.0)),
    least("amazons/playout", "openspiel", 3.0, Some(10.0)),
    least("lines-of-action/playout", "openspiel", 3.0, Some(10.0)),
    least("oware/playout", "openspiel", 3.0, Some(10.0)),
    least("go-9/playout", "openspiel", 1.0, Some(3.0)),
    least("chess/interpreted", "stockfish", 0.4, Some(1.0)),
    least("path/slider", "visitor", 10.0, None),
    most("path/slider-time", 30.0, None),
    most("path/slider-allocations", 0.0, None),
    most("match/apply", 400.0, Some(150.0)),
    most("match/apply-allocations", 1.0, None),
    most("memory/state", 256.0, Some(192.0)),
    most("memory/match-1000", 512.0 * 1024.0, None),
    most("memory/perft-ply", 16.0 * 1024.0, None),
    most("memory/million-plies", 2.0, None),
    least("threads/perft", "one thread", 1.85, None),
    most("process/perft-1", 6.0, None),
    most("growth/legal", 1.5, None),
    most("growth/apply", 1.5, None),
    least("pgn/line", "python-chess", 100.0, None),
    least("timeline/count", "chess/made", 0.5, None),
    least("timeline/columns", "", 10.0, None),
    least("timeline/threads", "one thread", 1.8, None),
    least("timeline/parquet", "", 2.0, None),
    most("timeline/parquet-size", 48.0, None),
    most("timeline/memory", 512.0, None),
    least("python/moves", "python-chess", 5.0, None),
    least("python/perft-4", "python-chess", 500.0, None),
    least("python/step-chess", "openspiel", 20.0, None),
    least("python/step-chess", "pettingzoo", 100.0, None),
    least("python/step-chess", "pgx", 3.0, None),
    least("python/step-connect-four", "openspiel", 20.0, None),
    least("python/step-connect-four", "pettingzoo", 100.0, None),
    least("python/step-connect-four", "pgx", 3.0, None),
    least("python/step-go-9", "openspiel", 20.0, None),
    least("python/step-go-9", "pettingzoo", 100.0, None),
    least("python/step-go-9", "pgx", 3.0, None),
    least("python/step-backgammon", "openspiel", 20.0, None),
    least("python/step-backgammon", "pgx", 3.0, None),
    most("python/call", 300.0, None),
];

/// What is wanted of every edit of chess.
const EDITED: Target = least("edit/perft", "chess", 0.5, None);

/// The target of a figure.
pub(super) fn find(name: &str, against: &str) -> Option<&'static Target> {
    if name.starts_with("edit/") && against == EDITED.against {
        return Some(&EDITED);
    }
    TARGETS.iter().find(|target| (target.name, target.against) == (name, against))
}

impl Target {
    pub(super) fn judge(&self, figure: f64) -> Verdict {
        let reaches = |number: f64| match self.bound {
            Bound::AtLeast(_) => figure >= number,
            Bound::AtMost(_) => figure <= number,
        };
        let (Bound::AtLeast(must) | Bound::AtMost(must)) = self.bound;
        match self.aim {
            Some(aim) if reaches(aim) => Verdict::Aim,
            _ if reaches(must) => Verdict::Met,
            _ => Verdict::Short,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::AtLeast(number) => write!(f, "≥ {number}"),
            Bound::AtMost(number) => write!(f, "≤ {number}"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Aim => "aim",
            Verdict::Met => "met",
            Verdict::Short => "short",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_reaches_its_aim_its_bound_or_neither() {
        let speed = least("speed", "other", 1.0, Some(1.5));
        assert_eq!(
            [1.6, 1.0, 0.9].map(|x| speed.judge(x)),
            [Verdict::Aim, Verdict::Met, Verdict::Short]
        );
        let time = most("time", 15.0, Some(5.0));
        assert_eq!(
            [4.0, 15.0, 16.0].map(|x| time.judge(x)),
            [Verdict::Aim, Verdict::Met, Verdict::Short]
        );
    }

    #[test]
    fn a_target_without_an_aim_is_met_or_short() {
        let calls = most("calls", 0.0, None);
        assert_eq!([0.0, 1.0].map(|x| calls.judge(x)), [Verdict::Met, Verdict::Short]);
    }

    #[test]
    fn a_target_belongs_to_a_name_and_a_program() {
        assert!(find("chess/playout", "openspiel").is_some());
        assert!(find("chess/playout", "").is_none());
    }
}
