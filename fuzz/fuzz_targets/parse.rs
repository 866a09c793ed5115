//! Any text is read, and every complaint about it can be drawn.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| map_tests::fuzz::PARSE.fuzz(bytes));
