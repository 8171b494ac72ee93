//! Any bytes as a segment of the shelf's index, and as the whole file. They are read or refused, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_shelf::{MAGIC, Segment, Shelf, ShelfKey, ShelfQuery};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(segment) = Segment::read(bytes) {
        let _bytes = segment.entry_bytes();
    }
    // A file of this process, behind the first bytes of an index.
    let path = std::env::temp_dir().join(format!("shogibar-fuzz-{}.index", std::process::id()));
    std::fs::write(&path, [MAGIC.as_slice(), bytes].concat()).expect("a file for the index");
    if let Ok(mut shelf) = Shelf::open(&path) {
        let _counts = shelf.counts();
        let _answer = shelf.ask(&ShelfQuery::new(ShelfKey(0), 10));
    }
    std::fs::remove_file(&path).expect("the file is there");
});
