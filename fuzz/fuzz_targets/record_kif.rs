//! KIF, KI2 and BOD.
#![no_main]

mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::check("手数----\n", bytes));
