//! Whatever it turns out to be, with every encoding.
#![no_main]

mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::check("", bytes));
