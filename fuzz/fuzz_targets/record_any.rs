//! Any format and encoding.
#![no_main]

mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::check("", bytes));
