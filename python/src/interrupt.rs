//! Long calls run without the interpreter lock and end when a signal asks them to.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often it is asked whether a signal has arrived.
const PAUSE: Duration = Duration::from_millis(50);

struct Watch {
    last: Mutex<Instant>,
    stopped: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

/// Asks whether to stop.
pub(crate) type Stop<'s> = &'s (dyn Fn() -> bool + Sync);

/// Runs long work without the interpreter lock. The work asks its argument now and then whether to
/// stop; where a signal handler has raised, as Ctrl-C does, it is told so and the exception is
/// the answer.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(Stop<'_>) -> T + Send) -> PyResult<T> {
    let watch = Watch {
        last: Mutex::new(Instant::now()),
        stopped: AtomicBool::new(false),
        error: Mutex::new(None),
    };
    let done = py.detach(|| work(&|| watch.stops()));
    match watch.error.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(done),
    }
}

impl Watch {
    fn stops(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let Ok(mut last) = self.last.try_lock() else { return false };
        if last.elapsed() < PAUSE {
            return false;
        }
        *last = Instant::now();
        let Err(error) = Python::attach(|py: Python<'_>| py.check_signals()) else { return false };
        self.stopped.store(true, Ordering::Relaxed);
        if let Ok(mut kept) = self.error.lock() {
            *kept = Some(error);
        }
        true
    }
}
