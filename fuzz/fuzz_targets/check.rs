//! Texts with mistakes go through the whole front end.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| map_tests::fuzz::CHECK.fuzz(bytes));
