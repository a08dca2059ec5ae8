//! Work shared among threads whose results come in the order of the tasks, in bounded memory.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The most results of a thread that may wait.
const WAITING: usize = 32;

/// Who waits for a result is asked so often whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a thread says.
enum Word<T> {
    Result(T),
    /// A task is done.
    Done,
}

/// The results of tasks, in the order of the tasks. Tasks are dealt out in turn, so that the
/// order needs no more memory than each thread's waiting results.
pub(crate) struct Ordered<T> {
    lanes: Vec<Lane<T>>,
    tasks: usize,
    done: usize,
}

struct Lane<T> {
    words: Receiver<Word<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Ordered<T> {
    /// Does `tasks` tasks on `threads` threads; each task gives any number of results.
    pub(crate) fn new<I: Iterator<Item = T>>(
        threads: usize,
        tasks: usize,
        work: impl Fn(usize) -> I + Send + Sync + 'static,
    ) -> Ordered<T> {
        let work = Arc::new(work);
        let threads = threads.clamp(1, tasks.max(1));
        let lane = |first: usize| {
            let (sender, words) = sync_channel(WAITING);
            let work = work.clone();
            let mine = (first..tasks).step_by(threads);
            let thread = thread::spawn(move || run(mine.map(|task| work(task)), &sender));
            Lane { words, thread: Some(thread) }
        };
        Ordered { lanes: (0..threads).map(lane).collect(), tasks, done: 0 }
    }

    /// How many tasks are done and their results taken.
    pub(crate) fn done(&self) -> usize {
        self.done
    }
}

/// Does tasks until nobody listens.
fn run<T, I: Iterator<Item = T>>(tasks: impl Iterator<Item = I>, to: &SyncSender<Word<T>>) {
    for task in tasks {
        for result in task {
            if to.send(Word::Result(result)).is_err() {
                return;
            }
        }
        if to.send(Word::Done).is_err() {
            return;
        }
    }
}

impl<T> Ordered<T> {
    /// The next result; none at the end, and none when it is no longer wanted.
    pub(crate) fn next_if(&mut self, wanted: &mut dyn FnMut() -> bool) -> Option<T> {
        while self.done < self.tasks && wanted() {
            let lanes = self.lanes.len();
            let lane = &mut self.lanes[self.done % lanes];
            match lane.words.recv_timeout(PATIENCE) {
                Ok(Word::Result(result)) => return Some(result),
                Ok(Word::Done) => self.done += 1,
                Err(RecvTimeoutError::Timeout) => {}
                // A thread that stopped before its tasks were done has panicked.
                Err(RecvTimeoutError::Disconnected) => {
                    self.done = self.tasks;
                    let ended = lane.thread.take().map(JoinHandle::join);
                    if let Some(Err(panic)) = ended {
                        std::panic::resume_unwind(panic);
                    }
                }
            }
        }
        None
    }
}

impl<T> Iterator for Ordered<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.next_if(&mut || true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let work = |task: usize| (0..task % 5 * 40).map(move |nth| (task, nth));
        let expected: Vec<_> = (0..50).flat_map(work).collect();
        for threads in [1, 2, 3, 80] {
            let mut ordered = Ordered::new(threads, 50, work);
            assert_eq!(ordered.by_ref().collect::<Vec<_>>(), expected);
            assert_eq!(ordered.done(), 50);
        }
        assert_eq!(Ordered::new(2, 0, work).count(), 0);
    }

    #[test]
    fn threads_end_when_nobody_listens() {
        let mut ordered = Ordered::new(2, 1_000_000_000, |_| std::iter::repeat_n(0, 1000));
        assert_eq!(ordered.next(), Some(0));
        let threads: Vec<_> =
            ordered.lanes.iter_mut().filter_map(|lane| lane.thread.take()).collect();
        drop(ordered);
        assert!(threads.into_iter().all(|thread| thread.join().is_ok()));
    }
}
