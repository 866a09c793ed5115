//! Any text is read, and every complaint about it can be drawn.

#![no_main]

use libfuzzer_sys::fuzz_target;
use map_diagnostics::{SourceFile, render};
use map_syntax::{format, parse};

fuzz_target!(|text: &str| {
    let source = SourceFile::new("fuzz.map", text);
    let parsed = parse(&source);
    for diagnostic in parsed.diagnostics.iter().take(3) {
        let _ = render(&source, diagnostic);
    }
    assert_eq!(format(&source).is_ok(), parsed.diagnostics.is_empty());
});
