//! An allocator that counts the bytes in use.
#![expect(
    unsafe_code,
    reason = "an allocator has unsafe methods, and this one delegates all calls"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Whether allocations are counted. Counting all the time would slow down the readers that allocate most.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// The number of bytes in use.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// The largest number of bytes in use since the counting began.
static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls are delegated to the system's allocator; the rest only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract, which is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller upholds the contract, which is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may both exist for a moment, so the new one is counted first.
        count(size, 0);
        count(0, layout.size());
        // SAFETY: the caller upholds the contract, which is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn count(more: usize, less: usize) {
    if IS_ON.load(Relaxed) {
        let in_use = IN_USE.load(Relaxed).saturating_add(more).saturating_sub(less);
        IN_USE.store(in_use, Relaxed);
        PEAK_BYTES.fetch_max(in_use, Relaxed);
    }
}

/// Returns the peak of bytes in use during some work, beyond those in use before. Nothing else may run meanwhile.
pub(crate) fn while_in(work: impl FnOnce()) -> usize {
    IN_USE.store(0, Relaxed);
    PEAK_BYTES.store(0, Relaxed);
    IS_ON.store(true, Relaxed);
    work();
    IS_ON.store(false, Relaxed);
    PEAK_BYTES.load(Relaxed)
}
