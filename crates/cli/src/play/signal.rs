//! Signals that end a process: they are noted, so that the terminal is left as it was.

use crate::failure::Failure;

#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};

/// The signals that came since the screen was opened.
pub(super) struct Signals {
    #[cfg(unix)]
    last: Arc<AtomicUsize>,
}

#[cfg(unix)]
impl Signals {
    pub(super) fn new() -> Signals {
        use signal_hook::consts::{SIGHUP, SIGTERM};
        let last = Arc::new(AtomicUsize::new(0));
        for signal in [SIGHUP, SIGTERM] {
            // Where it cannot be noted, the signal ends the process as it always did.
            let _ = signal_hook::flag::register_usize(signal, last.clone(), signal as usize);
        }
        watch(last.clone());
        Signals { last }
    }

    /// Whether the process is to end.
    pub(super) fn came(&self) -> bool {
        self.last.load(Ordering::Relaxed) != 0
    }

    /// What the process ends with: as a shell says it of a process that a signal ended.
    pub(super) fn result(&self) -> Result<(), Failure> {
        match self.last.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Failure::signal(signal as u8)),
        }
    }
}

/// Ends the process where a signal came and the screen does not follow it: reading keys from a
/// terminal that is gone may never return. What was played is kept move by move.
#[cfg(unix)]
fn watch(last: Arc<AtomicUsize>) {
    use std::thread::{sleep, spawn};
    use std::time::Duration;
    spawn(move || {
        while last.load(Ordering::Relaxed) == 0 {
            sleep(Duration::from_millis(100));
        }
        sleep(Duration::from_secs(2));
        ratatui::restore();
        std::process::exit(128 + last.load(Ordering::Relaxed) as i32);
    });
}

#[cfg(not(unix))]
impl Signals {
    pub(super) fn new() -> Signals {
        Signals {}
    }

    pub(super) fn came(&self) -> bool {
        false
    }

    pub(super) fn result(&self) -> Result<(), Failure> {
        Ok(())
    }
}
