//! How often a piece of work asks for memory.
//!
//! A test or program that wants to know makes [`Counting`] its global allocator.

#![allow(unsafe_code, reason = "an allocator cannot be written without; see `Counting`")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a count of the calls that ask for memory, for each thread.
pub struct Counting;

thread_local! {
    /// Needs neither memory nor a destructor, so that counting allocates nothing itself.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator unchanged, which keeps the contract;
// counting touches a plain number of the thread and no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`, which is the same there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same there.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the block came from this allocator, that is from the system's, with this layout.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from this allocator, that is from the system's, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Does some work and says how often this thread asked for memory meanwhile.
pub fn allocations<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.with(Cell::get);
    let done = work();
    (done, COUNT.with(Cell::get) - before)
}
