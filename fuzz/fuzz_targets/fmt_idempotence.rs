//! Every text with correct syntax can be formatted: same tree, same comments, and nothing to change the second time.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| map_tests::fuzz::FMT_IDEMPOTENCE.fuzz(bytes));
