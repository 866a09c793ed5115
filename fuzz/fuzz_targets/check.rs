//! Texts with mistakes go through the whole front end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use map_fuzz::Scattered;
use map_tests::front_end::run;

fuzz_target!(|text: Scattered| {
    if let Err(error) = run(&text.0) {
        panic!("{error}\n--- from\n{}", text.0);
    }
});
