//! How often a piece of work asks for memory, how much it holds at most and how much it keeps.
//!
//! The crate that counts puts its allocator in the place of the system's wherever this one is
//! linked, which is in tests and benchmarks.

/// What a piece of work asked of this thread's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// How often it asked for memory.
    pub calls: u64,
    /// The most bytes it held at once.
    pub peak: u64,
    /// The bytes it still holds, in what it returned or elsewhere; below zero where it freed more.
    pub kept: i64,
}

/// Does some work and says what it asked of this thread's memory meanwhile.
pub fn usage<T>(work: impl FnOnce() -> T) -> (T, Usage) {
    let mut done = None;
    let counted = allocation_counter::measure(|| done = Some(work()));
    let usage =
        Usage { calls: counted.count_total, peak: counted.bytes_max, kept: counted.bytes_current };
    (done.expect("the work was done"), usage)
}

/// Does some work and says how often this thread asked for memory meanwhile.
pub fn allocations<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (done, usage) = usage(work);
    (done, usage.calls)
}
