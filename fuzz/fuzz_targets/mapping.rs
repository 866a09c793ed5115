//! Logs of any form are read by any mapping, with its filter.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| map_tests::fuzz::MAPPING.fuzz(bytes));
