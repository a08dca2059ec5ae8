//! How long a search may take, and the sign to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::command::Go;

/// What the thread that reads and the thread that searches both see.
pub(super) struct Clock {
    began: Instant,
    /// When the own time began to run, in microseconds after the beginning.
    from: AtomicU64,
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// How long the search may take; none where it is not a matter of time.
    most: Option<Duration>,
    /// After this long no new depth is begun.
    enough: Option<Duration>,
}

impl Clock {
    /// The clock of a search for a player, 0 for White.
    pub(super) fn new(go: &Go, player: usize, overhead: u64) -> Clock {
        let (most, enough) = match (go.movetime, go.left[player]) {
            (Some(time), _) => (Some(time.saturating_sub(overhead).max(1)), None),
            (None, Some(left)) => {
                let left = (left.max(0) as u64).saturating_sub(overhead);
                let moves = u64::from(go.moves_to_go.unwrap_or(30).clamp(1, 50));
                let share = left / moves + go.added[player] * 3 / 4;
                let most = (share * 3).min(left / 2 + left / 4).min(left).max(1);
                (Some(most), Some((share / 2).max(1)))
            }
            (None, None) => (None, None),
        };
        Clock {
            began: Instant::now(),
            from: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(go.ponder),
            most: most.map(Duration::from_millis),
            enough: enough.map(Duration::from_millis),
        }
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// The move that was pondered over was played: from now on the own time runs.
    pub(super) fn hit(&self) {
        let now = self.began.elapsed().as_micros() as u64;
        self.from.store(now, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Relaxed);
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn spent(&self) -> Duration {
        let from = Duration::from_micros(self.from.load(Ordering::Relaxed));
        self.began.elapsed().saturating_sub(from)
    }

    /// Whether the search must end now.
    pub(super) fn is_over(&self) -> bool {
        let timed = || !self.is_pondering() && self.most.is_some_and(|most| self.spent() >= most);
        self.is_stopped() || timed()
    }

    /// Whether a deeper search is not worth beginning.
    pub(super) fn is_late(&self) -> bool {
        !self.is_pondering() && self.enough.is_some_and(|enough| self.spent() >= enough)
    }

    /// Whether only time ends the search.
    pub(super) fn is_timed(&self) -> bool {
        self.most.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_never_takes_what_is_not_there() {
        for left in [-100, 0, 1, 50, 1000, 600_000] {
            for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                let go =
                    Go { left: [Some(left), None], moves_to_go, added: [5000, 0], ..Go::default() };
                let most = Clock::new(&go, 0, 10).most.expect("it is timed");
                assert!(most.as_millis() <= (left.max(0) as u128).max(1), "{left}: {most:?}");
            }
        }
        assert!(Clock::new(&Go::default(), 0, 10).most.is_none());
    }
}
