//! Heap allocations of the process are counted while somebody counts them, and cost nothing to speak of otherwise.
//!
//! A program that wants the count names [`Counted`] as its `#[global_allocator]`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, with a count.
pub struct Counted;

fn count(bytes: usize) {
    if COUNTING.load(Ordering::Relaxed) {
        CALLS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

// SAFETY: every method is the system allocator's, which keeps the trait's promises; counting touches no memory but three atomics.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Allocations of all threads while `work` ran, and their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allocations {
    /// How many there were.
    pub count: u64,
    /// Bytes that they asked for.
    pub bytes: u64,
}

/// Counts what is allocated while `work` runs; nothing, unless [`Counted`] is the global allocator. Two who count at once disturb each other.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Allocations) {
    let now = || (CALLS.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
    COUNTING.store(true, Ordering::Relaxed);
    let before = now();
    let value = work();
    let after = now();
    COUNTING.store(false, Ordering::Relaxed);
    (value, Allocations { count: after.0 - before.0, bytes: after.1 - before.1 })
}
