//! Scenes that obey the static rules are compiled.

#![no_main]

use libfuzzer_sys::fuzz_target;
use map_fuzz::Sound;
use map_tests::front_end::run;

fuzz_target!(|text: Sound| {
    if let Err(error) = run(&text.0) {
        panic!("{error}\n--- from\n{}", text.0);
    }
});
