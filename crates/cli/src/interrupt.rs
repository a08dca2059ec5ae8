//! The user's wish to stop, told with Ctrl-C.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether there is no work that could stop.
static IDLE: AtomicBool = AtomicBool::new(false);

/// A question that says, from now on, whether the user still wants the work to go on.
pub(crate) fn wanted() -> impl FnMut() -> bool {
    static HANDLER: OnceLock<()> = OnceLock::new();
    STOP.store(false, Ordering::Relaxed);
    HANDLER.get_or_init(|| {
        // Where there is no handler, the process just ends, and its file has no name yet.
        let _ = ctrlc::set_handler(|| match IDLE.load(Ordering::Relaxed) {
            true => std::process::exit(130),
            false => STOP.store(true, Ordering::Relaxed),
        });
    });
    || !STOP.load(Ordering::Relaxed)
}

/// Waits for what the user will say; the wish to stop, told meanwhile, ends the process.
#[cfg(feature = "sql")]
pub(crate) fn idle<T>(wait: impl FnOnce() -> T) -> T {
    IDLE.store(true, Ordering::Relaxed);
    let said = wait();
    IDLE.store(false, Ordering::Relaxed);
    said
}
