//! Tests of the static rules and the warnings, with helpers to check a text and to abbreviate the diagnostics.

mod around;
mod bindings;
mod bodies;
mod bodies_rendered;
mod cast;
mod costs;
mod formulas;
mod heads;
mod kinds;
mod measures;
mod names;
mod paths;
mod properties;
mod rendered;
mod scale;
mod structure;
mod truths;
mod warnings;

use map_diagnostics::{Diagnostic, SourceFile};
use map_syntax::ast;

use crate::{CastOverride, CheckOptions, CheckedScene, Occurrence, check};

fn parsed(text: &str) -> (SourceFile, ast::File) {
    let source = SourceFile::new("test.map", text);
    let parsed = map_syntax::parse(&source);
    assert!(parsed.diagnostics.is_empty(), "the test input has syntax errors: {:#?}", parsed.diagnostics);
    (source, parsed.file)
}

/// Options in short form: `"S a=1 b=2"` is `--scene S --agents a=1,b=2`; the scene is a word without `=`.
fn options(text: &str) -> CheckOptions {
    let mut options = CheckOptions::default();
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some((name, count)) => {
                options.agents.push(CastOverride { name: name.to_owned(), count: count.parse().unwrap() });
            }
            None => options.scene = Some(word.to_owned()),
        }
    }
    options
}

/// A diagnostic in short form: its code, the text it marks, and its line.
fn short(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let place =
        |span: map_diagnostics::Span| format!(" {}@{}", source.slice(span), source.position(span.start).line);
    format!("{}{}", diagnostic.code.as_str(), diagnostic.span().map(place).unwrap_or_default())
}

#[track_caller]
fn assert_errors_with(arguments: &str, text: &str, expected: &[&str]) {
    let (source, file) = parsed(text);
    let (checked, errors) = check(&file, &options(arguments));
    let found: Vec<String> = errors.iter().map(|error| short(&source, error)).collect();
    assert_eq!(found, expected, "{errors:#?}");
    assert!(checked.is_some() || !errors.is_empty());
}

#[track_caller]
fn assert_errors(text: &str, expected: &[&str]) {
    assert_errors_with("", text, expected);
}

/// Passes the result for a file, which must have no errors, to a closure.
#[track_caller]
fn with_checked<T>(arguments: &str, text: &str, read: impl FnOnce(&CheckedScene<'_>) -> T) -> T {
    let (_, file) = parsed(text);
    let (checked, errors) = check(&file, &options(arguments));
    assert_eq!(errors, []);
    read(&checked.expect("a scene without errors is checked"))
}

/// The names of the agents of the cast, in order.
#[track_caller]
fn agents(arguments: &str, text: &str) -> String {
    with_checked(arguments, text, |checked| {
        let names: Vec<&str> = checked.agents.iter().map(|agent| &*agent.name).collect();
        names.join(" ")
    })
}

/// What every occurrence of a variable does, in source order: `x+` binds, `x=` compares, `x` is a value.
#[track_caller]
fn occurrences(text: &str) -> String {
    let (source, file) = parsed(text);
    let (checked, errors) = check(&file, &CheckOptions::default());
    assert_eq!(errors, []);
    let mut found: Vec<(u32, Occurrence)> = checked.unwrap().occurrences.into_iter().collect();
    found.sort_by_key(|&(start, _)| start);
    let shown = found.into_iter().map(|(start, occurrence)| {
        let rest = &source.text()[start as usize + 1..];
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        match occurrence {
            Occurrence::Binds => format!("{name}+"),
            Occurrence::Compares => format!("{name}="),
            Occurrence::Value => name,
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A scene whose main agent runs `op`; `%b` and `!B` exist too.
fn body(op: &str) -> String {
    format!("s[ agent($me, %a) = {op}\n agent(!B, %b) = skip ]")
}
