//! How often a piece of work asks for memory, how much it holds at most and how much it keeps.
//!
//! A test or program that wants to know makes [`Counting`] its global allocator.

#![allow(unsafe_code, reason = "an allocator cannot be written without; see `Counting`")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with an account of what is asked of it, for each thread.
pub struct Counting;

/// What a thread has asked for so far.
#[derive(Clone, Copy)]
struct Account {
    calls: u64,
    /// Bytes held; below zero where a thread frees what another asked for.
    held: i64,
    /// The most bytes held at once since the last question.
    peak: i64,
}

thread_local! {
    /// Needs neither memory nor a destructor, so that counting allocates nothing itself.
    static ACCOUNT: Cell<Account> = const { Cell::new(Account { calls: 0, held: 0, peak: 0 }) };
}

/// Notes a call that asks for memory, and by how many bytes more are held after it.
fn note(calls: u64, bytes: i64) {
    ACCOUNT.with(|account| {
        let Account { calls: before, held, peak } = account.get();
        let held = held + bytes;
        account.set(Account { calls: before + calls, held, peak: peak.max(held) });
    });
}

// SAFETY: every call is handed on to the system's allocator unchanged, which keeps the contract;
// counting touches plain numbers of the thread and no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same there.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, size as i64 - layout.size() as i64);
        // SAFETY: the block came from this allocator, that is from the system's, with this layout.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, -(layout.size() as i64));
        // SAFETY: the block came from this allocator, that is from the system's, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

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
    let before = ACCOUNT.with(Cell::get);
    ACCOUNT.with(|account| account.set(Account { peak: before.held, ..before }));
    let done = work();
    let after = ACCOUNT.with(Cell::get);
    // Work within work has its own peak; the outer one must still hear of it.
    let peak = before.peak.max(after.peak);
    ACCOUNT.with(|account| account.set(Account { peak, ..after }));
    let usage = Usage {
        calls: after.calls - before.calls,
        peak: (after.peak - before.held) as u64,
        kept: after.held - before.held,
    };
    (done, usage)
}

/// Does some work and says how often this thread asked for memory meanwhile.
pub fn allocations<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (done, usage) = usage(work);
    (done, usage.calls)
}
