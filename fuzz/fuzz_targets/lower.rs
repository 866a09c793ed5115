//! Scenes that obey the static rules are compiled.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| map_tests::fuzz::LOWER.fuzz(bytes));
