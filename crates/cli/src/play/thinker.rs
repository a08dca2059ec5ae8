//! An opponent that thinks beside the screen, so that keys are answered meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use senet::Match;
use senet::bots::Thought;

use crate::opponent::Opponent;

/// An opponent at work on a thread of its own.
pub(super) struct Thinker {
    stop: Arc<AtomicBool>,
    work: JoinHandle<(Opponent, Option<Thought>)>,
}

impl Thinker {
    /// Lets an opponent think about the state that a match is at.
    pub(super) fn start(mut opponent: Opponent, played: &Match) -> Thinker {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, played) = (stop.clone(), played.branch());
        let work = thread::spawn(move || {
            let thought = opponent.choose(&played, &|| told.load(Ordering::Relaxed));
            (opponent, thought)
        });
        Thinker { stop, work }
    }

    pub(super) fn is_done(&self) -> bool {
        self.work.is_finished()
    }

    /// The opponent and what it found; one that still thinks is stopped.
    pub(super) fn end(self) -> (Opponent, Option<Thought>) {
        self.stop.store(true, Ordering::Relaxed);
        self.work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
