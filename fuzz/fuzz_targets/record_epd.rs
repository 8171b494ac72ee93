//! XBoard positions (EPD) with their operations.
#![no_main]

mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::check("4k4/9/9/9/9/9/9/9/4K4[-] w ", bytes));
