//! Clocks of matches. Times are milliseconds; what the time is comes from outside.

use serde::{Deserialize, Serialize};

/// How time is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Control {
    /// It is not.
    #[default]
    None,
    /// A time for the match, and some more after each turn.
    Fischer {
        /// At the start.
        initial: u64,
        /// After each turn.
        increment: u64,
    },
    /// A time for the match; after each turn what was used comes back, up to a bound.
    Bronstein {
        /// At the start.
        initial: u64,
        /// What comes back at most.
        delay: u64,
    },
    /// A time for the match that begins to run only some time into each turn.
    Delay {
        /// At the start.
        initial: u64,
        /// How long it stands still in each turn.
        delay: u64,
    },
    /// The same time for each turn; of days, it is correspondence.
    Turn {
        /// For a turn.
        time: u64,
    },
}

/// The longest time that a control may name: a year.
const LONGEST: u64 = 366 * 24 * 60 * 60 * 1000;

impl Control {
    /// Whether its times are within bounds, or what is allowed.
    ///
    /// # Errors
    /// A time that is 0 where it may not be, or longer than a year.
    pub fn check(self) -> Result<(), &'static str> {
        let (main, more) = match self {
            Control::None => return Ok(()),
            Control::Fischer { initial, increment } => (initial, increment),
            Control::Bronstein { initial, delay } | Control::Delay { initial, delay } => {
                (initial, delay)
            }
            Control::Turn { time } => (time, 0),
        };
        let fits = (1000..=LONGEST).contains(&main) && more <= LONGEST;
        if fits { Ok(()) } else { Err("times are milliseconds: from 1000 to those of a year") }
    }

    /// What each player has at the start.
    fn initial(self) -> u64 {
        match self {
            Control::None => 0,
            Control::Fischer { initial, .. }
            | Control::Bronstein { initial, .. }
            | Control::Delay { initial, .. } => initial,
            Control::Turn { time } => time,
        }
    }
}

/// When a server begins to count time: now, but not before a server was last known to run, should
/// the clock of the machine have been set back since. From then on time only goes forward.
pub fn begin(now: u64, pulse: Option<u64>) -> u64 {
    now.max(pulse.unwrap_or(0))
}

/// The clock of one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: Control,
    /// What each player has left at the start of the turn.
    left: Vec<u64>,
    /// Whose time runs, and since when.
    running: Option<(usize, u64)>,
    /// What was used of this turn before `running`.
    used: u64,
}

impl Clock {
    /// A clock that does not run yet.
    pub fn new(control: Control, players: usize) -> Clock {
        Clock { control, left: vec![control.initial(); players], running: None, used: 0 }
    }

    /// How time is kept.
    pub fn control(&self) -> Control {
        self.control
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<usize> {
        self.running.map(|(player, _)| player)
    }

    /// What a player has left at a time.
    pub fn left(&self, player: usize, now: u64) -> u64 {
        let used = match self.running {
            Some((running, since)) if running == player => self.used + now.saturating_sub(since),
            _ => 0,
        };
        let free = match self.control {
            Control::Delay { delay, .. } => delay,
            _ => 0,
        };
        self.left[player].saturating_sub(used.saturating_sub(free))
    }

    /// When the time of the running player is up.
    pub fn due(&self) -> Option<u64> {
        let (player, since) = self.running.filter(|_| self.control != Control::None)?;
        let free = match self.control {
            Control::Delay { delay, .. } => delay,
            _ => 0,
        };
        let whole = self.left[player].saturating_add(free);
        Some(since.saturating_add(whole.saturating_sub(self.used)))
    }

    /// The turn passes to a player, or goes on, or the match is over.
    pub fn turn(&mut self, next: Option<usize>, now: u64) {
        let Some((player, since)) = self.running else {
            self.running = next.map(|player| (player, now));
            return;
        };
        if next == Some(player) {
            return;
        }
        let used = self.used + now.saturating_sub(since);
        let left = self.left(player, now);
        self.left[player] = match self.control {
            Control::None => 0,
            // Who ran out of time gets nothing back.
            _ if left == 0 => 0,
            Control::Fischer { increment, .. } => left.saturating_add(increment),
            Control::Bronstein { delay, .. } => left.saturating_add(used.min(delay)),
            Control::Delay { .. } => left,
            Control::Turn { time } => time,
        };
        self.used = 0;
        self.running = next.map(|player| (player, now));
    }

    /// No time passed from one moment to another, for no server ran.
    pub fn resume(&mut self, stopped: u64, now: u64) {
        if let Some((player, since)) = self.running {
            self.used += stopped.saturating_sub(since);
            self.running = Some((player, now.max(since)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: Control) -> Clock {
        let mut clock = Clock::new(control, 2);
        clock.turn(Some(0), 1_000);
        clock
    }

    #[test]
    fn fischer_adds_after_each_turn() {
        let mut clock = clock(Control::Fischer { initial: 60_000, increment: 2_000 });
        clock.turn(Some(1), 11_000);
        assert_eq!((clock.left(0, 99_000), clock.left(1, 11_500)), (52_000, 59_500));
        assert_eq!(clock.due(), Some(71_000));
    }

    #[test]
    fn bronstein_gives_back_what_was_used() {
        let mut clock = clock(Control::Bronstein { initial: 60_000, delay: 3_000 });
        clock.turn(Some(1), 3_000);
        assert_eq!(clock.left(0, 3_000), 60_000);
        clock.turn(Some(0), 13_000);
        assert_eq!(clock.left(1, 13_000), 53_000);
    }

    #[test]
    fn a_delay_lets_time_stand_still_first() {
        let mut clock = clock(Control::Delay { initial: 10_000, delay: 5_000 });
        assert_eq!((clock.left(0, 6_000), clock.left(0, 8_000)), (10_000, 8_000));
        assert_eq!(clock.due(), Some(16_000));
        clock.turn(Some(1), 8_000);
        assert_eq!(clock.left(0, 8_000), 8_000);
    }

    #[test]
    fn a_time_for_each_turn_begins_anew() {
        let mut clock = clock(Control::Turn { time: 5_000 });
        clock.turn(Some(1), 4_000);
        assert_eq!((clock.left(0, 4_000), clock.due()), (5_000, Some(9_000)));
    }

    #[test]
    fn several_moves_of_one_turn_are_one_turn() {
        let mut clock = clock(Control::Fischer { initial: 60_000, increment: 2_000 });
        clock.turn(Some(0), 5_000);
        assert_eq!(clock.left(0, 11_000), 50_000);
    }

    #[test]
    fn time_stands_still_while_no_server_runs() {
        let mut clock = clock(Control::Fischer { initial: 60_000, increment: 0 });
        clock.resume(4_000, 500_000);
        assert_eq!((clock.left(0, 500_000), clock.due()), (57_000, Some(557_000)));
    }

    #[test]
    fn a_machine_whose_clock_is_set_back_gives_no_time() {
        assert_eq!(begin(9_000, Some(4_000)), 9_000);
        let mut clock = clock(Control::Fischer { initial: 60_000, increment: 0 });
        // The server ran until 31 s, and its machine says 2 s when it starts again.
        let began = begin(2_000, Some(31_000));
        clock.resume(31_000, began);
        assert_eq!((clock.left(0, began), clock.due()), (30_000, Some(61_000)));
        assert_eq!(clock.left(0, began + 10_000), 20_000);
    }

    #[test]
    fn a_time_before_the_last_takes_nothing_and_gives_nothing() {
        let mut clock = clock(Control::Fischer { initial: 60_000, increment: 0 });
        assert_eq!(clock.left(0, 500), 60_000);
        clock.turn(Some(1), 500);
        assert_eq!((clock.left(0, 500), clock.left(1, 500)), (60_000, 60_000));
    }

    #[test]
    fn who_ran_out_of_time_gets_nothing_back() {
        let mut clock = clock(Control::Fischer { initial: 1_000, increment: 2_000 });
        clock.turn(Some(1), 9_000);
        assert_eq!(clock.left(0, 9_000), 0);
    }
}
