//! Work shared among threads, with the same results in the same order however many there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads to use.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads; all processors by default. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(all, usize::from)
    }
}

/// All threads that the machine has.
pub(crate) fn all() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does every task and gives the results in the order of the tasks.
pub(crate) fn share<T: Send>(
    threads: usize,
    tasks: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return done;
            }
            done.push((task, work(task)));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(tasks)).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(task, _)| *task);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_tasks_whatever_the_threads() {
        let squares: Vec<usize> = (0..100).map(|n| n * n).collect();
        for threads in [1, 2, 7, 200] {
            assert_eq!(share(threads, 100, |n| n * n), squares);
        }
        assert!(share(3, 0, |n| n).is_empty());
    }
}
