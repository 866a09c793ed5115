//! Every text with correct syntax can be formatted: same tree, same comments, and nothing to change the second time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use map_diagnostics::{Code, SourceFile};
use map_fuzz::Loose;
use map_syntax::parse;
use map_tests::front_end::formatted;

fuzz_target!(|text: Loose| {
    // A `waitfor` without a timeout reaches as far as it can, so many of them nest however they were made.
    let errors = parse(&SourceFile::new("fuzz.map", text.0.as_str())).diagnostics;
    if errors.first().is_some_and(|error| error.code == Code::NestingTooDeep) {
        return;
    }
    if let Err(error) = formatted(&text.0) {
        panic!("{error}\n--- from\n{}", text.0);
    }
});
