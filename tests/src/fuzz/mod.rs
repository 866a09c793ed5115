//! What is fuzzed: functions of bytes, called by the programs in `fuzz/` and, on kept inputs, by
//! `tests/comparisons/fuzz.rs`.
//!
//! Texts for what is behind the parser are made from the bytes, so that most of them get past it.

mod bytes;
mod layout;
mod mapping;
mod mappings;
mod scene;
mod words;

use map_diagnostics::{Code, SourceFile, render};

use crate::front_end::{Stage, formatted, run};

/// A function that any bytes may be given to.
pub struct Target {
    /// The name of its program, and of its folder in `fuzz/seeds/`.
    pub name: &'static str,
    /// How the names of its texts end in `tests/regressions/`.
    pub extension: &'static str,
    /// The text that bytes stand for.
    pub text: fn(&[u8]) -> String,
    /// What must hold of the text: how far it got, or what is wrong.
    pub holds: fn(&str) -> Result<Stage, String>,
}

/// Any text is read, and every complaint about it can be drawn.
pub const PARSE: Target = Target {
    name: "parse",
    extension: "map",
    text: |bytes| String::from_utf8_lossy(bytes).into_owned(),
    holds: parse,
};

/// Every text with correct syntax can be formatted: same tree, same comments, and nothing to change the second time.
pub const FMT_IDEMPOTENCE: Target =
    Target { name: "fmt_idempotence", extension: "map", text: layout::loose, holds: fmt_idempotence };

/// Texts with mistakes go through the whole front end.
pub const CHECK: Target = Target { name: "check", extension: "map", text: words::scattered, holds: run };

/// Scenes that obey the static rules are compiled.
pub const LOWER: Target = Target { name: "lower", extension: "map", text: scene::sound, holds: run };

/// Logs of any form are read by any mapping, with its filter.
pub const MAPPING: Target =
    Target { name: "mapping", extension: "mapping", text: mappings::with_lines, holds: mapping::holds };

/// All of them.
pub const TARGETS: &[Target] = &[PARSE, FMT_IDEMPOTENCE, CHECK, LOWER, MAPPING];

impl Target {
    /// For the fuzzer.
    ///
    /// # Panics
    /// If something is wrong.
    pub fn fuzz(&self, bytes: &[u8]) {
        let text = (self.text)(bytes);
        if let Err(error) = (self.holds)(&text) {
            panic!("{error}\n--- from\n{text}");
        }
    }
}

fn parse(text: &str) -> Result<Stage, String> {
    let source = SourceFile::new("fuzz.map", text);
    let parsed = map_syntax::parse(&source);
    for diagnostic in parsed.diagnostics.iter().take(3) {
        let _ = render(&source, diagnostic);
    }
    match (map_syntax::format(&source).is_ok(), parsed.diagnostics.is_empty()) {
        (true, true) => Ok(Stage::Formatted),
        (false, false) => Ok(Stage::Refused),
        (true, false) => Err("formatted in spite of errors".to_owned()),
        (false, true) => Err("correct, but not formatted".to_owned()),
    }
}

fn fmt_idempotence(text: &str) -> Result<Stage, String> {
    // A `waitfor` without a timeout reaches as far as it can, so many of them nest however they were made.
    let errors = map_syntax::parse(&SourceFile::new("fuzz.map", text)).diagnostics;
    if errors.first().is_some_and(|error| error.code == Code::NestingTooDeep) {
        return Ok(Stage::Refused);
    }
    formatted(text).map(|_| Stage::Formatted)
}
