//! CSA and the output of its servers.
#![no_main]

mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::check("V2.2\n", bytes));
