//! Threads that share the work of a batch.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So often a thread that has nothing more to do lets others run before it sleeps until they are done.
/// To be woken would take longer than what they are still at.
const PATIENCE: usize = 100;

/// Threads that wait for work beside the one that asks.
pub(crate) struct Pool {
    threads: rayon::ThreadPool,
    /// The process whose threads they are: a fork has none of them.
    process: u32,
}

impl Pool {
    /// So many threads, started where they do not wait yet; none where none are wanted or to be had.
    pub(crate) fn of(kept: &mut Option<Pool>, threads: usize) -> Option<&rayon::ThreadPool> {
        let process = std::process::id();
        if kept.as_ref().is_some_and(|pool| pool.process != process) {
            // To wait for the threads of another process would be to wait for ever.
            std::mem::forget(kept.take());
        }
        if threads > 0 && kept.is_none() {
            let named = rayon::ThreadPoolBuilder::new().thread_name(|_| "senet batch".to_owned());
            let threads = named.num_threads(threads).build().ok()?;
            *kept = Some(Pool { threads, process });
        }
        kept.as_ref().map(|pool| &pool.threads).filter(|_| threads > 0)
    }
}

/// Works on each part, the last one in this thread and the others in those that wait.
pub(crate) fn share<T: Send>(
    pool: Option<&rayon::ThreadPool>,
    parts: impl Iterator<Item = T>,
    work: impl Fn(T) + Sync,
) {
    let Some(pool) = pool else { return parts.for_each(work) };
    let (begun, done) = (Cell::new(0), &AtomicUsize::new(0));
    pool.in_place_scope(|scope| {
        let (mut parts, work) = (parts.peekable(), &work);
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                work(part);
                break;
            }
            begun.set(begun.get() + 1);
            scope.spawn(move |_| {
                work(part);
                done.fetch_add(1, Ordering::Release);
            });
        }
        let all_done = || done.load(Ordering::Acquire) == begun.get();
        (0..PATIENCE).take_while(|_| !all_done()).for_each(|_| std::thread::yield_now());
    });
}
