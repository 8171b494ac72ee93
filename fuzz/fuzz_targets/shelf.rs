//! Any bytes as a segment of the shelf's index: it is read or refused, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_shelf::Segment;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(segment) = Segment::read(bytes) {
        let _bytes = segment.entry_bytes();
    }
});
