//! An allocator that counts what is in use.
#![expect(unsafe_code, reason = "an allocator is, and this one passes everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// It counts only when it is asked to: counting would cost the readers that allocate most the most.
static IS_ON: AtomicBool = AtomicBool::new(false);
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: what is promised is what the system's allocator promises; the rest is numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may both be there for a moment.
        count(size, 0);
        count(0, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

fn count(more: usize, less: usize) {
    if IS_ON.load(Relaxed) {
        let in_use = IN_USE.load(Relaxed).saturating_add(more).saturating_sub(less);
        IN_USE.store(in_use, Relaxed);
        MOST.fetch_max(in_use, Relaxed);
    }
}

/// The most bytes in use at a time during some work, beyond what was in use before. Nothing else may run.
pub(crate) fn while_in(work: impl FnOnce()) -> usize {
    IN_USE.store(0, Relaxed);
    MOST.store(0, Relaxed);
    IS_ON.store(true, Relaxed);
    work();
    IS_ON.store(false, Relaxed);
    MOST.load(Relaxed)
}
